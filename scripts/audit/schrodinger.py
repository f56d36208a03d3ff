"""Levels by closed forms, by published roots of mpmath, and by finite elements of order 8 with scipy's eigh."""
import math

import mpmath
import numpy as np
from numpy.polynomial import legendre
from scipy import constants as si
from scipy.linalg import eigh
from scipy.optimize import brentq

from kit import Cases

cases = Cases("schrodinger")
EXACT = "closed form"
ELEMENTS = "spectral elements of order 10, scipy eigh"
ME, HBAR, EV, NM = si.m_e, si.hbar, si.e, 1e-9


def lobatto(p):
    """Points, weights and derivative matrix."""
    x = np.sort(np.concatenate([[-1, 1], legendre.Legendre.basis(p).deriv().roots().real]))
    L = legendre.Legendre.basis(p)(x)
    D = np.array([[0 if i == j else L[i] / L[j] / (x[i] - x[j]) for j in range(p + 1)] for i in range(p + 1)])
    np.fill_diagonal(D, -D.sum(1))
    return x, 2 / (p * (p + 1) * L**2), D


def levels_of(V, cuts, mass, levels, elements=150, p=10):
    """Lowest eigenvalues between walls at the first and last of `cuts`; kinks of V at the others."""
    x, w, D = lobatto(p)
    edges = [cuts[0]]
    for a, b in zip(cuts[:-1], cuts[1:]):
        edges += list(np.linspace(a, b, max(2, round(elements * (b - a) / (cuts[-1] - cuts[0]))) + 1)[1:])
    scale = edges[-1] - edges[0]
    unit = HBAR**2 / (2 * mass * scale**2)
    count = (len(edges) - 1) * p + 1
    K, M, U = np.zeros((count, count)), np.zeros(count), np.zeros(count)
    for e, (a, b) in enumerate(zip(edges[:-1], edges[1:])):
        h, ids = (b - a) / scale / 2, slice(e * p, e * p + p + 1)
        K[ids, ids] += D.T @ np.diag(w) @ D / h
        M[ids] += w * h
        inside = (a + b) / 2 + (b - a) / 2 * x * (1 - 1e-13)
        U[ids] += w * h * np.array([V(z) for z in inside]) / unit
    A = (K + np.diag(U))[1:-1, 1:-1] / np.sqrt(np.outer(M[1:-1], M[1:-1]))
    return eigh(A, eigvals_only=True, subset_by_index=[0, levels - 1]) * unit


