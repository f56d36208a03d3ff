"""Taylor and Green's vortices in a stream on staggered cells: flow.py <cells a side> <steps>; Runge and Kutta's method of
order 4, every stage projected by real FFTs, as ours. Re 100, stream (1, 0.5), one second."""

import sys
import time

import numpy as np

n, steps = int(sys.argv[1]), int(sys.argv[2])
h, nu, dt = 2 * np.pi / n, 0.01, 1 / steps
x = np.arange(n) * h
face, middle = x + h, x + h / 2


def exact(t):
    decay = np.exp(-2 * nu * t)
    a, b = face - t, middle - t
    c, d = middle - t / 2, face - t / 2
    u = 1 + decay * np.sin(a)[:, None] * np.cos(c)[None, :]
    v = 0.5 - decay * np.cos(b)[:, None] * np.sin(d)[None, :]
    return u, v


k = np.fft.fftfreq(n) * n
m = np.arange(n // 2 + 1)
eigen = -4 / h**2 * (np.sin(np.pi * k / n)[:, None] ** 2 + np.sin(np.pi * m / n)[None, :] ** 2)
eigen[0, 0] = 1


def east(f):
    return np.roll(f, -1, 0)


def west(f):
    return np.roll(f, 1, 0)


def north(f):
    return np.roll(f, -1, 1)


def south(f):
    return np.roll(f, 1, 1)


def rate(u, v):
    ue, uw, un, us = east(u), west(u), north(u), south(u)
    ve, vw, vn, vs = east(v), west(v), north(v), south(v)
    corner = (u + un) * (v + ve)
    e, t = (ue + u) ** 2, (vn + v) ** 2
    fu = nu / h**2 * (ue + uw + un + us - 4 * u) - (e - west(e) + corner - south(corner)) / (4 * h)
    fv = nu / h**2 * (ve + vw + vn + vs - 4 * v) - (t - south(t) + corner - west(corner)) / (4 * h)
    s = np.fft.rfft2((fu - west(fu) + fv - south(fv)) / h) / eigen
    s[0, 0] = 0
    p = np.fft.irfft2(s, (n, n))
    return fu - (east(p) - p) / h, fv - (north(p) - p) / h


u, v = exact(0)
began = time.process_time()
for _ in range(steps):
    a, b = rate(u, v)
    c, d = rate(u + dt / 2 * a, v + dt / 2 * b)
    e, f = rate(u + dt / 2 * c, v + dt / 2 * d)
    g, q = rate(u + dt * e, v + dt * f)
    u = u + dt / 6 * (a + 2 * c + 2 * e + g)
    v = v + dt / 6 * (b + 2 * d + 2 * f + q)
ms = 1e3 * (time.process_time() - began)
wu, wv = exact(1)
error = np.sqrt(((u - wu) ** 2 + (v - wv) ** 2).sum() / ((wu - 1) ** 2 + (wv - 0.5) ** 2).sum())
print(f"{ms:.3f} {error:.3e} of the vortices")
