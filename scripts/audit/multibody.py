"""Bodies under gravity by scipy's DOP853, rtol 3e-14; two bodies also by Kepler's equation."""
import math

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from kit import Cases

cases = Cases("multibody")
BY = "scipy solve_ivp DOP853, rtol 3e-14"
G = 6.6743e-11
AU, YEAR, SUN = 1.495978707e11, 3.15576e7, 1.98892e30
rng = np.random.default_rng(23)


def energy(m, r, v, g, soft):
    """Total energy in the frame of the barycentre."""
    v = v - (m[:, None] * v).sum(0) / m.sum()
    e = (m * (v**2).sum(1)).sum() / 2
    for i in range(len(m)):
        for j in range(i):
            e -= g * m[i] * m[j] / math.sqrt(((r[i] - r[j]) ** 2).sum() + soft**2)
    return e


def size_of(m, r):
    """Root mean square distance from the barycentre, weighted by mass."""
    c = (m[:, None] * r).sum(0) / m.sum()
    return math.sqrt((m * ((r - c) ** 2).sum(1)).sum() / m.sum())


def given_of(m, r, v, t, dt, more):
    bodies = [{"mass": float(a), "position": list(map(float, p)), "velocity": list(map(float, q))} for a, p, q in zip(m, r, v)]
    return {"bodies": bodies, "t_max": float(t), "dt": float(dt), **more}


def case(m, r, v, t, dt, **more):
    """One run; places are compared body by body where they are not near 0."""
    m, r, v = (np.array(q, float) for q in (m, r, v))
    g, soft, n = more.get("G", G), more.get("softening", 0.0), len(m)
    unit = np.abs(r - r.mean(0)).max()
    tau = t

    def rate(_, y):
        x = y[: 3 * n].reshape(n, 3)
        d = x[None] - x[:, None]
        s = ((d**2).sum(2) * unit**2 + soft**2) ** 1.5
        np.fill_diagonal(s, 1)
        a = g * (m[None, :, None] * d / s[:, :, None]).sum(1) * tau**2
        return np.concatenate([y[3 * n :], a.ravel()])

    start = np.concatenate([(r / unit).ravel(), (v * tau / unit).ravel()])
    end = solve_ivp(rate, (0, 1), start, "DOP853", rtol=3e-14, atol=1e-16).y[:, -1]
    x, w = end[: 3 * n].reshape(n, 3) * unit, end[3 * n :].reshape(n, 3) * unit / tau
    given = given_of(m, r, v, t, dt, more)
    e = energy(m, r, v, g, soft)
    cases.add(given, BY, dict(size=size_of(m, x), initialEnergy=e, finalEnergy=e))
    for i in range(min(n, 3)):
        k = int(np.argmax(np.abs(x[i])))
        cases.add(given, BY, {f"positions.{3 * i + k}": x[i, k]})
        k = int(np.argmax(np.abs(w[i])))
        cases.add(given, BY, {f"velocities.{3 * i + k}": w[i, k]})


def kepler(m1, m2, a, e, periods, steps, **more):
    """Two bodies from pericentre in an inclined plane, their distance by Kepler's equation."""
    g = more.get("G", G)
    mu = g * (m1 + m2)
    rp, vp = a * (1 - e), math.sqrt(mu / a * (1 + e) / (1 - e))
    P = 2 * math.pi * math.sqrt(a**3 / mu)
    t = P * periods
    tilt = np.array([[1, 0, 0], [0, math.cos(0.7), 0], [0, math.sin(0.7), 0]])
    d, u = tilt @ [rp, 0, 0], tilt @ [0, vp, 0]
    f1, f2 = m2 / (m1 + m2), m1 / (m1 + m2)
    M = 2 * math.pi * (periods % 1)
    E = brentq(lambda z: z - e * math.sin(z) - M, -1, 8, xtol=1e-15)
    rho = a * (1 - e * math.cos(E))
    given = given_of([m1, m2], [-f1 * d, f2 * d], [-f1 * u, f2 * u], t, t / steps, more)
    cases.add(given, "Kepler's equation", dict(size=rho * math.sqrt(f1 * f2), initialEnergy=-g * m1 * m2 / (2 * a), finalEnergy=-g * m1 * m2 / (2 * a)))
    where = tilt @ [a * (math.cos(E) - e), a * math.sqrt(1 - e * e) * math.sin(E), 0]
    speed = tilt @ [-math.sin(E), math.sqrt(1 - e * e) * math.cos(E), 0] * math.sqrt(mu * a) / rho
    for name, vector in (("positions", f2 * where), ("velocities", f2 * speed)):
        numbers = {f"{name}.{3 + k}": vector[k] for k in range(3)}
        cases.add(given, "Kepler's equation, on the length of the vector", numbers, dict.fromkeys(numbers, np.linalg.norm(vector)))


