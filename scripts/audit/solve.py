"""Motions by scipy's DOP853, rtol 1e-13; roots of relations, written out again, by scipy's brentq."""
import math

import numpy as np
from scipy import constants as si
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from kit import Cases

cases = Cases("solve")
BY = "scipy solve_ivp DOP853, rtol 1e-13"
ROOT = "scipy brentq of the relation as books write it, CODATA 2022"
MU = {"earth": 3.986004418e14, "mars": 4.2828375e13, "moon": 4.9028001e12, "jupiter": 1.2668653e17, "sun": 1.3271244e20}
RADIUS = {"earth": 6371008.4, "mars": 3389500.0, "moon": 1737400.0, "jupiter": 69911000.0, "sun": 695700000.0}
FALL = {k: MU[k] / RADIUS[k] ** 2 for k in MU} | {"earth": 9.80665}


def motion(given, force, place, speed, value, potential):
    """One motion: its end, a row between, and the mean energy over the rows."""
    t = given.get("t_max", 4.0)
    steps = math.ceil(t / given.get("dt", 0.01) * (1 - 1e-12))
    grid = np.linspace(0, t, steps + 1)
    big, fast = max(np.abs(place).max(), 1e-3), max(np.abs(speed).max(), 1e-3)
    run = solve_ivp(lambda _, y: np.concatenate([y[3:], force(y[:3], y[3:])]), (0, t), np.concatenate([place, speed]), "DOP853", grid,
                    rtol=1e-13, atol=1e-13 * min(big, fast))
    r, v = run.y[:3].T, run.y[3:].T
    end = value(r[-1])
    reach = np.abs(r - r[0]).max()
    cases.add(given, BY, {"finalPosition": end}, {"finalPosition": max(abs(end), 0.1 * reach)})
    if steps <= 1000:
        half = steps // 2
        k, j = int(np.abs(r[half]).argmax()), int(np.abs(v[half]).argmax())
        cases.add(given, BY, {f"solution.{3 * half + k}": r[half, k], f"velocities.{3 * half + j}": v[half, j]},
                  {f"solution.{3 * half + k}": max(abs(r[half, k]), 0.1 * reach)})
        m = given.get("mass", 1.0)
        e = m * (v**2).sum(1) / 2 + np.array([potential(p) for p in r])
        if abs(e.mean()) > 1e-3 * (m * (v**2).sum(1) / 2).max():
            cases.add(given, BY, {"energy": e.mean()})


def start(given, height, axis):
    """Place and velocity at time 0."""
    place = np.array(given.get("position") or np.array(axis, float) * height)
    return place, np.array(given.get("velocity") or [0.0, 0.0, 0.0])


def fall(**given):
    g, m = FALL[given.get("location", "earth")], given.get("mass", 1.0)
    place, speed = start(given, given.get("height", 100.0), [0, 0, 1])
    if "velocity" not in given:
        speed = np.array([0, 0, given.get("v0", 0.0)])
    motion({"referenceMode": "free-fall", **given}, lambda r, v: np.array([0, 0, -g]), place, speed, lambda r: r[2], lambda r: m * g * r[2])


def spring(**given):
    m = given.get("mass", 1.0)
    w = given.get("omega") or (math.sqrt(given["stiffness"] / m) if "stiffness" in given else 1.0)
    place, speed = start(given, given.get("displacement", 1.0), [1, 0, 0])
    if "velocity" not in given:
        speed = np.array([given.get("v0", 0.0), 0, 0])
    given = {"referenceMode": "shm", **given}
    motion(given, lambda r, v: -w * w * r, place, speed, lambda r: r[0], lambda r: m * w * w * (r @ r) / 2)
    cases.add(given, "closed form", {"omega": w, "period": 2 * math.pi / w})


def orbit(**given):
    at, m = given.get("location", "earth"), given.get("mass", 1.0)
    mu = MU[at]
    place, speed = start(given, RADIUS[at] + given.get("height", 100.0), [1, 0, 0])
    if "velocity" not in given:
        speed = np.array([0, given.get("v0", 0.0), 0])
    given = {"referenceMode": "gravity", **given}
    motion(given, lambda r, v: -mu * r / (r @ r) ** 1.5, place, speed, np.linalg.norm, lambda r: -mu * m / np.linalg.norm(r))
    a = 1 / (2 / np.linalg.norm(place) - speed @ speed / mu)
    if a > 0:
        cases.add(given, "closed form", {"period": 2 * math.pi * math.sqrt(a**3 / mu)})


