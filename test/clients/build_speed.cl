/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Thirty kernels as programs have them, for the time their build takes: linear algebra, stencils, reductions, sorting,
 * signal processing, simulation, pictures. FACTOR comes from the test. */

#define TILE 16

typedef struct particle {
  float4 position;
  float4 velocity;
} particle_t;

constant float gauss[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};

/* Linear algebra. */

kernel void axpy(const float a, global const float *x, global float *y, const uint n) {
  const size_t i = get_global_id(0);
  if (i < n) y[i] = fma(a, x[i], y[i]);
}

kernel void scale(const double a, global double *x, const ulong stride) {
  const size_t i = get_global_id(0);
  x[i * stride] *= a * FACTOR;
}

kernel void dot_partial(global const float *x, global const float *y, global float *out, local float *sums, uint n) {
  const size_t l = get_local_id(0);
  float sum = 0.0f;
  for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) sum += x[i] * y[i];
  sums[l] = sum;
  for (size_t step = get_local_size(0) / 2; step > 0; step >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < step) sums[l] += sums[l + step];
  }
  if (l == 0) out[get_group_id(0)] = sums[0];
}

kernel void matrix_vector(global const float *a, global const float *x, global float *y, const uint columns) {
  const size_t row = get_global_id(0);
  float4 sum = (float4)(0.0f);
  for (uint c = 0; c < columns / 4; c++) sum += vload4(c, a + row * columns) * vload4(c, x);
  y[row] = dot(sum, (float4)(1.0f));
}

kernel void matrix_product(global const float *a, global const float *b, global float *c, const uint n) {
  local float a_tile[TILE][TILE], b_tile[TILE][TILE];
  const size_t x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
  float sum = 0.0f;
  for (uint t = 0; t < n; t += TILE) {
    a_tile[ly][lx] = a[y * n + t + lx];
    b_tile[ly][lx] = b[(t + ly) * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < TILE; k++) sum = fma(a_tile[ly][k], b_tile[k][lx], sum);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[y * n + x] = sum;
}

kernel void transpose(global const float *in, global float *out, const uint width, const uint height) {
  local float tile[TILE][TILE + 1];
  size_t x = get_global_id(0), y = get_global_id(1);
  if (x < width && y < height) tile[get_local_id(1)][get_local_id(0)] = in[y * width + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  x = get_group_id(1) * TILE + get_local_id(0);
  y = get_group_id(0) * TILE + get_local_id(1);
  if (x < height && y < width) out[y * height + x] = tile[get_local_id(0)][get_local_id(1)];
}

kernel void sparse_product(global const uint *rows, global const uint *columns, global const float *values,
                           global const float *x, global float *y) {
  const size_t row = get_global_id(0);
  float sum = 0.0f;
  for (uint i = rows[row]; i < rows[row + 1]; i++) sum += values[i] * x[columns[i]];
  y[row] = sum;
}

kernel void jacobi(global const float *a, global const float *b, global const float *x, global float *next, uint n) {
  const uint i = get_global_id(0);
  float sum = b[i];
  for (uint j = 0; j < n; j++) sum -= j != i ? a[i * n + j] * x[j] : 0.0f;
  next[i] = sum / a[i * n + i];
}

/* Stencils. */

kernel void heat_2d(global const float *in, global float *out, const int width, const float k) {
  const int x = get_global_id(0) + 1, y = get_global_id(1) + 1, i = y * width + x;
  out[i] = in[i] + k * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width] - 4.0f * in[i]);
}

kernel void laplace_3d(global const double *in, global double *out, const int nx, const int ny, const int nz) {
  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2), i = (z * ny + y) * nx + x;
  if (x == 0 || y == 0 || z == 0 || x == nx - 1 || y == ny - 1 || z == nz - 1) {
    out[i] = in[i];
    return;
  }
  out[i] = (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + in[i - nx * ny] + in[i + nx * ny]) / 6.0;
}

kernel void blur_rows(global const uchar4 *in, global uchar4 *out, const int width) {
  const int x = get_global_id(0), y = get_global_id(1);
  float4 sum = (float4)(0.0f);
  for (int d = -2; d <= 2; d++) sum += gauss[d + 2] * convert_float4(in[y * width + clamp(x + d, 0, width - 1)]);
  out[y * width + x] = convert_uchar4_sat_rte(sum);
}

kernel void sobel(global const float *in, global float *out, const int width, const int height) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  global const float *p = in + (y - 1) * width + x;
  const float gx = p[1] - p[-1] + 2 * (p[width + 1] - p[width - 1]) + p[2 * width + 1] - p[2 * width - 1];
  const float gy = p[2 * width - 1] - p[-1] + 2 * (p[2 * width] - p[0]) + p[2 * width + 1] - p[1];
  out[y * width + x] = hypot(gx, gy);
}

