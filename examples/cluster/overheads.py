# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
"""What an engine that spreads work over processes adds to it: microseconds until an empty piece of work is known to be
done, and until 16 MiB are there or back.

    python overheads.py opencl           the device that the loader finds, be it here or behind a server
    mpiexec -n 2 python overheads.py mpi a message of one byte, and a buffer's mapped memory, to the other rank
    python overheads.py dask             tasks of one worker, a process

A line on stdout, "NAME | EMPTY | THERE | BACK", medians of many; what comes back is compared with what was sent.
"""
import statistics
import sys
import time

import numpy as np

SIZE = 16 << 20
KERNEL = """
kernel void nothing(global uint *data) {}
kernel void increment(global uint *data) { data[get_global_id(0)] += 1; }
"""


def microseconds(count, work):
    """The median of so many runs, after some that warm up."""
    times = []
    for run in range(count + count // 5 + 1):
        begin = time.perf_counter()
        work()
        if run > count // 5:
            times.append((time.perf_counter() - begin) * 1e6)
    return statistics.median(times)


def report(name, empty, there, back):
    print(f"{name} | {empty:.1f} | {there:.0f} | {back:.0f}", flush=True)


def require(right):
    if not right:
        raise SystemExit("wrong")


def new_queue():
    import pyopencl as cl

    devices = [d for p in cl.get_platforms() for d in p.get_devices()]
    require(len(devices) == 1)
    return cl.CommandQueue(cl.Context(devices))


def over_opencl():
    import pyopencl as cl

    queue = new_queue()
    begin = time.perf_counter()
    program = cl.Program(queue.context, KERNEL).build()
    nothing, increment = program.nothing, program.increment
    print(f"program built in {(time.perf_counter() - begin) * 1e3:.0f} ms", file=sys.stderr)
    sent = np.random.default_rng(1).integers(0, 1 << 31, SIZE // 4, np.uint32)
    got = np.empty_like(sent)
    buffer = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, SIZE)
    nothing.set_args(buffer)

    def launch():
        cl.enqueue_nd_range_kernel(queue, nothing, (1,), (1,))
        queue.finish()

    empty = microseconds(500, launch)
    there = microseconds(20, lambda: cl.enqueue_copy(queue, buffer, sent))
    increment(queue, sent.shape, None, buffer)
    queue.finish()
    back = microseconds(20, lambda: cl.enqueue_copy(queue, got, buffer))
    require((got == sent + 1).all())
    report("opencl", empty, there, back)


def over_mpi():
    import pyopencl as cl
    from mpi4py import MPI

    world = MPI.COMM_WORLD
    require(world.size == 2)
    queue = new_queue()
    buffer = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, SIZE)
    flags = cl.map_flags.READ | cl.map_flags.WRITE
    data, _ = cl.enqueue_map_buffer(queue, buffer, flags, 0, (SIZE,), np.uint8)
    data[:] = np.arange(SIZE) % 251 if world.rank == 0 else 0
    byte = np.zeros(1, np.uint8)

    def round_trip(memory):
        if world.rank == 0:
            world.Send(memory, 1)
            world.Recv(memory, 1)
        else:
            world.Recv(memory, 0)
            world.Send(memory, 0)

    empty = microseconds(1000, lambda: round_trip(byte)) / 2
    moved = microseconds(20, lambda: round_trip(data)) / 2
    require((data == np.arange(SIZE) % 251).all())
    if world.rank == 0:
        report("mpi", empty, moved, moved)


def zeros(size):
    return np.zeros(size, np.uint8)


def over_dask():
    from distributed import Client, LocalCluster

    data = np.arange(SIZE).astype(np.uint8)
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        empty = microseconds(200, lambda: client.submit(time.monotonic, pure=False).result())
        there = microseconds(20, lambda: client.submit(len, data, pure=False).result())
        back = microseconds(20, lambda: client.submit(zeros, SIZE, pure=False).result())
        require((client.submit(np.copy, data).result() == data).all())
    report("dask", empty, there - empty, back - empty)


if __name__ == "__main__":
    {"opencl": over_opencl, "mpi": over_mpi, "dask": over_dask}[sys.argv[1]]()
