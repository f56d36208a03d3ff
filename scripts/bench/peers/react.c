// The reaction kernel's arithmetic in plain C: Gray and Scott's equations on a periodic lattice by the classical
// Runge-Kutta method, stages used as they are made.
//
//     react <nodes per side> <steps>
//
// The start is 1 and 0 with a square of 0.5 and 0.25 in the middle. Prints the milliseconds of a run and the sum of v.
#include "bench.h"

static int n, stride;
static size_t size;
static const double DU = 0.16, DV = 0.08, F = 0.035, FK = 0.035 + 0.065, DT = 1;

static void surround(double *field) {
  for (int r = 1; r <= n; r++) {
    double *row = field + (size_t)r * stride + 2;
    row[-1] = row[n - 1];
    row[n] = row[0];
  }
  memcpy(field, field + (size_t)n * stride, sizeof(double) * stride);
  memcpy(field + (size_t)(n + 1) * stride, field + stride, sizeof(double) * stride);
}

static inline __attribute__((always_inline)) void pass(int kind, const double *stage, double *base, double *sum,
                                                       double *next, double a, double b) {
  for (int r = 1; r <= n; r++) {
    size_t o = (size_t)r * stride + 2;
    const double *restrict u = stage + o, *restrict v = stage + size + o;
    double *restrict hu = base + o, *restrict hv = base + size + o, *restrict su = sum + o, *restrict sv = sum + size + o;
    double *restrict nu = next + o, *restrict nv = next + size + o;
    for (int c = 0; c < n; c++) {
      double spreadU = DU * (((u[c - 1] + u[c + 1]) + (u[c - stride] + u[c + stride])) - 4 * u[c]);
      double spreadV = DV * (((v[c - 1] + v[c + 1]) + (v[c - stride] + v[c + stride])) - 4 * v[c]);
      double uvv = u[c] * (v[c] * v[c]);
      double ku = (spreadU - uvv) + F * (1 - u[c]);
      double kv = (spreadV + uvv) - FK * v[c];
      if (kind == 2) {
        hu[c] = su[c] + a * ku;
        hv[c] = sv[c] + a * kv;
      } else {
        su[c] = (kind == 0 ? hu[c] : su[c]) + a * ku;
        sv[c] = (kind == 0 ? hv[c] : sv[c]) + a * kv;
        nu[c] = hu[c] + b * ku;
        nv[c] = hv[c] + b * kv;
      }
    }
  }
  double *field = kind == 2 ? base : next;
  surround(field);
  surround(field + size);
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  n = atoi(argv[1]);
  int steps = atoi(argv[2]), lines = (n + 5 + 7) / 8;
  stride = (lines % 2 == 0 ? lines + 1 : lines) * 8;
  size = (size_t)(n + 2) * stride;
  double *base = doubles(2 * size), *sum = doubles(2 * size), *one = doubles(2 * size), *other = doubles(2 * size);
  int side = (int)(0.16 * n), from = (n - side) / 2;
  for (int r = 0; r < n; r++) {
    for (int c = 0; c < n; c++) {
      int in = r >= from && r < from + side && c >= from && c < from + side;
      base[(size_t)(r + 1) * stride + 2 + c] = in ? 0.5 : 1;
      base[size + (size_t)(r + 1) * stride + 2 + c] = in ? 0.25 : 0;
    }
  }
  surround(base);
  surround(base + size);
  double began = milliseconds();
  for (int step = 0; step < steps; step++) {
    pass(0, base, base, sum, one, DT / 6, DT / 2);
    pass(1, one, base, sum, other, DT / 3, DT / 2);
    pass(1, other, base, sum, one, DT / 3, DT);
    pass(2, one, base, sum, one, DT / 6, 0);
  }
  double ms = milliseconds() - began, total = 0;
  for (int r = 1; r <= n; r++)
    for (int c = 0; c < n; c++) total += base[size + (size_t)r * stride + 2 + c];
  printf("%.3f sum of v %.10f\n", ms, total);
  return 0;
}
