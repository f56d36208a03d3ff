"""Shallow water: closed forms of jets and lakes, Stoker's dam break by quadrature, waves by a Fourier method."""

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import ive

from kit import Cases

out = Cases("climate")
G = 9.80665


def jet(**given):
    p = {"nx": 96, "ny": 96, "lx": 4e6, "ly": 4e6, "depth": 1000, "gravity": G, "coriolis": 1e-4, "speed": 20, "m": 1, "n": 1} | given
    kx, ky = 2 * np.pi * p["m"] / p["lx"], 2 * np.pi * p["n"] / p["ly"]
    a = p["speed"] / np.hypot(kx, ky)
    x = (np.arange(p["nx"]) + 0.5) * p["lx"] / p["nx"]
    y = (np.arange(p["ny"]) + 0.5)[:, None] * p["ly"] / p["ny"]
    eta = p["coriolis"] * a / p["gravity"]
    out.add({"mode": "jet"} | given, "closed form of the geostrophic jet", {
        "anomaly": abs(eta) / np.sqrt(2),
        "energy": p["depth"] * p["speed"] ** 2 / 4 + p["gravity"] * eta**2 / 4,
        "maxSpeed": np.abs(p["speed"] * np.sin(kx * x + ky * y)).max(),
        "maxDepth": p["depth"] + (eta * np.cos(kx * x + ky * y)).max(),
    }, {"maxDepth": abs(eta)})


def rest(height, sigma, **given):
    p = {"depth": 1000} | given
    a = 1 / (2 * np.pi**2 * sigma**2)
    mean = height * ive(0, a / 2) ** 2
    square = height**2 * ive(0, a) ** 2
    out.add({"mode": "rest", "bottom": {"height": height, "sigma": sigma, "x": 0.37, "y": 0.61}} | given,
            "means of the hill by Bessel functions", {"anomaly": np.sqrt(square - mean**2), "meanDepth": p["depth"] - mean})


def dam(**given):
    p = {"lx": 4e6, "depth": 1000, "gravity": G, "ahead": 0.5} | given
    hl, hr, g = p["depth"], p["depth"] * p["ahead"], p["gravity"]
    cl = np.sqrt(g * hl)
    t = p.get("t_max", p["lx"] / 8 / cl)

    def shock(h):
        return 2 * (cl - np.sqrt(g * h)) - (h - hr) * np.sqrt(g / 2 * (1 / h + 1 / hr))

    hm = brentq(shock, hr * (1 + 1e-13), hl, xtol=1e-14 * hl, rtol=1e-15)
    um = 2 * (cl - np.sqrt(g * hm))
    s = hm * um / (hm - hr)
    # From the wall at x = 0: water behind for x < 0, half of the dam is lx/4 on either side of each wall.
    edge = p["lx"] / 4
    head, tail, front = -cl * t, (um - np.sqrt(g * hm)) * t, s * t
    assert -head < edge and front < edge

    def fan(x):
        return (2 * cl - x / t) ** 2 / (9 * g)

    def mean(f):
        inner = quad(lambda x: f(fan(x)), head, tail, epsrel=1e-13)[0]
        return (f(hl) * (head + edge) + inner + f(hm) * (front - tail) + f(hr) * (edge - front)) / (2 * edge)

    m = mean(lambda h: h)
    def kinetic(x):
        u = 2 / 3 * (x / t + cl)
        return fan(x) * u * u / 2
    energy = (quad(kinetic, head, tail, epsrel=1e-13)[0] + hm * um**2 / 2 * (front - tail)) / (2 * edge)
    energy += g / 2 * mean(lambda h: (h - m) ** 2)
    out.add({"mode": "dam-break"} | given, "Stoker's similarity solution, quadrature",
            {"anomaly": np.sqrt(mean(lambda h: (h - m) ** 2)), "energy": energy, "maxSpeed": um,
             "maxDepth": hl, "minDepth": hr}, {"maxDepth": hl - hr, "minDepth": hl - hr})


