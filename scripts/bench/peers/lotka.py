"""Predator and prey by SciPy's DOP853 in logarithms: lotka.py <t_max> <exact prey at the end>; 400 outputs."""

import sys
import time

import numpy as np
from scipy.integrate import solve_ivp

t_max, exact = float(sys.argv[1]), float(sys.argv[2])


def rate(_, state):
    x, y = np.exp(state)
    return np.array([1.1 - 0.4 * y, 0.1 * x - 0.4])


began = time.process_time()
found = solve_ivp(
    rate,
    (0, t_max),
    np.log([10.0, 5.0]),
    method="DOP853",
    rtol=1e-12,
    atol=1e-12,
    t_eval=np.linspace(0, t_max, 401),
)
prey = float(np.exp(found.y[0, -1]))
ms = 1e3 * (time.process_time() - began)
print(f"{ms:.3f} {prey / exact - 1:.1e} of the prey at the end")
