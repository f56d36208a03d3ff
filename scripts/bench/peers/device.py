"""The square coaxial line by bilinear elements and by finite volumes: device.py <cells> <direct | cg>; the mean of both
bounds of the capacitance, as ours. CG has the diagonal as preconditioner and ends at 1e-8, far below the grid's error."""

import sys
import time

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import LinearOperator, cg, spsolve

n = int(sys.argv[1])
direct = sys.argv[2] == "direct"
began = time.process_time()


def solve(a, b):
    if direct:
        return spsolve(a.tocsc(), b)
    d = 1 / a.diagonal()
    m = LinearOperator(a.shape, lambda r: d * r)
    tolerance = 1e-8 * np.linalg.norm(b)
    try:
        return cg(a, b, rtol=0, atol=tolerance, M=m)[0]
    except TypeError:
        return cg(a, b, tol=0, atol=tolerance, M=m)[0]


low, high = n // 4, 3 * n // 4
solid = np.zeros((n, n), bool)
solid[low:high, low:high] = True
open_ = ~solid

# Bilinear elements: an upper bound.
width = n + 1
k = np.array([[4, -1, -2, -1], [-1, 4, -1, -2], [-2, -1, 4, -1], [-1, -2, -1, 4]]) / 6
row, column = np.nonzero(open_)
first = row * width + column
nodes = np.stack([first, first + 1, first + width + 1, first + width], 1)
rows, columns = np.repeat(nodes, 4, 1).ravel(), np.tile(nodes, (1, 4)).ravel()
a = sp.csr_matrix((np.tile(k.ravel(), len(nodes)), (rows, columns)), shape=(width**2, width**2))
fixed = np.zeros((width, width), bool)
fixed[0] = fixed[-1] = fixed[:, 0] = fixed[:, -1] = True
fixed[low : high + 1, low : high + 1] = True
u = np.zeros((width, width))
u[low : high + 1, low : high + 1] = 1
u, free = u.ravel(), ~fixed.ravel()
u[free] = solve(a[free][:, free], -(a @ u)[free])
upper = u @ (a @ u)

# Finite volumes, their fluxes spread between opposite faces: a lower bound.
index = -np.ones((n, n), int)
index[open_] = np.arange(open_.sum())
count = int(open_.sum())
diagonal, b = np.zeros(count), np.zeros(count)
pairs = []
for x, y in ((index[:, :-1].ravel(), index[:, 1:].ravel()), (index[:-1].ravel(), index[1:].ravel())):
    both = (x >= 0) & (y >= 0)
    pairs.append((x[both], y[both]))
    diagonal += np.bincount(np.concatenate([x[both], y[both]]), minlength=count)
    edge = np.concatenate([x[(x >= 0) & (y < 0)], y[(x < 0) & (y >= 0)]])
    weight = 2.0 * np.bincount(edge, minlength=count)
    diagonal += weight
    b += weight
for side in (index[0], index[-1], index[:, 0], index[:, -1]):
    diagonal += 2.0 * np.bincount(side, minlength=count)
x = np.concatenate([p[0] for p in pairs])
y = np.concatenate([p[1] for p in pairs])
off = sp.csr_matrix((-np.ones(len(x)), (x, y)), shape=(count, count))
p = np.ones((n, n))
p[open_] = solve(off + off.T + sp.diags(diagonal), b)
s = solid.astype(float)
fx, fy = np.zeros((n, n + 1)), np.zeros((n + 1, n))
fx[:, 1:-1] = (p[:, :-1] - p[:, 1:]) * (1 + np.abs(s[:, 1:] - s[:, :-1]))
fy[1:-1] = (p[:-1] - p[1:]) * (1 + np.abs(s[1:] - s[:-1]))
fx[:, 0], fx[:, -1], fy[0], fy[-1] = -2 * p[:, 0], 2 * p[:, -1], -2 * p[0], 2 * p[-1]
charge = fx[:, -1].sum() - fx[:, 0].sum() + fy[-1].sum() - fy[0].sum()
energy = (fx[:, :-1] ** 2 + fx[:, :-1] * fx[:, 1:] + fx[:, 1:] ** 2) / 3
energy += (fy[:-1] ** 2 + fy[:-1] * fy[1:] + fy[1:] ** 2) / 3
lower = charge**2 / energy[open_].sum()
ms = 1e3 * (time.process_time() - began)
print(f"{ms:.3f} {(lower + upper) / 2 / 10.2340925693681 - 1:.3e} of the capacitance")
