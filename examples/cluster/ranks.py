# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Quern authors
"""Heat in a plate, over the ranks of an MPI program: each has a strip of rows on an OpenCL device of its own cores.

    mpiexec -n 4 --bind-to numa python ranks.py [rows] [columns] [steps]

Each rank computes its strip and exchanges the rows at the border with its neighbours after every step, in the mapped
memory of the device: a CPU's buffers are host memory, so MPI sends from where the kernel wrote. The first rank compares
the result with NumPy's. Ranks that are bound (--bind-to) have the processors of their binding; ranks that are not bound
share those that they have in common.
"""
import sys
import time

import numpy as np
import pyopencl as cl
from mpi4py import MPI

KERNEL = """
// One step of Jacobi's method. Row 0 and the last row are the neighbours', or the edge of the plate.
kernel void step(global const float *from, global float *to, int columns) {
  int x = get_global_id(0), y = get_global_id(1) + 1;
  int i = y * columns + x;
  if (x > 0 && x < columns - 1)
    to[i] = 0.25f * (from[i - 1] + from[i + 1] + from[i - columns] + from[i + columns]);
}
"""


def own_device():
    """The device of this rank: the first one of a CPU."""
    devices = [d for p in cl.get_platforms() for d in p.get_devices(cl.device_type.CPU)]
    if not devices:
        raise SystemExit("no OpenCL device is a CPU")
    return devices[0]


def plate(rows, columns):
    """Cold, with one hot edge and a warm one."""
    heat = np.zeros((rows, columns), np.float32)
    heat[0, :] = 100
    heat[:, 0] = 50
    return heat


def rows_of(rank, ranks, rows):
    """The inner rows of a rank: (first, last + 1)."""
    inner = rows - 2
    return 1 + inner * rank // ranks, 1 + inner * (rank + 1) // ranks


class Strip:
    """Rows of the plate on a device, with a row of each neighbour."""

    def __init__(self, context, heat):
        self.rows, self.columns = heat.shape
        self.queue = cl.CommandQueue(context)
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
        self.heat = [cl.Buffer(context, flags, hostbuf=heat) for _ in range(2)]
        self.step = cl.Program(context, KERNEL).build().step

    def compute(self):
        size = (self.columns, self.rows - 2)
        self.step(self.queue, size, None, *self.heat, np.int32(self.columns))
        self.heat.reverse()

    def map(self, flags):
        shape = (self.rows, self.columns)
        array, _ = cl.enqueue_map_buffer(self.queue, self.heat[0], flags, 0, shape, np.float32)
        return array

    def exchange(self, world):
        """What the neighbours computed next to this strip."""
        above = world.rank - 1 if world.rank > 0 else MPI.PROC_NULL
        below = world.rank + 1 if world.rank + 1 < world.size else MPI.PROC_NULL
        heat = self.map(cl.map_flags.READ | cl.map_flags.WRITE)
        world.Sendrecv(heat[1], above, recvbuf=heat[-1] if below != MPI.PROC_NULL else None, source=below)
        world.Sendrecv(heat[-2], below, recvbuf=heat[0] if above != MPI.PROC_NULL else None, source=above)
        heat.base.release(self.queue)


def simulate(world, heat, steps):
    """The inner rows of this rank after the steps, and seconds for each step."""
    first, last = rows_of(world.rank, world.size, heat.shape[0])
    strip = Strip(cl.Context([own_device()]), heat[first - 1:last + 1])
    world.Barrier()
    begin = time.perf_counter()
    for _ in range(steps):
        strip.compute()
        strip.exchange(world)
    seconds = (time.perf_counter() - begin) / steps
    return strip.map(cl.map_flags.READ)[1:-1].copy(), seconds


def reference(heat, steps):
    for _ in range(steps):
        heat[1:-1, 1:-1] = np.float32(0.25) * (((heat[1:-1, :-2] + heat[1:-1, 2:]) + heat[:-2, 1:-1]) + heat[2:, 1:-1])
    return heat


def main():
    rows, columns, steps = (int(text) for text in (sys.argv[1:] + ["1026", "1024", "50"][len(sys.argv) - 1:]))
    world = MPI.COMM_WORLD
    heat = plate(rows, columns)
    own, seconds = simulate(world, heat, steps)
    parts = world.gather(own)
    slowest = world.reduce(seconds, MPI.MAX)
    if world.rank == 0:
        error = np.abs(np.concatenate(parts) - reference(heat, steps)[1:-1]).max()
        print(f"{world.size} ranks: {slowest * 1e6:.0f} us for each step, largest difference from NumPy {error:.2g}")
        if not error <= 1e-3:
            raise SystemExit("wrong")


main()
