// The fracture kernel's arithmetic in plain C: a strip with a crack to half its width, no drag, grips at rest. Forces of
// a row and an offset are first worked out in a buffer, so that the compiler can use its lanes.
//
//     fracture <nodes across> <nodes over> <courant> <time in s>
//
// Prints milliseconds, and how far energy is out of balance at the end.
#include <math.h>

#include "bench.h"

enum { PAD = 4, OFFSETS_MAX = 32 };
static const double E = 72e9, RHO = 2440, GC = 3.8, WIDTH = 0.1, THICKNESS = 1e-3, HORIZON = 3.015, STRAIN = 7e-5;

typedef struct { double x, y, length, square, limit, stiff; long shift; int q; } Offset;
typedef struct { long at; int k; double stretch; } Break;

static int nx, ny, columns, count, grips;
static double *ux, *uy, *vx, *vy, *fx, *fy, *weights[OFFSETS_MAX], *gx, *gy, *over;
static Offset offsets[OFFSETS_MAX];
static Break *breaks;
static long broken;

static double *field(void) {
  double *it = calloc((size_t)columns * (ny + 2 * PAD), sizeof(double));
  if (it == NULL) exit(1);
  return it;
}

static void row_forces(const double *restrict u0, const double *restrict u1, const double *restrict w0,
                       const double *restrict w1, const double *restrict weight, const Offset *o,
                       double *restrict ox, double *restrict oy, double *restrict beyond) {
  const double px = o->x, py = o->y, length = o->length, square = o->square, stiff = o->stiff, limit = o->limit;
  for (int i = 0; i < nx; i++) {
    double ex = u1[i] - u0[i], ey = w1[i] - w0[i];
    double t = ex * (2 * px + ex) + ey * (2 * py + ey);
    double now = square + t;
    double g = weight[i] * t * stiff / (now + length * sqrt(now));
    ox[i] = g * (px + ex);
    oy[i] = g * (py + ey);
    beyond[i] = weight[i] * now - limit;
  }
}

static void forces(void) {
  size_t bytes = (size_t)columns * (ny + 2 * PAD) * sizeof(double);
  memset(fx, 0, bytes);
  memset(fy, 0, bytes);
  for (int j = 0; j < ny; j++) {
    long row = (long)(j + PAD) * columns + PAD;
    for (int k = 0; k < count; k++) {
      const Offset *o = offsets + k;
      if (j + o->q >= ny) continue;
      long to = row + o->shift;
      row_forces(ux + row, ux + to, uy + row, uy + to, weights[k] + row, o, gx, gy, over);
      for (int i = 0; i < nx; i++) { fx[row + i] += gx[i]; fy[row + i] += gy[i]; }
      for (int i = 0; i < nx; i++) { fx[to + i] -= gx[i]; fy[to + i] -= gy[i]; }
      double most = 0;
      for (int i = 0; i < nx; i++) most = over[i] > most ? over[i] : most;
      if (!(most > 0)) continue;
      for (int i = 0; i < nx; i++) {
        if (!(over[i] > 0)) continue;
        double now = (over[i] + o->limit), t = now - o->square;
        breaks[broken++] = (Break){row + i, k, t / (o->length * (sqrt(now) + o->length))};
      }
    }
  }
}

static void kick(double push) {
  long from = (long)(grips + PAD) * columns + PAD, to = (long)(ny - grips + PAD) * columns + PAD;
  for (long at = from; at < to; at++) { vx[at] += push * fx[at]; vy[at] += push * fy[at]; }
}

static void take_out(long from) {
  for (long n = from; n < broken; n++) {
    const Offset *o = offsets + breaks[n].k;
    long at = breaks[n].at, to = at + o->shift;
    double ex = ux[to] - ux[at], ey = uy[to] - uy[at];
    double t = ex * (2 * o->x + ex) + ey * (2 * o->y + ey), now = o->square + t;
    double g = t * o->stiff / (now + o->length * sqrt(now));
    fx[at] -= g * (o->x + ex);
    fy[at] -= g * (o->y + ey);
    fx[to] += g * (o->x + ex);
    fy[to] += g * (o->y + ey);
    weights[breaks[n].k][at] = 0;
  }
}

