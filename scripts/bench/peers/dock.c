// The dock kernel's arithmetic in plain C, two lanes wide: energy and forces of a ligand in a receptor, over and over.
//
//     dock <receptor atoms> <ligand atoms> <evaluations> <atoms file>
//
// The file holds the receptor's x, y, z, σ/2, 2√ε and q one array after another (an even number of atoms), then the
// ligand's atom by atom, as doubles. Each evaluation moves the ligand by 1e-6 along x. Prints milliseconds and the energy.
#include <math.h>

#include "bench.h"

typedef double pair __attribute__((vector_size(16)));

static inline pair both(double a) { return (pair){a, a}; }
static inline pair root(pair a) { return (pair){sqrt(a[0]), sqrt(a[1])}; }
static inline double total(pair a) { return a[0] + a[1]; }

static double energy(const double *fixed, int n, const double *moving, int m, double *pulls) {
  const pair *X = (const pair *)fixed, *Y = X + n / 2, *Z = Y + n / 2, *S = Z + n / 2, *E = S + n / 2, *Q = E + n / 2;
  pair dispersion = both(0), charge = both(0), soft = both(0);
  for (int a = 0; a < m; a++) {
    const double *at = moving + 6 * a;
    pair sx = both(0), sy = both(0), sz = both(0);
    for (int k = 0; k < n / 2; k++) {
      pair dx = both(at[0]) - X[k], dy = both(at[1]) - Y[k], dz = both(at[2]) - Z[k];
      pair inverse = both(1) / (dx * dx + dy * dy + dz * dz + soft);
      pair sigma = both(at[3]) + S[k], s2 = sigma * sigma * inverse, s6 = s2 * s2 * s2, s12 = s6 * s6;
      pair four = both(at[4]) * E[k], near = both(at[5]) * Q[k] * root(inverse);
      dispersion += four * (s12 - s6);
      charge += near;
      pair push = (four * (both(12) * s12 - both(6) * s6) + near) * inverse;
      sx += push * dx;
      sy += push * dy;
      sz += push * dz;
    }
    pulls[3 * a] = total(sx);
    pulls[3 * a + 1] = total(sy);
    pulls[3 * a + 2] = total(sz);
  }
  return total(dispersion) + total(charge);
}

int main(int argc, char **argv) {
  if (argc != 5) return 2;
  int n = atoi(argv[1]), m = atoi(argv[2]), evaluations = atoi(argv[3]);
  size_t count = 6 * (size_t)(n + m);
  double *atoms = aligned_alloc(64, (sizeof(double) * count + 63) / 64 * 64), *pulls = calloc(3 * m, sizeof(double));
  FILE *in = fopen(argv[4], "rb");
  if (atoms == NULL || pulls == NULL || in == NULL || fread(atoms, sizeof(double), count, in) != count) return 1;
  fclose(in);
  double *moving = atoms + 6 * n, found = 0, from = milliseconds();
  for (int k = 0; k < evaluations; k++) {
    found = energy(atoms, n, moving, m, pulls);
    for (int a = 0; a < m; a++) moving[6 * a] += 1e-6;
  }
  printf("%.3f last energy %.9f kJ/mol\n", milliseconds() - from, found);
  return 0;
}
