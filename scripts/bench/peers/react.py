"""Gray and Scott's equations with NumPy: react.py <nodes per side> <steps>. Prints milliseconds and the sum of v."""

import sys
import time

import numpy as np

n, steps = int(sys.argv[1]), int(sys.argv[2])
DU, DV, F, K, DT = 0.16, 0.08, 0.035, 0.065, 1.0
u, v = np.ones((n, n)), np.zeros((n, n))
side = int(0.16 * n)
low = (n - side) // 2
u[low : low + side, low : low + side] = 0.5
v[low : low + side, low : low + side] = 0.25


def spread(w):
    """The five-point Laplacian on a ring of rings."""
    s = -4 * w
    s[1:] += w[:-1]
    s[0] += w[-1]
    s[:-1] += w[1:]
    s[-1] += w[0]
    s[:, 1:] += w[:, :-1]
    s[:, 0] += w[:, -1]
    s[:, :-1] += w[:, 1:]
    s[:, -1] += w[:, 0]
    return s


def slopes(u, v):
    """Both time derivatives."""
    uvv = u * v * v
    return DU * spread(u) - uvv + F * (1 - u), DV * spread(v) + uvv - (F + K) * v


began = time.process_time()
for _ in range(steps):
    a, b = slopes(u, v)
    c, d = slopes(u + DT / 2 * a, v + DT / 2 * b)
    e, f = slopes(u + DT / 2 * c, v + DT / 2 * d)
    g, h = slopes(u + DT * e, v + DT * f)
    u = u + DT / 6 * (a + 2 * c + 2 * e + g)
    v = v + DT / 6 * (b + 2 * d + 2 * f + h)
print(f"{1e3 * (time.process_time() - began):.3f} sum of v {v.sum():.10f}")
