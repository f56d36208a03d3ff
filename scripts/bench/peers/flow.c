// The flow kernel's arithmetic in plain C: the same sums in the same order on a ring, rows long enough for the compiler to
// use its lanes.
//
//     flow <cells a side> <steps>
//
// Taylor and Green's vortices in the stream (1, 0.5), Re 100, one second; prints milliseconds and the error.
#include <math.h>

#include "bench.h"

static int n, stride, wide;
static double dx, nu, *u, *v, *us, *vs, *au, *av, *fu, *fv, *p, *one, *other, *turned, *factors, *closing, *ends, *roots;

static double *row_of(double *field, int i) { return field + (size_t)(i + 1) * stride + 1; }

static void border(double *field) {
  for (int i = 0; i < n; i++) {
    double *row = row_of(field, i);
    row[-1] = row[n - 1];
    row[n] = row[0];
  }
  memcpy(field, field + (size_t)n * stride, stride * sizeof(double));
  memcpy(field + (size_t)(n + 1) * stride, field + stride, stride * sizeof(double));
}

static void forces_row(const double *restrict a, const double *restrict b, double *restrict fa, double *restrict fb) {
  const double q = 0.25 / dx, l = nu / (dx * dx);
  const double *aw = a - stride, *ae = a + stride, *bw = b - stride, *be = b + stride;
  for (int j = 0; j < n; j++) {
    double u0 = a[j], v0 = b[j], uw = aw[j], ue = ae[j], un = a[j + 1], um = a[j - 1];
    double vw = bw[j], ve = be[j], vn = b[j + 1], vm = b[j - 1];
    double east = ue + u0, west = u0 + uw, corner = (u0 + un) * (v0 + ve);
    double below = (um + u0) * (vm + be[j - 1]), before = (uw + aw[j + 1]) * (vw + v0);
    double top = v0 + vn, bottom = vm + v0;
    double carried_u = q * (east * east - west * west) + q * (corner - below);
    double carried_v = q * (corner - before) + q * (top * top - bottom * bottom);
    double spread_u = l * (ue + uw - 2 * u0) + l * (un + um - 2 * u0);
    double spread_v = l * (ve + vw - 2 * v0) + l * (vn + vm - 2 * v0);
    fa[j] = spread_u - carried_u;
    fb[j] = spread_v - carried_v;
  }
}

static void gather_row(const double *restrict a, const double *restrict b, double *restrict to) {
  const double s = -(dx * dx) / (2.0 * n) / dx;
  for (int j = 0; j < n; j++) to[j] = s * (a[j] - a[j - stride]) + s * (b[j] - b[j - 1]);
}

static void butterfly(const double *restrict x0, const double *restrict x1, const double *restrict x2,
                      const double *restrict x3, double *restrict y0, double *restrict y1, double *restrict y2,
                      double *restrict y3, const double *w, const double *w2, const double *w3, int re, int im) {
  const double ar = w[0], ai = w[1], br = w2[0], bi = w2[1], cr = w3[0], ci = w3[1];
  for (int j = 0; j < n / 2; j++) {
    double r0 = x0[re + j] + x2[re + j], i0 = x0[im + j] + x2[im + j];
    double r1 = x0[re + j] - x2[re + j], i1 = x0[im + j] - x2[im + j];
    double r2 = x1[re + j] + x3[re + j], i2 = x1[im + j] + x3[im + j];
    double r3 = x1[im + j] - x3[im + j], i3 = x3[re + j] - x1[re + j];
    y0[re + j] = r0 + r2;
    y0[im + j] = i0 + i2;
    double c = r1 + r3, d = i1 + i3;
    y1[re + j] = c * ar - d * ai;
    y1[im + j] = c * ai + d * ar;
    c = r0 - r2, d = i0 - i2;
    y2[re + j] = c * br - d * bi;
    y2[im + j] = c * bi + d * br;
    c = r1 - r3, d = i1 - i3;
    y3[re + j] = c * cr - d * ci;
    y3[im + j] = c * ci + d * cr;
  }
}

static void last_pair(const double *restrict x, const double *restrict z, double *restrict y, double *restrict t) {
  for (int j = 0; j < n; j++) {
    double a = x[j], b = z[j];
    y[j] = a + b;
    t[j] = a - b;
  }
}

