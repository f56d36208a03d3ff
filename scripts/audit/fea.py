"""Plane elasticity: closed forms of a beam and of Kirsch's plate, and a clamped root by elements of high order."""

import numpy as np
import scipy.sparse as sp
from numpy.polynomial import legendre as Leg
from scipy.integrate import dblquad, quad
from scipy.sparse.linalg import splu

from kit import Cases

out = Cases("fea")
STEEL = {"E": 210e9, "nu": 0.3, "t": 0.01, "L": 1, "h": 0.1, "P": 1000}


def elastic(**given):
    p = STEEL | given
    e, nu, t, l, h, load = (p[k] for k in ("E", "nu", "t", "L", "h", "P"))
    i = t * h**3 / 12
    g = e / 2 / (1 + nu)
    out.add({"problem": "cantilever"} | given, "closed form of plane elasticity (Timoshenko and Goodier)", {
        "deflection": load * l**3 / (3 * e * i) + load * l * (4 + 5 * nu) * h**2 / (24 * e * i),
        "reference": load * l**3 / (3 * e * i) + load * l / (5 / 6 * g * h * t),
        "energy": load**2 * l**3 / (6 * e * i) + 3 * load**2 * l / (5 * g * h * t),
        "maxVonMises": 6 * abs(load) * l / (t * h**2),
    })


def hole(nu=0.3, e=210e9, t=0.01, **plate):
    p = {"radius": 1, "width": 5, "stress": 1e6} | plate
    a, w, s = p["radius"], p["width"], p["stress"]
    g, kappa = e / 2 / (1 + nu), (3 - nu) / (1 + nu)

    def density(y, x):
        r2, th = x * x + y * y, np.arctan2(y, x)
        q, c2, s2 = a * a / r2, np.cos(2 * th), np.sin(2 * th)
        sr = s / 2 * ((1 - q) + (1 - 4 * q + 3 * q * q) * c2)
        st = s / 2 * ((1 + q) - (1 + 3 * q * q) * c2)
        rt = -s / 2 * (1 + 2 * q - 3 * q * q) * s2
        return (sr**2 + st**2 - 2 * nu * sr * st + 2 * (1 + nu) * rt**2) / (2 * e)

    inner = dblquad(density, 0, a, lambda x: np.sqrt(a * a - x * x), lambda x: w, epsrel=1e-10)[0]
    outer = dblquad(density, a, w, 0, w, epsrel=1e-10)[0]
    edge = s * a / (8 * g) * (w / a * (kappa + 1) + 2 * a / w * (2 + kappa) - 2 * (a / w) ** 3)
    inp = {"problem": "hole", "nu": nu, "E": e, "t": t}
    if plate:
        inp["plate"] = plate
    out.add(inp, "Kirsch's closed form, quadrature of its energy",
            {"concentration": 3, "deflection": edge, "energy": t * (inner + outer), "maxVonMises": 3 * abs(s)})


P = 8
DEEP = 3


def element():
    d = Leg.legder([0] * P + [1])
    nodes = np.concatenate([[-1], np.sort(np.real(Leg.legroots(d))), [1]])
    x, w = Leg.leggauss(P + 2)
    v = np.linalg.inv(Leg.legvander(nodes, P))
    phi = Leg.legvander(x, P) @ v
    dphi = np.stack([Leg.legval(x, Leg.legder(np.eye(P + 1)[i])) for i in range(P + 1)], 1) @ v
    return nodes, (dphi.T * w) @ dphi, (phi.T * w) @ phi, (dphi.T * w) @ phi, x, w, phi


