/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Prices of European options by the formula of Black and Scholes: a call and a put for each work-item. */
float normal_distribution(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
  const float series =
      k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  const float tail = 0.39894228f * exp(-0.5f * d * d) * series;
  return d > 0 ? 1.0f - tail : tail;
}

kernel void black_scholes(global const float *restrict price, global const float *restrict strike,
                          global const float *restrict years, global float *restrict call, global float *restrict put,
                          float rate, float volatility, uint count) {
  const size_t i = get_global_id(0);
  if (i >= count) return;
  const float s = price[i], x = strike[i], t = years[i];
  const float root = sqrt(t);
  const float d1 = (log(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
  const float d2 = d1 - volatility * root;
  const float n1 = normal_distribution(d1), n2 = normal_distribution(d2);
  const float discounted = x * exp(-rate * t);
  call[i] = s * n1 - discounted * n2;
  put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
}