def drag(**given):
    m, at = given.get("mass", 1.0), given.get("location", "earth")
    rho = given.get("density", {"vacuum": 0.0, "air": 1.225, "water": 998.2}[given.get("medium", "vacuum")])
    g = FALL[at] * (1 - rho * given.get("volume", 0.0) / m)
    k = rho * given.get("dragArea", 0.0) / 2 / m
    place, speed = start(given, given.get("height", 100.0), [0, 0, 1])
    if "velocity" not in given:
        speed = np.array([0, 0, given.get("v0", 0.0)])
    given = {"referenceMode": "model", **given}
    motion(given, lambda r, v: np.array([0, 0, -g]) - k * np.linalg.norm(v) * v, place, speed, lambda r: r[2], lambda r: m * g * r[2])
    cases.add(given, "closed form", {"fall": g})
    if k > 0 and g != 0:
        cases.add(given, "closed form", {"terminalSpeed": math.sqrt(abs(g) / k)})


def root(operator, known, unknown, f, lo, hi, **more):
    """f(x) is left less right of the relation as a function of the unknown."""
    relation = {"operator": operator, "inputs": known, "solve_for": unknown, **more}
    found = brentq(f, lo, hi, xtol=1e-300, rtol=1e-14, maxiter=500)
    cases.add({"referenceMode": "algebraic", "relation": relation}, ROOT, {"algebraic.root": found})