kepler(SUN, 5.972e24, AU, 0.0167, 1.3, 400)
kepler(SUN, 0.5 * SUN, 20 * AU, 0.5, 3.37, 6000)
kepler(5.972e24, 7.35e22, 3.844e8, 0.0549, 12.6, 6000, order=6)
kepler(5.972e24, 420000.0, 6.778e6, 0.001, 16.2, 4000)
kepler(SUN, 2e14, 17.8 * AU, 0.9, 1.45, 60000, order=6)
kepler(1.0, 1.0, 1.0, 0.3, 5.21, 4000, G=1.0, order=4)
kepler(1.0, 1.0, 1.0, 0.9, 3.0005, 12002, G=1.0)
kepler(1.0, 1.0, 1.0, 0.8, 2.01, 4020, G=1.0)
kepler(SUN, 1.898e27, 5.2 * AU, 0.048, 8.4, 12000, order=2)
planets = [(SUN, 0, 0), (4.867e24, 0.723, 0.6), (5.972e24, 1.0, 2.1), (6.42e23, 1.524, 4.0), (1.898e27, 5.203, 5.3), (5.683e26, 9.55, 1.0)]


def disc(years, dt, **more):
    """The sun with five planets on near-circles."""
    m, r, v = [], [], []
    for mass, a, at in planets:
        s = math.sqrt(G * SUN / (a * AU)) if a else 0.0
        m.append(mass)
        r.append([a * AU * math.cos(at), a * AU * math.sin(at), a * AU * 0.01 * math.sin(2 * at)])
        v.append([-s * math.sin(at) * 1.01, s * math.cos(at) * 0.99, 0.0])
    case(m, r, v, years * YEAR, dt, **more)


disc(5, 1e5)
disc(12, 2e5, order=6)
x, y = 0.97000436, -0.24308753
vx, vy = -0.93240737, -0.86473146
case([1, 1, 1], [[x, y, 0], [-x, -y, 0], [0, 0, 0]], [[-vx / 2, -vy / 2, 0], [-vx / 2, -vy / 2, 0], [vx, vy, 0]], 20.0, 0.005, G=1.0)
case([1, 1, 1], [[x, y, 0.1], [-x, -y, 0], [0, 0, 0]], [[-vx / 2, -vy / 2, 0], [-vx / 2, -vy / 2, 0.05], [vx, vy, 0]], 5.0, 0.002, G=1.0)
case([3, 4, 5], [[1, 3, 0], [-2, -1, 0], [1, -1, 0]], np.zeros((3, 3)), 1.5, 2e-4, G=1.0)
case([SUN, 1.898e27, 1e3], [[0, 0, 0], [5.2 * AU, 0, 0], [2.6 * AU, 4.5 * AU, 0]], [[0, -12.5, 0], [0, 13060, 0], [-11310, 6530, 0]], 20 * YEAR, 4e5)
case([SUN, SUN, SUN], [[AU, 0, 0], [-AU, 0, 0], [0, 10 * AU, AU]], [[0, 14900, 0], [0, -14900, 0], [-12000, 0, 500]], 6 * YEAR, 4e4, order=6)
case([5.972e24, 7.35e22, 1000], [[0, 0, 0], [3.844e8, 0, 0], [6.7e6, 0, 0]], [[0, -12.6, 0], [0, 1022, 0], [0, 10500, 2000]], 86400 * 0.4, 5, order=6)
case(np.full(8, 1e30), rng.normal(size=(8, 3)) * 5 * AU, rng.normal(size=(8, 3)) * 4e3, 3 * YEAR, 1e4, softening=0.3 * AU)
case(rng.uniform(0.5, 2, 16) / 16, rng.normal(size=(16, 3)), rng.normal(size=(16, 3)) * 0.4, 1.5, 0.002, G=1.0, softening=0.1)
case(rng.uniform(0.5, 2, 5), rng.normal(size=(5, 3)) * 3, rng.normal(size=(5, 3)) * 0.3, 2.0, 0.001, G=1.0, order=6)
case([2, 1, 1e-3], [[0.3, 0, 0], [-0.7, 0, 0.2], [4, 0, 0]], [[0, 0.5, 0], [0, -1.0, 0], [0, 0.8, 0.1]], 15.0, 0.003, G=1.0, order=4)
case([1.0, 1.0], [[0.5, 0, 0], [-0.5, 0, 0]], [[0, 0.9, 0], [0, -0.9, 0]], 9.0, 0.003, G=1.0, softening=0.5)
case([1e10, 1e10], [[100, 0, 0], [-100, 0, 0]], [[0, 0.02, 0], [0, -0.02, 0]], 2e4, 10)
case([SUN, 1e20], [[0, 0, 0], [AU, 0, 0]], [[0, 0, 0], [0, 5e4, 0]], YEAR, 2e4)
case([1, 2, 3, 4], [[1, 0, 0], [0, 2, 0], [-1, 0, 1], [0, -2, -1]], [[0, 1, 0], [-1, 0, 0], [0, -1, 0.3], [0.6, 0, 0]], 1.0, 5e-4, G=1.0, order=2)
cases.write()
