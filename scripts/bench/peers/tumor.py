"""A Fisher-KPP front with NumPy and SciPy: tumor.py <nx> <ny> <steps>, in units where D = rho = 1, lx = 100, dt = 0.05.

Strang's splitting: exact logistic growth, alternating directions of Mitchell and Fairweather with closed walls. Prints
milliseconds and the relative error against the exact wave, on the scale of what has changed.
"""

import sys
import time

import numpy as np
from scipy.linalg import solve_banded

nx, ny, steps = (int(word) for word in sys.argv[1:4])
dt, dx = 0.05, 100 / nx
r = dt / dx**2
minus, plus = r / 2 - 1 / 12, r / 2 + 1 / 12


def bands(n):
    """The tridiagonal matrix 1 - minus·δ² with mirrors at both ends."""
    m = np.zeros((3, n))
    m[0, 1:] = m[2, :-1] = -minus
    m[1] = 1 + 2 * minus
    m[0, 1] *= 2
    m[2, -2] *= 2
    return m


def stencil(u):
    """(1 + plus·δ²)u along the last axis, with mirrors."""
    w = (1 - 2 * plus) * u
    w[:, 1:-1] += plus * (u[:, :-2] + u[:, 2:])
    w[:, 0] += 2 * plus * u[:, 1]
    w[:, -1] += 2 * plus * u[:, -2]
    return w


def wave(t):
    """Ablowitz and Zeppetella's front."""
    return (1 + np.exp((np.arange(nx + 1) * dx - 30 - 5 / np.sqrt(6) * t) / np.sqrt(6))) ** -2


def grow(u, time):
    """Exact logistic growth."""
    gain = np.exp(time)
    return u * gain / (1 + u * (gain - 1))


down, along = bands(ny + 1), bands(nx + 1)
u = np.tile(wave(0), (ny + 1, 1))
began = time.process_time()
u = grow(u, dt / 2)
for step in range(steps):
    v = solve_banded((1, 1), down, stencil(u), check_finite=False, overwrite_b=True)
    w = (1 - 2 * plus) * v
    w[1:-1] += plus * (v[:-2] + v[2:])
    w[0] += 2 * plus * v[1]
    w[-1] += 2 * plus * v[-2]
    u = solve_banded((1, 1), along, w.T, check_finite=False, overwrite_b=True).T
    u = grow(u, dt if step + 1 < steps else dt / 2)
milliseconds = 1e3 * (time.process_time() - began)
due, begin = wave(steps * dt), wave(0)
off = np.linalg.norm(u[ny // 2] - due) / np.linalg.norm(due - begin)
print(f"{milliseconds:.3f} {off:.3e} of the change")