static double *transform(int re, int im) {
  double *from = one, *to = other;
  int span = 1, quarter = n / 4;
  for (; 4 * span <= n; span *= 4) {
    for (int g = 0; g < quarter / span; g++) {
      for (int q = 0; q < span; q++) {
        double *x = from + (size_t)(q + span * g) * wide, *y = to + (size_t)(q + 4 * span * g) * wide;
        size_t step = (size_t)quarter * wide, out = (size_t)span * wide;
        butterfly(x, x + step, x + 2 * step, x + 3 * step, y, y + out, y + 2 * out, y + 3 * out, roots + 2 * g * span,
                  roots + 4 * g * span, roots + 6 * g * span, re, im);
      }
    }
    double *swap = from;
    from = to;
    to = swap;
  }
  if (span < n) {
    for (int q = 0; q < n / 2; q++) {
      size_t at = (size_t)q * wide, far = at + (size_t)(n / 2) * wide;
      last_pair(from + at, from + far, to + at, to + far);
    }
    from = to;
  }
  return from;
}

static void untangle(const double *from) {
  int m = n / 2;
  const double *middle = from + (size_t)m * wide;
  for (int j = 0; j < m; j++) {
    double *to = turned + (size_t)j * wide, *far = to + (size_t)m * wide;
    to[0] = from[j], to[1] = middle[j], far[0] = from[m + j], far[1] = middle[m + j];
  }
  for (int k = 1; k < m; k++) {
    const double *x = from + (size_t)k * wide, *y = from + (size_t)(n - k) * wide;
    for (int j = 0; j < m; j++) {
      double *to = turned + (size_t)j * wide + 2 * k, *far = to + (size_t)m * wide;
      double ar = x[j] + y[j], ai = x[m + j] - y[m + j], br = x[m + j] + y[m + j], bi = y[j] - x[j];
      to[0] = ar, to[1] = -ai, far[0] = br, far[1] = -bi;
    }
  }
}

static void tangle(void) {
  int m = n / 2;
  for (int j = 0; j < m; j++) {
    const double *at = turned + (size_t)j * wide, *far = at + (size_t)m * wide;
    double *middle = one + (size_t)m * wide;
    one[j] = 2 * at[0], middle[j] = 2 * at[1], one[m + j] = 2 * far[0], middle[m + j] = 2 * far[1];
  }
  for (int k = 1; k < m; k++) {
    double *x = one + (size_t)k * wide, *y = one + (size_t)(n - k) * wide;
    for (int j = 0; j < m; j++) {
      const double *at = turned + (size_t)j * wide + 2 * k, *far = at + (size_t)m * wide;
      double ar = at[0], ai = -at[1], br = far[0], bi = -far[1];
      x[j] = ar - bi, x[m + j] = ai + br, y[j] = ar + bi, y[m + j] = br - ai;
    }
  }
}

static void forward(double *restrict row, const double *restrict before, const double *restrict f) {
  if (before == NULL) {
    for (int k = 0; k < n; k++) row[k] = row[k] * f[k];
  } else {
    for (int k = 0; k < n; k++) row[k] = (row[k] + before[k]) * f[k];
  }
}

static void back(double *restrict row, const double *restrict after, const double *restrict f) {
  for (int k = 0; k < n; k++) row[k] = row[k] + f[k] * after[k];
}

static void along(void) {
  double *last = turned + (size_t)(n - 1) * wide;
  for (int j = 0; j < n - 1; j++) {
    double *row = turned + (size_t)j * wide;
    forward(row, j > 0 ? row - wide : NULL, factors + (size_t)j * wide);
  }
  for (int j = n - 3; j >= 0; j--) {
    double *row = turned + (size_t)j * wide;
    back(row, row + wide, factors + (size_t)j * wide);
  }
  for (int k = 0; k < n; k++) last[k] = (last[k] + (turned[k] + last[k - wide])) * ends[k];
  for (int j = 0; j < n - 1; j++) back(turned + (size_t)j * wide, last, closing + (size_t)j * wide);
}

static void poisson(void) {
  for (int i = 0; i < n; i++) {
    double *row = row_of(fv, i);
    row[-1] = row[n - 1];
  }
  memcpy(fu, fu + (size_t)n * stride, stride * sizeof(double));
  for (int i = 0; i < n; i++) gather_row(row_of(fu, i), row_of(fv, i), one + (size_t)i * wide);
  untangle(transform(0, n / 2));
  along();
  tangle();
  double *from = transform(n / 2, 0);
  for (int i = 0; i < n; i++) {
    double *row = row_of(p, i);
    memcpy(row, from + (size_t)i * wide, n * sizeof(double));
    row[n] = row[0];
  }
  memcpy(p + (size_t)(n + 1) * stride, p + stride, stride * sizeof(double));
}

