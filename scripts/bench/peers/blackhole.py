"""Geodesics in ingoing Eddington-Finkelstein coordinates by SciPy's DOP853: blackhole.py <fall | orbit> <exact> <turns>."""

import sys
import time

import numpy as np
from scipy.integrate import solve_ivp

what, exact, turns = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
UNIT = 6.6743e-11 * 1.98892e31 / 299792458.0**3


def rate(_, state):
    r, _, _, dr, dphi, dv = state
    bend = r * dphi * dphi - (dv / r) ** 2
    return np.array([dr, dphi, dv, (1 - 2 / r) * bend + 2 * dr * dv / r**2, -2 * dr * dphi / r, bend])


def horizon(_, state):
    return state[0] - 2


def nearest(_, state):
    return state[3]


horizon.terminal = True
nearest.direction = 1
l = 4.2 if what == "orbit" else 0.0
start = [20.0, 0.0, 20 + 2 * np.log(9), 0.0, l / 400, np.sqrt((1 + l * l / 400) / 0.9)]
began = time.process_time()
if what == "fall":
    found = solve_ivp(rate, (0, 1000), start, method="DOP853", rtol=1e-13, atol=1e-13, events=horizon)
    said = f"{found.t_events[0][0] * UNIT / exact - 1:.1e} of the proper time"
else:
    found = solve_ivp(rate, (0, 440.0 * (turns + 1)), start, method="DOP853", rtol=1e-13, atol=1e-13, events=nearest)
    phi = found.y_events[0][: turns + 1, 1]
    said = f"{((phi[-1] - phi[0]) / (len(phi) - 1) - 2 * np.pi) / exact - 1:.1e} of the precession over {len(phi) - 1} turns"
ms = 1e3 * (time.process_time() - began)
print(f"{ms:.3f} {said}")