fall()
fall(height=2.0, v0=12.5, t_max=3.1, location="moon", mass=80.0)
fall(position=[1.0, 2.0, 30.0], velocity=[15.0, -3.0, 8.0], t_max=2.2, dt=0.02)
fall(location="jupiter", height=1000.0, t_max=7.0)
spring()
spring(omega=6.283185, displacement=0.03, v0=0.4, t_max=5.3)
spring(stiffness=250.0, mass=0.4, displacement=0.02, t_max=1.7, dt=0.002)
spring(omega=0.01, displacement=1e4, t_max=900.0, dt=1.0)
spring(omega=3.3, position=[1.0, 0.5, -0.2], velocity=[0.2, 3.0, 1.0], t_max=20.0, dt=0.05)
spring(stiffness=2e-3, mass=1e-6, displacement=1e-4, t_max=2.0, dt=0.005)
orbit(height=4e5, v0=7669.0, t_max=5000.0, dt=10.0)
orbit(height=3e5, v0=10100.0, t_max=30000.0, dt=60.0, mass=420000.0)
orbit(location="sun", position=[1.496e11, 0.0, 0.0], velocity=[3e3, 2.5e4, 1e3], t_max=2e7, dt=2e5)
orbit(location="earth", height=2e5, v0=12500.0, t_max=40000.0, dt=80.0)
orbit(location="mars", height=4e5, v0=3400.0, t_max=12000.0, dt=20.0)
orbit(location="moon", height=1e5, v0=1700.0, t_max=20000.0, dt=50.0)
orbit(location="jupiter", height=4.2e8, v0=17000.0, t_max=4e5, dt=500.0)
drag(medium="air", dragArea=0.3, mass=80.0, height=3000.0, t_max=30.0, dt=0.1)
drag(medium="air", dragArea=0.01, mass=0.145, position=[0.0, 0.0, 1.0], velocity=[30.0, 0.0, 25.0], t_max=3.5)
drag(medium="air", dragArea=0.0005, mass=0.01, height=1.0, v0=120.0, t_max=5.0)
drag(medium="water", dragArea=0.02, volume=0.004, mass=3.0, height=-20.0, t_max=8.0)
drag(medium="air", density=0.02, location="mars", dragArea=180.0, mass=900.0, height=8000.0, v0=-250.0, t_max=20.0, dt=0.05)
drag(medium="water", dragArea=0.05, volume=0.07, mass=75.0, position=[0.0, 0.0, -2.0], velocity=[4.0, 1.0, -3.0], t_max=3.0)
R, k, e, h, c, K = si.R, si.k, si.e, si.h, si.c, si.N_A * si.e
root("TH2", {"P": 250000, "n": 3, "T": 310}, "V", lambda v: 250000 - 3 * R * 310 / v, 1e-4, 10)
root("COLEBROOK", {"eps": 4.5e-5, "D": 0.2, "Re": 1.2e5}, "f", lambda f: 1 / math.sqrt(f) + 2 * math.log10(4.5e-5 / (3.7 * 0.2) + 2.51 / (1.2e5 * math.sqrt(f))), 1e-3, 0.2)
root("COLEBROOK", {"eps": 2e-3, "D": 0.5, "Re": 3e6}, "f", lambda f: 1 / math.sqrt(f) + 2 * math.log10(2e-3 / (3.7 * 0.5) + 2.51 / (3e6 * math.sqrt(f))), 1e-3, 0.2)
root("KEPLER_EQUATION", {"M": 0.35, "e": 0.85}, "E", lambda x: x - 0.85 * math.sin(x) - 0.35, 0, 3)
root("KEPLER_EQUATION", {"M": 4.0, "e": 0.3}, "E", lambda x: x - 0.3 * math.sin(x) - 4.0, 0, 7)
flow = lambda y: math.sqrt(0.001) / 0.025 * ((3 + 1.5 * y) * y) ** (5 / 3) / (3 + 2 * y * math.sqrt(1 + 1.5**2)) ** (2 / 3)
root("MANNING_TRAPEZOIDAL", {"Q": 12, "S": 0.001, "n": 0.025, "b": 3, "m": 1.5}, "y", lambda y: flow(y) - 12, 1e-3, 10)
area = lambda M: (2 / 2.4 * (1 + 0.2 * M * M)) ** 3 / M
root("AREA_MACH", {"A_ratio": 3.5, "gamma": 1.4}, "M", lambda M: area(M) - 3.5, 1.0001, 10, bracket=[1.01, 10])
pm = lambda M: math.sqrt(6) * math.atan(math.sqrt((M * M - 1) / 6)) - math.atan(math.sqrt(M * M - 1))
root("PRANDTL_MEYER", {"nu": 0.6, "gamma": 1.4}, "M", lambda M: pm(M) - 0.6, 1.0001, 10)
cell = lambda i: 8 - 1e-9 * math.expm1(e * (0.5 + i * 0.01) / (1.2 * k * 300)) - (0.5 + i * 0.01) / 50 - i
root("SOLAR_SINGLE_DIODE", {"I_L": 8, "I_0": 1e-9, "V": 0.5, "R_s": 0.01, "n": 1.2, "T": 300, "R_sh": 50}, "I", cell, -5, 10)
saha = lambda T: 2 * 1 / (2 * 1e20) * (2 * math.pi * si.m_e * k * T / h**2) ** 1.5 * math.exp(-2.18e-18 / (k * T))
root("SAHA_IONISATION", {"r": 1, "g_1": 1, "g_0": 2, "n_e": 1e20, "chi": 2.18e-18}, "T", lambda T: saha(T) - 1, 3000, 1e5)
planck = lambda T: 2 * h * c**2 / (5e-7**5 * math.expm1(h * c / (5e-7 * k * T)))
root("PLANCK_LAW_WAVELENGTH", {"B": 2.6e13, "lambda": 5e-7}, "T", lambda T: planck(T) - 2.6e13, 500, 1e5)
root("VAN_DER_WAALS", {"P": 5e6, "V_m": 4e-4, "a": 0.364, "b": 4.27e-5}, "T", lambda T: R * T / (4e-4 - 4.27e-5) - 0.364 / 16e-8 - 5e6, 100, 2000)
root("NERNST", {"E": 0.31, "E_0": 0.34, "T": 298.15, "n": 2}, "Q", lambda q: 0.34 - R * 298.15 / (2 * K) * math.log(q) - 0.31, 1e-3, 1e4)
root("RELATIVISTIC_KINETIC_ENERGY", {"K": 1e-13, "m": si.m_e}, "v", lambda b: (1 / math.sqrt(1 - (b / c) ** 2) - 1) * si.m_e * c**2 - 1e-13, 1e6, c * 0.99999999)
root("NORMAL_SHOCK_MACH", {"M2": 0.6, "gamma": 1.4}, "M1", lambda M: math.sqrt((1 + 0.2 * M * M) / (1.4 * M * M - 0.2)) - 0.6, 1.0, 10)
root("SHOCKLEY_DIODE", {"I": 0.02, "I_s": 1e-12, "n": 1.6, "T": 310}, "V", lambda v: 1e-12 * math.expm1(e * v / (1.6 * k * 310)) - 0.02, 0, 3)
cases.write()
