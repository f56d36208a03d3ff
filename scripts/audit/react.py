"""The lattice equations of Gray-Scott and FitzHugh-Nagumo by scipy's DOP853, all nodes as one system."""
import math

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from kit import Cases

cases = Cases("react")
BY = "scipy solve_ivp DOP853 of the lattice equations, rtol 1e-10"
rng = np.random.default_rng(11)


def rest_of(p):
    """(u, v) at rest; of FitzHugh-Nagumo only where it is the one root."""
    if p["model"] == "gray-scott":
        return 1.0, 0.0
    u = brentq(lambda w: w - w**3 / 3 - (w + p["a"]) / p["b"] + p["current"], -10, 10, xtol=1e-14)
    return u, (u + p["a"]) / p["b"]


def case(n, dx, dt, steps, initial, **p):
    """One run; initial is the size of a spot, or a pair of fields."""
    given = {"n": n, "dx": dx, "dt": dt, "steps": steps, **p}
    p = {"model": "gray-scott", **p}
    u_rest, v_rest = rest_of(p)
    if isinstance(initial, tuple):
        u, v = (f.round(4) for f in initial)
        given["initial"] = {"kind": "values", "u": u.ravel().tolist(), "v": v.ravel().tolist()}
    else:
        side = math.floor(initial * n)
        at = slice((n - side) // 2, (n - side) // 2 + side)
        u, v = np.full((n, n), u_rest), np.full((n, n), v_rest)
        if p["model"] == "gray-scott":
            u[at, at], v[at, at] = 0.5, 0.25
        else:
            u[at, at] = 1.5
        given["initial"] = {"kind": "spot", "size": initial}

    def rate(_, y):
        a, b = y.reshape(2, n, n)
        lap = lambda f: (np.roll(f, 1, 0) + np.roll(f, -1, 0) + np.roll(f, 1, 1) + np.roll(f, -1, 1) - 4 * f) / dx**2
        if p["model"] == "gray-scott":
            r = a * b * b
            return np.concatenate([(p["Du"] * lap(a) - r + p["F"] * (1 - a)).ravel(),
                                   (p["Dv"] * lap(b) + r - (p["F"] + p["k"]) * b).ravel()])
        da = p["Du"] * lap(a) + p["rate"] * (a - a**3 / 3 - b + p["current"])
        db = p["Dv"] * lap(b) + p["rate"] * p["epsilon"] * (a + p["a"] - p["b"] * b)
        return np.concatenate([da.ravel(), db.ravel()])

    end = solve_ivp(rate, (0, dt * steps), np.concatenate([u.ravel(), v.ravel()]), "DOP853", rtol=1e-10, atol=1e-13).y[:, -1]
    u, v = end.reshape(2, n, n)
    cases.add(given, BY, dict(integralV=v.sum() * dx**2, activity=math.sqrt(np.mean((u - u_rest) ** 2))))


def smooth(n, mean, height):
    """A field of a few low waves."""
    x = 2 * np.pi * np.arange(n) / n
    f = sum(rng.normal() * np.cos(i * x[:, None] + j * x[None, :] + rng.uniform(0, 6.28)) for i in range(4) for j in range(4))
    return mean + height * f / np.abs(f).max()


def spots(n, count):
    """Gray-Scott's state of rest with smooth spots at drawn places."""
    x = np.arange(n)
    bump = np.zeros((n, n))
    for _ in range(count):
        d = [np.minimum(np.abs(x - c), n - np.abs(x - c)) for c in rng.uniform(0, n, 2)]
        bump = np.maximum(bump, np.exp(-(d[0][:, None] ** 2 + d[1][None, :] ** 2) / (2 * (n / 12) ** 2)))
    return 1 - 0.5 * bump, 0.3 * bump


def gs(F, k, Du=0.16, Dv=0.08):
    return {"Du": Du, "Dv": Dv, "F": F, "k": k}


def fhn(a=0.7, b=0.8, epsilon=0.08, current=0.5, rate=0.1, Du=0.16, Dv=0.0):
    return {"model": "fitzhugh-nagumo", "a": a, "b": b, "epsilon": epsilon, "current": current, "rate": rate, "Du": Du, "Dv": Dv}


case(48, 1.0, 1.0, 1500, 0.16, **gs(0.035, 0.065))
case(32, 1.0, 1.0, 2000, 0.3, **gs(0.0367, 0.0649))
case(48, 1.0, 1.0, 1500, 0.2, **gs(0.025, 0.055))
case(40, 1.0, 1.0, 1000, 0.25, **gs(0.014, 0.054))
case(40, 1.0, 1.0, 800, 0.25, **gs(0.018, 0.051))
case(32, 1.0, 1.5, 800, 0.2, **gs(0.055, 0.062))
case(32, 1.0, 1.2, 1000, 0.15, **gs(0.03, 0.062, 0.2, 0.1))
case(32, 0.02, 0.5, 1500, 0.2, **gs(0.03, 0.06, 2e-5, 1e-5))
case(64, 0.01, 0.5, 1500, 0.16, **gs(0.04, 0.06, 2e-5, 1e-5))
case(24, 2.0, 0.2, 200, 0.3, **gs(0.2, 0.15, 0.5, 0.3))
case(32, 1.0, 1.0, 1200, spots(32, 4), **gs(0.037, 0.06))
case(32, 1.0, 1.0, 1200, spots(32, 2), **gs(0.026, 0.051))
case(16, 1.0, 2.0, 150, spots(16, 1), **gs(0.022, 0.051, 0.1, 0.05))
case(20, 1.0, 2.5, 600, spots(20, 3), **gs(0.035, 0.065, 0.06, 0.03))
case(48, 1.0, 1.0, 400, 0.16, **fhn())
case(48, 1.0, 1.0, 400, 0.2, **fhn(current=0.0))
case(32, 1.0, 0.5, 1000, 0.3, **fhn(current=0.3, rate=0.5))
case(32, 1.0, 1.0, 2000, 0.25, **fhn(current=0.8))
case(32, 1.0, 0.1, 1500, 0.2, **fhn(rate=1.0, Du=0.4, Dv=0.1))
case(40, 0.5, 0.1, 1000, 0.2, **fhn(a=0.7, b=0.5, epsilon=0.05, current=0.0, rate=1.0, Du=0.5))
case(24, 1e-3, 1e-3, 1000, 0.3, **fhn(rate=100.0, Du=1e-4, current=0.4))
case(32, 1.0, 1.0, 600, (smooth(32, -1, 1.5), smooth(32, -0.4, 0.5)), **fhn(current=0.2))
case(32, 1.0, 2.0, 600, (smooth(32, 0, 2.0), smooth(32, 0, 0.6)), **fhn(current=0.5, epsilon=0.02, Du=0.1))
case(16, 1.0, 0.05, 800, (smooth(16, 0, 2.0), smooth(16, 0, 1.0)), **fhn(a=0.2, b=0.3, epsilon=0.2, current=0.0, rate=1.5, Du=0.3, Dv=0.3))
case(24, 1.0, 1.0, 3000, (smooth(24, 0, 1.0), smooth(24, 0, 1.0)), **fhn(a=0.1, b=0.9, epsilon=0.3, current=0.1, rate=0.3, Du=0.02, Dv=0.25))
for _ in range(5):
    F = rng.uniform(0.02, 0.06)
    k = np.sqrt(F) / 2 - F - rng.uniform(0.001, 0.006)
    case(32, 1.0, float(rng.uniform(0.5, 1.2)), 1000, spots(32, int(rng.integers(1, 6))), **gs(float(F), float(k)))
for dt in (0.1, 0.15, 0.2):
    case(24, 1.0, dt, 900, 0.3, **fhn(rate=1.0, Du=0.3, Dv=0.05, current=0.4))
cases.write()