def clamp(**given):
    p = STEEL | given
    e, nu, t, l, h, load = (p[k] for k in ("E", "nu", "t", "L", "h", "P"))
    xs = np.unique(np.concatenate([[0], h * 0.25**np.arange(DEEP, -1, -1), np.linspace(h, l - h, max(3, int(l / h / 3)))[1:], [l]]))
    half = np.concatenate([[0], h / 2 * 0.25**np.arange(DEEP, -1, -1)])
    ys = np.concatenate([half - h / 2, (h / 2 - half)[-2::-1]])
    ref, s, m, c, gx, gw, phi = element()
    mx, my = len(xs) - 1, len(ys) - 1
    n, rows_n = mx * P + 1, my * P + 1
    q = e / (1 - nu**2)
    local = np.arange(P + 1)
    rows, cols, vals = [], [], []
    f = np.zeros(2 * n * rows_n)
    for j in range(my):
        hy = ys[j + 1] - ys[j]
        for i in range(mx):
            hx = xs[i + 1] - xs[i]
            xx = np.kron(m, s) * hy / hx
            yy = np.kron(s, m) * hx / hy
            xy = np.kron(c.T, c)  # d/dx of the first, d/dy of the second
            k = t * q * np.block([[xx + (1 - nu) / 2 * yy, nu * xy + (1 - nu) / 2 * xy.T],
                                  [nu * xy.T + (1 - nu) / 2 * xy, yy + (1 - nu) / 2 * xx]])
            at = ((j * P + local)[:, None] * n + i * P + local).ravel()
            at = np.concatenate([2 * at, 2 * at + 1])
            rows.append(np.repeat(at, at.size)); cols.append(np.tile(at, at.size)); vals.append(k.ravel())
        y = ys[j] + hy * (gx + 1) / 2
        traction = load * 1.5 / h * (1 - (2 * y / h) ** 2)
        f[2 * ((j * P + local) * n + n - 1) + 1] += phi.T @ (gw * traction) * hy / 2
    k = sp.csr_matrix((np.concatenate(vals), (np.concatenate(rows), np.concatenate(cols))), (f.size, f.size))
    free = np.setdiff1d(np.arange(f.size), np.concatenate([2 * np.arange(rows_n) * n, 2 * np.arange(rows_n) * n + 1]))
    u = np.zeros(f.size)
    kf = k[free][:, free].tocsc()
    factor = splu(kf)
    for _ in range(6):
        u[free] += factor.solve(f[free] - kf @ u[free])
    assert np.linalg.norm(f[free] - kf @ u[free]) < 1e-4 * np.linalg.norm(f)
    work = f @ u
    i = t * h**3 / 12
    print("clamp", work / load, load * l**3 / (3 * e * i) + load * l / (5 / 6 * e / 2 / (1 + nu) * h * t))
    out.add({"problem": "cantilever", "root": "clamp"} | given, f"spectral elements of degree {P} on a mesh graded to the held corners",
            {"deflection": work / load, "energy": work / 2})


elastic()
elastic(L=2.4, h=0.2, t=0.012, P=5e4, nu=0.28, E=70e9, nx=24, ny=2)
elastic(L=0.05, h=0.02, t=1e-3, P=-12, nu=0.45, E=3e9, nx=20, ny=8)
elastic(L=3, h=3, t=0.2, P=1e6, nu=0.2, E=30e9, nx=16, ny=16)
elastic(L=10, h=0.1, nx=100, ny=2, P=5)
elastic(L=0.3, h=0.1, nx=6, ny=2, nu=0)
elastic(L=1, h=0.1, nx=16, ny=1, nu=0.3)
elastic(L=4, h=0.5, nx=16, ny=1, nu=0.2, E=12e9, t=0.2, P=8e3)
elastic(L=1, h=0.2, nx=5, ny=1)
elastic(L=1, h=0.5, nx=4, ny=2, nu=0.1)
elastic(L=6e-4, h=5e-5, t=2e-5, E=169e9, nu=0.22, P=1e-4, nx=48, ny=4)
elastic(L=2, h=0.8, nx=6, ny=3, nu=0.3)
elastic(L=1, h=1, nx=2, ny=2, nu=0.3)
elastic(L=50, h=0.1, nx=400, ny=2, P=0.01)
elastic(L=0.02, h=0.01, t=1e-6, nx=20, ny=10, nu=0.499, E=1e6, P=1e-6)
hole(nu=0.499, e=1e7, radius=1e-3, width=0.02, stress=10, radial=48, around=48, grading=200)
clamp(L=3, h=0.1, nx=120, ny=4)
clamp(L=1, h=0.1, nu=0, nx=80, ny=8, E=10e9)
clamp(L=0.8, h=0.02, t=0.002, P=20, nu=0.33, E=69e9, nx=160, ny=4)
clamp(L=0.4, h=0.1, nu=0, nx=64, ny=16)
clamp(L=6, h=0.2, nu=0.25, E=25e9, P=-3e3, nx=120, ny=4)
hole()
hole(nu=0.33, e=70e9, t=0.002, radius=0.005, width=0.03, stress=8e7)
hole(nu=0.2, e=30e9, radius=0.5, width=4, stress=-2e6, radial=24, around=32)
hole(nu=0.45, width=3, radial=16, around=32, grading=10)
hole(nu=0, width=2, radial=24, around=64, grading=5)
hole(nu=0.3, width=10, radial=40, around=48, grading=100)
hole(nu=0.3, width=5, radial=16, around=24, grading=40)
out.write()
