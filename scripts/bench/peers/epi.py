"""An epidemic by SciPy: epi.py <SIR | SEIR> <method> <exact susceptible at the end>; 160 days, 320 outputs."""

import sys
import time

import numpy as np
from scipy.integrate import solve_ivp

model, method, exact = sys.argv[1], sys.argv[2], float(sys.argv[3])
BETA, GAMMA, SIGMA, N = 0.3, 0.1, 0.2, 1e6


def sir(_, state):
    s, i, _ = state
    new = BETA * s * i / N
    return np.array([-new, new - GAMMA * i, GAMMA * i])


def seir(_, state):
    s, e, i, _ = state
    new = BETA * s * i / N
    return np.array([-new, new - SIGMA * e, SIGMA * e - GAMMA * i, GAMMA * i])


start = [N - 10, 10.0, 0.0] if model == "SIR" else [N - 10, 0.0, 10.0, 0.0]
began = time.process_time()
found = solve_ivp(
    sir if model == "SIR" else seir,
    (0, 160),
    start,
    method=method,
    rtol=3e-13,
    atol=1e-9,
    t_eval=np.linspace(0, 160, 321),
)
left = float(found.y[0, -1])
ms = 1e3 * (time.process_time() - began)
print(f"{ms:.3f} {left / exact - 1:.1e} of the susceptible at the end")
