"""Heat in a line or rectangle: series in sines, cosines or whole waves, whose factors come from exact integrals."""

import numpy as np
from numpy.polynomial.legendre import leggauss

from kit import Cases

out = Cases("heat")
MODES = 400


def pieces(kind, at, size, m, boundary):
    """Where a start of one direction is, as Gauss points: (x, weight · start)."""
    g, w = leggauss(60)
    if kind == "box":
        a, b = max(0.0, at - size / 2), min(1.0, at + size / 2)
        cuts, f = np.linspace(a, b, 41), lambda x: np.ones_like(x)
    elif kind == "gaussian":
        cuts, f = np.linspace(0, 1, 101), lambda x: np.exp(-((x - at) ** 2) / (2 * size * size))
    else:
        k = np.pi * m * (2 if boundary == "periodic" else 1)
        cuts, f = np.linspace(0, 1, 101), (lambda x: np.sin(k * x)) if boundary == "fixed" else (lambda x: np.cos(k * x))
    x = np.concatenate([(a + b) / 2 + (b - a) / 2 * g for a, b in zip(cuts[:-1], cuts[1:])])
    ws = np.concatenate([(b - a) / 2 * w for a, b in zip(cuts[:-1], cuts[1:])])
    return x, ws * f(x)


def direction(start, boundary, tau, points):
    """Values at points, the mean square and the mean of one direction's factor, tau = alpha t / l^2."""
    x, w = start
    if boundary == "fixed":
        k = np.pi * np.arange(1, MODES)
        modes = [(k, np.sin, 2.0)]
    elif boundary == "insulated":
        k = np.pi * np.arange(MODES)
        modes = [(k, np.cos, np.where(k == 0, 1.0, 2.0))]
    else:
        k = 2 * np.pi * np.arange(MODES)
        modes = [(k, np.cos, np.where(k == 0, 1.0, 2.0)), (k[1:], np.sin, 2.0)]
    value, square, mean = 0, 0, 0
    for k, f, norm in modes:
        c = norm * (f(np.outer(k, x)) @ w) * np.exp(-k * k * tau)
        value = value + f(np.outer(points, k)) @ c
        square += (c * c / norm).sum()
        if f is np.cos:
            mean += c[0]
        else:
            mean += (c * (1 - np.cos(k)) / np.where(k == 0, 1, k)).sum()
    return value, square, mean


