"""Electrostatics by elements of high order on tensor meshes graded to every corner; junctions by their first integral."""

import numpy as np
import scipy.sparse as sp
from mpmath import mp, mpf, asinh, cosh, findroot, sinh, sqrt
from numpy.polynomial import legendre as L
from scipy.constants import e as Q, epsilon_0 as E0, k as KB
from scipy.sparse.linalg import splu

from kit import Cases

out = Cases("device")
P, LAYERS, RATIO = 6, 6, 0.2


def lobatto(p):
    d = L.legder([0] * p + [1])
    x = np.concatenate([[-1], np.sort(np.real(L.legroots(d))), [1]])
    g, w = L.leggauss(p + 2)
    v = np.linalg.inv(L.legvander(x, p))
    phi = L.legvander(g, p) @ v
    dphi = np.stack([L.legval(g, L.legder(np.eye(p + 1)[i])) for i in range(p + 1)], 1) @ v
    return (dphi.T * w) @ dphi, (phi.T * w) @ phi, (phi.T * w).sum(1)


STIFF, MASS, LOAD = lobatto(P)


def mesh(breaks):
    """Break points with a geometric mesh toward both ends of every interval."""
    points = []
    for a, b in zip(breaks[:-1], breaks[1:]):
        half = (b - a) / 2
        steps = [0.0] + [half * RATIO**i for i in range(LAYERS, 0, -1)] + [half]
        points += [a + s for s in steps] + [b - s for s in steps[-2:0:-1]]
    return np.array(points + [breaks[-1]])


def solve(inp):
    nx, ny = inp.get("nx", 256), inp.get("ny", 256)
    lx, ly = inp.get("lx", 2), inp.get("ly", 2)
    sides = {"left": 0, "right": 0, "bottom": 0, "top": 0} | inp.get("sides", {})
    charge = inp.get("charge", {})
    boxes = charge.get("boxes", []) if charge.get("kind") == "boxes" else []
    electrodes, dielectrics = inp.get("electrodes", []), inp.get("dielectrics", [])
    rects = electrodes + dielectrics + boxes
    xs = mesh(sorted({0.0, float(lx)} | {float(r[k]) for r in rects for k in ("x0", "x1")}))
    ys = mesh(sorted({0.0, float(ly)} | {float(r[k]) for r in rects for k in ("y0", "y1")}))
    mx, my = len(xs) - 1, len(ys) - 1
    cx, cy = (xs[1:] + xs[:-1]) / 2, (ys[1:] + ys[:-1]) / 2

    def inside(r):
        return np.outer((cy > r["y0"]) & (cy < r["y1"]), (cx > r["x0"]) & (cx < r["x1"]))

    eps = np.full((my, mx), float(inp.get("permittivity", 1)))
    for r in dielectrics:
        eps[inside(r)] = r["permittivity"]
    rho = np.zeros((my, mx))
    for r in boxes:
        rho[inside(r)] += r["density"]
    n = mx * P + 1
    m = my * P + 1
    fixed = np.full((m, n), np.nan)
    metal = np.zeros((my, mx), bool)
    for r in electrodes:
        cells = inside(r)
        metal |= cells
        for j, i in zip(*np.nonzero(cells)):
            fixed[j * P:j * P + P + 1, i * P:i * P + P + 1] = r["potential"]
    for name, at in (("left", np.s_[:, 0]), ("right", np.s_[:, -1]), ("bottom", np.s_[0, :]), ("top", np.s_[-1, :])):
        if sides[name] is not None:
            fixed[at] = sides[name]
    hx, hy = np.diff(xs), np.diff(ys)
    local = np.arange(P + 1)
    rows, cols, vals, load = [], [], [], np.zeros((m, n))
    for j in range(my):
        for i in range(mx):
            if metal[j, i]:
                continue
            k = eps[j, i] * (np.kron(MASS, STIFF) * hy[j] / hx[i] + np.kron(STIFF, MASS) * hx[i] / hy[j])
            at = ((j * P + local)[:, None] * n + i * P + local).ravel()
            rows.append(np.repeat(at, at.size)); cols.append(np.tile(at, at.size)); vals.append(k.ravel())
            if rho[j, i]:
                load.ravel()[at] += rho[j, i] / E0 * np.outer(LOAD, LOAD).ravel() * hx[i] * hy[j] / 4
    size = n * m
    k = sp.csr_matrix((np.concatenate(vals), (np.concatenate(rows), np.concatenate(cols))), (size, size))
    f = load.ravel()
    fix = ~np.isnan(fixed.ravel())
    phi = np.where(fix, fixed.ravel(), 0.0)
    free = np.nonzero(~fix & (k.diagonal() > 0))[0]
    phi[free] = splu(k[free][:, free].tocsc()).solve(f[free] - k[free] @ phi)
    energy = E0 * phi @ (k @ phi) / 2
    reaction = E0 * (k @ phi - f)
    potentials = sorted(set(phi[fix]))
    charges = [reaction[fix & (phi == v)].sum() for v in potentials]
    return energy, potentials, charges


