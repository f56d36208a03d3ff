"""The Lorenz system by SciPy's DOP853: lorenz.py <exact x at 25> <time of the spectrum>; 2,000 outputs."""

import sys
import time

import numpy as np
from scipy.integrate import solve_ivp

exact, span = float(sys.argv[1]), float(sys.argv[2])
SIGMA, RHO, BETA = 10.0, 28.0, 8 / 3


def rate(_, state):
    x, y, z = state
    return np.array([SIGMA * (y - x), x * (RHO - z) - y, x * y - BETA * z])


def tangent(_, state):
    x, y, z = state[:3]
    jacobian = np.array([[-SIGMA, SIGMA, 0], [RHO - z, -1, -x], [y, x, -BETA]])
    return np.concatenate([rate(0, state[:3]), (jacobian @ state[3:].reshape(3, 3)).ravel()])


began = time.process_time()
found = solve_ivp(rate, (0, 25), [1, 1, 1], method="DOP853", rtol=1e-13, atol=1e-13, t_eval=np.linspace(0, 25, 2001))
words = f"{found.y[0, -1] / exact - 1:.1e} of x at 25"
if span > 0:
    state, frame, grown = found.y[:, -1], np.eye(3), []
    turn = 0.5
    for _ in range(int(span / turn)):
        step = solve_ivp(tangent, (0, turn), np.concatenate([state, frame.ravel()]), method="DOP853", rtol=1e-7, atol=1e-7)
        state = step.y[:3, -1]
        frame, r = np.linalg.qr(step.y[3:, -1].reshape(3, 3))
        grown.append(np.log(np.abs(np.diag(r))))
    grown = np.array(grown)
    groups = grown[: len(grown) // 40 * 40, 0].reshape(40, -1).mean(axis=1) / turn
    words += f", exponent {grown[:, 0].mean() / turn:.4f} ± {groups.std(ddof=1) / np.sqrt(40):.4f}"
ms = 1e3 * (time.process_time() - began)
print(f"{ms:.3f} {words}")
