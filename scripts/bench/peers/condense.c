// The condense kernel's elimination in plain C: the same subtractions in the same order, four pivots a pass.
//
//     condense <unknowns> <eliminated> <repeats>
//
// The matrix is 1 on the diagonal plus 1/(1 + i + j)/n everywhere; prints milliseconds and the last pivot left.
#include <math.h>

#include "bench.h"

static void take(double *restrict row, const double *restrict above, double factor, int from, int n) {
  for (int j = from; j < n; j++) row[j] = row[j] - factor * above[j];
}

static void take_four(double *restrict a, double *restrict b, const double *restrict u, size_t stride, int i, int n) {
  const double *restrict u1 = u + stride, *restrict u2 = u1 + stride, *restrict u3 = u2 + stride;
  const double a0 = u[i], a1 = u1[i], a2 = u2[i], a3 = u3[i];
  const double b0 = u[i + 1], b1 = u1[i + 1], b2 = u2[i + 1], b3 = u3[i + 1];
  for (int j = i & ~1; j < n; j++) {
    a[j] = (((a[j] - a0 * u[j]) - a1 * u1[j]) - a2 * u2[j]) - a3 * u3[j];
    b[j] = (((b[j] - b0 * u[j]) - b1 * u1[j]) - b2 * u2[j]) - b3 * u3[j];
  }
}

static void eliminate(double *at, int n, size_t stride, int k) {
  for (int p = 0; p < k; p += 4) {
    int end = p + 4 < k ? p + 4 : k;
    for (int i = p; i < end; i++) {
      double *row = at + i * stride;
      for (int g = p; g < i; g++) take(row, at + g * stride, at[g * stride + i], i & ~1, n);
      double inverse = 1 / sqrt(row[i]);
      for (int j = i & ~1; j < n; j++) row[j] = row[j] * inverse;
    }
    int i = end;
    if (end - p == 4)
      for (; i + 1 < n; i += 2) take_four(at + i * stride, at + (i + 1) * stride, at + p * stride, stride, i, n);
    for (; i < n; i++)
      for (int q = p; q < end; q++) take(at + i * stride, at + q * stride, at[q * stride + i], i & ~1, n);
  }
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  int n = atoi(argv[1]), k = atoi(argv[2]), repeats = atoi(argv[3]);
  size_t stride = n + n % 2;
  double *start = calloc(stride * n, sizeof(double)), *matrix = malloc(stride * n * sizeof(double));
  if (start == NULL || matrix == NULL) return 1;
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++) start[i * stride + j] = (i == j) + 1.0 / (1 + i + j) / n;
  double spent = 0;
  for (int repeat = 0; repeat < repeats; repeat++) {
    memcpy(matrix, start, stride * n * sizeof(double));
    double began = milliseconds();
    eliminate(matrix, n, stride, k);
    spent += milliseconds() - began;
  }
  printf("%.4f %.17g left\n", spent, matrix[(n - 1) * stride + n - 1]);
  return 0;
}
