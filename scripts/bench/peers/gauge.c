/* Heat-bath sweeps of a two-dimensional U(1) gauge field, the arithmetic of the kernel link by link:
   gauge <L> <beta> <sweeps> <thermal>; prints milliseconds of the sweeps and the mean plaquette's distance from the
   infinite lattice's. */
#include <math.h>
#include <stdint.h>

#include "bench.h"

static int L;
static double beta;
static double *links;
static uint32_t *table;
static double *cubics;
static double perKappa = 100;

static double ratio(double x) {
  double f = 0;
  if (x == 0) return 0;
  for (int k = 160; k >= 1; k--) f = 1 / (2 * k / x + f);
  return f;
}

static uint32_t linkAt(int d, int y, int x) { return d * L * L + (y + L) % L * L + (x + L) % L; }

static void makeTable(void) {
  uint32_t *t = table;
  for (int d = 0; d < 2; d++)
    for (int parity = 0; parity < 2; parity++)
      for (int y = 0; y < L; y++)
        for (int x = 0; x < L; x++) {
          if ((d == 0 ? y : x) % 2 != parity) continue;
          uint32_t a[7] = {linkAt(0, y, x), linkAt(1, y, x + 1), linkAt(0, y + 1, x), linkAt(1, y, x),
                           linkAt(1, y - 1, x + 1), linkAt(0, y - 1, x), linkAt(1, y - 1, x)};
          uint32_t b[7] = {linkAt(1, y, x), linkAt(0, y + 1, x), linkAt(1, y, x + 1), linkAt(0, y, x),
                           linkAt(0, y + 1, x - 1), linkAt(1, y, x - 1), linkAt(0, y, x - 1)};
          memcpy(t, d == 0 ? a : b, sizeof a);
          t += 8;
        }
}

static void makeCubics(void) {
  int n = (int)ceil(2 * beta * perKappa) + 2;
  double h = 1 / perKappa;
  cubics = malloc(n * 4 * sizeof(double));
  for (int i = 0; i < n; i++) {
    double a = ratio(i * h), b = ratio((i + 1) * h);
    double da = h * (i == 0 ? 0.5 : 1 - a / (i * h) - a * a), db = h * (1 - b / ((i + 1) * h) - b * b);
    cubics[4 * i] = a;
    cubics[4 * i + 1] = da;
    cubics[4 * i + 2] = 3 * (b - a) - 2 * da - db;
    cubics[4 * i + 3] = 2 * (a - b) + da + db;
  }
}

static inline void philox(uint32_t link, uint32_t sweep, uint32_t block, uint32_t k0, uint32_t k1, uint32_t *out) {
  uint32_t a = link, b = sweep, c = block, d = 0;
  for (int round = 0; round < 10; round++) {
    uint64_t p = (uint64_t)0xd2511f53u * a, q = (uint64_t)0xcd9e8d57u * c;
    a = (uint32_t)(q >> 32) ^ b ^ k0;
    b = (uint32_t)q;
    c = (uint32_t)(p >> 32) ^ d ^ k1;
    d = (uint32_t)p;
    k0 += 0x9e3779b9u;
    k1 += 0xbb67ae85u;
  }
  out[0] = a;
  out[1] = b;
  out[2] = c;
  out[3] = d;
}

static inline double cosPi(double u) {
  double x = (fabs(u) - 0.5) * 3.141592653589793, y = x * x;
  double s = -8.22063524662433e-18;
  s = s * y + 2.8114572543455206e-15;
  s = s * y + -7.647163731819816e-13;
  s = s * y + 1.6059043836821613e-10;
  s = s * y + -2.505210838544172e-8;
  s = s * y + 2.7557319223985893e-6;
  s = s * y + -1.984126984126984e-4;
  s = s * y + 8.333333333333333e-3;
  s = s * y + -0.16666666666666666;
  s = s * y + 1;
  return -(x * s);
}

