"""Fisher-KPP: the exact wave by its formula; hills and own starts by differences of sixth order on finer grids and RK4.

Differences keep each node's relative digits far ahead of a front, where the empty tissue is unstable and transforms would sow rounding.
"""
import numpy as np
from scipy.integrate import quad

from kit import Cases

cases = Cases("tumor")
BY = "differences of sixth order, RK4, two finer grids that agree to 5e-5"
TAPS = (-49 / 18, 1.5, -3 / 20, 1 / 90)


def laplacian(u, spacings):
    """Second derivatives along all axes, mirrored at the edges."""
    found = 0
    for axis, d in enumerate(spacings):
        n = u.shape[axis]
        p = np.pad(u, [(3, 3) if k == axis else (0, 0) for k in range(u.ndim)], mode="reflect")
        at = lambda o: p[(slice(None),) * axis + (slice(3 + o, 3 + o + n),)]
        found = found + (TAPS[0] * u + sum(TAPS[o] * (at(o) + at(-o)) for o in (1, 2, 3))) / d**2
    return found


def solve(u, lengths, numbers):
    """u at the end on the same nodes."""
    D, rho, time = numbers
    spacings = [l / (s - 1) for l, s in zip(lengths, u.shape)]
    limit = min(0.4 / (D * sum(d**-2 for d in spacings)), 0.02 / rho)
    steps = int(np.ceil(time / limit))
    h = time / steps
    rate = lambda w: D * laplacian(w, spacings) + rho * w * (1 - w)
    for _ in range(steps):
        a = rate(u)
        b = rate(u + h / 2 * a)
        c = rate(u + h / 2 * b)
        u = u + h / 6 * (a + 2 * b + 2 * c + rate(u + h * c))
    return u


def mass(u, lengths):
    """Trapezoidal rule, which is spectrally exact for mirrored fields."""
    for l in lengths:
        w = np.full(u.shape[0], l / (u.shape[0] - 1))
        w[[0, -1]] /= 2
        u = np.tensordot(w, u, (0, 0))
    return float(u)


def front(row, length):
    """Greatest place of density 1/2, by a polynomial through six nodes."""
    n = len(row) - 1
    above = np.nonzero(row >= 0.5)[0]
    if len(above) == 0 or above[-1] > n - 3 or above[-1] < 2:
        return None
    i = above[-1]
    p = np.polynomial.Polynomial.fit(np.arange(-2, 4), row[i - 2 : i + 4] - 0.5, 5, domain=[-1, 1], window=[-1, 1])
    roots = [z.real for z in p.roots() if abs(z.imag) < 1e-9 and -1e-9 <= z.real <= 1 + 1e-9]
    return (i + max(roots)) * length / n


def settled(start, spacing, lengths, numbers):
    """The reference on the finer of two grids that must agree."""
    found = []
    for factor in (1.4, 1.0):
        shape = [2 * int(np.ceil(l / (2 * factor * spacing))) for l in lengths]
        grids = np.meshgrid(*[np.linspace(0, l, m + 1) for m, l in zip(shape, lengths)], indexing="ij")
        u = solve(start(*grids), lengths, numbers)
        found.append(mass(u, lengths))
    if abs(found[0] / found[1] - 1) > 5e-5:
        raise SystemExit(f"grids disagree: {found} {lengths} {numbers}")
    return u, found[1]


def line(D, rho, lx, nx, dt, steps, initial, **more):
    """A line; the start is `initial`, a hill, or a function whose nodes become own values."""
    given = {"D": D, "rho": rho, "lx": lx, "nx": nx, "dt": dt, "steps": steps, **more}
    width = lx
    if callable(initial):
        start = initial
        given["initial"] = {"kind": "values", "values": [float(v) for v in initial(np.linspace(0, lx, nx + 1))]}
    else:
        width = initial["sigma"] * lx / 6
        given["initial"] = {"kind": "gaussian", **initial}
        a, c, s = (initial[k] for k in ("amplitude", "x", "sigma"))
        start = lambda x: a * np.exp(-((x - c * lx) ** 2) / (2 * (s * lx) ** 2))
    spacing = min(0.25 * np.sqrt(D / rho), width / 2, lx / 200)
    u, found = settled(start, spacing, [lx], (D, rho, dt * steps))
    cases.add(given, BY, dict(mass=found, maxDensity=u.max()))
    f = front(u, lx)
    if f is not None:
        cases.add(given, BY, dict(front=f))