static double strain(void) {
  double sum = 0;
  for (int j = 0; j < ny; j++)
    for (int k = 0; k < count; k++)
      for (int i = 0; i < nx; i++) {
        const Offset *o = offsets + k;
        long at = (long)(j + PAD) * columns + PAD + i, to = at + o->shift;
        if (weights[k][at] == 0) continue;
        double ex = ux[to] - ux[at], ey = uy[to] - uy[at], t = ex * (2 * o->x + ex) + ey * (2 * o->y + ey);
        double e = t / (sqrt(o->square + t) + o->length);
        sum += e * e / o->length;
      }
  return sum;
}

int main(int argc, char **argv) {
  if (argc != 5) return 2;
  nx = atoi(argv[1]);
  ny = atoi(argv[2]);
  double courant = atof(argv[3]), time = atof(argv[4]);
  double dx = WIDTH / nx, volume = dx * dx * THICKNESS, all = 0, cut = 0, inverse = 0;
  columns = nx + nx % 2 + 2 * PAD;
  grips = (int)HORIZON;
  for (int q = 0; q <= grips; q++)
    for (int p = -grips; p <= grips; p++) {
      if ((q == 0 && p <= 0) || p * p + q * q > HORIZON * HORIZON) continue;
      double length = dx * sqrt(p * p + q * q);
      offsets[count++] = (Offset){p * dx, q * dx, length, length * length, 0, 0, (long)q * columns + p, q};
      all += 2 * length;
      cut += q * length;
      inverse += 2 / length;
    }
  double c = 6 * E / (all * volume), s0 = sqrt(2 * GC * dx * THICKNESS / (c * volume * volume * cut));
  ux = field(), uy = field(), vx = field(), vy = field(), fx = field(), fy = field();
  gx = field(), gy = field(), over = field();
  breaks = malloc((size_t)nx * ny * count * sizeof(Break));
  for (int k = 0; k < count; k++) {
    Offset *o = offsets + k;
    o->limit = o->length * (1 + s0) * (o->length * (1 + s0));
    o->stiff = c * volume / o->length;
    weights[k] = field();
    int q = o->q, p = (int)(o->shift - (long)q * columns);
    for (int j = 0; j + q < ny; j++)
      for (int i = 0; i < nx; i++) {
        double share = q == 0 ? -1 : ((ny + 1) / 2 - 0.5 - j) / q;
        int through = share > 0 && share < 1 && (i + 0.5 + share * p) * dx < WIDTH / 2;
        if (i + p >= 0 && i + p < nx && !through) weights[k][(long)(j + PAD) * columns + PAD + i] = 1;
      }
  }
  for (int j = 0; j < ny; j++)
    for (int i = 0; i < nx; i++) uy[(long)(j + PAD) * columns + PAD + i] = STRAIN * ((j + 0.5) * dx - ny * dx / 2);
  int steps = (int)ceil(time / (courant * sqrt(2 * RHO / (c * volume * inverse))) - 1e-9);
  double dt = time / steps, start = c * volume * volume / 2 * strain();
  double began = milliseconds();
  forces();
  for (int step = 0; step < steps; step++) {
    kick(dt / 2 / RHO);
    for (long at = 0; at < (long)columns * (ny + 2 * PAD); at++) { ux[at] += dt * vx[at]; uy[at] += dt * vy[at]; }
    long from = broken;
    forces();
    kick(dt / 2 / RHO);
    take_out(from);
  }
  double ms = milliseconds() - began, motion = 0, torn = 0;
  for (long at = 0; at < (long)columns * (ny + 2 * PAD); at++) motion += vx[at] * vx[at] + vy[at] * vy[at];
  for (long n = 0; n < broken; n++)
    torn += c * breaks[n].stretch * breaks[n].stretch * offsets[breaks[n].k].length * volume * volume / 2;
  double end = c * volume * volume / 2 * strain() + RHO * volume / 2 * motion + torn;
  printf("%.3f %.3e of the energy out of balance, %ld bonds broken\n", ms, end / start - 1, broken);
  return 0;
}
