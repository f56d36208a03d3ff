"""Lotka-Volterra by scipy's DOP853 in the logarithms of the populations."""
import numpy as np
from scipy.integrate import solve_ivp

from kit import Cases

cases = Cases("lotka")
BY = "scipy solve_ivp DOP853 in logarithms, rtol 3e-14"
FIELDS = ("alpha", "beta", "delta", "gamma", "x0", "y0", "t_max")


def case(*numbers, **more):
    """One run; the period is the mean time between rises of the prey through the fixed point."""
    p = dict(zip(FIELDS, map(float, numbers)))
    a, b, d, g = (p[k] for k in FIELDS[:4])
    outputs = more.get("outputs", 400)
    rate = lambda _, z: [a - b * np.exp(z[1]), d * np.exp(z[0]) - g]
    rise = lambda _, z: z[0] - np.log(g / d)
    rise.direction = 1
    grid = np.linspace(0, p["t_max"], outputs + 1)
    run = solve_ivp(rate, (0, p["t_max"]), np.log([p["x0"], p["y0"]]), "DOP853", grid, events=rise, rtol=3e-14, atol=1e-15)
    x, y = np.exp(run.y)
    given = {**p, **more}
    cases.add(given, BY, dict(preyEnd=x[-1], predatorsEnd=y[-1], preyEquilibrium=g / d, predatorsEquilibrium=a / b))
    for i in (outputs // 3, outputs // 2):
        cases.add(given, BY, {f"prey.{i}": x[i]})
        cases.add(given, BY, {f"predators.{i}": y[i]})
    rises = [t for t in run.t_events[0] if t > 1e-12 * p["t_max"]]
    if len(rises) > 1:
        cases.add(given, BY, dict(period=(rises[-1] - rises[0]) / (len(rises) - 1), cycles=len(rises) - 1))
    V = lambda u, w: d * u - g * np.log(u) + b * w - a * np.log(w)
    cases.add(given, "formula", dict(invariant=V(p["x0"], p["y0"]), invariantExcess=V(p["x0"], p["y0"]) - V(g / d, a / b)))


case(1.1, 0.4, 0.1, 0.4, 10, 5, 100)
case(0.55, 0.028, 0.024, 0.84, 30, 4, 20, outputs=100)
case(0.481, 0.0248, 0.0276, 0.927, 34.9, 3.86, 90, outputs=360)
case(2 / 3, 4 / 3, 1, 1, 0.9, 0.9, 200)
case(1, 1, 1, 1, 1.001, 1, 300, outputs=600)
case(1, 1, 1, 1, 1e-3, 2, 60)
case(1.5, 1, 1, 3, 10, 5, 15, outputs=50)
case(0.1, 0.02, 0.01, 0.3, 40, 9, 400)
case(1e-3, 1e-5, 1e-6, 5e-3, 5e3, 120, 20000, outputs=64)
case(50, 0.5, 0.2, 30, 400, 60, 2, outputs=333)
case(1, 0.1, 0.02, 0.5, 1e-6, 1e-4, 100)
case(4, 2, 3, 3, 8, 0.01, 25, outputs=1000)
case(1.1, 0.4, 0.1, 0.4, 10, 5, 5000, outputs=100)
case(0.02, 1, 1, 0.02, 0.5, 0.5, 900)
case(1e4, 1e2, 1e-3, 1e4, 2e7, 40, 0.01)
for method_dt in (0.02, 0.05, 0.005):
    case(1.1, 0.4, 0.1, 0.4, 7, 2, 150, method="symplectic", dt=method_dt)
case(0.481, 0.0248, 0.0276, 0.927, 34.9, 3.86, 90, method="symplectic", dt=0.1, outputs=90)
case(2, 1, 1, 0.5, 3, 1, 40, method="symplectic", dt=0.01)
case(1, 1, 1, 1, 1.5, 0.5, 2.0, outputs=1)
case(1, 1, 1, 1, 1 + 1e-5, 1 - 2e-5, 50)
rng = np.random.default_rng(3)
for _ in range(10):
    a, b, d, g = 10 ** rng.uniform(-2, 1, 4)
    x0, y0 = g / d * 10 ** rng.uniform(-2, 1), a / b * 10 ** rng.uniform(-2, 1)
    case(a, b, d, g, x0, y0, float(rng.uniform(0.5, 12)) * 6.28 / np.sqrt(a * g), outputs=int(rng.integers(1, 900)))
cases.write()