def put(given, by, energies):
    """Ground state, highest level and two between."""
    cases.add(given, by, dict(groundState=energies[0], highestLevel=energies[-1]))
    for i in {len(energies) // 3, len(energies) // 2}:
        cases.add(given, by, {f"energies.{i}": energies[i]})


def harmonic(omega, mass, levels, **more):
    put({"potential": "harmonic", "harmonic": {"omega": omega}, "mass": mass, "levels": levels, **more}, EXACT,
        [HBAR * omega * (n + 0.5) for n in range(levels)])


def well(width, mass, levels, **more):
    put({"potential": "well", "well": {"width": width}, "mass": mass, "levels": levels, **more}, EXACT,
        [(n * math.pi * HBAR / width) ** 2 / (2 * mass) for n in range(1, levels + 1)])


def morse(depth, a, mass, levels, centre=3e-10, **more):
    w = a * math.sqrt(2 * depth / mass)
    given = {"potential": "morse", "morse": {"depth": depth, "a": a, "centre": centre}, "mass": mass, "levels": levels, **more}
    put(given, EXACT, [HBAR * w * (n + 0.5) - (HBAR * w * (n + 0.5)) ** 2 / (4 * depth) - depth for n in range(levels)])


def hydrogen(Z, l, mass, levels, **more):
    ry = mass * si.e**4 / (2 * (4 * math.pi * si.epsilon_0) ** 2 * HBAR**2)
    put({"potential": "hydrogen", "hydrogen": {"Z": Z, "l": l}, "mass": mass, "levels": levels, **more}, EXACT,
        [-ry * Z**2 / (n + l) ** 2 for n in range(1, levels + 1)])


def double(barrier, distance, mass, levels, **more):
    """The box ends where V is far above the highest level."""
    V = lambda x: barrier * ((x / distance) ** 2 - 1) ** 2
    reach = 2.0 * distance
    k = lambda r: math.sqrt(2 * mass * V(r)) / HBAR
    while k(reach) * (reach - distance) < 120:
        reach *= 1.1
    found = levels_of(V, [-reach, reach], mass, levels)
    put({"potential": "double-well", "doubleWell": {"barrier": barrier, "distance": distance}, "mass": mass, "levels": levels, **more},
        ELEMENTS, found)


def finite(depth, width, mass, levels, **more):
    """Roots of z tan z and -z cot z = sqrt(z0^2 - z^2), of each parity in turn."""
    z0 = width / 2 * math.sqrt(2 * mass * depth) / HBAR
    levels, found = min(levels, math.ceil(2 * z0 / math.pi)), []
    for n in range(levels):
        lo, hi = n * math.pi / 2, min((n + 1) * math.pi / 2, z0)
        f = (lambda z: z * math.sin(z) - math.sqrt(z0 * z0 - z * z) * math.cos(z)) if n % 2 == 0 else (
            lambda z: z * math.cos(z) + math.sqrt(z0 * z0 - z * z) * math.sin(z))
        z = brentq(f, lo + 1e-12, hi * (1 - 1e-14), xtol=1e-15)
        found.append((2 * HBAR * z / width) ** 2 / (2 * mass) - depth)
    given = {"potential": "finite-well", "finiteWell": {"width": width, "depth": depth}, "mass": mass, "levels": levels, **more}
    put(given, "roots of the textbook's equation, scipy brentq", found)


def own(text, V, box, mass, levels, edges="open", kinks=(), **more):
    given = {"potential": "expression", "expression": {"V": text, "from": box[0], "to": box[1], "edges": edges}, "mass": mass,
             "levels": levels, **more}
    a, b = box
    reach = 0 if edges == "wall" else 0.3 * (b - a)
    put(given, ELEMENTS, levels_of(V, [a - reach, *kinks, b + reach], mass, levels))


finite(4e-18, 1e-9, ME, 5)
finite(0.3 * EV, 8e-9, 0.067 * ME, 3)
finite(50 * 1.602e-13, 4e-15, 1.67e-27, 2)
finite(1.2 * EV, 3e-9, ME, 4, points=200)
finite(0.02 * EV, 4e-9, 0.2 * ME, 1)
harmonic(1e15, ME, 8)
harmonic(5.3e14, 1.6266e-27, 12, points=96)
harmonic(2e13, 0.067 * ME, 20, points=128)
harmonic(3e9, 1.4e-25, 40, points=200)
well(1e-9, ME, 6)
well(2.5e-14, 1.67492749804e-27, 10)
well(8e-9, 0.067 * ME, 30, points=200)
morse(7.6e-19, 1.94e10, 0.5 * 1.67e-27, 10, 7.4e-11, points=200)
morse(1.6e-18, 2.7e10, 1.24e-26, 15, 1.1e-10, points=200)
morse(8e-19, 1e9, ME, 2)
hydrogen(1, 0, ME, 4)
hydrogen(2, 1, ME * 0.99986, 5, points=96)
hydrogen(26, 0, ME, 3)
hydrogen(1, 3, 0.5 * ME, 8, points=128)
double(1.6e-19, 1e-9, ME, 6)
double(4e-21, 4e-11, 1.67e-27, 6)
double(0.05 * EV, 3e-9, 0.067 * ME, 5)
double(0.25 * EV, 0.4e-10, 3.3e-27, 10)
own("0.05*[eV]*(x/[nm])^4", lambda x: 0.05 * EV * (x / NM) ** 4, (-4e-9, 4e-9), ME, 6)
own("0.3*[eV]*abs(x)/[nm]", lambda x: 0.3 * EV * abs(x) / NM, (-9e-9, 9e-9), ME, 4, kinks=[0.0], points=340)
own("0.2*[eV]*((x/[nm])^2+0.3*(x/[nm])^3+0.1*(x/[nm])^4)", lambda x: 0.2 * EV * ((x / NM) ** 2 + 0.3 * (x / NM) ** 3 + 0.1 * (x / NM) ** 4),
    (-5e-9, 5e-9), ME, 5, points=160)
own("-2*[eV]/cosh(x/[nm])^2", lambda x: -2 * EV / math.cosh(x / NM) ** 2, (-8e-9, 8e-9), ME, 5, points=160)
own("1.0*[eV]*sin(3.14159265358979*x/(2*[nm]))^2", lambda x: EV * math.sin(math.pi * x / (2 * NM)) ** 2, (0, 6e-9), ME, 6, "wall", points=160)
own("0.1*[eV]*x/[nm]", lambda x: 0.1 * EV * x / NM, (0, 10e-9), ME, 8, "wall", points=200)
own("1.5*[eV]*(1-exp(-(x/[nm])^2))", lambda x: 1.5 * EV * (1 - math.exp(-((x / NM) ** 2))), (-6e-9, 6e-9), ME, 3, points=160)
own("0.4*[eV]*(x/[nm]-1)^2", lambda x: 0.4 * EV * (x / NM - 1) ** 2, (-4e-9, 6e-9), 0.3 * ME, 5, points=160)
ai = [-mpmath.airyaizero(n) for n in range(1, 7)]
neutron, g = 1.67492749804e-27, 9.80665
unit = (HBAR**2 * neutron * g**2 / 2) ** (1 / 3)
height = (HBAR**2 / (2 * neutron**2 * g)) ** (1 / 3)
put({"potential": "expression", "mass": neutron, "levels": 6, "points": 300,
     "expression": {"V": f"{neutron!r}*{g!r}*x", "from": 0, "to": float(20 * height), "edges": "wall"}},
    "zeros of Airy's function, mpmath", [float(a * unit) for a in ai])
cases.write()
