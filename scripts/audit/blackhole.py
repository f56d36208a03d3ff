"""Schwarzschild's geometry by quadrature at 30 digits (mpmath), in units of GM/c^2 and GM/c^3; Hawking's formulas."""

import numpy as np
from mpmath import mp, mpf, quad, sqrt, pi, polyroots, linspace, cos, sin, acos
from scipy import constants as C

from kit import Cases

mp.dps = 30
out = Cases("blackhole")
G, CC, HBAR, KB = (mpf(str(x)) for x in (C.G, C.c, C.hbar, C.k))


def hole(m):
    m = mpf(m)
    return {"schwarzschildRadius": 2 * G * m / CC**2, "hawkingTemperature": HBAR * CC**3 / (8 * pi * G * m * KB),
            "evaporationTime": 5120 * pi * G**2 * m**3 / (HBAR * CC**4), "hawkingPower": HBAR * CC**6 / (15360 * pi * G**2 * m**2),
            "iscoRadius": 6 * G * m / CC**2}


def add(**inp):
    p = {"mode": "radial", "M": 1.98892e31, "r0": 10, "end": 1} | inp
    m = mpf(p["M"])
    unit, tick = G * m / CC**2, G * m / CC**3
    numbers = {}
    if p["mode"] == "hawking":
        out.add(inp, "Hawking's formulas, 30 digits", hole(p["M"]))
        return
    r0, end = 2 * mpf(p["r0"]), 2 * mpf(p["end"])
    o = {"l": 4.2, "turns": 5} | inp.get("orbit", {})
    l = mpf(o["l"]) if p["mode"] == "orbit" else mpf(0)
    e2 = (1 - 2 / r0) * (1 + l**2 / r0**2)
    if p["mode"] == "orbit" and "energy" in o:
        e2 = mpf(o["energy"]) ** 2
    e = sqrt(e2)
    start = e2 - (1 - 2 / r0) * (1 + l**2 / r0**2)
    if "energy" not in o:
        start = mpf(0)

    # (du / dphi)^2 = (E^2 - 1 + 2 u) / L^2 - u^2 + 2 u^3 = 2 (u - u1)(u - u2)(u - u3)
    def fall(f, a, b):
        """The integral of f over r from b to a, where the rate is zero at a if it begins at rest."""
        def g(s):
            r = a - s * s
            u, ua = 1 / r, 1 / a
            # E^2 - V(u) as what there is at the start and the rest with its factor s^2 taken out.
            rest = (2 - l**2 * (u + ua) + 2 * l**2 * (u * u + u * ua + ua * ua)) / (r * a)
            return 2 * f(r) / (sqrt(rest) if start == 0 else sqrt(start / s**2 + rest))
        return quad(g, linspace(0, sqrt(a - b), 9))

    def far(r):
        return e / (1 - 2 / r)

    roots = []
    if l:
        roots = polyroots([mpf(2), mpf(-1), 2 / l**2, (e2 - 1) / l**2], maxsteps=500, extraprec=200)
        roots = sorted(x.real for x in roots if abs(x.imag) < mpf(10) ** -15)
    u0 = 1 / r0
    tol = u0 * mpf(10) ** -12
    captured = p["mode"] == "radial" or not [u for u in roots if u > u0 + tol] or (len(roots) == 3 and abs(u0 - roots[2]) < tol)
    if captured:
        numbers["properTime"] = tick * fall(lambda r: 1, r0, end)
        stop = max(end, 2 * (1 + mpf(10) ** -6))
        numbers["coordinateTime"] = tick * fall(far, r0, stop)
    else:
        u1, u2, u3 = roots
        if e2 == 1:
            u1 = mpf(0)
        mid, half = (u1 + u2) / 2, (u2 - u1) / 2

        def over(f, a, b):
            def g(chi):
                u = mid - half * cos(chi)
                return f(u) / sqrt(2 * (u3 - u))
            return quad(g, linspace(a, b, 5))

        def proper(u):
            return 1 / (l * u * u)

        def coordinate(u):
            return e / ((1 - 2 * u) * l * u * u)

        numbers["nearest"] = unit / u2
        if u1 > 0:
            # A full period goes from chi = 0 (farthest) to 2 pi.
            numbers["precession"] = 2 * over(lambda u: 1, 0, pi) - 2 * pi
            numbers["radialPeriod"] = tick * 2 * over(proper, 0, pi)
            numbers["coordinatePeriod"] = tick * 2 * over(coordinate, 0, pi)
            numbers["farthest"] = unit / u1
        else:
            chi0 = acos((mid - u0) / half)
            numbers["sweep"] = 2 * over(lambda u: 1, chi0, pi)
            numbers["properTime"] = tick * 2 * over(proper, chi0, pi)
            numbers["coordinateTime"] = tick * 2 * over(coordinate, chi0, pi)
    numbers["energy"] = e
    numbers["schwarzschildRadius"] = 2 * unit
    out.add(inp, "quadrature between the turning points, mpmath 30 digits", numbers)