def hill(n, at, sigma, l):
    d = (np.arange(n) + 0.5) / n - at
    return np.exp(-((np.sin(np.pi * d) / (np.pi * sigma)) ** 2) / 2)


def spectral(h, hu, hv, b, p, t_max):
    """Fourier collocation in conserved variables, classical Runge-Kutta of fourth order."""
    ny, nx = h.shape
    kx = 2j * np.pi * np.fft.rfftfreq(nx, 1 / nx) / p["lx"]
    ky = 2j * np.pi * np.fft.fftfreq(ny, 1 / ny)[:, None] / p["ly"]
    keep = (np.abs(np.fft.rfftfreq(nx, 1 / nx)) < nx / 2) & (np.abs(np.fft.fftfreq(ny, 1 / ny))[:, None] < ny / 2)
    g, f = p["gravity"], p["coriolis"]

    def dx(a):
        return np.fft.irfft2(keep * kx * np.fft.rfft2(a), s=h.shape)

    def dy(a):
        return np.fft.irfft2(keep * ky * np.fft.rfft2(a), s=h.shape)

    def rate(q):
        h, hu, hv = q
        u, v = hu / h, hv / h
        zx, zy = dx(h + b), dy(h + b)
        return np.array([-dx(hu) - dy(hv), -dx(hu * u) - dy(hu * v) - g * h * zx + f * hv,
                         -dx(hv * u) - dy(hv * v) - g * h * zy - f * hu])

    q = np.array([h, hu, hv])
    c = np.sqrt(g * h.max()) + np.max(np.hypot(hu, hv) / h)
    dt = 0.25 / (c * np.hypot(nx / p["lx"], ny / p["ly"]))
    steps = int(np.ceil(t_max / dt))
    dt = t_max / steps
    for _ in range(steps):
        a = rate(q)
        e = rate(q + dt / 2 * a)
        w = rate(q + dt / 2 * e)
        z = rate(q + dt * w)
        q = q + dt / 6 * (a + 2 * e + 2 * w + z)
    tail = np.abs(np.fft.rfft2(q[0] - q[0].mean()))
    return q, tail[:, -2].max() / tail.max() + tail[ny // 2].max() / tail.max()


def general(times=1, **given):
    p = {"nx": 96, "ny": 96, "lx": 4e6, "ly": 4e6, "depth": 1000, "gravity": G, "coriolis": 1e-4, "t_max": 43200} | given
    nx, ny = p["nx"] * times, p["ny"] * times
    b, w = given.get("bottom", {}), {"amplitude": 10, "x": 0.5, "y": 0.5, "sigma": 0.1} | given.get("initial", {})
    bs = b.get("sigma", 0.1)
    bottom = b.get("height", 0) * np.outer(hill(ny, b.get("y", 0.5), bs, 1), hill(nx, b.get("x", 0.5), bs, 1))
    # The surface stands at the depth over the bottom, with a hill of water on it.
    h = p["depth"] - bottom + w["amplitude"] * np.outer(hill(ny, w["y"], w["sigma"], 1), hill(nx, w["x"], w["sigma"], 1))
    q, tail = spectral(h, 0 * h, 0 * h, bottom, p, p["t_max"])
    h, hu, hv = q
    surface = h + bottom
    at = np.s_[times // 2::times, times // 2::times]
    speed = np.hypot(hu, hv) / h
    numbers = {
        "anomaly": np.sqrt(((h - h.mean()) ** 2).mean()),
        "energy": ((hu**2 + hv**2) / h / 2 + p["gravity"] * (surface - surface.mean()) ** 2 / 2).mean(),
        "maxSpeed": speed[at].max(), "maxDepth": h[at].max(), "minDepth": h[at].min(),
    }
    span = np.ptp(h[at])
    print(given, f"tail {tail:.1e}")
    assert tail < 1e-5
    out.add({"mode": "general"} | given, "Fourier collocation, RK4", numbers, {"maxDepth": span, "minDepth": span})


def stated(nx, ny, lx, ly, t_max, fields, **given):
    """A start that is given as means over cells, by Gauss's rule of 8 points each way."""
    p = {"nx": nx, "ny": ny, "lx": lx, "ly": ly, "gravity": G, "coriolis": 1e-4} | given
    g, w = np.polynomial.legendre.leggauss(8)
    fine = lambda n, l: ((np.arange(n)[:, None] + 0.5 + g / 2) * l / n).ravel()
    x, y = np.meshgrid(fine(nx, lx), fine(ny, ly))
    means = [np.einsum("iajb,a,b->ij", f.reshape(ny, 8, nx, 8), w / 2, w / 2) for f in fields(x, y)]
    times = 3
    xc, yc = np.meshgrid((np.arange(nx * times) + 0.5) * lx / nx / times, (np.arange(ny * times) + 0.5) * ly / ny / times)
    h, hu, hv = (f + 0 * xc for f in fields(xc, yc))
    (h, hu, hv), tail = spectral(h, hu, hv, 0 * h, p, t_max)
    assert tail < 1e-6
    at = np.s_[1::3, 1::3]
    out.add({"mode": "general", "nx": nx, "ny": ny, "lx": lx, "ly": ly, "t_max": t_max} | given
            | {"initial": {k: [float(f"{q:.10g}") for q in m.ravel()] for k, m in zip(("depth", "fluxX", "fluxY"), means)}},
            "Fourier collocation, RK4", {
                "anomaly": np.sqrt(((h - h.mean()) ** 2).mean()), "meanDepth": h.mean(),
                "energy": ((hu**2 + hv**2) / h / 2 + p["gravity"] * (h - h.mean()) ** 2 / 2).mean(), "maxSpeed": (np.hypot(hu, hv) / h)[at].max()})


def waves(lx, ly, depth, a, u0, v0):
    def fields(x, y):
        kx, ky = 2 * np.pi / lx, 2 * np.pi / ly
        h = depth + a * np.cos(kx * x) * np.sin(ky * y) + a / 2 * np.cos(kx * x - ky * y + 1)
        u = u0 * (1 + 0.5 * np.sin(ky * y)) + 0 * x
        v = v0 * np.cos(kx * x) + 0 * y
        return h, h * u, h * v
    return fields


stated(32, 24, 1e6, 8e5, 12000, waves(1e6, 8e5, 200, 3, 2, 1))
stated(32, 32, 10, 10, 4, waves(10, 10, 0.5, 0.01, 0.1, -0.05), coriolis=0.5, depth=0.5)
general(nx=48, ny=48, depth=4000, initial={"amplitude": 1e-4, "sigma": 0.2}, t_max=5000)
jet(nx=48, ny=48, m=1, n=1, coriolis=-8.3e-5, speed=7.5, t_max=20000)
jet(nx=32, ny=64, lx=3e3, ly=6e3, depth=35, coriolis=1.1e-4, speed=0.4, m=1, n=2, t_max=900)
jet(nx=64, ny=16, m=1, n=0, lx=2.5, ly=1.0, depth=0.2, coriolis=0.8, speed=0.05, t_max=3)
jet(nx=16, ny=48, m=0, n=2, lx=5e5, ly=1.2e6, gravity=3.71, depth=300, speed=12, coriolis=-7e-5, t_max=30000)
jet(nx=96, ny=96, m=2, n=-1, speed=-15, t_max=10000)
jet(nx=32, ny=64, lx=3e3, ly=6e3, depth=35, coriolis=1.1e-4, speed=0.4, m=1, n=2, t_max=2200)
jet(nx=16, ny=48, m=0, n=2, lx=5e5, ly=1.2e6, gravity=3.71, depth=300, speed=12, coriolis=-7e-5, t_max=50000)
jet(nx=128, ny=128, m=1, n=2)
dam(nx=3700, ny=4)
dam(nx=6000, ny=4, lx=200, depth=4, ahead=0.4, t_max=2.5)
rest(300, 0.1, nx=48, ny=48, t_max=3600)
rest(0.08, 0.17, nx=64, ny=32, lx=3, ly=1.5, depth=0.2, t_max=5, coriolis=0.3)
rest(-900, 0.3, nx=32, ny=32, depth=4000, lx=8e5, ly=4e5, t_max=2000)
dam(nx=4096, ny=4)
dam(nx=4096, ny=4, lx=200, depth=4, ahead=0.3, t_max=2.5)
dam(nx=5000, ny=4, lx=12, depth=0.6, ahead=0.75, gravity=1.62, t_max=0.9)
general(nx=48, ny=48, t_max=20000)
general(nx=64, ny=64, lx=1e6, ly=1e6, depth=4000, initial={"amplitude": 3, "sigma": 0.12, "x": 0.3, "y": 0.4}, t_max=3000,
        bottom={"height": 1500, "sigma": 0.2, "x": 0.6, "y": 0.55})
general(nx=64, ny=48, lx=2, ly=1.5, depth=0.15, coriolis=0.7, initial={"amplitude": 0.006, "sigma": 0.13}, t_max=1.1)
general(nx=64, ny=64, lx=12000, ly=9000, depth=25, coriolis=-1.2e-4, initial={"amplitude": -0.8, "sigma": 0.15, "x": 0.2},
        bottom={"height": -10, "sigma": 0.25, "x": 0.7, "y": 0.2}, t_max=700)
general(nx=48, ny=64, lx=3e6, ly=5e6, depth=120, gravity=3.71, coriolis=1.4e-4, initial={"amplitude": 4, "sigma": 0.18}, t_max=90000)
general(nx=64, ny=64, lx=5e5, ly=5e5, depth=50, coriolis=0, initial={"amplitude": 1.5, "sigma": 0.2, "x": 0.1, "y": 0.9}, t_max=9000)
general(nx=96, ny=32, lx=9e5, ly=3e5, depth=2000, initial={"amplitude": 25, "sigma": 0.16}, bottom={"height": 700, "sigma": 0.3},
        coriolis=2e-4, t_max=5000)
general(nx=40, ny=40, lx=40, ly=40, depth=2, coriolis=0, initial={"amplitude": 0.03, "sigma": 0.2}, t_max=12)
general(nx=80, ny=80, depth=500, coriolis=1e-4, initial={"amplitude": 30, "sigma": 0.08}, t_max=36000)
rng = np.random.default_rng(20)
for _ in range(8):
    l = 10 ** rng.uniform(0, 6.5)
    depth = l * 10 ** rng.uniform(-4, -1.5)
    gravity = round(float(rng.choice([1.62, 3.71, 9.80665, 24.8])), 5)
    c = np.sqrt(gravity * depth)
    n = int(rng.choice([40, 48, 64]))
    try:
        general(nx=n, ny=n, lx=float(f"{l:.4g}"), ly=float(f"{l * rng.uniform(0.7, 1.4):.4g}"), depth=float(f"{depth:.4g}"), gravity=gravity,
                coriolis=float(f"{np.clip(rng.uniform(-3, 3) * c / l, -1, 1):.3g}"), t_max=float(f"{rng.uniform(0.2, 0.8) * l / c:.4g}"),
                initial={"amplitude": float(f"{depth * rng.uniform(-0.12, 0.15):.3g}"), "sigma": round(float(rng.uniform(0.15, 0.3)), 3), "x": 0.4, "y": 0.55},
                bottom={"height": float(f"{depth * rng.uniform(-0.4, 0.4):.3g}"), "sigma": round(float(rng.uniform(0.18, 0.35)), 3), "x": 0.7, "y": 0.3})
    except AssertionError:
        print("breaks")
out.write()
