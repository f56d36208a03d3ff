"""Columns: the determinant of transfer matrices, begun at the lowest load of a fine Hermite mesh."""

import numpy as np
from scipy.linalg import eigh
from scipy.optimize import brentq

from kit import Cases

out = Cases("buckling")


def transfer(b, l, p):
    """(w, w', M / b0, V) over a length of stiffness b under the load p, M = b w'', V = (b w'')' + p w'."""
    k = np.sqrt(p / b)
    s, c = np.sin(k * l), np.cos(k * l)
    # w = A + B x + C cos kx + D sin kx
    def state(s, c, x):
        return np.array([[1, x, c, s], [0, 1, -k * s, k * c], [0, 0, -p * c, -p * s], [0, p, 0, 0]])
    return state(s, c, l) @ np.linalg.inv(state(0.0, 1.0, 0.0))


ROWS = {"pinned": [0, 2], "fixed": [0, 1], "free": [2, 3]}
HELD = {"pinned": [0], "fixed": [0, 1], "free": []}
FREE = {"pinned": [1, 3], "fixed": [2, 3], "free": [0, 1]}


def det(segments, lower, upper, p, scale):
    t = np.eye(4)
    for b, l in segments:
        t = transfer(b, l, p) @ t
    d = np.diag(scale)
    t = np.linalg.inv(d) @ t @ d
    return np.linalg.det(t[np.ix_(ROWS[upper], FREE[lower])])


def add(lower="pinned", upper="pinned", **inp):
    given = dict(inp)
    if lower != "pinned":
        given["lower"] = lower
    if upper != "pinned":
        given["upper"] = upper
    e = inp.get("E", 210e9)
    if "segments" in inp:
        segments = [(q.get("E", e) * q["I"], q["length"]) for q in inp["segments"]]
    else:
        segments = [(e * inp.get("I", 1e-6), inp.get("L", 3))]
    total = sum(l for _, l in segments)
    # A fine mesh for the neighbourhood.
    ks = [(b, l / n) for b, l in segments for n in [max(4, int(80 * l / total))] for _ in range(n)]
    n = len(ks) + 1
    k, g = np.zeros((2 * n, 2 * n)), np.zeros((2 * n, 2 * n))
    for i, (b, h) in enumerate(ks):
        at = np.s_[2 * i:2 * i + 4]
        k[at, at] += b / h**3 * np.array([[12, 6 * h, -12, 6 * h], [6 * h, 4 * h * h, -6 * h, 2 * h * h],
                                          [-12, -6 * h, 12, -6 * h], [6 * h, 2 * h * h, -6 * h, 4 * h * h]])
        g[at, at] += 1 / (30 * h) * np.array([[36, 3 * h, -36, 3 * h], [3 * h, 4 * h * h, -3 * h, -h * h],
                                              [-36, -3 * h, 36, -3 * h], [3 * h, -h * h, -3 * h, 4 * h * h]])
    held = HELD[lower] + [2 * n - 2 + i for i in HELD[upper]]
    free = np.setdiff1d(np.arange(2 * n), held)
    # Lowest load: 1 / p is the largest of G against K, which is positive.
    mu = eigh(g[np.ix_(free, free)], k[np.ix_(free, free)], eigvals_only=True)
    guess = 1 / mu[-1]
    scale = [1, 1 / total, guess, guess / total]

    def f(p):
        return det(segments, lower, upper, p, scale)

    p = brentq(f, guess * (1 - 1e-3), guess * (1 + 1e-3), rtol=1e-14)
    numbers = {"criticalLoad": p, "effectiveLength": np.pi * np.sqrt(segments[0][0] / p), "length": total}
    if "area" in inp:
        numbers["criticalStress"] = p / inp["area"]
    out.add(given, "determinant of transfer matrices, Brent", numbers)


add()
add("fixed", "free", L=2.5, E=70e9, I=3e-8, elements=8)
add("fixed", "fixed", L=6, E=12e9, I=8e-5, area=0.02)
add("fixed", "pinned", L=4, I=4.7e-6, area=3.2e-3, elements=12)
add("pinned", "fixed", L=0.3, E=3e9, I=2e-11, elements=10)
add("free", "fixed", L=12, E=30e9, I=2e-3, elements=6)
add(segments=[{"length": 1, "I": 2e-6}, {"length": 1, "I": 5e-6}, {"length": 1, "I": 2e-6}])
add("fixed", "free", segments=[{"length": 3, "I": 9e-5}, {"length": 2, "I": 4e-5}, {"length": 2, "I": 1e-5}], E=205e9, elements=28)
add("fixed", "pinned", segments=[{"length": 0.4, "I": 1e-8, "E": 70e9}, {"length": 0.6, "I": 4e-9, "E": 210e9}], elements=20)
add("fixed", "fixed", segments=[{"length": 2, "I": 1e-5}, {"length": 0.5, "I": 1e-7}, {"length": 2, "I": 1e-5}], elements=40)
add(segments=[{"length": 0.1, "I": 1e-6}, {"length": 5, "I": 3e-6}], elements=52)
add("free", "fixed", segments=[{"length": 1.5, "I": 2e-7}, {"length": 4.5, "I": 3e-6}], elements=16)
add("fixed", "pinned", segments=[{"length": 0.25 + 0.05 * i, "I": 1e-9 * (1 + i)} for i in range(10)], E=110e9, elements=60)
add("pinned", "pinned", segments=[{"length": 1, "I": 1e-6 * 0.7**i, "E": 200e9 * (1 + 0.1 * i)} for i in range(6)], elements=48)
add("fixed", "fixed", L=1000, E=1e6, I=1e3, elements=64)
add(L=1e-3, E=170e9, I=1e-20, elements=32)
add("fixed", "free", segments=[{"length": 1, "I": 1e-4}, {"length": 1, "I": 1e-9}], elements=16)
add("fixed", "free", segments=[{"length": 1, "I": 1e-9}, {"length": 1, "I": 1e-4}], elements=16)
add("fixed", "fixed", segments=[{"length": 1, "I": 1e-6}, {"length": 1, "I": 1e-6}], elements=12)
add("pinned", "fixed", L=5.5, I=1.2e-5, elements=5)
add("fixed", "free", L=9, I=1.2e-4, elements=3)
add("fixed", "pinned", segments=[{"length": 2, "I": 5e-6}, {"length": 2, "I": 5e-8}, {"length": 2, "I": 5e-6}], elements=18)
add("fixed", "free", L=4, I=2e-6, elements=2000)
add(L=1e5, E=1e15, I=1e10, elements=40)
add("fixed", "pinned", segments=[{"length": 1, "I": 1e-12}, {"length": 0.01, "I": 1e-7}, {"length": 1, "I": 1e-12}], elements=60)
rng = np.random.default_rng(5)
for k in range(10):
    ends = [("pinned", "pinned"), ("fixed", "pinned"), ("fixed", "fixed"), ("fixed", "free"), ("free", "fixed")][k % 5]
    add(*ends, segments=[{"length": float(f"{rng.uniform(0.3, 2):.3g}"), "I": float(f"{10 ** rng.uniform(-7, -5):.3g}"), "E": float(f"{10 ** rng.uniform(10, 11.4):.3g}")}
                         for _ in range(int(rng.integers(2, 7)))], elements=int(rng.integers(24, 60)))
out.write()