def plane(**inp):
    full = dict(inp)
    if "electrodes" not in inp and "charge" not in inp and "sides" not in inp:
        lx, ly = inp.get("lx", 2), inp.get("ly", 2)
        full["electrodes"] = [{"x0": lx / 4, "x1": 3 * lx / 4, "y0": ly / 4, "y1": 3 * ly / 4, "potential": 1}]
    energy, potentials, charges = solve(full)
    numbers, scales = {"energy": energy}, {}
    if len(potentials) == 2 and "charge" not in inp:
        numbers["capacitance"] = 2 * energy / (potentials[1] - potentials[0]) ** 2
    top = max(map(abs, charges))
    for i, it in enumerate(charges):
        numbers[f"charges[{i}]"] = it
        if abs(it) < top / 200:
            scales[f"charges[{i}]"] = top
    mode = "capacitance" if "capacitance" in numbers else "energy"
    if mode == "capacitance":
        del numbers["energy"]
    out.add(inp, f"spectral elements of degree {P} on a graded mesh", numbers, scales)


def junction(doping, **given):
    mp.dps = 40
    p = {"halfLength": 1e-6, "permittivity": 11.7, "intrinsic": 1e16, "temperature": 300} | given
    na, nd, ni = mpf(doping.get("acceptors", 1e22)), mpf(doping.get("donors", 1e22)), mpf(p["intrinsic"])
    vt = mpf(KB) * p["temperature"] / mpf(Q)
    eps = mpf(E0) * p["permittivity"]
    fp, fn = -asinh(na / (2 * ni)), asinh(nd / (2 * ni))

    def gp(f):
        return 2 * ni * (cosh(f) - cosh(fp)) + na * (f - fp)

    def gn(f):
        return 2 * ni * (cosh(f) - cosh(fn)) - nd * (f - fn)

    # Both meet where the terms with ni drop out, so the equation is linear.
    f = (2 * ni * (cosh(fp) - cosh(fn)) + nd * fn + na * fp) / (na + nd)
    assert abs(gp(f) - gn(f)) < gp(f) * mpf(10) ** -20
    peak = sqrt(2 * mpf(Q) * vt * gp(f) / eps)
    inp = {"dim": 1, "doping": doping}
    if given:
        inp["junction"] = given
    out.add(inp, "first integral of Poisson and Boltzmann, 40 digits", {
        "junction.peakField": peak, "junction.builtIn": vt * (fn - fp), "junction.junctionPotential": vt * f,
        "junction.sideCharge": eps * peak, "junction.widthP": eps * peak / (mpf(Q) * na), "junction.widthN": eps * peak / (mpf(Q) * nd),
    }, {"junction.junctionPotential": vt * (fn - fp)})


def rect(x0, y0, x1, y1, **more):
    return {"x0": x0, "y0": y0, "x1": x1, "y1": y1} | more


grounded = {"left": 0, "right": 0, "bottom": 0, "top": 0}
plane()
plane(nx=128, ny=128, lx=0.02, ly=0.02, permittivity=2.25, electrodes=[rect(0.0075, 0.0075, 0.0125, 0.0125, potential=5)])
plane(nx=200, ny=100, lx=2, ly=1, electrodes=[rect(0.8, 0.4, 1.2, 0.6, potential=-3)])
plane(nx=128, ny=64, lx=0.01, ly=0.005, sides={"left": 0, "right": 12, "bottom": None, "top": None},
      dielectrics=[rect(0.0025, 0, 0.005, 0.005, permittivity=4.5)])
plane(nx=128, ny=128, lx=1, ly=1, sides={"left": 0, "right": 1, "bottom": None, "top": None},
      dielectrics=[rect(0, 0, 0.5, 0.5, permittivity=3), rect(0.5, 0.5, 1, 1, permittivity=3)])
plane(nx=160, ny=160, lx=4e-3, ly=4e-3, dielectrics=[rect(0, 0, 4e-3, 1e-3, permittivity=9.8)],
      electrodes=[rect(1.5e-3, 1e-3, 2.5e-3, 1.2e-3, potential=1)])
plane(nx=256, ny=128, lx=8e-6, ly=4e-6, permittivity=3.9, electrodes=[rect(2e-6, 1e-6, 3e-6, 2e-6, potential=1), rect(5e-6, 1e-6, 6e-6, 2e-6, potential=-1)])
plane(nx=192, ny=192, lx=3, ly=3, electrodes=[rect(0.5, 0.5, 1, 1.5, potential=100), rect(2, 1, 2.5, 2.5, potential=100)])
plane(nx=128, ny=128, lx=1, ly=1, sides={"left": 1, "right": 1, "bottom": 1, "top": 1}, electrodes=[rect(0.25, 0.25, 0.75, 0.75, potential=0)])
plane(nx=128, ny=128, lx=1, ly=1, charge={"kind": "boxes", "boxes": [rect(0.25, 0.25, 0.5, 0.75, density=2e-9)]})
plane(nx=128, ny=96, lx=0.4, ly=0.3, charge={"kind": "boxes", "boxes": [rect(0.05, 0.1, 0.15, 0.2, density=5e-6), rect(0.25, 0.1, 0.35, 0.2, density=-3e-6)]},
      dielectrics=[rect(0.2, 0, 0.4, 0.3, permittivity=2)])
