"""Webster's horn: Pruefer's angle by DOP853 and Brent's root; closed forms of pipes and cones."""

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from kit import Cases

out = Cases("acoustic")


def add(**inp):
    p = {"L": 1, "c": 343.2, "left": "open", "right": "open", "modes": 10, "endCorrection": "none"} | inp
    s = {"kind": "uniform", "radius": 0.02, "radiusEnd": 0.1} | inp.get("section", {})
    l, kind = p["L"], s["kind"]
    if kind == "table":
        xs, rs = [q["x"] for q in s["points"]], [q["radius"] for q in s["points"]]
    elif kind == "cone":
        xs, rs = [0, l], [s["radius"], s["radiusEnd"]]
    elif kind == "uniform":
        xs, rs = [0, l], [s["radius"]] * 2
    else:
        xs, rs = [0, l], [s["radius"], s["radiusEnd"]]
    parts = []
    extra = {"none": 0, "unflanged": 0.6133, "flanged": 0.8216}[p["endCorrection"]]
    if p["left"] == "open" and extra:
        parts.append((extra * rs[0], lambda x: 0.0))
    for x0, x1, r0, r1 in zip(xs[:-1], xs[1:], rs[:-1], rs[1:]):
        # The slope of ln S.
        if kind == "exponential":
            parts.append((x1 - x0, lambda x, m=2 * np.log(r1 / r0) / (x1 - x0): m))
        else:
            a = (r1 - r0) / (x1 - x0)
            parts.append((x1 - x0, lambda x, a=a, r0=r0: 2 * a / (r0 + a * x)))
    if p["right"] == "open" and extra:
        parts.append((extra * rs[-1], lambda x: 0.0))

    def angle(k):
        """p = A sin, p' = k A cos: theta' = k + slope / 2 sin 2 theta, at the end less its place there."""
        theta = 0.0 if p["left"] == "open" else np.pi / 2
        for length, slope in parts:
            sol = solve_ivp(lambda x, q: [k + slope(x) / 2 * np.sin(2 * q[0])], (0, length), [theta], method="DOP853", rtol=1e-12, atol=1e-12)
            theta = sol.y[0, -1]
        return theta

    start = np.pi if p["right"] == "open" else (np.pi / 2 if p["left"] == "open" else 3 * np.pi / 2)
    whole = sum(q[0] for q in parts)
    numbers, low = {}, 1e-9 / whole
    for i in range(min(p["modes"], 6)):
        target = start + i * np.pi
        high = max(low, np.pi / whole)
        while angle(high) < target:
            high += np.pi / whole
        k = brentq(lambda q: angle(q) - target, low, high, xtol=1e-12 / whole, rtol=1e-12)
        numbers[f"frequencies[{i}]"] = k * p["c"] / (2 * np.pi)
        low = k
    numbers["fundamental"] = numbers["frequencies[0]"]
    out.add(inp, "Pruefer's angle by DOP853, root by Brent", numbers)


def table(*pairs):
    return {"kind": "table", "points": [{"x": x, "radius": r} for x, r in pairs]}


add()
add(left="closed", L=0.6, c=347, modes=6)
add(left="closed", right="closed", L=17, c=1482, modes=5, elements=40)
add(endCorrection="unflanged", L=0.33, section={"kind": "uniform", "radius": 0.0095}, modes=8)
add(endCorrection="flanged", left="closed", L=2.6, c=340, section={"kind": "uniform", "radius": 0.06})
add(section={"kind": "cone", "radius": 0.003, "radiusEnd": 0.03}, left="closed", L=0.6)
add(section={"kind": "cone", "radius": 0.2, "radiusEnd": 0.01}, L=1.8, modes=6)
add(section={"kind": "exponential", "radius": 0.01, "radiusEnd": 0.3}, left="closed", L=1.2)
add(section={"kind": "exponential", "radius": 0.05, "radiusEnd": 0.02}, endCorrection="unflanged", L=0.8)
add(section={"kind": "exponential", "radius": 0.001, "radiusEnd": 0.2}, left="closed", right="closed", L=2)
add(L=1.48, c=345, left="closed", section=table((0, 0.006), (0.9, 0.006), (1.2, 0.012), (1.4, 0.03), (1.48, 0.06)), endCorrection="unflanged", elements=120)
add(L=0.66, left="closed", section=table((0, 0.0075), (0.55, 0.0075), (0.6, 0.012), (0.66, 0.03)), modes=8)
add(L=0.5, section=table((0, 0.02), (0.2, 0.02), (0.21, 0.005), (0.29, 0.005), (0.3, 0.02), (0.5, 0.02)), left="closed", right="closed")
add(L=0.17, c=350, left="closed", modes=5, section=table((0, 0.012), (0.08, 0.012), (0.085, 0.02), (0.17, 0.02)), elements=24)
add(L=300, c=330, section=table((0, 2), (120, 1), (300, 3)), modes=12, elements=48)
add(L=1, section=table((0, 0.1), (0.5, 0.0005), (1, 0.1)), left="closed", right="closed", modes=6)
add(L=1, section={"kind": "cone", "radius": 0.0001, "radiusEnd": 0.05}, left="closed", elements=200)
add(L=0.02, c=1500, section={"kind": "cone", "radius": 0.002, "radiusEnd": 0.004}, left="open", right="closed", elements=40, endCorrection="flanged")
add(L=1, section=table((0, 0.05), (0.999, 0.05), (1, 0.01)), left="closed")
add(L=2.7, c=343, section={"kind": "exponential", "radius": 0.008, "radiusEnd": 0.25}, left="closed", endCorrection="unflanged", modes=10, elements=40)
add(L=0.1, c=5000, section={"kind": "cone", "radius": 1, "radiusEnd": 0.01}, left="closed", right="open", modes=16, elements=64)
add(L=1e5, c=1, modes=12, elements=60)
add(left="closed", modes=64, elements=300, section={"kind": "exponential", "radius": 0.001, "radiusEnd": 0.9}, L=3)
add(L=0.0001, c=1e5, section={"kind": "cone", "radius": 1e-5, "radiusEnd": 9e-3}, modes=8, elements=64, left="closed", right="closed")
rng = np.random.default_rng(4)
for k in range(10):
    l = float(f"{10 ** rng.uniform(-1, 1):.3g}")
    n = int(rng.integers(3, 8))
    xs = [0.0] + [float(f"{l * (i + rng.uniform(-0.3, 0.3)) / n:.4g}") for i in range(1, n)] + [l]
    rs = [float(f"{l * 10 ** rng.uniform(-2.3, -1.2):.3g}") for _ in xs]
    add(L=l, c=float(rng.choice([331.3, 346.1, 1482.0])), left=str(rng.choice(["open", "closed"])), right=str(rng.choice(["open", "closed"])), modes=5,
        elements=int(rng.choice([80, 150])), endCorrection=str(rng.choice(["none", "flanged", "unflanged"])), section=table(*zip(xs, rs)))
out.write()
