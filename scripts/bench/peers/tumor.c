// The arithmetic of tumor's rectangle in plain C: Strang's splitting of exact logistic growth and of Mitchell and
// Fairweather's alternating directions with closed walls, the same numbers in the same order, rows solved eight at a
// time so that the compiler can use its lanes.
//
//     tumor <nx> <ny> <steps>       the exact wave from 0.3·lx, lx = 100, ly = lx·ny/nx, D = rho = 1, dt = 0.05
//
// Prints the milliseconds of a run and its relative error against the exact wave, on the scale of what has changed.
#include <math.h>

#include "bench.h"

enum { BLOCK = 8 };

static int rows, columns;

static void factors(int n, double r, double *pivots, double *backs) {
  double b = (1 + r) / (r / 2);
  for (int k = 0; k < n; k++) {
    pivots[k] = 1 / (k == 0 ? b : b - (k == n - 1 ? 2 : 1) * backs[k - 1]);
    backs[k] = k == 0 ? 2 * pivots[k] : pivots[k];
  }
}

static void stencil_along(const double *restrict u, double *restrict w, double a) {
  for (int r = 0; r < rows; r++) {
    const double *x = u + (size_t)r * columns;
    double *y = w + (size_t)r * columns;
    for (int c = 1; c < columns - 1; c++) y[c] = a * x[c] + (x[c - 1] + x[c + 1]);
    y[0] = a * x[0] + (x[1] + x[1]);
    y[columns - 1] = a * x[columns - 1] + (x[columns - 2] + x[columns - 2]);
  }
}

static void solve_across(double *restrict w, const double *pivots, const double *backs) {
  for (int r = 0; r < rows; r++) {
    double *row = w + (size_t)r * columns, *before = row - columns;
    double coupling = r == rows - 1 ? 2 : 1;
    if (r == 0)
      for (int c = 0; c < columns; c++) row[c] = row[c] * pivots[0];
    else
      for (int c = 0; c < columns; c++) row[c] = (row[c] + coupling * before[c]) * pivots[r];
  }
  for (int r = rows - 2; r >= 0; r--) {
    double *row = w + (size_t)r * columns, *after = row + columns;
    for (int c = 0; c < columns; c++) row[c] = row[c] + backs[r] * after[c];
  }
}

static void stencil_across(const double *restrict v, double *restrict w, double a) {
  for (int r = 0; r < rows; r++) {
    const double *row = v + (size_t)r * columns;
    const double *before = r == 0 ? row + columns : row - columns, *after = r == rows - 1 ? row - columns : row + columns;
    double *out = w + (size_t)r * columns;
    for (int c = 0; c < columns; c++) out[c] = a * row[c] + (before[c] + after[c]);
  }
}

static void solve_along(double *w, double *block, const double *pivots, const double *backs) {
  for (int r0 = 0; r0 < rows; r0 += BLOCK) {
    int count = rows - r0 < BLOCK ? rows - r0 : BLOCK;
    double d[BLOCK] = {0};
    const double *from[BLOCK];
    for (int r = 0; r < BLOCK; r++) from[r] = w + (size_t)(r0 + (r < count ? r : 0)) * columns;
    for (int c = 0; c < columns; c++) {
      double coupling = c == columns - 1 ? 2 : 1, *at = block + (size_t)c * BLOCK;
      for (int r = 0; r < BLOCK; r++) at[r] = d[r] = (from[r][c] + coupling * d[r]) * pivots[c];
    }
    for (int c = columns - 2; c >= 0; c--) {
      double *at = block + (size_t)c * BLOCK;
      for (int r = 0; r < BLOCK; r++) at[r] = d[r] = at[r] + backs[c] * d[r];
    }
    for (int r = 0; r < count; r++) {
      double *row = w + (size_t)(r0 + r) * columns;
      for (int c = 0; c < columns; c++) row[c] = block[(size_t)c * BLOCK + r];
    }
  }
}

static void grow(double *restrict field, double scale, double gain, double rise) {
  for (size_t i = 0; i < (size_t)rows * columns; i++) {
    double u = scale * field[i];
    field[i] = (u * gain) / (1 + u * rise);
  }
}

static double tally(const double *restrict field, double scale, double gain, double rise) {
  double sum = 0, spent = 0;
  for (int r = 0; r < rows; r++) {
    double lanes[2] = {0}, lost[2] = {0};
    const double *row = field + (size_t)r * columns;
    for (int c = 0; c + 1 < columns; c += 2) {
      for (int lane = 0; lane < 2; lane++) {
        double x = scale * row[c + lane], u = (x * gain) / (1 + x * rise);
        lanes[lane] += u;
        lost[lane] += u * (1 - u);
      }
    }
    sum += lanes[0] + lanes[1];
    spent += lost[0] + lost[1];
  }
  return sum + spent;
}

static double wave(double x, double t) {
  double z = 1 + exp((x - 30 - 5 / sqrt(6) * t) / sqrt(6));
  return 1 / (z * z);
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  int nx = atoi(argv[1]), ny = atoi(argv[2]), steps = atoi(argv[3]);
  rows = ny + 1;
  columns = nx + 1;
  double dx = 100.0 / nx, dt = 0.05, r = dt / (dx * dx), s = r + 1.0 / 6, m = r - 1.0 / 6;
  size_t size = (size_t)rows * columns;
  double *u = doubles(size), *w = doubles(size);
  double *block = doubles(columns * BLOCK);
  double *pr = doubles(rows), *br = doubles(rows);
  double *pc = doubles(columns), *bc = doubles(columns);
  factors(rows, m, pr, br);
  factors(columns, m, pc, bc);
  double a = (1 - s) / (s / 2), scale = (s / m) * (s / m), half = expm1(dt / 2), whole = expm1(dt);
  for (int row = 0; row < rows; row++)
    for (int c = 0; c < columns; c++) u[(size_t)row * columns + c] = wave(c * dx, 0);
  double from = milliseconds(), left = 1, kept = 0;
  for (int step = 0; step < steps; step++) {
    double rise = step == 0 ? half : whole;
    grow(u, left, rise + 1, rise);
    stencil_along(u, w, a);
    solve_across(w, pr, br);
    stencil_across(w, u, a);
    solve_along(u, block, pc, bc);
    left = scale;
    kept += tally(u, left, half + 1, half);
  }
  grow(u, left, half + 1, half);
  double ms = milliseconds() - from, off = 0, change = 0;
  for (int c = 0; c < columns; c++) {
    double due = wave(c * dx, steps * dt), begin = wave(c * dx, 0), found = u[(size_t)(rows / 2) * columns + c];
    off += (found - due) * (found - due);
    change += (due - begin) * (due - begin);
  }
  printf("%.3f %.3e of the change%s\n", ms, sqrt(off / change), kept == 0 ? " (empty)" : "");
  return 0;
}
