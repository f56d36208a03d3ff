// The heat kernel's arithmetic in plain C: the same numbers in the same order on fixed edges, one pass over memory a
// step, rows solved eight at a time so that the compiler can use its lanes.
//
//     heat <intervals> <steps>      a unit square, alpha = 1e-4, dt = 0.5, a Gaussian of width 0.1 off the centre
//
// Prints the milliseconds of a run and the root mean square of its end.
#include <math.h>

#include "bench.h"

enum { BLOCK = 8 };

static int n, stride;
static double a, *pivots, *eliminated, *carried, *block;

static double *row_of(int t, int up) { return eliminated + (size_t)(up ? t : n - 1 - t) * stride; }

static void stencil_row(const double *restrict u, double *restrict w) {
  for (int j = 0; j < n; j++) {
    double left = j > 0 ? u[j - 1] : 0, right = j < n - 1 ? u[j + 1] : 0;
    w[j] = a * u[j] + (left + right);
  }
}

static void eliminate_row(double *restrict row, const double *restrict before, double pivot) {
  if (before == NULL) {
    for (int j = 0; j < n; j++) row[j] = (row[j] + 0) * pivot;
  } else {
    for (int j = 0; j < n; j++) row[j] = (row[j] + before[j]) * pivot;
  }
}

// w' of one row from three rows of v; makes the next v on the way.
static void substitute_row(double *restrict here, const double *restrict next, double back, double *restrict v0,
                           double *restrict v1) {
  for (int j = 0; j < n; j++) {
    double after = next == NULL ? 0 : next[j] + back * v1[j];
    double now = v1[j];
    here[j] = a * now + (v0[j] + after);
    v0[j] = now;
    v1[j] = after;
  }
}

static void solve_rows(double *const rows[BLOCK]) {
  double d[BLOCK] = {0};
  for (int j = 0; j < n; j++) {
    double *at = block + (size_t)j * BLOCK;
    for (int r = 0; r < BLOCK; r++) {
      d[r] = (rows[r][j] + d[r]) * pivots[j];
      at[r] = d[r];
    }
  }
  for (int j = n - 2; j >= 0; j--) {
    double *at = block + (size_t)j * BLOCK;
    for (int r = 0; r < BLOCK; r++) {
      d[r] = at[r] + pivots[j] * d[r];
      at[r] = d[r];
    }
  }
}

static void emit_rows(double *const rows[BLOCK], double *const fields[BLOCK], int count) {
  for (int r = 0; r < count; r++) {
    double *row = rows[r], *field = fields[r];
    for (int j = 0; j < n; j++) {
      double x = block[(size_t)j * BLOCK + r];
      double left = j > 0 ? block[(size_t)(j - 1) * BLOCK + r] : 0;
      double right = j < n - 1 ? block[(size_t)(j + 1) * BLOCK + r] : 0;
      row[j] = a * x + (left + right);
      if (field != NULL) field[j] = x;
    }
  }
}

static void step(int number, double *u, int keep) {
  int up = number & 1;
  double *v0 = carried, *v1 = carried + stride;
  memset(v0, 0, sizeof(double) * stride);
  memcpy(v1, row_of(0, up), sizeof(double) * stride);
  for (int t0 = 0; t0 < n; t0 += BLOCK) {
    int count = n - t0 < BLOCK ? n - t0 : BLOCK;
    double *rows[BLOCK], *fields[BLOCK];
    for (int r = 0; r < BLOCK; r++) {
      int t = t0 + (r < count ? r : 0);
      rows[r] = row_of(t, up);
      fields[r] = keep ? u + (size_t)(up ? t : n - 1 - t) * n : NULL;
    }
    for (int r = 0; r < count; r++) {
      int t = t0 + r;
      substitute_row(rows[r], t + 1 < n ? row_of(t + 1, up) : NULL, t + 1 < n ? pivots[n - 2 - t] : 0, v0, v1);
    }
    solve_rows(rows);
    emit_rows(rows, fields, count);
    for (int r = 0; r < count; r++) eliminate_row(rows[r], t0 + r > 0 ? row_of(t0 + r - 1, up) : NULL, pivots[t0 + r]);
  }
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  int intervals = atoi(argv[1]), steps = atoi(argv[2]);
  n = intervals - 1;
  double r = 0.5 * 1e-4 * intervals * intervals, b = (1 + r) / (r / 2);
  a = (1 - r) / (r / 2);
  int lines = (n + 7) / 8;
  stride = (lines % 2 == 0 ? lines + 1 : lines) * 8;
  size_t nodes = (size_t)n * n;
  double *u = doubles(nodes);
  eliminated = doubles((size_t)n * stride);
  carried = doubles(2 * stride);
  block = doubles((size_t)n * BLOCK);
  pivots = doubles(n);
  for (int k = 0; k < n; k++) pivots[k] = 1 / (k == 0 ? b : b - pivots[k - 1]);
  for (size_t at = 0; at < nodes; at++) {
    double x = ((at % n + 1) / (double)intervals - 0.4) / 0.1, y = ((at / n + 1) / (double)intervals - 0.45) / 0.1;
    u[at] = exp(-(x * x + y * y) / 2);
  }
  double from = milliseconds();
  for (int t = 0; t < n; t++) {
    stencil_row(u + (size_t)t * n, row_of(t, 1));
    eliminate_row(row_of(t, 1), t > 0 ? row_of(t - 1, 1) : NULL, pivots[t]);
  }
  for (int number = 0; number < steps; number++) step(number, u, number == steps - 1);
  double ms = milliseconds() - from, sum = 0;
  for (size_t at = 0; at < nodes; at++) sum += u[at] * u[at];
  printf("%.3f rms %.12f K\n", ms, sqrt(sum) / intervals);
  return 0;
}
