"""Orbits by Kepler's equation, pendulums and stars by DOP853 or mpmath's Taylor series."""

import numpy as np
from mpmath import mp, mpf, ellipk, odefun, sin as msin
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from kit import Cases

out = Cases("action")


def kepler_state(mu, a, e, t):
    n = np.sqrt(mu / a**3)
    m = n * t
    ecc = brentq(lambda q: q - e * np.sin(q) - m, m - 2, m + 2, xtol=1e-15, rtol=1e-15)
    r = a * (1 - e * np.cos(ecc))
    b = np.sqrt(1 - e * e)
    return np.array([a * (np.cos(ecc) - e), a * b * np.sin(ecc), -a * a * n / r * np.sin(ecc), a * a * n / r * b * np.cos(ecc)])


def finish(inp, by, state, period, size, speed, place, energy):
    steps = inp.get("stepsPerPeriod", 100) * inp.get("periods", 20)
    stride = -(-steps // inp.get("outputs", 500))
    count = -(-steps // stride)
    k = count * 5 // 7
    dt = period / inp.get("stepsPerPeriod", 100)
    end, mid = state(steps * dt), state(k * stride * dt)
    numbers = {"place": place(end), "period": period, "energyEnd": energy, f"x[{k}]": mid[0], f"u[{k}]": mid[len(mid) // 2]}
    scales = {f"x[{k}]": size, f"u[{k}]": speed}
    for i, it in enumerate(end):
        numbers[f"end[{i}]"] = it
        scales[f"end[{i}]"] = size if i < len(end) / 2 else speed
    out.add(inp, by, numbers, scales)


def kepler(**inp):
    p = {"mu": 1, "a": 1, "e": 0.6} | inp.get("kepler", {})
    mu, a, e, t0 = p["mu"], p["a"], p["e"], 0.0
    turn = np.eye(2)
    if "initial" in inp:
        x, v = np.array(inp["initial"][:2], float), np.array(inp["initial"][2:], float)
        r = np.hypot(*x)
        a = 1 / (2 / r - v @ v / mu)
        h = x[0] * v[1] - x[1] * v[0]
        ev = np.array([v[1] * h, -v[0] * h]) / mu - x / r
        e = np.hypot(*ev)
        # In the frame of the nearest place, and mirrored where the body goes round the other way.
        turn = np.array([ev / e, np.sign(h) * np.array([-ev[1], ev[0]]) / e])
        q = turn @ x
        ecc = np.arctan2(q[1] / (a * np.sqrt(1 - e * e)), q[0] / a + e)
        t0 = (ecc - e * np.sin(ecc)) * np.sqrt(a**3 / mu)
    period = 2 * np.pi * np.sqrt(a**3 / mu)

    def state(t):
        s = kepler_state(mu, a, e, t + t0)
        return np.concatenate([turn.T @ s[:2], turn.T @ s[2:]])

    finish({"system": "kepler"} | inp, "Kepler's equation", state, period, a, np.sqrt(mu / a), lambda s: np.hypot(s[0], s[1]), -mu / 2 / a)


def pendulum(**inp):
    mp.dps = 25
    p = {"g": 9.80665, "length": 1, "angle": 2, "rate": 0} | inp.get("pendulum", {})
    if "initial" in inp:
        p["angle"], p["rate"] = inp["initial"]
    w2 = p["g"] / p["length"]
    energy = p["rate"] ** 2 / 2 + 2 * w2 * np.sin(p["angle"] / 2) ** 2  # above rest
    k2 = energy / (2 * w2)
    w = np.sqrt(w2)
    period = float(4 * ellipk(mpf(k2)) / w if k2 < 1 else 2 * ellipk(1 / mpf(k2)) / (w * mpf(k2) ** 0.5))
    size = 2 * np.arcsin(np.sqrt(k2)) if k2 < 1 else np.pi
    steps = inp.get("stepsPerPeriod", 100) * inp.get("periods", 20)
    sol = solve_ivp(lambda t, q: [q[1], -w2 * np.sin(q[0])], (0, period * inp.get("periods", 20) * (1 + 1e-12)), [p["angle"], p["rate"]],
                    method="DOP853", rtol=3e-14, atol=1e-14 * size, dense_output=True, max_step=period / 60)
    finish({"system": "pendulum"} | inp, "scipy solve_ivp DOP853 rtol 3e-14", sol.sol, period, size, 2 * np.sqrt(k2) * w, lambda s: s[0], energy)


def star(**inp):
    p = {"x": 0, "y": 0.1, "px": 0.35, "py": 0.2} | inp.get("henonHeiles", {})
    q = [p["x"], p["y"], p["px"], p["py"]]
    e = (q[2] ** 2 + q[3] ** 2 + q[0] ** 2 + q[1] ** 2) / 2 + q[0] ** 2 * q[1] - q[1] ** 3 / 3
    sol = solve_ivp(lambda t, s: [s[2], s[3], -s[0] - 2 * s[0] * s[1], -s[1] - s[0] ** 2 + s[1] ** 2],
                    (0, 2 * np.pi * inp.get("periods", 20) * (1 + 1e-12)), q, method="DOP853", rtol=3e-14, atol=1e-16, dense_output=True, max_step=0.1)
    finish({"system": "henon-heiles"} | inp, "scipy solve_ivp DOP853 rtol 3e-14", sol.sol, 2 * np.pi, np.sqrt(2 * e), np.sqrt(2 * e), lambda s: np.hypot(s[0], s[1]), e)


kepler()
kepler(order=4, stepsPerPeriod=2000, periods=3, kepler={"mu": 3.986004418e14, "a": 7e6, "e": 0.01})
kepler(order=6, stepsPerPeriod=400, periods=10, kepler={"mu": 1.32712440018e20, "a": 1.496e11, "e": 0.0167})
kepler(order=8, stepsPerPeriod=12000, periods=5, kepler={"mu": 1.32712440018e20, "a": 2.66e12, "e": 0.967}, outputs=200)
kepler(order=8, stepsPerPeriod=60, periods=100, kepler={"e": 0.2})
kepler(periods=7, initial=[1.0, 0.3, -0.4, 0.8])
kepler(periods=3, stepsPerPeriod=200, initial=[-7e6, 1e6, 900, -7200], kepler={"mu": 3.986004418e14})
kepler(order=6, stepsPerPeriod=300, periods=2, outputs=11, kepler={"a": 5.29e-11, "mu": 253.0, "e": 0.4})
kepler(kepler={"e": 0.0}, stepsPerPeriod=40, periods=50)
pendulum()
pendulum(order=4, stepsPerPeriod=800, periods=5, pendulum={"angle": 0.2, "length": 2.5})
pendulum(order=6, stepsPerPeriod=200, periods=12, pendulum={"angle": 3.1, "g": 1.62, "length": 0.4})
pendulum(pendulum={"angle": 0, "rate": 8}, periods=9)
pendulum(pendulum={"angle": -1, "rate": 3.3, "length": 0.7}, periods=3, outputs=70)
pendulum(initial=[1.2, -7.5], periods=4)
pendulum(pendulum={"angle": 1e-3, "g": 274, "length": 100}, stepsPerPeriod=60, periods=30)
star()
star(order=6, stepsPerPeriod=200, periods=10, henonHeiles={"x": 0.1, "y": -0.2, "px": 0.2, "py": 0.15})
star(order=4, stepsPerPeriod=2000, periods=4, henonHeiles={"x": 0.3, "y": 0.1, "px": 0, "py": 0.1})
star(order=8, stepsPerPeriod=80, periods=30, henonHeiles={"x": 0.0, "y": 0.05, "px": 0.1, "py": 0.05})
star(henonHeiles={"x": 0.02, "y": 0.0, "px": 0.0, "py": 0.03}, periods=40)
kepler(order=8, stepsPerPeriod=20000, periods=3, kepler={"e": 0.985})
kepler(order=8, stepsPerPeriod=60, periods=1000, kepler={"e": 0.1, "mu": 1e-20, "a": 1e-9})
pendulum(order=8, stepsPerPeriod=600, periods=4, pendulum={"angle": 3.1415, "length": 30})
star(order=8, stepsPerPeriod=120, periods=8, henonHeiles={"x": 0.0, "y": 0.3, "px": 0.4, "py": 0.1})
rng = np.random.default_rng(8)
for k in range(4):
    kepler(order=8, stepsPerPeriod=int(rng.integers(150, 400)), periods=int(rng.integers(1, 30)), kepler={
        "mu": float(f"{10 ** rng.uniform(-5, 20):.4g}"), "a": float(f"{10 ** rng.uniform(-3, 12):.4g}"), "e": round(float(rng.uniform(0, 0.7)), 3)})
    pendulum(order=6, stepsPerPeriod=int(rng.integers(150, 400)), periods=int(rng.integers(1, 12)), pendulum={
        "g": round(float(rng.uniform(1, 25)), 3), "length": round(float(10 ** rng.uniform(-1, 1.3)), 3), "angle": round(float(rng.uniform(-2.8, 2.8)), 3),
        "rate": round(float(rng.uniform(-1, 1)), 3)})
out.write()