SUN = 1.98892e30
add()
add(M=6.5e9 * SUN, r0=50)
add(M=4e6 * SUN, r0=3, end=0.1)
add(M=1e-5, r0=1.05, end=0.5)
add(r0=1e6, M=3 * SUN)
add(r0=1000, end=500)
add(mode="orbit")
add(mode="orbit", M=4.3e6 * SUN, r0=60, orbit={"l": 6, "turns": 3})
add(mode="orbit", M=SUN, r0=1.5577e7, orbit={"l": 6130.0, "turns": 2})
add(mode="orbit", r0=15, orbit={"l": 4.0, "energy": 0.98})
add(mode="orbit", r0=10, orbit={"l": 3.9, "energy": 0.97, "turns": 8})
add(mode="orbit", r0=5, orbit={"l": 3.9, "turns": 2})
add(mode="orbit", r0=100, orbit={"l": 5, "energy": 1.0}, M=50 * SUN)
add(mode="orbit", r0=500, orbit={"l": 9, "energy": 1.5})
add(mode="orbit", r0=1000, orbit={"l": 40, "energy": 1.02})
add(mode="orbit", r0=30, orbit={"l": 3.9, "energy": 1.0})
add(mode="orbit", r0=8, end=0.2, orbit={"l": 2.0})
add(mode="orbit", r0=2, end=1, orbit={"l": 3.0})
add(mode="orbit", r0=400, orbit={"l": 30, "turns": 4}, M=1.4 * SUN)
add(mode="orbit", r0=1e4, orbit={"l": 4.0001, "energy": 1.0})
add(mode="hawking", M=1e12)
add(mode="hawking", M=7.3e22)
add(mode="hawking", M=2.5e-8)
add(mode="orbit", r0=1e9, M=1e45, orbit={"l": 1e4, "energy": 1.0})
add(r0=1e7, end=0.001, M=1e3)
add(mode="orbit", r0=1e4, orbit={"l": 100, "energy": 9.5})
add(mode="orbit", r0=3.2, orbit={"l": 3.6, "turns": 20})
rng = np.random.default_rng(7)
for k in range(8):
    m = float(f"{10 ** rng.uniform(5, 42):.4g}")
    if k < 3:
        add(M=m, r0=float(f"{10 ** rng.uniform(0.1, 4):.4g}"), end=float(f"{10 ** rng.uniform(-1.5, 0):.4g}"))
    else:
        l = float(f"{rng.uniform(4.1, 30):.4g}")
        # Between the circular orbit and far out a particle at rest along r is at its farthest.
        far = l * l / 2 * (1 + np.sqrt(1 - 12 / l**2)) * rng.uniform(1.05, 1.9)
        add(mode="orbit", M=m, r0=float(f"{far / 2:.5g}"), orbit={"l": l, "turns": int(rng.integers(1, 6))})
out.write()
