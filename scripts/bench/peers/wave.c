// The wave kernel's arithmetic in plain C: leapfrog with a stencil of 13 nodes, or of 5, on a padded field with fixed
// edges; and Yee's scheme on a line.
//
//     wave <intervals> <steps> <order>      membrane of unit sides, a Gaussian of width 0.1, t = 1
//     wave <cells> <steps> yee              light between conductors, a Gaussian of width 0.1, two crossings
//
// Prints the milliseconds of a run and the root mean square of its end. A membrane's run is all that ours is, from its
// memory and the start on the nodes to velocity, energy and extremes; of light the steps alone, without the start and
// the reading.
#include <math.h>

#include "bench.h"

static int n, stride;
static double centre, along, across, diagonal, along2, across2;

static void mirror(double *first, ptrdiff_t apart, int count) {
  double *last = first + (count - 1) * apart;
  first[-apart] = 0;
  first[-2 * apart] = -first[0];
  last[apart] = 0;
  last[2 * apart] = -last[0];
}

static void surround(double *field) {
  double *first = field + 2 * stride + 2;
  for (int r = 0; r < n; r++) mirror(first + r * stride, 1, n);
  for (int c = -2; c < n + 2; c++) mirror(first + c, stride, n);
}

static void wide_row(const double *restrict u, double *restrict b) {
  for (int c = 0; c < n; c++) {
    const double *up = u + c - stride, *down = u + c + stride;
    double sides = u[c - 1] + u[c + 1], ends = up[0] + down[0];
    double corners = (up[-1] + up[1]) + (down[-1] + down[1]);
    double far = u[c - 2] + u[c + 2], beyond = up[-stride] + down[stride];
    double near = along * sides + (across * ends + diagonal * corners);
    double wide = along2 * far + across2 * beyond;
    b[c] = (2 * u[c] - b[c]) + (centre * u[c] + (near + wide));
  }
}

static void narrow_row(const double *restrict u, double *restrict b) {
  for (int c = 0; c < n; c++) {
    double sides = u[c - 1] + u[c + 1], ends = u[c - stride] + u[c + stride];
    b[c] = (2 * u[c] - b[c]) + (centre * u[c] + (along * sides + across * ends));
  }
}

static void apply(double *field, double *to) {
  double zero = 0;
  surround(field);
  memset(to, 0, sizeof(double) * (size_t)(n + 4) * stride);
  for (int r = 0; r < n; r++) {
    double *u = field + (r + 2) * stride + 2, *b = to + (r + 2) * stride + 2;
    for (int c = 0; c < n; c++) b[c] = 2 * u[c];
    if (diagonal == zero) narrow_row(u, b);
    else wide_row(u, b);
  }
}

static int membrane(int intervals, int steps, int order) {
  n = intervals - 1;
  int lines = (n + 5 + 7) / 8;
  stride = (lines % 2 == 0 ? lines + 1 : lines) * 8;
  double a = intervals / (double)steps * (intervals / (double)steps);
  double fourth = order == 4 ? 1.0 / 12 : 0, p = fourth * (a * a - a), d = fourth * 2 * a * a;
  centre = -4 * a + 12 * p + 4 * d;
  along = across = a - 4 * p - 2 * d;
  diagonal = d;
  along2 = across2 = p;
  size_t size = (size_t)(n + 4) * stride;
  double from = milliseconds();
  double *now = doubles(size), *before = doubles(size), *earlier = doubles(size), *velocity = doubles(size);
  double *ahead = doubles(size), *behind = doubles(size);
  for (int r = 0; r < n; r++) {
    for (int c = 0; c < n; c++) {
      double x = ((c + 1.0) / intervals - 0.5) / 0.1, y = ((r + 1.0) / intervals - 0.5) / 0.1;
      now[(r + 2) * stride + c + 2] = exp(-(x * x + y * y) / 2);
    }
  }
  apply(now, before);
  for (size_t i = 0; i < size; i++) before[i] = now[i] + before[i] / 2;
  for (int step = 0; step < steps; step++) {
    surround(now);
    for (int r = 0; r < n; r++) {
      double *u = now + (r + 2) * stride + 2, *b = before + (r + 2) * stride + 2;
      if (order == 2) narrow_row(u, b);
      else wide_row(u, b);
    }
    double *swap = now;
    now = before;
    before = swap;
  }
  // What an answer holds: the velocity, the level before the last one, and the numbers read off the fields.
  double dt = 1.0 / steps;
  apply(now, ahead);
  apply(before, behind);
  for (size_t i = 0; i < size; i++) {
    earlier[i] = 2 * before[i] - now[i] + behind[i];
    velocity[i] = (2 * now[i] - 2 * before[i] + ahead[i]) / (2 * dt);
  }
  apply(velocity, ahead);
  apply(ahead, behind);
  for (size_t i = 0; i < size; i++) velocity[i] = velocity[i] - ahead[i] / 6 + behind[i] / 30;
  surround(now);
  double sum = 0, speed = 0, slope = 0, rise = 0, least = 0, most = 0;
  for (int r = -1; r < n; r++) {
    for (int c = -1; c < n; c++) {
      size_t at = (size_t)(r + 2) * stride + c + 2;
      double x = (now[at + 1] - now[at]) * intervals, y = (now[at + stride] - now[at]) * intervals;
      slope += r < 0 ? 0 : x * x;
      rise += c < 0 ? 0 : y * y;
      if (r < 0 || c < 0) continue;
      sum += now[at] * now[at];
      speed += velocity[at] * velocity[at];
      least = fmin(least, now[at]);
      most = fmax(most, now[at]);
    }
  }
  double cells = (double)intervals * intervals, ms = milliseconds() - from;
  if (!(least <= most && isfinite(earlier[size / 2]))) return 1;
  printf("%.3f rms %.12f, energy %.9f\n", ms, sqrt(sum / cells), (speed + slope + rise) / cells / 2);
  return 0;
}

static int light(int cells, int steps) {
  double *e = doubles(cells + 1), *b = doubles(cells);
  double *g = doubles(cells + 1);
  double s = 2.0 * cells / steps;
  for (int i = 1; i < cells; i++) {
    double x = (i / (double)cells - 0.5) / 0.1;
    e[i] = exp(-x * x / 2);
    g[i] = s;
  }
  double from = milliseconds();
  for (int i = 0; i < cells; i++) b[i] -= s / 2 * (e[i + 1] - e[i]);
  for (int step = 0; step < steps; step++) {
    for (int i = 1; i < cells; i++) e[i] = e[i] - g[i] * (b[i] - b[i - 1]);
    for (int i = 0; i < cells; i++) b[i] = b[i] - s * (e[i + 1] - e[i]);
  }
  double ms = milliseconds() - from, sum = 0;
  for (int i = 0; i < cells; i++) sum += e[i] * e[i];
  printf("%.3f rms %.12f\n", ms, sqrt(sum / cells));
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  int size = atoi(argv[1]), steps = atoi(argv[2]);
  return strcmp(argv[3], "yee") == 0 ? light(size, steps) : membrane(size, steps, atoi(argv[3]));
}
