"""A pinned column of Hermite elements by scipy's shift-invert Lanczos: buckling.py <elements>."""

import sys
import time

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.linalg import eigsh

elements = int(sys.argv[1])
L, EI = 3.0, 210e9 * 1e-6
began = time.process_time()
h = L / elements
stiff = EI / h**3 * np.array([[12, 6 * h, -12, 6 * h], [6 * h, 4 * h * h, -6 * h, 2 * h * h],
                              [-12, -6 * h, 12, -6 * h], [6 * h, 2 * h * h, -6 * h, 4 * h * h]])
geometric = 1 / (30 * h) * np.array([[36, 3 * h, -36, 3 * h], [3 * h, 4 * h * h, -3 * h, -h * h],
                                     [-36, -3 * h, 36, -3 * h], [3 * h, -h * h, -3 * h, 4 * h * h]])
places = 2 * np.arange(elements)[:, None] + np.arange(4)
rows, columns = np.repeat(places, 4, 1).ravel(), np.tile(places, (1, 4)).ravel()
free = np.setdiff1d(np.arange(2 * elements + 2), [0, 2 * elements])


def assembled(part):
    return coo_matrix((np.tile(part.ravel(), elements), (rows, columns))).tocsc()[free][:, free]


values, vectors = eigsh(assembled(stiff), 1, M=assembled(geometric), sigma=0, which="LM")
ms = 1e3 * (time.process_time() - began)
print(f"{ms:.3f} {values[0] / (np.pi**2 * EI / L**2) - 1:.3e} of the load")
