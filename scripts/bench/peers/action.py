"""A Kepler orbit of e = 0.6 by SciPy's DOP853: action.py <orbits> <tolerance>; 500 outputs."""

import sys
import time

import numpy as np
from scipy.integrate import solve_ivp

orbits, tolerance = int(sys.argv[1]), float(sys.argv[2])


def rate(_, state):
    x, y, u, v = state
    r = np.sqrt(x * x + y * y)
    return np.array([u, v, -x / r**3, -y / r**3])


began = time.process_time()
end = 2 * np.pi * orbits
found = solve_ivp(
    rate, (0, end), [0.4, 0, 0, 2], method="DOP853", rtol=tolerance, atol=tolerance, t_eval=np.linspace(0, end, 501)
)
ms = 1e3 * (time.process_time() - began)
print(f"{ms:.3f} {np.hypot(found.y[0, -1] - 0.4, found.y[1, -1]):.1e} of a at the end")
