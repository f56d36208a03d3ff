"""Vortices and channel in closed form; cavities by differences of the stream function, extrapolated."""

import numpy as np
import scipy.sparse as sp
from scipy.interpolate import RectBivariateSpline, make_interp_spline
from scipy.optimize import minimize, minimize_scalar
from scipy.sparse.linalg import splu

from kit import Cases

out = Cases("flow")


def vortices(re, speed, length, stream, n, dt, steps, m=None):
    nu, t = speed * length / re, dt * steps
    fade = np.exp(-2 * nu * t / length**2)
    inp = {"case": "taylor-green", "re": re, "speed": speed, "length": length, "stream": {"u": stream[0], "v": stream[1]},
           "nx": n, "ny": m or n, "dt": dt, "steps": steps}
    dx, dy = 2 * np.pi * length / n, 2 * np.pi * length / (m or n)
    # In the frame of the stream u = U sin(x/l) cos(y/l), v = -U cos(x/l) sin(y/l), p = U^2/4 (cos 2x/l + cos 2y/l).
    def at(x, y):
        x, y = (x - stream[0] * t) / length, (y - stream[1] * t) / length
        return (stream[0] + speed * fade * np.sin(x) * np.cos(y), stream[1] - speed * fade * np.cos(x) * np.sin(y),
                speed**2 * fade**2 / 4 * (np.cos(2 * x) + np.cos(2 * y)))
    numbers = {"vortexSpeed": speed * fade / np.sqrt(2), "kineticEnergy": (stream[0] ** 2 + stream[1] ** 2) / 2 + speed**2 * fade**2 / 4, "time": t}
    i, j = n // 3, (m or n) // 5
    k = j * n + i
    numbers[f"u[{k}]"] = at((i + 1) * dx, (j + 0.5) * dy)[0]
    numbers[f"v[{k}]"] = at((i + 0.5) * dx, (j + 1) * dy)[1]
    numbers[f"pressure[{k}]"] = at((i + 0.5) * dx, (j + 0.5) * dy)[2]
    top = max(speed * fade, np.hypot(*stream))
    out.add(inp, "Taylor and Green's closed form", numbers, {f"u[{k}]": top, f"v[{k}]": top, f"pressure[{k}]": speed**2 * fade**2 / 2})


def channel(re, speed, length, ny, dt, steps):
    nu, t = speed * length / re, dt * steps
    k = np.arange(1, 400, 2) * np.pi
    c = 32 / k**3 * np.exp(-k * k * nu * t / length**2)
    x, w = np.polynomial.legendre.leggauss(200)
    y = (x + 1) / 2
    u = 4 * y * (1 - y) - np.sin(np.outer(y, k)) @ c
    bulk, square = (w * u).sum() / 2, (w * u * u).sum() / 2
    j = ny // 4
    numbers = {"bulkSpeed": speed * bulk, "kineticEnergy": speed**2 * square / 2,
               f"u[{16 * j}]": speed * (4 * (j + 0.5) / ny * (1 - (j + 0.5) / ny) - np.sin(k * (j + 0.5) / ny) @ c)}
    out.add({"case": "channel", "re": re, "speed": speed, "length": length, "ny": ny, "dt": dt, "steps": steps},
            "Fourier series of the start of Poiseuille's flow", numbers)


def line(n, kind):
    """Central differences on n - 1 inner points; psi is zero on walls and mirrored behind them."""
    h = 1 / n
    one = np.ones(n + 1)
    if kind == 1:
        return sp.diags([-one, one], [-1, 1], (n - 1, n - 1)) / (2 * h)
    second = sp.diags([one, -2 * one, one], [-1, 0, 1], (n - 1, n - 1)) / h**2
    if kind == 2:
        return second
    fourth = sp.diags([one, -4 * one, 6 * one, -4 * one, one], [-2, -1, 0, 1, 2], (n - 1, n - 1)).tolil()
    fourth[0, 0] += 1
    fourth[-1, -1] += 1
    return fourth.tocsr() / h**4


