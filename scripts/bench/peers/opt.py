"""The same minimisations by scipy.optimize: python3 opt.py rosenbrock|rastrigin <dimension>.

Rosenbrock: L-BFGS-B with the analytic gradient from as many scrambled Sobol starts as the solver takes. Rastrigin:
differential evolution, polished. Prints milliseconds, the distance from the known minimum and the evaluations.
"""

import sys
import time

import numpy as np
from scipy.optimize import differential_evolution, minimize, rosen, rosen_der
from scipy.stats import qmc

name, dimension = sys.argv[1], int(sys.argv[2])
starts = int(sys.argv[3]) if len(sys.argv) > 3 else 1


def rastrigin(x):
    return 10 * len(x) + np.sum(x * x - 10 * np.cos(2 * np.pi * x))


def multistart():
    points = qmc.Sobol(dimension, seed=1).random(starts)
    bounds = [(-5, 10)] * dimension
    best, count = None, 0
    for point in points:
        found = minimize(rosen, -5 + 15 * point, jac=rosen_der, method="L-BFGS-B", bounds=bounds,
                         options={"ftol": 1e-15, "gtol": 1e-10, "maxiter": 10000, "maxfun": 100000})
        count += found.nfev
        if best is None or found.fun < best.fun:
            best = found
    return best.x, 1, 15, count


def evolution():
    found = differential_evolution(rastrigin, [(-5.12, 5.12)] * dimension, seed=1, tol=1e-10, atol=1e-12, maxiter=5000)
    return found.x, 0, 10.24, found.nfev


start = time.process_time()
x, known, width, count = multistart() if name == "rosenbrock" else evolution()
ms = 1e3 * (time.process_time() - start)
print(f"{ms:.3f} {np.max(np.abs(x - known)) / width:.1e} of the box from the minimum, {count} evaluations")
