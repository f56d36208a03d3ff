"""DC power flow by SciPy: grid.py <file of buses, lines, injections> <outages 0|1>; a sparse factor, outages by solves with it."""

import json
import sys
import time

import numpy as np
from scipy.sparse import csc_matrix
from scipy.sparse.linalg import splu

with open(sys.argv[1]) as file:
    case = json.load(file)
outages = sys.argv[2] == "1"
n, slack = case["buses"], case["slack"]
i, j, drop = np.array(case["from"]), np.array(case["to"]), np.array(case["drop"])
power = np.array(case["power"], dtype=float)
bridge = np.array(case["bridges"], dtype=bool)
keep = np.array([k for k in range(n) if k != slack])


def solve():
    b = 1 / drop
    m = len(b)
    incidence = csc_matrix((np.r_[np.ones(m), -np.ones(m)], (np.r_[i, j], np.r_[range(m), range(m)])), shape=(n, m))
    matrix = (incidence @ csc_matrix((b, (range(m), range(m))), shape=(m, m)) @ incidence.T).tocsc()
    factor = splu(matrix[keep][:, keep].tocsc(), permc_spec="MMD_AT_PLUS_A")
    theta = np.zeros(n)
    theta[keep] = factor.solve(power[keep])
    flows = (theta[i] - theta[j]) * b
    if not outages:
        return flows, None
    transfer = np.zeros((n, m))
    transfer[keep] = factor.solve(incidence[keep].toarray())
    shares = (transfer[i] - transfer[j]) * b[:, None]
    rest = 1 - np.diag(shares)
    after = flows[:, None] + shares * np.where(bridge, 0, flows / np.where(bridge, 1, rest))
    return flows, np.abs(after - np.diag(np.diag(after))).max(axis=0)


solve()
times = case["times"]
began = time.process_time()
for _ in range(times):
    flows, worst = solve()
ms = 1e3 * (time.process_time() - began) / times
left = power.copy()
np.subtract.at(left, i, flows)
np.add.at(left, j, flows)
print(f"{ms:.4f} {np.abs(left[keep]).max():.1e} MW lost at a bus, largest flow {np.abs(flows).max():.6f} MW")
