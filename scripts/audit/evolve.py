"""Atoms: the energy of the start, which the equations keep, and small clusters and crystals by DOP853 at 1e-12."""

import numpy as np
from scipy.integrate import solve_ivp

from kit import Cases

out = Cases("evolve")


def shifted(cut):
    u = 4 * (cut**-12 - cut**-6)
    du = 4 * (-12 * cut**-13 + 6 * cut**-7)
    return u, du


def pairs(x, box, cut):
    """Energy, forces and virial of all pairs, nearest images."""
    n = len(x)
    i, j = np.triu_indices(n, 1)
    d = x[i] - x[j]
    d -= box * np.round(d / box)
    r2 = (d * d).sum(1)
    near = r2 < cut * cut
    i, j, d, r = i[near], j[near], d[near], np.sqrt(r2[near])
    uc, dc = shifted(cut)
    energy = (4 * (r**-12 - r**-6) - uc - (r - cut) * dc).sum()
    slope = 4 * (-12 * r**-13 + 6 * r**-7) - dc
    f = np.zeros_like(x)
    g = -(slope / r)[:, None] * d
    np.add.at(f, i, g)
    np.add.at(f, j, -g)
    return energy, f, -(slope * r).sum()


def lattice(n, box):
    k = 1
    while 4 * k**3 < n:
        k += 1
    basis = np.array([[0, 0, 0], [0, 0.5, 0.5], [0.5, 0, 0.5], [0.5, 0.5, 0]])
    cells = np.array([[a, b, c] for a in range(k) for b in range(k) for c in range(k)])
    sites = (cells[:, None] + basis).reshape(-1, 3) * box / k
    assert len(sites) == n, "only whole lattices here: the order of the sites would matter"
    return sites


def liquid(**inp):
    p = {"n": 500, "density": 0.8442, "temperature": 1.44, "cutoff": 2.5} | inp
    n = p["n"]
    box = (n / p["density"]) ** (1 / 3)
    u, _, w = pairs(lattice(n, box), box, p["cutoff"])
    t0 = p["temperature"]
    kinetic = 1.5 * (n - 1) * t0 / n
    out.add(inp, "energy of the lattice and of its temperature, which the equations keep",
            {"energyPerAtom": u / n + kinetic, "box": box, "potentials[0]": u / n, "temperatures[0]": t0,
             "pressures[0]": (n - 1) * t0 / box**3 + w / (3 * box**3)},
            {"energyPerAtom": kinetic, "pressures[0]": max(abs((n - 1) * t0), abs(w) / 3) / box**3})


def small(x, v, density, steps, dt, cutoff=2.5, seconds="", **more):
    x, v = np.round(np.array(x, float), 6), np.round(np.array(v, float), 6)
    n = len(x)
    box = (n / density) ** (1 / 3)

    def rate(_, q):
        a = q.reshape(2, n, 3)
        return np.concatenate([a[1], pairs(a[0], box, cutoff)[1]]).ravel()

    sol = solve_ivp(rate, (0, steps * dt), np.concatenate([x, v]).ravel(), method="DOP853", rtol=1e-11, atol=1e-12)
    end = sol.y[:, -1].reshape(2, n, 3)
    u, f, w = pairs(end[0], box, cutoff)
    c = end[1] - end[1].mean(0)
    kin = (c * c).sum() / 2
    k0 = ((v - v.mean(0)) ** 2).sum() / 2
    t = 2 * kin / (3 * (n - 1))
    numbers = {"energyPerAtom": (u + (end[1] ** 2).sum() / 2) / n, "temperature": t, "positions[0]": end[0][0, 0], "velocities[4]": end[1][1, 1]}
    far, fast = np.abs(end[0] - x).max(), np.abs(end[1]).max()
    inp = {"n": n, "density": density, "steps": steps, "dt": dt, "cutoff": cutoff,
           "initial": {"positions": x.ravel().tolist(), "velocities": v.ravel().tolist()}} | more
    out.add(inp, "scipy solve_ivp DOP853 rtol 1e-11", numbers,
            {"energyPerAtom": k0 / n, "positions[0]": far, "velocities[4]": fast})


liquid()
liquid(n=256, density=0.6, temperature=2.5, steps=600)
liquid(n=108, density=0.3, temperature=1.2, steps=1000, dt=0.004)
liquid(n=864, density=1.0, temperature=0.5, steps=300, cutoff=3)
liquid(n=256, density=0.05, temperature=1.0, steps=500)
liquid(n=500, density=0.9, temperature=0.1, steps=400, dt=0.005)
liquid(n=256, density=0.8, temperature=4, steps=500, dt=0.001, cutoff=1.12246, skin=0.4)
liquid(n=32, density=0.2, temperature=0.7, steps=2000, dt=0.003, seed=7)
liquid(n=2048, density=0.7, temperature=1.0, steps=100, seed=12)
liquid(n=1372, density=0.8442, temperature=0.728, steps=150, dt=0.004)
r0 = 2 ** (1 / 6)
small([[1, 1, 1], [1 + r0 + 0.02, 1, 1]], [[0.01, 0.06, 0], [-0.01, -0.06, 0]], 0.01, 400, 0.002)
small([[1, 1, 1], [1 + r0 + 0.02, 1, 1]], [[0.05, 0.1, 0], [-0.05, -0.1, 0]], 0.01, 4000, 0.004)
small([[2, 2, 2], [3.2, 2.1, 2], [2.5, 3.1, 2.1]], [[0.1, 0, 0.05], [-0.1, 0.05, 0], [0, -0.05, -0.05]], 0.01, 500, 0.0005)
small([[2, 2, 2], [3.12, 2, 2], [2.56, 2.97, 2], [2.56, 2.32, 2.92]], [[0.05, 0, 0], [-0.05, 0.02, 0], [0, -0.02, 0], [0, 0, 0]], 0.01, 2000, 0.005)
rng = np.random.default_rng(5)
box = (32 / 0.9) ** (1 / 3)
small(lattice(32, box), rng.normal(0, 0.3, (32, 3)), 0.9, 300, 0.002, cutoff=1.6)
box = (32 / 1.05) ** (1 / 3)
small(lattice(32, box), rng.normal(0, 0.1, (32, 3)), 1.05, 800, 0.003, cutoff=1.5)
small([[0, 0, 0], [3, 0.4, 0]], [[1.5, 0, 0], [-1.5, 0, 0]], 0.004, 800, 0.002)
small([[0, 0, 0], [2.2, 0, 0], [0, 2.1, 0], [5, 5, 5]], [[0.4, 0.3, 0], [-0.6, 0, 0.1], [0.1, -0.5, 0], [0.1, 0.2, -0.1]], 0.01, 900, 0.001)
box = (108 / 0.95) ** (1 / 3)
small(lattice(108, box), rng.normal(0, 0.4, (108, 3)), 0.95, 150, 0.002, cutoff=2.2)
small([[1, 1, 1], [1 + r0 + 0.02, 1, 1]], [[0.05, 0.1, 0], [-0.05, -0.1, 0]], 0.01, 40000, 0.004)
out.write()