def cavity_psi(nu, n, psi):
    """Stream function of a unit square at the inner nodes, index (y, x), lid of speed 1 at y = 1: Newton, sparse LU."""
    h, m = 1 / n, n - 1
    e = sp.identity(m)
    top = np.zeros(m)
    top[-1] = 1
    ones = np.ones(m)
    d1, d2, d4 = (line(n, k) for k in (1, 2, 4))
    # Vorticity with the other sign, w = psi_xx + psi_yy, on the inner nodes and on the four walls.
    lap = sp.kron(d2, e) + sp.kron(e, d2)
    bi = sp.kron(d4, e) + 2 * sp.kron(d2, d2) + sp.kron(e, d4)
    bi0 = np.kron(top, ones) * 2 / h**3
    dx, dy = sp.kron(e, d1), sp.kron(d1, e)
    first, last = sp.csr_matrix(([1.0], ([0], [0])), (m, m)), sp.csr_matrix(([1.0], ([m - 1], [m - 1])), (m, m))
    # On a wall psi = 0 on it and behind it the mirror: w = 2 psi_1 / h^2, at the lid 2 (psi_1 + h) / h^2.
    wx = dx @ lap + sp.kron(e, last - first) * (2 / h**2) / (2 * h)
    wy = dy @ lap + sp.kron(last - first, e) * (2 / h**2) / (2 * h)
    wy0 = np.kron(top, ones) * (2 / h) / (2 * h)
    f = psi
    for _ in range(30):
        u, v, ax, ay = dy @ f, dx @ f, wx @ f, wy @ f + wy0
        r = nu * (bi @ f + bi0) - u * ax + v * ay
        dia = sp.diags
        jac = nu * bi - (dia(u) @ wx + dia(ax) @ dy - dia(v) @ wy - dia(ay) @ dx)
        step = splu(jac.tocsc()).solve(r)
        f = f - step
        if np.abs(step).max() < 1e-11:
            return f.reshape(m, m)
    raise ArithmeticError("Newton does not settle")


def readings(psi, n):
    full = np.zeros((n + 1, n + 1))
    full[1:-1, 1:-1] = psi
    x = np.linspace(0, 1, n + 1)
    half = n // 2
    uc = make_interp_spline(x, full[:, half], k=7).derivative()
    vc = make_interp_spline(x, -full[half], k=7).derivative()

    def least(g, sign):
        grid = np.linspace(0.02, 0.98, 961)
        k = np.argmin(sign * g(grid))
        it = minimize_scalar(lambda q: sign * float(g(q)), bounds=(grid[k - 1], grid[k + 1]), method="bounded", options={"xatol": 1e-12})
        return sign * it.fun

    surface = RectBivariateSpline(x, x, full, kx=5, ky=5)
    k = np.unravel_index(np.argmin(full), full.shape)
    low = minimize(lambda q: float(surface(q[0], q[1])[0, 0]), [x[k[0]], x[k[1]]], method="Nelder-Mead", options={"xatol": 1e-10, "fatol": 1e-14})
    # Half the integral of u^2 + v^2 is minus half that of psi times its Laplacian, as psi is zero all round.
    w = (full[:-2, 1:-1] + full[2:, 1:-1] + full[1:-1, :-2] + full[1:-1, 2:] - 4 * psi)
    return np.array([least(uc, 1), least(vc, 1), least(vc, -1), low.fun, -(psi * w).sum() / 2])


def cavity(re, ns=(64, 128, 256), **given):
    inp = {"case": "cavity", "re": re} | given
    found = []
    for n in ns:
        psi = np.zeros((n - 1) ** 2)
        for r in [q for q in (1, 100, 400) if q < re] + [re]:
            psi = cavity_psi(1 / r, n, psi.ravel())
        found.append(readings(psi, n))
    a, b, c = found
    order = np.log2(np.abs((a - b) / (b - c)))
    two, three = (4 * b - a) / 3, (4 * c - b) / 3
    best = (16 * three - two) / 15
    print(re, "order", order.round(2), "best", best, "last step", np.abs(best / three - 1).max())
    u = given.get("speed", 1)
    names = ("uMin", "vMin", "vMax", "psiMin", "kineticEnergy")
    numbers = {k: q * u * (given.get("length", 1) if k == "psiMin" else u if k == "kineticEnergy" else 1) for k, q in zip(names, best)}
    out.add(inp, f"differences of the stream function, Newton, {ns[0]} to {ns[-1]} intervals extrapolated", numbers)


vortices(100, 1, 1, (1, 0.5), 128, 0.02, 50)
vortices(100, 1, 1, (0, 0), 64, 0.001, 5)
vortices(20, 0.3, 0.02, (0.05, -0.1), 128, 0.0005, 60)
vortices(500, 12, 3, (0, 20), 128, 0.003, 40)
vortices(10, 2, 1, (0, 0), 128, 0.003, 200)
vortices(1000, 1, 1, (-0.7, 0.2), 256, 0.005, 10)
vortices(50, 1e-3, 1e-4, (0, 0), 128, 1e-4, 30, 96)
vortices(5, 1, 1, (0, 0), 64, 0.003, 40)
vortices(100, 1, 1, (0.1, 0), 128, 0.01, 10, 100)
channel(100, 1, 1, 64, 0.005, 2000)
channel(10, 0.2, 0.05, 64, 1e-4, 1250)
channel(1, 3, 0.002, 96, 1.5e-8, 4000)
channel(50, 1, 1, 128, 0.0008, 4000)
channel(100, 1, 1, 32, 0.02, 3000)
channel(100, 1, 1, 64, 0.005, 20000)
cavity(100)
cavity(30, nx=64)
cavity(10, nx=64, speed=0.2, length=0.1)
cavity(150, nx=128)
cavity(200, nx=128, speed=5, length=0.3)
cavity(260, nx=128)
out.write()
