"""Membranes and strings by modes of a finer grid, strings also by d'Alembert's images; light in layers by spectral elements."""
import numpy as np
from numpy.polynomial import legendre
from scipy.fft import dct, dst, fft, fftfreq, idct, idst, ifft
from scipy.linalg import eigh

from kit import Cases

cases = Cases("wave")
MODES = "modes of a finer grid turned by cos and sin of c k t, scipy.fft"
IMAGES = "d'Alembert with images"
ELEMENTS = "spectral elements of order 12 at the interfaces, scipy eigh, modes in time"
C0, MU0, EPS0 = 299792458.0, 1.25663706127e-6, 8.8541878188e-12


def sampled(values):
    """Own values with nine digits, and none below 1e-12 of the greatest: what is left out is far below what is measured."""
    flat = np.ravel(values)
    return [float(f"{v:.9g}") if abs(v) > 1e-12 * np.abs(flat).max() else 0 for v in flat]


def transform(f, axis, boundary, back=False):
    """Coefficients along an axis, or back."""
    if boundary == "periodic":
        return (ifft if back else fft)(f, axis=axis)
    if boundary == "free":
        return (idct if back else dct)(f, type=1, axis=axis)
    return (idst if back else dst)(f, type=1, axis=axis)


def numbers_k(n, length, boundary):
    """Wave numbers of the unknowns of a direction with n intervals."""
    if boundary == "periodic":
        return 2 * np.pi * fftfreq(n, length / n)
    return np.pi * (np.arange(n + 1) if boundary == "free" else np.arange(1, n)) / length


def modal(f, g, c, lengths, shape, boundary, t, refine):
    """Displacement and velocity on the solver's nodes, the mean square and the energy."""
    n = [m * refine for m in shape]
    axes = [np.linspace(0, l, m + 1) for l, m in zip(lengths, n)]
    keep = {"fixed": slice(1, -1), "free": slice(None), "periodic": slice(0, -1)}[boundary]
    grids = np.meshgrid(*[a[keep] for a in axes], indexing="ij")
    u, v = f(*grids) + 0 * grids[0], g(*grids) + 0 * grids[0]
    for a in range(len(n)):
        u, v = transform(u, a, boundary), transform(v, a, boundary)
    ks = np.meshgrid(*[numbers_k(m, l, boundary) for m, l in zip(n, lengths)], indexing="ij")
    w = c * np.sqrt(sum(k**2 for k in ks))
    turned = u * np.cos(w * t) + v * t * np.sinc(w * t / np.pi)
    speed = -u * w * np.sin(w * t) + v * np.cos(w * t)
    slope = turned * w
    weight = []
    fields = []
    for field in (turned, speed):
        for a in range(len(n)):
            field = transform(field, a, boundary, True)
        field = field.real
        if boundary == "fixed":
            field = np.pad(field, 1)
        if boundary == "periodic":
            field = np.pad(field, [(0, 1)] * len(n), mode="wrap")
        fields.append(field)
    for m in n:
        e = np.ones(m + 1)
        e[[0, -1]] = 0.5
        weight.append(e / m)
    mean = lambda q: float(np.einsum("ij,i,j" if len(n) == 2 else "i,i", q, *weight))

    def parseval(z):
        """Mean square of a field with these coefficients."""
        q = np.abs(z) ** 2
        for a, m in enumerate(n):
            if boundary == "periodic":
                q = q / m**2
            else:
                q = q / m**2 / 2
                if boundary == "free":
                    at = [slice(None)] * len(n)
                    at[a] = [0, -1]
                    q[tuple(at)] /= 2
        return float(q.sum())

    energy = (parseval(speed) + parseval(slope)) / 2
    nodes = (slice(None, None, refine),) * len(n)
    return fields[0][nodes], fields[1][nodes], np.sqrt(mean(fields[0] ** 2)), energy


