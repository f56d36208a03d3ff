"""Lorenz's system by Taylor series of order 40 with 50 digits (mpmath); exponents at a stable fixed point by its Jacobian."""
import math

import mpmath as mp
import numpy as np

from kit import Cases

mp.mp.dps = 50
cases = Cases("lorenz")
TAYLOR = "Taylor series of order 40 at 50 digits, mpmath"
JACOBIAN = "eigenvalues of the Jacobian at the fixed point, numpy"
ORDER = 40


def course(p, start, times):
    """States at rising times; a step ends where the last terms are 1e-30 of the state."""
    s, r, b = (mp.mpf(v) for v in p)
    state, now, rows = [mp.mpf(v) for v in start], mp.mpf(0), []
    for goal in times:
        while now < goal:
            x, y, z = ([v] for v in state)
            for k in range(ORDER):
                xz = mp.fdot(x, z[::-1])
                xy = mp.fdot(x, y[::-1])
                x.append(s * (y[k] - x[k]) / (k + 1))
                y.append((r * x[k] - y[k] - xz) / (k + 1))
                z.append((xy - b * z[k]) / (k + 1))
            size = max(abs(v) for v in state)
            last = max(abs(c[ORDER]) for c in (x, y, z)) or mp.mpf("1e-60")
            h = min((mp.mpf("1e-30") * size / last) ** (mp.mpf(1) / ORDER), goal - now)
            state = [mp.polyval(c[::-1], h) for c in (x, y, z)]
            now = goal if h == goal - now else now + h
        rows.append(state)
    return rows


def case(sigma, rho, beta, x0, t_max, outputs=200, stable=None, cycle=False):
    """stable: whether the origin (0) or the outer points (1) attract, so that the exponents are known."""
    given = {"sigma": sigma, "rho": rho, "beta": beta, "x0": x0, "t_max": t_max, "outputs": outputs, "batches": 40}
    places = [outputs // 3, outputs // 2, outputs]
    rows = course((sigma, rho, beta), x0, [mp.mpf(t_max) * i / outputs for i in places])
    cases.add(given, TAYLOR, dict(distance=mp.sqrt(sum(v * v for v in rows[-1])), exponentSum=-(mp.mpf(sigma) + 1 + mp.mpf(beta))))
    for i, row in zip(places, rows):
        for name, value in zip("xyz", row):
            if abs(value) > 0.02 * max(abs(v) for v in row):
                cases.add(given, TAYLOR, {f"{name}.{i}": value})
    if cycle:
        cases.add(given, "a stable cycle (Sparrow, The Lorenz Equations, 1982): one exponent is 0, the others less", dict(dimension=1))
    if stable is not None:
        c = math.sqrt(beta * (rho - 1)) if stable else 0.0
        z = rho - 1 if stable else 0.0
        found = sorted(np.linalg.eigvals([[-sigma, sigma, 0], [rho - z, -1, -c], [c, c, -beta]]).real)[::-1]
        for i, value in enumerate(found):
            cases.add(given, JACOBIAN, {f"exponents.{i}": value})


case(10.0, 28.0, 8 / 3, [1.0, 1.0, 1.0], 25.0, 400)
case(10.0, 28.0, 8 / 3, [-5.0, 7.0, 20.0], 18.0)
case(10.0, 28.0, 8 / 3, [0.1, 0.0, 0.0], 22.5, 90)
case(10.0, 28.0, 8 / 3, [300.0, -200.0, 100.0], 12.0)
case(16.0, 45.92, 4.0, [1.0, 2.0, 30.0], 12.0)
case(10.0, 99.96, 8 / 3, [5.0, 5.0, 80.0], 10.0, cycle=True)
case(10.0, 160.0, 8 / 3, [3.0, 30.0, 120.0], 8.0, cycle=True)
case(28.0, 46.92, 4.0, [1.0, 1.0, 1.0], 8.0)
case(4.0, 60.0, 1.0, [2.0, 1.0, 30.0], 10.0)
case(10.0, 24.5, 8 / 3, [7.0, 7.0, 23.0], 20.0)
case(10.0, 14.0, 8 / 3, [1.0, 1.0, 1.0], 20.0, stable=1)
case(10.0, 10.0, 8 / 3, [1.0, -4.0, 9.0], 30.0, stable=1)
case(10.0, 20.0, 8 / 3, [-3.0, 0.5, 12.0], 15.0, stable=1)
case(10.0, 0.5, 8 / 3, [4.0, -3.0, 2.0], 5.0, stable=0)
case(10.0, 1.2, 8 / 3, [1.0, 1.0, 1.0], 8.0, stable=1)
case(3.0, -5.0, 1.0, [1.0, 2.0, 3.0], 6.0, stable=0)
case(1.0, 4.0, 0.3, [0.5, 0.5, 0.5], 20.0, stable=1)
case(40.0, 8.0, 5.0, [10.0, 0.0, 10.0], 5.0, stable=1)
case(10.0, 28.0, 8 / 3, [1e-3, 1e-3, 15.0], 15.0)
case(0.7, 100.0, 0.1, [1.0, 5.0, 50.0], 6.0)
case(10.0, 28.0, 8 / 3, [0.0, 0.0, 50.0], 4.0)
case(100.0, 400.0, 10.0, [1.0, 1.0, 350.0], 0.8)
case(10.0, 28.0, 8 / 3, [8.0, 8.0, 27.5], 0.01, 5)
rng = np.random.default_rng(41)
for _ in range(5):
    case(float(rng.uniform(4, 16)), float(rng.uniform(26, 60)), float(rng.uniform(1.5, 4)), [float(v) for v in rng.normal(size=3) * 8 + [0, 0, 20]],
         float(rng.uniform(5, 14)), int(rng.integers(20, 500)))
cases.write()