kernel void median_3(global const float *in, global float *out) {
  const size_t i = get_global_id(0) + 1;
  const float a = in[i - 1], b = in[i], c = in[i + 1];
  out[i] = max(min(a, b), min(max(a, b), c));
}

kernel void life(global const uchar *in, global uchar *out, const int width, const int height) {
  const int x = get_global_id(0), y = get_global_id(1);
  int count = 0;
  for (int dy = -1; dy <= 1; dy++) {
    for (int dx = -1; dx <= 1; dx++) {
      if (dx == 0 && dy == 0) continue;
      count += in[(y + dy + height) % height * width + (x + dx + width) % width];
    }
  }
  out[y * width + x] = count == 3 || (count == 2 && in[y * width + x] != 0);
}

/* Reductions, scans, sorting. */

kernel void maximum(global const int *in, global int *out, const uint n) {
  local int best[256];
  const size_t l = get_local_id(0);
  int mine = INT_MIN;
  for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) mine = max(mine, in[i]);
  best[l] = mine;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t step = get_local_size(0) / 2; step > 0; step /= 2) {
    if (l < step) best[l] = max(best[l], best[l + step]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) atomic_max(out, best[0]);
}

kernel void prefix_sum(global const uint *in, global uint *out, global uint *totals, local uint *a, local uint *b) {
  const size_t l = get_local_id(0), n = get_local_size(0);
  a[l] = in[get_global_id(0)];
  for (size_t step = 1; step < n; step *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    b[l] = l >= step ? a[l] + a[l - step] : a[l];
    local uint *swap = a;
    a = b;
    b = swap;
  }
  out[get_global_id(0)] = a[l];
  if (l == n - 1) totals[get_group_id(0)] = a[l];
}

kernel void histogram(global const uchar *in, volatile global uint *bins, const uint n) {
  local uint mine[256];
  for (size_t b = get_local_id(0); b < 256; b += get_local_size(0)) mine[b] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&mine[in[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t b = get_local_id(0); b < 256; b += get_local_size(0)) atomic_add(&bins[b], mine[b]);
}

kernel void bitonic_step(global uint *keys, global uint *values, const uint block, const uint distance) {
  const uint i = get_global_id(0), left = (i / distance) * distance * 2 + i % distance, right = left + distance;
  const bool ascending = (left & block) == 0;
  const uint a = keys[left], b = keys[right];
  if ((a > b) == ascending) {
    const uint value = values[left];
    keys[left] = b;
    keys[right] = a;
    values[left] = values[right];
    values[right] = value;
  }
}

kernel void count_matches(global const char *text, constant char *pattern, const uint length, global uint *count) {
  const size_t i = get_global_id(0);
  uint k = 0;
  while (k < length && text[i + k] == pattern[k]) k++;
  if (k == length) atomic_inc(count);
}

/* Signals. */

kernel void fir(global const float *in, constant float *taps, global float *out, const int count) {
  const int i = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < count; k++) sum = mad(in[i + k], taps[k], sum);
  out[i] = sum;
}

kernel void fft_radix_4(global const float2 *in, global float2 *out, const uint step) {
  const uint i = get_global_id(0), n = get_global_size(0), k = i & (step - 1);
  const float angle = -M_PI_F * 0.5f * (float)k / (float)step;
  float2 v[4];
  for (uint r = 0; r < 4; r++) {
    const float2 x = in[i + r * n];
    float c;
    const float s = sincos(angle * (float)r, &c);
    v[r] = (float2)(x.x * c - x.y * s, x.x * s + x.y * c);
  }
  const float2 a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3], d = (v[1] - v[3]).yx * (float2)(1.0f, -1.0f);
  const uint o = ((i - k) << 2) + k;
  out[o] = a + c;
  out[o + step] = b + d;
  out[o + 2 * step] = a - c;
  out[o + 3 * step] = b - d;
}

kernel void window(global float *signal, const uint n) {
  const size_t i = get_global_id(0);
  signal[i] *= 0.5f - 0.5f * cospi(2.0f * (float)i / (float)(n - 1));
}

/* Simulation and finance. */

