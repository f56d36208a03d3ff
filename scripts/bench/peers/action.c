// A Kepler orbit of e = 0.6 by Kahan and Li's composition of order 8 and RK4 beside it, as the solver does it:
// action <steps per orbit> <orbits>. Prints the milliseconds and the distance from the nearest place at the end.
#include <math.h>

#include "bench.h"

static const double half[9] = {0.13020248308889007, 0.5611629817751084,  -0.38947496264484727,
                               0.1588419065551556,  -0.39590389413323757, 0.1845396409783157,
                               0.25837438768632204, 0.2950117236093103,  -0.6055085338300346};

static double pull(double x, double y) {
  double square = x * x + y * y;
  return -1 / (square * sqrt(square));
}

static void rk4(double s[4], long steps, double h) {
  double x = s[0], y = s[1], u = s[2], v = s[3];
  for (long step = 0; step < steps; step++) {
    double a = pull(x, y), bx = x + h / 2 * u, by = y + h / 2 * v;
    double bu = u + h / 2 * (a * x), bv = v + h / 2 * (a * y);
    double b = pull(bx, by), cx = x + h / 2 * bu, cy = y + h / 2 * bv;
    double cu = u + h / 2 * (b * bx), cv = v + h / 2 * (b * by);
    double c = pull(cx, cy), dx = x + h * cu, dy = y + h * cv;
    double du = u + h * (c * cx), dv = v + h * (c * cy), d = pull(dx, dy);
    double nu = u + h / 6 * (a * x + 2 * (b * bx + c * cx) + d * dx);
    double nv = v + h / 6 * (a * y + 2 * (b * by + c * cy) + d * dy);
    x += h / 6 * (u + 2 * (bu + cu) + du);
    y += h / 6 * (v + 2 * (bv + cv) + dv);
    u = nu;
    v = nv;
  }
  s[0] = x, s[1] = y, s[2] = u, s[3] = v;
}

int main(int argc, char **argv) {
  long per = atol(argv[1]), steps = per * atol(argv[2]);
  double h = 2 * 3.141592653589793 / per, weight[17], kick[18], drift[17];
  for (int i = 0; i < 17; i++) weight[i] = half[i < 9 ? i : 16 - i];
  for (int i = 0; i < 17; i++) drift[i] = weight[i] * h;
  for (int i = 0; i < 18; i++) kick[i] = ((i > 0 ? weight[i - 1] : 0) + (i < 17 ? weight[i] : 0)) * h / 2;
  double began = milliseconds(), s[4] = {0.4, 0, 0, 2}, other[4] = {0.4, 0, 0, 2};
  double x = s[0], y = s[1], u = s[2], v = s[3], p = pull(x, y);
  for (long step = 0; step < steps; step++) {
    for (int i = 0; i < 17; i++) {
      u += kick[i] * p * x;
      v += kick[i] * p * y;
      x += drift[i] * u;
      y += drift[i] * v;
      p = pull(x, y);
    }
    u += kick[17] * p * x;
    v += kick[17] * p * y;
  }
  long taken = (steps * 17 + 3) / 4;
  rk4(other, taken, steps * h / taken);
  double ms = milliseconds() - began;
  double energy = (other[2] * other[2] + other[3] * other[3]) / 2 - 1 / sqrt(other[0] * other[0] + other[1] * other[1]);
  printf("%.4f %.1e of a at the end (RK4 energy %.1e)\n", ms, sqrt((x - 0.4) * (x - 0.4) + y * y), (energy + 0.5) / 0.5);
  return 0;
}
