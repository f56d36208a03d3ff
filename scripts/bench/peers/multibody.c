// N bodies by velocity-Verlet in kick-drift-kick form.
//
//     multibody <same|plain> <bodies> <steps> <dt> <softening> <start>
//
// `same`: the multibody kernel's arithmetic, the same numbers in the same order, two lanes wide. `plain`: a leapfrog as
// one writes it, every body over all others. `start` holds places, velocities (n × 3 each) and masses as doubles; G is 1.
// Prints milliseconds and the drift of the energy.
#include <math.h>

#include "bench.h"

typedef double pair __attribute__((vector_size(16)));

static int n;
static double eps2, *x, *y, *z, *vx, *vy, *vz, *ax, *ay, *az, *m;

static inline pair both(double a) { return (pair){a, a}; }
static inline pair root(pair a) { return (pair){sqrt(a[0]), sqrt(a[1])}; }

// One pair alone; adds to the lane of its partner's parity.
static void lone(int i, int j, pair *sx, pair *sy, pair *sz) {
  double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
  double r2 = dx * dx + dy * dy + dz * dz + eps2;
  double inverse = 1 / (r2 * sqrt(r2)), toward = m[j] * inverse, back = m[i] * inverse;
  (*sx)[j & 1] += toward * dx;
  (*sy)[j & 1] += toward * dy;
  (*sz)[j & 1] += toward * dz;
  ax[j] -= back * dx;
  ay[j] -= back * dy;
  az[j] -= back * dz;
}

static void accelerate_same(void) {
  memset(ax, 0, sizeof(double) * n);
  memset(ay, 0, sizeof(double) * n);
  memset(az, 0, sizeof(double) * n);
  for (int i = 0; i < n; i++) {
    pair sx = {0, 0}, sy = {0, 0}, sz = {0, 0};
    int j = i + 1;
    if ((j & 1) && j < n) lone(i, j++, &sx, &sy, &sz);
    pair xi = both(x[i]), yi = both(y[i]), zi = both(z[i]), mi = both(m[i]);
    for (; j + 1 < n; j += 2) {
      pair dx = *(pair *)(x + j) - xi, dy = *(pair *)(y + j) - yi, dz = *(pair *)(z + j) - zi;
      pair r2 = dx * dx + dy * dy + dz * dz + both(eps2);
      pair inverse = both(1) / (r2 * root(r2));
      pair toward = *(pair *)(m + j) * inverse, back = mi * inverse;
      sx += toward * dx;
      sy += toward * dy;
      sz += toward * dz;
      *(pair *)(ax + j) -= back * dx;
      *(pair *)(ay + j) -= back * dy;
      *(pair *)(az + j) -= back * dz;
    }
    if (j < n) lone(i, j, &sx, &sy, &sz);
    ax[i] += sx[0] + sx[1];
    ay[i] += sy[0] + sy[1];
    az[i] += sz[0] + sz[1];
  }
}

static void accelerate_plain(void) {
  for (int i = 0; i < n; i++) {
    double sx = 0, sy = 0, sz = 0;
    for (int j = 0; j < n; j++) {
      if (j == i) continue;
      double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
      double r2 = dx * dx + dy * dy + dz * dz + eps2, pull = m[j] / (r2 * sqrt(r2));
      sx += pull * dx;
      sy += pull * dy;
      sz += pull * dz;
    }
    ax[i] = sx;
    ay[i] = sy;
    az[i] = sz;
  }
}

static double energy(void) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += m[i] * (vx[i] * vx[i] + vy[i] * vy[i] + vz[i] * vz[i]) / 2;
    for (int j = 0; j < i; j++) {
      double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
      sum -= m[i] * m[j] / sqrt(dx * dx + dy * dy + dz * dz + eps2);
    }
  }
  return sum;
}

static void add(double *restrict to, const double *restrict from, double factor) {
  for (int i = 0; i < n; i++) to[i] += factor * from[i];
}

int main(int argc, char **argv) {
  if (argc != 7) return 2;
  void (*accelerate)(void) = strcmp(argv[1], "same") == 0 ? accelerate_same : accelerate_plain;
  n = atoi(argv[2]);
  int steps = atoi(argv[3]);
  double dt = atof(argv[4]), softening = atof(argv[5]);
  eps2 = softening * softening;
  double **arrays[] = {&x, &y, &z, &vx, &vy, &vz, &ax, &ay, &az, &m};
  for (int k = 0; k < 10; k++) *arrays[k] = doubles(n + 2);
  double *start = doubles(7 * n);
  FILE *in = fopen(argv[6], "rb");
  if (in == NULL || fread(start, sizeof(double), 7 * (size_t)n, in) != 7 * (size_t)n) return 1;
  fclose(in);
  for (int i = 0; i < n; i++) {
    for (int axis = 0; axis < 3; axis++) {
      (*arrays[axis])[i] = start[3 * i + axis];
      (*arrays[3 + axis])[i] = start[3 * (n + i) + axis];
    }
    m[i] = start[6 * n + i];
  }
  double before = energy(), from = milliseconds();
  accelerate();
  for (int step = 0; step < steps; step++) {
    for (int axis = 0; axis < 3; axis++) add(*arrays[3 + axis], *arrays[6 + axis], dt / 2);
    for (int axis = 0; axis < 3; axis++) add(*arrays[axis], *arrays[3 + axis], dt);
    accelerate();
    for (int axis = 0; axis < 3; axis++) add(*arrays[3 + axis], *arrays[6 + axis], dt / 2);
  }
  double ms = milliseconds() - from;
  printf("%.3f drift %.2e of |E| at the end\n", ms, fabs(energy() / before - 1));
  return 0;
}