static inline double expOf(double w) {
  if (w < -60) w = -60;
  double k = (w * 1.4426950408889634 + 6755399441055744.0) - 6755399441055744.0;
  double r = w - k * 0.6931471803691238 - k * 1.9082149292705877e-10;
  double s = 2.08767569878681e-9;
  s = s * r + 2.505210838544172e-8;
  s = s * r + 2.755731922398589e-7;
  s = s * r + 2.7557319223985893e-6;
  s = s * r + 2.48015873015873e-5;
  s = s * r + 1.984126984126984e-4;
  s = s * r + 1.388888888888889e-3;
  s = s * r + 8.333333333333333e-3;
  s = s * r + 4.1666666666666664e-2;
  s = s * r + 0.16666666666666666;
  s = s * r + 0.5;
  s = s * r + 1;
  s = s * r + 1;
  uint64_t bits = (uint64_t)((int64_t)k + 1023) << 52;
  double power;
  memcpy(&power, &bits, 8);
  return s * power;
}

static double sweep(uint32_t number) {
  int count = 2 * L * L;
  double total = 0;
  for (int turn = 0; turn < 4; turn++) {
    double lanes[2] = {0, 0};
    for (int e = turn * count / 4; e < (turn + 1) * count / 4; e++) {
      const uint32_t *t = table + 8 * e;
      const double *a = links + 2 * t[1], *b = links + 2 * t[2], *c = links + 2 * t[3];
      const double *d = links + 2 * t[4], *g = links + 2 * t[5], *f = links + 2 * t[6];
      double pr = b[0] * c[0] - b[1] * c[1], pi = b[0] * c[1] + b[1] * c[0];
      double qr = d[0] * g[0] - d[1] * g[1], qi = d[0] * g[1] + d[1] * g[0];
      double sr = (a[0] * pr + a[1] * pi) + (f[0] * qr + f[1] * qi);
      double si = (a[1] * pr - a[0] * pi) + (f[1] * qr - f[0] * qi);
      double size = sqrt(sr * sr + si * si), kappa = beta * size;
      double x = size < 1e-15 ? 1 : sr / size, y = size < 1e-15 ? 0 : -(si / size);
      double place = kappa * perKappa;
      int i = (int)place;
      double u = place - i;
      const double *m = cubics + 4 * i;
      lanes[e & 1] += size * (m[0] + u * (m[1] + u * (m[2] + u * m[3])));
      double tau = 1 + sqrt(1 + 4 * (kappa * kappa)), w = tau + sqrt(tau + tau), rho = (kappa + kappa) / w;
      double q = 1 + rho * rho, c0 = q * w * 0.25, rho2 = rho + rho, cosine = 1, sign = 0;
      for (uint32_t block = 0; block < 64; block++) {
        uint32_t words[4];
        philox(t[0], number, block, 1, 0, words);
        int taken = 0;
        for (int half = 0; half < 4 && !taken; half += 2) {
          double s = ((double)(int32_t)words[half] + 0.5) * 4.656612873077393e-10;
          double v = ((double)words[half + 1] + 0.5) * 2.3283064365386963e-10;
          double z = cosPi(s), g2 = (rho2 + q * z) / (q + rho2 * z), k = c0 - kappa * g2;
          if (k * (2 - k) > v || k * expOf(1 - k) >= v) {
            cosine = g2;
            sign = s;
            taken = 1;
          }
        }
        if (taken) break;
      }
      double flat = sqrt(fmax(0, 1 - cosine * cosine)), s = sign < 0 ? -flat : flat;
      double *own = links + 2 * t[0];
      own[0] = x * cosine - y * s;
      own[1] = x * s + y * cosine;
    }
    total += lanes[0] + lanes[1];
  }
  return total;
}

int main(int argc, char **argv) {
  if (argc < 5) return 1;
  L = atoi(argv[1]);
  beta = atof(argv[2]);
  int sweeps = atoi(argv[3]), thermal = atoi(argv[4]), count = 2 * L * L;
  links = malloc(2 * count * sizeof(double));
  table = malloc(8 * count * sizeof(uint32_t));
  makeTable();
  makeCubics();
  for (int k = 0; k < count; k++) {
    links[2 * k] = 1;
    links[2 * k + 1] = 0;
  }
  double from = milliseconds(), sum = 0;
  for (int k = 0; k < sweeps + thermal; k++) {
    double one = sweep(k) / (2.0 * count);
    if (k >= thermal) sum += one;
  }
  printf("%.3f plaquette %.12f\n", milliseconds() - from, sum / sweeps);
  return 0;
}