kernel void n_body(global const particle_t *in, global particle_t *out, const uint n, const float dt) {
  local float4 cache[64];
  const size_t i = get_global_id(0), l = get_local_id(0);
  particle_t p = in[i];
  float3 force = (float3)(0.0f);
  for (uint base = 0; base < n; base += get_local_size(0)) {
    cache[l] = in[base + l].position;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint j = 0; j < get_local_size(0); j++) {
      const float3 d = cache[j].xyz - p.position.xyz;
      const float r = rsqrt(dot(d, d) + 1e-6f);
      force += d * (cache[j].w * r * r * r);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  p.velocity.xyz += force * dt;
  p.position.xyz += p.velocity.xyz * dt;
  out[i] = p;
}

float normal_distribution(float x) {
  const float k = 1.0f / (1.0f + 0.2316419f * fabs(x));
  const float tail = 0.39894228f * exp(-0.5f * x * x) * k *
      (0.31938153f + k * (-0.35656378f + k * (1.78147794f + k * (-1.82125598f + k * 1.33027443f))));
  return x >= 0.0f ? 1.0f - tail : tail;
}

kernel void black_scholes(global const float *price, global const float *strike, global const float *years,
                          global float *call, global float *put, const float rate, const float volatility) {
  const size_t i = get_global_id(0);
  const float root = sqrt(years[i]), discounted = strike[i] * exp(-rate * years[i]);
  const float d1 =
      (log(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / (volatility * root);
  const float d2 = d1 - volatility * root;
  call[i] = price[i] * normal_distribution(d1) - discounted * normal_distribution(d2);
  put[i] = discounted * normal_distribution(-d2) - price[i] * normal_distribution(-d1);
}

uint xorshift(uint *state) {
  *state ^= *state << 13;
  *state ^= *state >> 17;
  *state ^= *state << 5;
  return *state;
}

kernel void monte_carlo_pi(global uint *hits, const uint tries) {
  uint state = 2463534242u ^ (uint)get_global_id(0) * 747796405u, inside = 0;
  for (uint i = 0; i < tries; i++) {
    const float x = (float)xorshift(&state) * 0x1p-32f, y = (float)xorshift(&state) * 0x1p-32f;
    inside += x * x + y * y < 1.0f;
  }
  hits[get_global_id(0)] = inside;
}

kernel void lattice_boltzmann(global const float *in, global float *out, const int cells, const float omega) {
  const int i = get_global_id(0);
  float f[5], density = 0.0f;
  for (int d = 0; d < 5; d++) {
    f[d] = in[d * cells + i];
    density += f[d];
  }
  const float2 u = (float2)(f[1] - f[2], f[3] - f[4]) / density;
  const float weights[5] = {1.0f - 1.5f * dot(u, u), 1.0f + 3.0f * u.x, 1.0f - 3.0f * u.x,
                            1.0f + 3.0f * u.y, 1.0f - 3.0f * u.y};
  for (int d = 0; d < 5; d++) out[d * cells + i] = mix(f[d], density * 0.2f * weights[d], omega);
}

/* Pictures. */

kernel void mandelbrot(global uchar4 *out, const float2 corner, const float step, const int limit) {
  const float2 c = corner + step * (float2)(get_global_id(0), get_global_id(1));
  float2 z = (float2)(0.0f);
  int n = 0;
  while (n < limit && dot(z, z) < 4.0f) {
    z = (float2)(z.x * z.x - z.y * z.y, 2.0f * z.x * z.y) + c;
    n++;
  }
  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = (uchar4)(n, n >> 2, n >> 4, 255);
}

kernel void grey(global const uchar4 *in, global uchar *out, const float gamma) {
  const size_t i = get_global_id(0);
  const float luminance = dot(convert_float3(in[i].xyz) / 255.0f, (float3)(0.2126f, 0.7152f, 0.0722f));
  out[i] = convert_uchar_sat(255.0f * powr(luminance, gamma));
}

kernel void hsv_to_rgb(global const float4 *in, global float4 *out) {
  const size_t i = get_global_id(0);
  const float4 hsv = in[i];
  float whole;
  const float f = fract(hsv.x * 6.0f, &whole), p = hsv.z * (1 - hsv.y), q = hsv.z * (1 - hsv.y * f);
  const float t = hsv.z * (1 - hsv.y * (1 - f));
  switch ((int)whole % 6) {
    case 0: out[i] = (float4)(hsv.z, t, p, hsv.w); break;
    case 1: out[i] = (float4)(q, hsv.z, p, hsv.w); break;
    case 2: out[i] = (float4)(p, hsv.z, t, hsv.w); break;
    case 3: out[i] = (float4)(p, q, hsv.z, hsv.w); break;
    case 4: out[i] = (float4)(t, p, hsv.z, hsv.w); break;
    default: out[i] = (float4)(hsv.z, p, q, hsv.w);
  }
}

kernel void ray_spheres(global const float4 *spheres, const uint count, global float *depth, const float3 origin) {
  const float2 pixel = (float2)(get_global_id(0), get_global_id(1)) / (float)get_global_size(0) - 0.5f;
  const float3 direction = normalize((float3)(pixel, 1.0f));
  float nearest = INFINITY;
  for (uint i = 0; i < count; i++) {
    const float3 to = spheres[i].xyz - origin;
    const float along = dot(to, direction), apart = dot(to, to) - along * along;
    const float inside = spheres[i].w * spheres[i].w - apart;
    if (inside > 0.0f && along > sqrt(inside)) nearest = fmin(nearest, along - sqrt(inside));
  }
  depth[get_global_id(1) * get_global_size(0) + get_global_id(0)] = nearest;
}
