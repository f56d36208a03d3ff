// The evolve kernel's arithmetic in plain C: the same lists by all pairs, the same numbers in the same order.
//
//     evolve <atoms> <steps> <dt> <box> <cutoff> <skin> <every> <start>
//
// `start` holds places then velocities as doubles, n × 3 each. Prints milliseconds and the drift of the energy.
#include <math.h>

#include "bench.h"

enum { BINS = 100 };
typedef struct { double x, y, z, w; } Vec;

static int n, *rows, *pairs;
static double box, inverse_box, cutoff, cutoff2, reach2, force_cut, energy_cut, counts[BINS];
static Vec *r, *v, *f, *origin;

static inline double nearest(double d) { return d - box * nearbyint(d * inverse_box); }
static inline double wrapped(double x) { return x - box * floor(x * inverse_box); }

static void list(double *restrict sx, double *restrict sy, double *restrict sz) {
  memcpy(origin, r, sizeof(Vec) * n);
  for (int i = 0; i < n; i++) {
    sx[i] = wrapped(r[i].x);
    sy[i] = wrapped(r[i].y);
    sz[i] = wrapped(r[i].z);
  }
  int tail = 0;
  for (int i = 0; i < n; i++) {
    rows[i] = tail;
    for (int j = i + 1; j < n; j++) {
      double dx = nearest(sx[j] - sx[i]), dy = nearest(sy[j] - sy[i]), dz = nearest(sz[j] - sz[i]);
      pairs[tail] = j;
      tail += dx * dx + dy * dy + dz * dz < reach2;
    }
  }
  rows[n] = tail;
}

static void forces(void) {
  memset(f, 0, sizeof(Vec) * n);
  for (int i = 0; i < n; i++) {
    double sum[3][3] = {{0}};
    int from = rows[i], end = rows[i + 1], odd = (end - from) & 1;
    Vec at = r[i];
    for (int k = from; k < end; k++) {
      Vec *to = &f[pairs[k]];
      const Vec *p = &r[pairs[k]];
      double dx = nearest(p->x - at.x), dy = nearest(p->y - at.y), dz = nearest(p->z - at.z);
      double r2 = dx * dx + dy * dy + dz * dz;
      if (!(r2 < cutoff2)) continue;
      double i2 = 1 / r2, i6 = i2 * i2 * i2;
      double s = (48 * i6 - 24) * i6 * i2 - force_cut * sqrt(i2);
      double fx = s * dx, fy = s * dy, fz = s * dz;
      double *lane = sum[odd && k == end - 1 ? 2 : (k - from) & 1];
      lane[0] += fx;
      lane[1] += fy;
      lane[2] += fz;
      to->x += fx;
      to->y += fy;
      to->z += fz;
    }
    f[i].x -= sum[0][0] + sum[2][0] + sum[1][0];
    f[i].y -= sum[0][1] + sum[2][1] + sum[1][1];
    f[i].z -= sum[0][2] + sum[2][2] + sum[1][2];
  }
}

static double energy(void) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    for (int k = rows[i]; k < rows[i + 1]; k++) {
      const Vec *p = &r[pairs[k]];
      double dx = nearest(p->x - r[i].x), dy = nearest(p->y - r[i].y), dz = nearest(p->z - r[i].z);
      double r2 = dx * dx + dy * dy + dz * dz;
      if (!(r2 < cutoff2)) continue;
      double d = sqrt(r2), i2 = 1 / r2, i6 = i2 * i2 * i2;
      sum += (4 * i6 - 4) * i6 - energy_cut + (d - cutoff) * force_cut;
      counts[(int)(d * (BINS / cutoff))] += 1;
    }
  }
  return sum;
}

static double kinetic(void) {
  double twice = 0;
  for (int i = 0; i < n; i++) twice += v[i].x * v[i].x + v[i].y * v[i].y + v[i].z * v[i].z;
  return twice / 2;
}

static void kick(double h) {
  for (int i = 0; i < n; i++) {
    v[i].x += h * f[i].x;
    v[i].y += h * f[i].y;
    v[i].z += h * f[i].z;
  }
}

int main(int argc, char **argv) {
  if (argc != 9) return 2;
  n = atoi(argv[1]);
  int steps = atoi(argv[2]), every = atoi(argv[7]);
  double dt = atof(argv[3]), skin = atof(argv[6]);
  box = atof(argv[4]);
  inverse_box = 1 / box;
  cutoff = atof(argv[5]);
  cutoff2 = cutoff * cutoff;
  reach2 = (cutoff + skin) * (cutoff + skin);
  double c2 = 1 / (cutoff * cutoff), c6 = c2 * c2 * c2;
  force_cut = (48 * c6 - 24) * c6 / cutoff;
  energy_cut = (4 * c6 - 4) * c6;
  r = allocate(sizeof(Vec) * n);
  v = allocate(sizeof(Vec) * n);
  f = allocate(sizeof(Vec) * n);
  origin = allocate(sizeof(Vec) * n);
  rows = allocate(sizeof(int) * (n + 1));
  pairs = allocate(sizeof(int) * ((size_t)n * n / 2 + 1));
  double *sorted = doubles(3 * n), *start = doubles(6 * n);
  FILE *in = fopen(argv[8], "rb");
  if (in == NULL || fread(start, sizeof(double), 6 * (size_t)n, in) != 6 * (size_t)n) return 1;
  fclose(in);
  double from = milliseconds();
  for (int i = 0; i < n; i++) {
    r[i] = (Vec){start[3 * i], start[3 * i + 1], start[3 * i + 2], 0};
    v[i] = (Vec){start[3 * (n + i)], start[3 * (n + i) + 1], start[3 * (n + i) + 2], 0};
  }
  list(sorted, sorted + n, sorted + 2 * n);
  forces();
  double k0 = kinetic(), e0 = k0 + energy(), drift = 0;
  for (int step = 1; step <= steps; step++) {
    kick(dt / 2);
    double most = 0;
    for (int i = 0; i < n; i++) {
      r[i].x += dt * v[i].x;
      r[i].y += dt * v[i].y;
      r[i].z += dt * v[i].z;
      double dx = r[i].x - origin[i].x, dy = r[i].y - origin[i].y, dz = r[i].z - origin[i].z;
      double moved = dx * dx + dz * dz + dy * dy;
      if (moved > most) most = moved;
    }
    if (!(most < skin * skin / 4)) list(sorted, sorted + n, sorted + 2 * n);
    forces();
    kick(dt / 2);
    if (step % every == 0) {
      double off = fabs(kinetic() + energy() - e0);
      if (off > drift) drift = off;
    }
  }
  printf("%.3f drift %.4f %% of K0\n", milliseconds() - from, 100 * drift / k0);
  return 0;
}
