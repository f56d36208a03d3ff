"""The cantilever assembled with NumPy and solved by scipy.sparse: fea_scipy.py <nx> <ny>."""

import sys
import time

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.linalg import spsolve

import fea_mesh as model

nx, ny = int(sys.argv[1]), int(sys.argv[2])
began = time.process_time()
x, y, elements = model.mesh(nx, ny)

XI = np.array([-1, 1, 1, -1, 0, 1, 0, -1.0])
ETA = np.array([-1, -1, 1, 1, -1, 0, 1, 0.0])


def slopes(p, q):
    by_p, by_q = np.empty(8), np.empty(8)
    c = slice(0, 4)
    by_p[c] = XI[c] * (1 + q * ETA[c]) * (2 * p * XI[c] + q * ETA[c]) / 4
    by_q[c] = ETA[c] * (1 + p * XI[c]) * (2 * q * ETA[c] + p * XI[c]) / 4
    for a in (4, 6):
        by_p[a], by_q[a] = -p * (1 + q * ETA[a]), (1 - p * p) * ETA[a] / 2
    for a in (5, 7):
        by_p[a], by_q[a] = (1 - q * q) * XI[a] / 2, -q * (1 + p * XI[a])
    return by_p, by_q


D = model.E / (1 - model.NU**2) * np.array([[1, model.NU, 0], [model.NU, 1, 0], [0, 0, (1 - model.NU) / 2]])
K = np.zeros((16, 16))
a, b = model.L / nx / 2, model.H / ny / 2
points = ((-np.sqrt(0.6), 5 / 9), (0, 8 / 9), (np.sqrt(0.6), 5 / 9))
for p, wp in points:
    for q, wq in points:
        by_p, by_q = slopes(p, q)
        B = np.zeros((3, 16))
        B[0, 0::2] = B[2, 1::2] = by_p / a
        B[1, 1::2] = B[2, 0::2] = by_q / b
        K += B.T @ D @ B * (wp * wq * a * b * model.T)
unknowns = np.stack([2 * elements, 2 * elements + 1], 2).reshape(len(elements), 16)
rows = np.repeat(unknowns, 16, 1).ravel()
columns = np.tile(unknowns, (1, 16)).ravel()
matrix = coo_matrix((np.tile(K.ravel(), len(elements)), (rows, columns))).tocsc()
force = np.zeros(2 * len(x))
force[1::2] = model.loads(nx, ny, len(x))
moved = np.zeros(2 * len(x))
held = 2 * (2 * ny + 1)
moved[0:held:2], moved[1:held:2] = model.exact(x[: held // 2], y[: held // 2])
right = force - matrix @ moved
moved[held:] = spsolve(matrix[held:, held:], right[held:])
ms = 1e3 * (time.process_time() - began)
print(f"{ms:.3f} {model.error(x, y, moved[0::2], moved[1::2]):.3e} L2")