plane(nx=128, ny=128, lx=1, ly=1, sides={"left": 0, "right": None, "bottom": None, "top": None}, charge={"kind": "boxes", "boxes": [rect(0.25, 0, 0.75, 1, density=1e-8)]})
plane(nx=160, ny=80, lx=2, ly=1, sides={"left": 10, "right": -10, "bottom": None, "top": None}, electrodes=[rect(0.75, 0.25, 1.25, 0.5, potential=3)])
plane(nx=200, ny=200, lx=1, ly=1, sides={"left": 0, "right": 0, "bottom": 0, "top": None}, electrodes=[rect(0.2, 0.4, 0.3, 1, potential=1), rect(0.5, 0.5, 0.8, 1, potential=1.4)])
plane(nx=256, ny=64, lx=4, ly=1, sides={"left": 0, "right": 1, "bottom": None, "top": None}, electrodes=[rect(1, 0.5, 3, 1, potential=0.7)])
plane(nx=256, ny=256, lx=1, ly=1, sides={"left": 0, "right": 1, "bottom": None, "top": None}, electrodes=[rect(0.25, 0.25, 0.5, 0.5, potential=0.3)])
plane(nx=256, ny=256, lx=1, ly=1, sides={"left": 0, "right": 1, "bottom": None, "top": None}, electrodes=[rect(0.25, 0.5, 0.75, 1, potential=0.45)])
plane(nx=128, ny=128, lx=1e-3, ly=1e-3, charge={"kind": "boxes", "boxes": [rect(0, 0, 1e-3, 2.5e-4, density=1e-3)]},
      electrodes=[rect(2.5e-4, 5e-4, 7.5e-4, 7.5e-4, potential=2)])
plane(nx=192, ny=192, lx=3, ly=3, dielectrics=[rect(0.5, 0.5, 2.5, 2.5, permittivity=80)], electrodes=[rect(1, 1, 2, 2, potential=1)])
plane(nx=128, ny=128, lx=1, ly=1, sides={"left": None, "right": None, "bottom": 0, "top": None}, electrodes=[rect(0.25, 0.5, 0.75, 0.625, potential=1)])
plane(nx=64, ny=64, lx=1, ly=1, sides={"left": 0, "right": 1, "bottom": None, "top": None}, electrodes=[rect(0.25, 0.5, 0.5, 1, potential=0.38)])
plane(nx=64, ny=64, lx=1, ly=1, sides={"left": 0, "right": 1, "bottom": None, "top": None}, electrodes=[rect(0.125, 0.25, 0.5, 0.5, potential=0.27)])
plane(nx=128, ny=128, lx=1e-6, ly=1e-6, dielectrics=[rect(0, 0, 1e-6, 2.5e-7, permittivity=1e6)], electrodes=[rect(2.5e-7, 5e-7, 7.5e-7, 7.5e-7, potential=1e3)])
plane(nx=128, ny=64, lx=2, ly=1, sides={"left": 0, "right": 1e9, "bottom": None, "top": None}, dielectrics=[rect(0, 0, 1, 0.5, permittivity=0.001), rect(1, 0.5, 2, 1, permittivity=5)])
for amplitude, m, n, lx, ly, eps in ((1e-9, 1, 1, 2, 2, 1), (-4e-6, 2, 3, 0.3, 0.2, 2.2), (2e-3, 1, 4, 1e-3, 3e-3, 11.7)):
    k2 = (np.pi * m / lx) ** 2 + (np.pi * n / ly) ** 2
    inp = {"charge": {"kind": "sine", "amplitude": amplitude, "m": m, "n": n}, "lx": lx, "ly": ly, "permittivity": eps, "nx": 128, "ny": 128}
    out.add(inp, "closed form", {"energy": amplitude**2 * lx * ly / 8 / (E0 * eps * k2)})
junction({})
junction({"acceptors": 3e23, "donors": 2e21}, points=400)
junction({"acceptors": 1e21, "donors": 5e23}, temperature=400, intrinsic=5e18, halfLength=3e-6)
junction({"acceptors": 4e22, "donors": 4e22}, permittivity=16.2, intrinsic=2e19, temperature=300)
junction({"acceptors": 2e24, "donors": 7e20}, permittivity=12.9, intrinsic=2e12, points=1000, halfLength=4e-6)
junction({"acceptors": 5e20, "donors": 5e20}, points=100, halfLength=1e-5)
junction({"acceptors": 1e22, "donors": 3e22}, temperature=77, intrinsic=1.0, halfLength=2e-6)
out.write()
