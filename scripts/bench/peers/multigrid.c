// The multigrid kernel's loops in plain C: the same sums in the same order.
//
//     multigrid <points a side> <rounds>
//
// A round is a forward and a backward Gauss–Seidel sweep and a product with the matrix of bilinear elements; prints
// milliseconds and a sum over the points.
#include "bench.h"

static int n, s;
static double *c, *e, *north, *ne, *nw, *inverse, *x, *b, *out;

static inline double beyond(int i) {
  double above = north[i] * x[i + s] + ne[i] * x[i + s + 1] + nw[i] * x[i + s - 1];
  double below = north[i - s] * x[i - s] + ne[i - s - 1] * x[i - s - 1] + nw[i - s + 1] * x[i - s + 1];
  return above + below;
}

static void forward(void) {
  for (int row = 1; row <= n; row++) {
    double before = 0;
    for (int i = row * s + 1; i <= row * s + n; i++) {
      double rest = b[i] - beyond(i) - e[i] * x[i + 1];
      x[i] = before = (rest - e[i - 1] * before) * inverse[i];
    }
  }
}

static void backward(void) {
  for (int row = n; row >= 1; row--) {
    double after = 0;
    for (int i = row * s + n; i > row * s; i--) {
      double rest = b[i] - beyond(i) - e[i - 1] * x[i - 1];
      x[i] = after = (rest - e[i] * after) * inverse[i];
    }
  }
}

static void apply(double *restrict to) {
  for (int row = 1; row <= n; row++) {
    for (int i = row * s + 1; i <= row * s + n; i++) {
      double level = c[i] * x[i] + e[i] * x[i + 1] + e[i - 1] * x[i - 1];
      to[i] = level + beyond(i);
    }
  }
}

int main(int argc, char **argv) {
  if (argc < 3) return 1;
  n = atoi(argv[1]), s = n + 2;
  int rounds = atoi(argv[2]);
  size_t size = (size_t)s * s;
  double **all[] = {&c, &e, &north, &ne, &nw, &inverse, &x, &b, &out};
  for (int k = 0; k < 9; k++) *all[k] = doubles(size);
  for (int row = 1; row <= n; row++) {
    for (int column = 1; column <= n; column++) {
      int i = row * s + column;
      c[i] = 8.0 / 3, inverse[i] = 1 / c[i], b[i] = (row * 31 + column * 17) % 13;
      if (column < n) e[i] = -1.0 / 3;
      if (row < n) north[i] = -1.0 / 3;
      if (row < n && column < n) ne[i] = -1.0 / 3;
      if (row < n && column > 1) nw[i] = -1.0 / 3;
    }
  }
  double began = milliseconds();
  for (int round = 0; round < rounds; round++) {
    forward();
    backward();
    apply(out);
  }
  double ms = milliseconds() - began, sum = 0;
  for (size_t i = 0; i < size; i++) sum += out[i];
  printf("%.3f sum %.9e\n", ms, sum);
}