def add(**inp):
    p = {"dim": 2, "alpha": 1e-4, "nx": 128, "ny": 128, "lx": 1, "ly": 1, "dt": 0.5, "steps": 200} | inp
    w = {"kind": "gaussian", "amplitude": 1, "x": 0.4, "y": 0.45, "sigma": 0.1, "width": 0.3, "height": 0.3, "m": 1, "n": 1} | inp.get("initial", {})
    b = {"kind": "fixed", "temperature": 0} | inp.get("boundary", {})
    t = p["dt"] * p["steps"]
    base, kind = b["temperature"], b["kind"]
    right = b.get("right", base)

    def one(at, size, m, n, l):
        return direction(pieces(w["kind"], at, size, m, kind), kind, p["alpha"] * t / l**2, np.arange(n + 1) / n)

    fx, sx, mx = one(w["x"], w["sigma"] if w["kind"] == "gaussian" else w["width"], w["m"], p["nx"], p["lx"])
    if p["dim"] == 2:
        fy, sy, my = one(w["y"], w["sigma"] if w["kind"] == "gaussian" else w["height"], w["n"], p["ny"], p["ly"])
    else:
        fy, sy, my = np.ones(1), 1, 1
    a = w["amplitude"]
    field = base + a * np.outer(fy, fx)
    square, mean = a * a * sx * sy, base + a * mx * my
    if right != base:
        # The shape stands on the straight line between the ends, which is the steady state.
        assert p["dim"] == 1
        xs = np.linspace(0, 1, p["nx"] + 1)
        k = np.pi * np.arange(1, 20000)
        decay = np.exp(-k * k * p["alpha"] * t / p["lx"] ** 2)
        keep = decay > 1e-18
        k, decay = k[keep], decay[keep]
        slope = right - base
        g, gw = pieces(w["kind"], w["x"], w["sigma"] if w["kind"] == "gaussian" else w["width"], w["m"], kind)
        c = 2 * a * (np.sin(np.outer(k, g)) @ gw) * decay
        dev = np.sin(np.outer(xs, k)) @ c
        field = (base + slope * xs + dev)[None]
        square, mean = (c * c).sum() / 2, base + slope / 2 + (c * (1 - np.cos(k)) / k).sum()
    numbers = {"meanTemperature": mean, "maxTemperature": field.max(),
               "centreTemperature": field[p["ny"] // 2 if p["dim"] == 2 else 0, p["nx"] // 2], "minTemperature": field.min()}
    # Without fixed edges everything ends at the mean of the start.
    numbers["l2Norm"] = np.sqrt(square if kind == "fixed" else square - (mean - base) ** 2)
    span = max(abs(field.max() - base), abs(field.min() - base), np.ptp(field))
    out.add(inp, "series with exact factors", numbers,
            {"minTemperature": span} | ({"maxTemperature": span} if abs(field.max()) < span / 20 else {}) | ({"meanTemperature": span, "centreTemperature": span} if w["kind"] == "mode" and (kind != "fixed" or w["m"] % 2 == 0) else {}) | ({"maxTemperature": span, "centreTemperature": span, "meanTemperature": span} if base else {}))


add()
add(nx=64, ny=64)
add(alpha=1.2e-5, lx=0.3, ly=0.2, nx=96, ny=80, dt=1, steps=150, initial={"kind": "gaussian", "amplitude": 80, "sigma": 0.15}, boundary={"kind": "fixed", "temperature": 20})
add(alpha=9.7e-5, lx=0.05, ly=0.05, nx=64, ny=64, dt=0.05, steps=100, initial={"kind": "box", "amplitude": -60, "x": 0.5, "y": 0.5, "width": 0.4, "height": 0.6})
add(alpha=9.7e-5, lx=0.05, ly=0.08, nx=128, ny=100, dt=0.02, steps=200, initial={"kind": "box", "amplitude": 35, "x": 0.31, "y": 0.57, "width": 0.43, "height": 0.27}, boundary={"kind": "insulated"})
add(alpha=2.3e-5, nx=80, ny=120, lx=2, ly=3, dt=100, steps=60, initial={"kind": "mode", "amplitude": 12, "m": 2, "n": 3})
add(alpha=1e-6, nx=64, ny=64, lx=0.1, ly=0.1, dt=5, steps=80, boundary={"kind": "periodic"}, initial={"kind": "mode", "amplitude": 3, "m": 1, "n": 2})
add(alpha=1e-6, nx=64, ny=64, lx=0.1, ly=0.1, dt=1, steps=80, boundary={"kind": "insulated"}, initial={"kind": "mode", "amplitude": 3, "m": 1, "n": 2})
add(dim=1, alpha=1.4e-7, nx=200, lx=0.02, dt=1, steps=120, initial={"kind": "box", "amplitude": 100, "x": 0.5, "width": 0.5})
add(dim=1, alpha=4e-6, nx=100, lx=0.1, dt=1, steps=400, boundary={"kind": "fixed", "temperature": 10, "right": 60}, initial={"kind": "gaussian", "amplitude": 30, "x": 0.5, "sigma": 0.08})
add(dim=1, alpha=1e-4, nx=64, lx=1, dt=5, steps=100, boundary={"kind": "fixed", "temperature": 300, "right": 400}, initial={"kind": "mode", "amplitude": 50, "m": 2})
add(dim=1, alpha=1.1e-4, nx=128, lx=0.5, dt=0.1, steps=400, scheme="adi", boundary={"kind": "insulated"}, initial={"kind": "gaussian", "amplitude": 40, "x": 0.3, "sigma": 0.07})
add(dim=1, alpha=1.1e-4, nx=64, lx=0.5, dt=0.2, steps=200, scheme="ftcs", initial={"kind": "gaussian", "amplitude": 40, "x": 0.5, "sigma": 0.12})
add(alpha=1e-4, nx=48, ny=48, lx=1, ly=1, dt=0.8, steps=300, scheme="ftcs", initial={"kind": "mode", "amplitude": 5, "m": 1, "n": 1})
add(alpha=3e-3, nx=96, ny=48, lx=10, ly=4, dt=2, steps=100, initial={"kind": "gaussian", "x": 0.6, "y": 0.5, "sigma": 0.12, "amplitude": -15}, boundary={"kind": "fixed", "temperature": 5})
add(nx=256, ny=256, alpha=8e-5, dt=0.25, steps=60, initial={"kind": "box", "amplitude": 1, "x": 0.4, "y": 0.45, "width": 0.3, "height": 0.3})
add(nx=64, ny=64, alpha=1e-4, dt=1, steps=500, initial={"kind": "gaussian", "amplitude": 200, "x": 0.5, "y": 0.5, "sigma": 0.2})
add(nx=128, ny=128, alpha=1e-4, dt=0.5, steps=300, boundary={"kind": "periodic"}, initial={"kind": "gaussian", "amplitude": 7, "x": 0.5, "y": 0.5, "sigma": 0.08})
add(nx=100, ny=100, alpha=1e-4, dt=0.5, steps=100, boundary={"kind": "periodic"}, initial={"kind": "box", "amplitude": 7, "x": 0.5, "y": 0.35, "width": 0.25, "height": 0.55})
add(dim=1, alpha=2e-5, nx=400, lx=0.3, dt=0.2, steps=300, initial={"kind": "box", "amplitude": 10, "x": 0.3, "width": 0.07})
add(nx=80, ny=80, alpha=1e-4, dt=0.5, steps=200, initial={"kind": "gaussian", "x": 0.52, "y": 0.47, "sigma": 0.1})
add(nx=70, ny=70, alpha=1e-4, dt=1, steps=40, initial={"kind": "gaussian", "x": 0.5, "y": 0.5, "sigma": 0.09})
add(nx=24, ny=24, alpha=1e-4, lx=1, ly=1, dt=0.5, steps=40, initial={"kind": "mode", "amplitude": 10, "m": 1, "n": 1})
add(dim=1, nx=20, alpha=1e-4, lx=0.5, dt=0.5, steps=100, initial={"kind": "mode", "amplitude": 10, "m": 1})
add(dim=1, nx=64, alpha=1e-4, lx=0.5, dt=0.05, steps=100, initial={"kind": "mode", "amplitude": 10, "m": 3})
add(dim=1, alpha=1e-12, nx=64, lx=1e-6, dt=1e-3, steps=60, initial={"kind": "gaussian", "amplitude": 1e-5, "sigma": 0.1, "x": 0.5})
add(dim=1, alpha=1e6, nx=100, lx=1e9, dt=5e9, steps=300, initial={"kind": "box", "amplitude": 1e6, "x": 0.4, "width": 0.3})
add(nx=200, ny=20, lx=10, ly=0.1, alpha=1e-5, dt=1, steps=100, initial={"kind": "mode", "amplitude": 40, "m": 3, "n": 1}, boundary={"kind": "insulated"})
add(dim=1, alpha=1e-4, nx=160, lx=1, dt=2, steps=1000, initial={"kind": "gaussian", "sigma": 0.05, "x": 0.15, "amplitude": 500}, boundary={"kind": "fixed", "temperature": -50, "right": 25})
rng = np.random.default_rng(6)
for k in range(14):
    lx, ly = (float(f"{10 ** rng.uniform(-2, 1):.3g}") for _ in range(2))
    n = int(rng.choice([64, 96, 128]))
    m = int(rng.choice([64, 80, 120]))
    dim = 1 + k % 2
    alpha = float(f"{10 ** rng.uniform(-7, -3):.3g}")
    end = rng.uniform(0.002, 0.03) * (lx if dim == 1 else min(lx, ly)) ** 2 / alpha
    steps = int(rng.integers(150, 500))
    kind = ("gaussian", "box")[k % 3 == 0]
    shape = {"kind": kind, "amplitude": round(float(rng.uniform(-100, 100)), 1), "x": round(float(rng.uniform(0.35, 0.65)), 3), "y": round(float(rng.uniform(0.35, 0.65)), 3)}
    shape |= {"sigma": round(float(rng.uniform(0.06, 0.11)), 3)} if kind == "gaussian" else {"width": round(float(rng.uniform(0.2, 0.5)), 3), "height": round(float(rng.uniform(0.2, 0.5)), 3)}
    add(dim=dim, nx=n, ny=m, lx=lx, ly=ly, alpha=alpha, dt=float(f"{end / steps:.4g}"), steps=steps, initial=shape,
        boundary={"kind": ("fixed", "insulated", "periodic")[k % 3 if kind == "box" else (k // 2) % 3]})
out.write()