def sheet(D, rho, lengths, shape, dt, steps, initial, **more):
    """A rectangle with a hill or own values."""
    (lx, ly), (nx, ny) = lengths, shape
    given = {"dim": 2, "D": D, "rho": rho, "lx": lx, "ly": ly, "nx": nx, "ny": ny, "dt": dt, "steps": steps, **more}
    if callable(initial):
        start = initial
        y, x = np.meshgrid(np.linspace(0, ly, ny + 1), np.linspace(0, lx, nx + 1), indexing="ij")
        given["initial"] = {"kind": "values", "values": [float(v) for v in initial(y, x).ravel()]}
    else:
        given["initial"] = {"kind": "gaussian", **initial}
        a, cx, cy, s = (initial[k] for k in ("amplitude", "x", "y", "sigma"))
        start = lambda y, x: a * np.exp(-((x / lx - cx) ** 2 + (y / ly - cy) ** 2) / (2 * s * s))
    u, found = settled(start, min(0.2 * np.sqrt(D / rho), lx / 80, ly / 80), [ly, lx], (D, rho, dt * steps))
    cases.add(given, BY, dict(mass=found, maxDensity=u.max()))
    f = front(u[len(u) // 2], lx)
    if f is not None and ny % 2 == 0:
        cases.add(given, BY, dict(front=f))


def wave(D, rho, lx, nx, dt, steps, x=0.3):
    """The wave of Ablowitz and Zeppetella on a line with clear walls."""
    given = {"D": D, "rho": rho, "lx": lx, "nx": nx, "dt": dt, "steps": steps, "initial": {"kind": "wave", "x": x}}
    k, c, t = np.sqrt(rho / (6 * D)), 5 * np.sqrt(D * rho / 6), dt * steps
    u = lambda z: (1 + np.exp(np.minimum(k * (z - x * lx - c * t), 700))) ** -2.0
    middle = x * lx + c * t
    found = quad(u, 0, middle, epsabs=0, epsrel=1e-12)[0] + quad(u, middle, lx, epsabs=0, epsrel=1e-12, limit=200)[0]
    by = "Ablowitz and Zeppetella's wave, scipy quad"
    cases.add(given, by, dict(mass=found, front=middle + np.log(np.sqrt(2) - 1) / k, frontSpeed=c))


D, R = 1.5e-12, 1.4e-7
LENGTH = np.sqrt(D / R)
wave(D, R, 100 * LENGTH, 800, 0.05 / R, 400)
wave(D, R, 100 * LENGTH, 400, 0.1 / R, 150)
wave(2.6e-13, 2.3e-7, 0.1, 1200, 1e5, 700, 0.3)
wave(3e-13, 4.6e-8, 0.2, 900, 1e6, 300, 0.35)
wave(1.0, 1.0, 120.0, 600, 0.02, 1000, 0.25)
wave(5e-2, 40.0, 3.0, 700, 1e-3, 300, 0.5)
hill = lambda amplitude, x, sigma, y=None: {"amplitude": amplitude, "x": x, "sigma": sigma, **({} if y is None else {"y": y})}
line(D, R, 100 * LENGTH, 800, 0.05 / R, 300, hill(0.5, 0.5, 0.02))
line(D, R, 100 * LENGTH, 800, 0.05 / R, 400, hill(0.001, 0.5, 0.02))
line(D, R, 100 * LENGTH, 400, 0.2 / R, 100, hill(0.01, 0.5, 0.01))
line(D, R, 120 * LENGTH, 300, 0.5 / R, 30, hill(0.1, 0.5, 0.02))
line(D, R, 60 * LENGTH, 300, 0.25 / R, 60, hill(0.02, 0.5, 0.05), walls="closed")
line(D, R, 60 * LENGTH, 200, 0.1 / R, 400, hill(1e-6, 0.5, 0.05), walls="closed")
line(D, R, 40 * LENGTH, 160, 0.3 / R, 60, hill(1e-5, 0.2, 0.05), walls="closed")
line(1.0, 1.0, 200.0, 400, 0.1, 400, hill(0.3, 0.5, 0.005), walls="closed")
line(1.0, 1.0, 30.0, 64, 0.2, 40, hill(0.9, 0.3, 0.1), walls="closed")
line(3e-13, 1.0e-8, 0.3, 1500, 5e6, 160, hill(0.3, 0.5, 0.02))
line(2e-4, 1e-2, 10.0, 256, 5.0, 50, hill(1.0, 0.5, 0.05), walls="closed")
line(1e-4, 0.5, 1.0, 256, 0.5, 30, lambda x: 0.2 + 0.15 * np.cos(2 * np.pi * x), walls="closed")
line(1e-3, 1.2, 2.0, 200, 0.05, 200, lambda x: 1e-4 * (1 + np.cos(np.pi * x / 2) ** 3 * 0.9), walls="closed")
line(2e-3, 0.8, 4.0, 320, 0.25, 60, lambda x: 0.6 * np.exp(-((x - 1) / 0.3) ** 4) + 1e-3, walls="closed")
line(5e-4, 2.0, 5.0, 600, 0.02, 600, lambda x: 0.5 * np.exp(-((x - 1) / 0.2) ** 2) + 0.2 * np.exp(-((x - 3.5) / 0.1) ** 2), walls="closed")
sheet(D, R, (30 * LENGTH, 30 * LENGTH), (96, 96), 0.1 / R, 60, hill(0.4, 0.5, 0.06, 0.5), walls="closed")
sheet(1.0, 1.0, (40.0, 20.0), (128, 64), 0.1, 80, hill(0.05, 0.4, 0.08, 0.6), walls="closed")
sheet(1.0, 1.0, (60.0, 60.0), (96, 96), 0.25, 40, hill(0.1, 0.5, 0.05, 0.5), walls="closed")
sheet(2e-12, 3e-7, (0.1, 0.05), (96, 64), 2e5, 100, hill(0.8, 0.25, 0.05, 0.5), walls="closed")
sheet(1e-3, 1.0, (1.0, 1.0), (64, 64), 0.4, 20, lambda y, x: 1e-3 * (1.1 + np.cos(np.pi * x) * np.cos(2 * np.pi * y)), walls="closed")
for d, nx, dt, t in ((0.04, 240, 0.05, 45), (0.04, 240, 0.2, 45), (0.015, 300, 0.05, 45), (0.015, 300, 0.2, 30), (0.02, 240, 0.05, 12)):
    line(d, 1.0, 60.0, nx, dt, round(t / dt), hill(0.5, 0.5, 1 / 60), walls="closed")
line(1.0, 1.0, 100.0, 250, 0.6, 10, hill(0.001, 0.5, 0.012), walls="closed")
rng = np.random.default_rng(7)
for _ in range(6):
    d, r = 10 ** rng.uniform(-4, 1), 10 ** rng.uniform(-2, 1)
    scale = np.sqrt(d / r)
    line(float(d), float(r), float(scale * rng.uniform(30, 120)), int(rng.integers(150, 700)), float(rng.uniform(0.05, 0.6) / r),
         int(rng.integers(20, 80)), hill(float(10 ** rng.uniform(-5, 0)), float(rng.uniform(0.2, 0.8)), float(rng.uniform(0.02, 0.1))), walls="closed")
cases.write()
