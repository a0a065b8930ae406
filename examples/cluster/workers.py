# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
"""Tiles of the Mandelbrot set by the workers of Dask: each is a process with an OpenCL device of its own.

    python workers.py [workers] [size]

Runs on a cluster of processes on this machine; with the address of a scheduler in DASK_SCHEDULER_ADDRESS, on that
one's workers. A worker makes its context and builds its program once, in the first task that it gets: other workers, on
other machines too, find what was built in the cache of compiled programs, if QUERN_CACHE_DIR is a folder of all. The
result is compared with NumPy's.
"""
import contextlib
import os
import sys
import time

import numpy as np
from distributed import Client, LocalCluster, get_worker

STEPS = 200
KERNEL = """
#pragma OPENCL FP_CONTRACT OFF
kernel void tile(global int *steps, int size, int first, int most) {
  int x = get_global_id(0), y = get_global_id(1);
  double a = 3.0 * x / size - 2.0, b = 2.0 * (first + y) / size - 1.0;
  double re = 0, im = 0;
  int n = 0;
  for (; n < most && re * re + im * im <= 4; ++n) {
    double next = re * re - im * im + a;
    im = 2 * re * im + b;
    re = next;
  }
  steps[y * size + x] = n;
}
"""


def own_program():
    """Queue and kernel of this worker, made when they are first asked for."""
    import pyopencl as cl

    worker = get_worker()
    if not hasattr(worker, "opencl"):
        devices = [d for p in cl.get_platforms() for d in p.get_devices(cl.device_type.CPU)]
        context = cl.Context(devices[:1])
        kernel = cl.Program(context, KERNEL).build().tile
        worker.opencl = cl.CommandQueue(context), kernel
    return worker.opencl


def tile(size, first, rows):
    """Rows of the picture."""
    import pyopencl as cl

    queue, kernel = own_program()
    steps = np.empty((rows, size), np.int32)
    buffer = cl.Buffer(queue.context, cl.mem_flags.WRITE_ONLY, steps.nbytes)
    kernel(queue, (size, rows), None, buffer, np.int32(size), np.int32(first), np.int32(STEPS))
    cl.enqueue_copy(queue, steps, buffer)
    return steps


def reference(size):
    a = 3.0 * np.arange(size) / size - 2.0
    b = 2.0 * np.arange(size)[:, None] / size - 1.0
    re, im = np.zeros((2, size, size))
    steps = np.zeros((size, size), np.int32)
    for _ in range(STEPS):
        inside = re * re + im * im <= 4
        steps += inside
        re, im = np.where(inside, re * re - im * im + a, re), np.where(inside, 2 * re * im + b, im)
    return steps


def picture(client, size, rows):
    tiles = [client.submit(tile, size, first, min(rows, size - first)) for first in range(0, size, rows)]
    return np.concatenate(client.gather(tiles))


def main():
    workers, size = (int(text) for text in (sys.argv[1:] + ["2", "512"][len(sys.argv) - 1:]))
    address = os.environ.get("DASK_SCHEDULER_ADDRESS")
    cluster = address or LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None)
    with contextlib.nullcontext() if address else cluster, Client(cluster) as client:
        picture(client, size, 64)  # builds
        begin = time.perf_counter()
        result = picture(client, size - 1, 64)  # another size, as Dask remembers results
        seconds = time.perf_counter() - begin
    different = np.count_nonzero(result != reference(size - 1))
    print(f"{workers} workers: {seconds * 1e3:.1f} ms, {different} points differ from NumPy's")
    if different:
        raise SystemExit("wrong")


if __name__ == "__main__":
    main()
