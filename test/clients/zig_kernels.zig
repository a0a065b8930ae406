// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Quern authors
// Kernels that Zig's own back end writes as SPIR-V, without LLVM and the translator; scripts/clients.d/zig runs them.
// They have work-groups of one work-item, the only size that it writes.

const Point = extern struct { x: f32, y: f32, k: u32 };
const Shape = union(enum) { circle: f32, square: f32, none };

fn collatz(start: u64) u32 {
    var v = start;
    var n: u32 = 0;
    while (v != 1) : (n += 1) {
        v = if (v % 2 == 0) v / 2 else 3 * v + 1;
    }
    return n;
}

fn area(shape: Shape) f32 {
    return switch (shape) {
        .circle => |r| 3 * r * r,
        .square => |a| a * a,
        .none => 0,
    };
}

export fn saxpy(a: f32, x: [*]addrspace(.global) const f32, y: [*]addrspace(.global) f32) callconv(.kernel) void {
    const i = @workGroupId(0);
    y[i] = a * x[i] + y[i];
}

export fn steps(out: [*]addrspace(.global) u32) callconv(.kernel) void {
    const i = @workGroupId(0);
    out[i] = collatz(i + 1);
}

export fn points(out: [*]addrspace(.global) Point, a: f32) callconv(.kernel) void {
    const i = @workGroupId(0);
    const f: f32 = @floatFromInt(i);
    out[i].x = @sqrt(f) * a;
    out[i].y = if (i & 1 == 1) -f else f;
    out[i].k = (i ^ (i >> 3)) *% 2654435761;
    if (i % 3 == 0) out[i].k +%= 0xffffffff;
}

export fn sums(out: [*]addrspace(.global) f64, in: [*]addrspace(.global) const f64, count: u32) callconv(.kernel) void {
    const i = @workGroupId(0);
    var sum: f64 = 0;
    var part: [4]f64 = .{ 0, 0, 0, 0 };
    for (0..count) |j| part[j % 4] += in[i * count + j];
    for (part) |p| sum += p;
    out[i] = sum;
}

export fn areas(out: [*]addrspace(.global) f32) callconv(.kernel) void {
    const i = @workGroupId(0);
    const f: f32 = @floatFromInt(i);
    out[i] = area(switch (i % 3) {
        0 => .{ .circle = f },
        1 => .{ .square = f },
        else => .none,
    });
}

export fn clamped(out: [*]addrspace(.global) i8, in: [*]addrspace(.global) const i8) callconv(.kernel) void {
    const i = @workGroupId(0);
    out[i] = @min(@max(in[i], -100), 100) +% 60;
}