def start_of(initial, lengths, boundary):
    """Displacement of a named shape; axes in the order of `lengths`, x last."""
    a = initial.get("amplitude", 1)
    if initial["kind"] == "gaussian":
        s, at = initial["sigma"], [initial.get("y", 0.5), initial.get("x", 0.5)][-len(lengths):]
        # On a ring what counts is the nearest of the hill's images.
        away = (lambda d: d - np.round(d)) if boundary == "periodic" else (lambda d: d)
        return lambda *r: a * np.exp(-sum(away(z / l - p) ** 2 for z, l, p in zip(r, lengths, at)) / (2 * s * s))
    wave = {"fixed": lambda m, z: np.sin(np.pi * m * z), "free": lambda m, z: np.cos(np.pi * m * z),
            "periodic": lambda m, z: np.sin(2 * np.pi * m * z)}[boundary]
    m = [initial.get("n", 1), initial.get("m", 1)][-len(lengths):]
    return lambda *r: a * np.prod([wave(k, z / l) for k, z, l in zip(m, r, lengths)], axis=0)


def membrane(c, lengths, shape, t, boundary, initial, velocity=None, refine=2, **more):
    """Lengths and shape are (y, x), or (x,) of a string; initial a shape, or a function of (y, x) for own values."""
    (lx, nx), given = (lengths[-1], shape[-1]), {"dim": len(shape), "c": c, "t_max": t, "boundary": boundary, **more}
    given.update({"lx": lx, "nx": nx})
    if len(shape) == 2:
        given.update({"ly": lengths[0], "ny": shape[0]})
    g = velocity or (lambda *r: 0 * r[0])
    if callable(initial):
        f = initial
        grids = np.meshgrid(*[np.linspace(0, l, m + 1) for l, m in zip(lengths, shape)], indexing="ij")
        values = {"values": sampled(f(*grids) + 0 * grids[0])}
        if velocity:
            values["velocities"] = sampled(g(*grids) + 0 * grids[0])
        given["initial"] = {"kind": "values", **values}
    else:
        f = start_of(initial, lengths, boundary)
        given["initial"] = initial
    u, _, rms, energy = modal(f, g, c, lengths, shape, boundary, t, refine)
    centre = u[tuple(m // 2 for m in shape)]
    cases.add(given, MODES, dict(rms=rms, energy=energy, minimum=u.min(), maximum=u.max()))
    if abs(centre) > 1e-3 * np.abs(u).max():
        cases.add(given, MODES, dict(centre=centre))


def string(c, lx, nx, t, boundary, initial, **more):
    """A string that starts at rest."""
    f = start_of(initial, [lx], boundary)
    sign = -1 if boundary == "fixed" else 1

    def periodic(z):
        if boundary == "periodic":
            return f(z % lx)
        z = z % (2 * lx)
        return np.where(z <= lx, f(z), sign * f(2 * lx - z))

    u = lambda x: (periodic(x - c * t) + periodic(x + c * t)) / 2
    fine = u((np.arange(200000) + 0.5) * lx / 200000)
    given = {"dim": 1, "c": c, "lx": lx, "nx": nx, "t_max": t, "boundary": boundary, "initial": initial, **more}
    cases.add(given, IMAGES, dict(rms=np.sqrt(np.mean(fine**2))))
    for i in (nx // 5, nx // 2, (3 * nx) // 4):
        value = float(u(np.array([i * lx / nx]))[0])
        if abs(value) > 0.05 * np.abs(fine).max():
            cases.add(given, IMAGES, {f"displacement.{i}": value})


def gauss_lobatto(p):
    """Points, weights and the matrix of derivatives."""
    x = np.sort(np.concatenate([[-1, 1], legendre.Legendre.basis(p).deriv().roots().real]))
    L = legendre.Legendre.basis(p)(x)
    D = np.array([[0 if i == j else L[i] / L[j] / (x[i] - x[j]) for j in range(p + 1)] for i in range(p + 1)])
    np.fill_diagonal(D, -D.sum(1))
    return x, 2 / (p * (p + 1) * L**2), D


def layers(lx, nx, boundary, E, slab=None, t=None, B=None, **more):
    """Light on a line; E of x in V/m or a shape, B(x) in T with its derivative."""
    t = 2 * lx / C0 if t is None else t
    p, cuts = 12, [0.0, 1.0] if slab is None else sorted({0.0, slab["from"], slab["to"], 1.0})
    x, w, D = gauss_lobatto(p)
    edges = [cuts[0]]
    for a, b in zip(cuts[:-1], cuts[1:]):
        edges += list(np.linspace(a, b, max(2, int(np.ceil((b - a) * 60))) + 1)[1:])
    count = (len(edges) - 1) * p + 1
    K, M, P, MV = np.zeros((count, count)), np.zeros(count), np.zeros(count), np.zeros(count)
    for e, (a, b) in enumerate(zip(edges[:-1], edges[1:])):
        h, ids = (b - a) * lx / 2, slice(e * p, e * p + p + 1)
        eps = slab["permittivity"] if slab and slab["from"] - 1e-12 <= a and b <= slab["to"] + 1e-12 else 1.0
        K[ids, ids] += D.T @ np.diag(w) @ D / h
        M[ids] += eps * w * h
        MV[ids] += w * h
        P[ids] = (a + b) / 2 * lx + h * x
    f = start_of(E, [lx], boundary) if isinstance(E, dict) else E
    e0 = f(P)
    v0 = 0 * P if B is None else -(C0**2) * B[1](P) * MV / M
    if boundary == "periodic":
        fold = np.eye(count)[:, :-1]
        fold[-1, 0] = 1
    else:
        fold = np.eye(count)[:, 1:-1]
    Kf, Mf = fold.T @ K @ fold, fold.T @ M
    pick = slice(0, -1) if boundary == "periodic" else slice(1, -1)
    if boundary == "periodic":
        Mf = fold.T @ M
    r = np.sqrt(Mf)
    lam, Q = eigh(Kf / np.outer(r, r))
    om = C0 * np.sqrt(np.maximum(lam, 0))
    a, b = Q.T @ (r * e0[pick]), Q.T @ (r * v0[pick])
    y = fold @ (Q @ (a * np.cos(om * t) + b * t * np.sinc(om * t / np.pi)) / r)
    given = {"mode": "maxwell", "lx": lx, "nx": nx, "boundary": boundary, "t_max": t, **more}
    if slab:
        given["slab"] = slab
    if isinstance(E, dict):
        given["initial"] = E
    else:
        nodes = np.arange(nx + 1) * lx / nx
        given["initial"] = {"kind": "values", "values": sampled(f(nodes))}
    if B is not None:
        halves = (np.arange(nx) + 0.5) * lx / nx
        given["initial"] = {"kind": "values", "values": sampled(f(np.arange(nx + 1) * lx / nx)), "flux": sampled(B[0](halves))}
    cases.add(given, ELEMENTS, dict(rms=np.sqrt(np.sum(MV * y**2) / lx)))
    flux = np.sum(MV * B[0](P) ** 2) if B is not None else 0
    cases.add(given, ELEMENTS, dict(energy=(EPS0 * np.sum(M * e0**2) + flux / MU0) / 2 / lx))
    for i in (nx // 4, nx // 2, (3 * nx) // 4):
        z = i / nx
        e = min(int(np.searchsorted(edges, z, side="right")) - 1, len(edges) - 2)
        s = 2 * (z - edges[e]) / (edges[e + 1] - edges[e]) - 1
        local = y[e * p : e * p + p + 1]
        value = float(np.polynomial.Polynomial.fit(x, local, p)(s))
        if abs(value) > 0.05 * np.abs(y).max():
            cases.add(given, ELEMENTS, {f"electric.{i}": value})


def hill(sigma, x=0.5, y=0.5, amplitude=1):
    return {"kind": "gaussian", "sigma": sigma, "x": x, "y": y, "amplitude": amplitude}


def mode(m, n=1, amplitude=1):
    return {"kind": "mode", "m": m, "n": n, "amplitude": amplitude}


membrane(1.0, (1.0, 1.0), (96, 96), 0.7, "fixed", hill(0.1))
membrane(1.0, (1.0, 1.0), (160, 160), 1.3, "free", hill(0.06, 0.4, 0.6))
membrane(343.0, (4.0, 6.0), (96, 144), 0.02, "free", hill(0.06, 0.4, 0.4, 20.0))
membrane(1500.0, (2.0, 2.0), (100, 100), 0.0023, "periodic", hill(0.07, 0.2, 0.7))
membrane(120.0, (0.3, 0.3), (64, 64), 0.0031, "fixed", mode(2, 3, 0.001))
membrane(120.0, (0.35, 0.3), (48, 40), 0.0123, "fixed", lambda y, x: 1e-3 * np.sin(np.pi * x / 0.3) * np.sin(np.pi * y / 0.35) ** 3)
membrane(1.0, (1.0, 1.0), (48, 48), 0.4, "fixed", lambda y, x: (x * (1 - x) * y * (1 - y)) ** 3 * 4e3,
         lambda y, x: 3 * np.sin(np.pi * x) * np.sin(2 * np.pi * y))
membrane(3.0, (1.0, 2.0), (64, 96), 5.0, "periodic", mode(3, 2, 5.0))
membrane(2.0, (1.0, 1.0), (48, 48), 2.2, "free", lambda y, x: np.cos(np.pi * x) + 0.3 * np.cos(2 * np.pi * y) * np.cos(3 * np.pi * x),
         lambda y, x: 1.5 * np.cos(2 * np.pi * x))
membrane(1.0, (1.0, 1.0), (192, 192), 0.9, "fixed", mode(1, 2), order=2, courant=0.9)
membrane(1.0, (1.0, 1.0), (64, 64), 0.31, "fixed", mode(1), order=2, dt=0.005)
membrane(5000.0, (1.5,), (300,), 0.0011, "fixed", lambda x: 1e-5 * np.sin(np.pi * x / 1.5) ** 5, lambda x: 0.02 * np.sin(2 * np.pi * x / 1.5), refine=4)
string(1.0, 1.0, 400, 0.6, "fixed", hill(0.05, 0.3))
string(1.0, 1.0, 300, 7.35, "fixed", hill(0.05, 0.4))
string(340.0, 12.0, 500, 0.1, "free", hill(0.03, 0.6, amplitude=2.0))
string(0.02, 3.0, 600, 400.0, "periodic", hill(0.04, 0.25))
string(200.0, 0.65, 256, 0.00217, "fixed", mode(3, amplitude=0.004))
string(1.0, 1.0, 128, 33.3, "fixed", mode(2))
string(1.0, 1.0, 256, 2.4, "fixed", hill(0.06), courant=0.4)
string(2e8, 100.0, 500, 3.1e-7, "free", hill(0.04, 0.2))
layers(1.0, 650, "fixed", hill(0.04, 0.3), t=5.3e-9)
layers(1.0, 800, "fixed", hill(0.05, 0.3))
layers(1.0, 2800, "fixed", hill(0.03, 0.3), {"from": 0.6, "to": 0.8, "permittivity": 4})
layers(2e-5, 1800, "fixed", hill(0.03, 0.25, amplitude=1e4), {"from": 0.5, "to": 0.7, "permittivity": 2.25}, t=1e-13)
layers(0.3, 2400, "periodic", hill(0.05, 0.3), {"from": 0.55, "to": 0.9, "permittivity": 9}, t=1.5e-9)
layers(1.0, 500, "fixed", mode(4), t=1.1e-9)
layers(10.0, 1300, "periodic", hill(0.05, 0.2, amplitude=3.0), {"from": 0.4137, "to": 0.7291, "permittivity": 3.3}, t=4e-8)
shape = lambda x: np.exp(-((x - 0.3) ** 2) / (2 * 0.03**2))
slope = lambda x: -(x - 0.3) / 0.03**2 * shape(x)
layers(1.0, 1100, "fixed", shape, {"from": 0.6, "to": 1.0, "permittivity": 2.0}, t=1.7e-9, B=(lambda x: shape(x) / C0, lambda x: slope(x) / C0))
layers(1.0, 600, "periodic", shape, None, t=2.3e-9, B=(lambda x: -shape(x) / C0, lambda x: -slope(x) / C0))
cases.write()
