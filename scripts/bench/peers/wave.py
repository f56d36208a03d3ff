"""A membrane with NumPy: wave.py <intervals> <steps> <order>. Prints milliseconds and the root mean square of the end."""

import sys
import time

import numpy as np

intervals, steps, order = (int(word) for word in sys.argv[1:4])
n = intervals - 1
a = (intervals / steps) ** 2
x = (np.arange(1, intervals) / intervals - 0.5) / 0.1
now = np.zeros((n + 4, n + 4))
now[2:-2, 2:-2] = np.exp(-(x[:, None] ** 2 + x[None, :] ** 2) / 2)
fourth = 1 / 12 if order == 4 else 0
p, d = fourth * (a * a - a), fourth * 2 * a * a
centre, side = -4 * a + 12 * p + 4 * d, a - 4 * p - 2 * d


def stencil(u):
    """The second difference in time of a field with two ghost nodes around it: fixed edges, odd mirrors."""
    u[1] = u[-2] = u[:, 1] = u[:, -2] = 0
    u[0], u[-1], u[:, 0], u[:, -1] = -u[2], -u[-3], -u[:, 2], -u[:, -3]
    i = u[2:-2, 2:-2]
    s = centre * i + side * (u[1:-3, 2:-2] + u[3:-1, 2:-2] + u[2:-2, 1:-3] + u[2:-2, 3:-1])
    if order == 4:
        s += d * (u[1:-3, 1:-3] + u[1:-3, 3:-1] + u[3:-1, 1:-3] + u[3:-1, 3:-1])
        s += p * (u[:-4, 2:-2] + u[4:, 2:-2] + u[2:-2, :-4] + u[2:-2, 4:])
    return s


began = time.process_time()
before = now.copy()
before[2:-2, 2:-2] += stencil(now) / 2
for _ in range(steps):
    before[2:-2, 2:-2] = 2 * now[2:-2, 2:-2] - before[2:-2, 2:-2] + stencil(now)
    now, before = before, now
milliseconds = 1e3 * (time.process_time() - began)
print(f"{milliseconds:.3f} rms {np.sqrt(np.sum(now[2:-2, 2:-2] ** 2)) / intervals:.12f}")