static void add_row(const double *restrict pc, const double *restrict f, const double *restrict state,
                    double *restrict sum, double *restrict next, int ahead, double reach, double share, int first) {
  const double g = 1 / dx;
  if (first) {
    for (int j = 0; j < n; j++) {
      double k = f[j] - g * (pc[j + ahead] - pc[j]);
      sum[j] = state[j] + share * k;
      next[j] = state[j] + reach * k;
    }
  } else {
    for (int j = 0; j < n; j++) {
      double k = f[j] - g * (pc[j + ahead] - pc[j]);
      sum[j] = sum[j] + share * k;
      next[j] = state[j] + reach * k;
    }
  }
}

static void stage(double *a, double *b, double reach, double share, int first) {
  for (int i = 0; i < n; i++) forces_row(row_of(a, i), row_of(b, i), row_of(fu, i), row_of(fv, i));
  poisson();
  for (int i = 0; i < n; i++) {
    add_row(row_of(p, i), row_of(fu, i), row_of(u, i), row_of(au, i), row_of(us, i), stride, reach, share, first);
    add_row(row_of(p, i), row_of(fv, i), row_of(v, i), row_of(av, i), row_of(vs, i), 1, reach, share, first);
  }
  border(us);
  border(vs);
}

static void tables(void) {
  for (int column = 0; column < n; column++) {
    int k = column >> 1, waves = column == 1 ? n : 2 * k;
    double s = 2 * sin(M_PI * waves / (2.0 * n)), mu = s * s, before = 0, d = 0;
    for (int j = 0; j < n - 1; j++) factors[(size_t)j * wide + column] = before = 1 / (2 + mu - before);
    for (int j = 0; j < n - 1; j++) {
      d = ((j == 0) + (j == n - 2) + d) * factors[(size_t)j * wide + column];
      closing[(size_t)j * wide + column] = d;
    }
    for (int j = n - 3; j >= 0; j--)
      closing[(size_t)j * wide + column] += factors[(size_t)j * wide + column] * closing[(size_t)(j + 1) * wide + column];
    ends[column] = column == 0 ? 0 : 1 / (2 + mu - closing[column] - closing[(size_t)(n - 2) * wide + column]);
    roots[2 * column] = cos(2 * M_PI * column / n);
    roots[2 * column + 1] = -sin(2 * M_PI * column / n);
  }
}

static double exact_u(int i, int j, double t) { return 1 + exp(-2 * nu * t) * sin((i + 1) * dx - t) * cos((j + 0.5) * dx - t / 2); }
static double exact_v(int i, int j, double t) { return 0.5 - exp(-2 * nu * t) * cos((i + 0.5) * dx - t) * sin((j + 1) * dx - t / 2); }

int main(int argc, char **argv) {
  if (argc < 3) return 1;
  n = atoi(argv[1]);
  int steps = atoi(argv[2]);
  double dt = 1.0 / steps;
  dx = 2 * M_PI / n, nu = 0.01;
  int lines = (n + 2 + 7) / 8;
  stride = (lines % 2 == 0 ? lines + 1 : lines) * 8;
  lines = (n + 7) / 8;
  wide = (lines % 2 == 0 ? lines + 1 : lines) * 8;
  size_t field = (size_t)(n + 2) * stride, block = (size_t)n * wide;
  double **fields[] = {&u, &v, &us, &vs, &au, &av, &fu, &fv, &p}, **blocks[] = {&one, &other, &turned, &factors, &closing};
  for (int k = 0; k < 9; k++) *fields[k] = doubles(field);
  for (int k = 0; k < 5; k++) *blocks[k] = doubles(block);
  ends = doubles(n), roots = doubles(2 * n);
  tables();
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) row_of(u, i)[j] = exact_u(i, j, 0), row_of(v, i)[j] = exact_v(i, j, 0);
  border(u);
  border(v);
  double began = milliseconds();
  for (int step = 0; step < steps; step++) {
    stage(u, v, dt / 2, dt / 6, 1);
    stage(us, vs, dt / 2, dt / 3, 0);
    stage(us, vs, dt, dt / 3, 0);
    stage(us, vs, 0, dt / 6, 0);
    memcpy(u, au, field * sizeof(double));
    memcpy(v, av, field * sizeof(double));
    border(u);
    border(v);
  }
  double ms = milliseconds() - began, off = 0, all = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double a = exact_u(i, j, 1), b = exact_v(i, j, 1), e = row_of(u, i)[j] - a, f = row_of(v, i)[j] - b;
      off += e * e + f * f, all += (a - 1) * (a - 1) + (b - 0.5) * (b - 0.5);
    }
  printf("%.3f %.3e of the vortices\n", ms, sqrt(off / all));
}
