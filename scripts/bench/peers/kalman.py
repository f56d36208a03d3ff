"""Steady covariance of a filter by SciPy's Riccati solver: kalman.py <file of A, C, Q, R>; error against its residual."""

import json
import sys
import time

import numpy as np
from scipy.linalg import solve_discrete_are

with open(sys.argv[1]) as file:
    system = json.load(file)
n, m, times = system["n"], system["m"], system["times"]
A, C, Q, R = (np.array(system[k]).reshape(s) for k, s in (("A", (n, n)), ("C", (m, n)), ("Q", (n, n)), ("R", (m, m))))
solve_discrete_are(A.T, C.T, Q, R)
began = time.process_time()
for _ in range(times):
    P = solve_discrete_are(A.T, C.T, Q, R)
    S = C @ P @ C.T + R
    K = np.linalg.solve(S, C @ P).T
ms = 1e3 * (time.process_time() - began) / times
left = A @ (P - K @ S @ K.T) @ A.T + Q - P
print(f"{ms:.5f} residual {np.linalg.norm(left) / np.linalg.norm(P):.1e} of P")
