"""Rigid docking: many starts of BFGS by SciPy over shift and rotation, the universal force field's table typed in anew."""

import numpy as np
from scipy import constants as C
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation

from kit import Cases

out = Cases("dock")
# Rappé and others (1992), table 1: nonbond distance x in angstrom, energy D in kcal/mol.
UFF = {"H": (2.886, 0.044), "C": (3.851, 0.105), "N": (3.660, 0.069), "O": (3.500, 0.060), "F": (3.364, 0.050), "Na": (2.983, 0.030),
       "Mg": (3.021, 0.111), "P": (4.147, 0.305), "S": (4.035, 0.274), "Cl": (3.947, 0.227), "K": (3.812, 0.035), "Ca": (3.399, 0.238),
       "Fe": (2.912, 0.013), "Zn": (2.763, 0.124), "Br": (4.189, 0.251), "I": (4.500, 0.339)}
COULOMB = C.e**2 * C.N_A / (4 * np.pi * C.epsilon_0) / 1000 * 1e10


def laws(atoms):
    s = np.array([a.get("sigma", UFF[a.get("element", "C")][0] / 2 ** (1 / 6)) for a in atoms])
    e = np.array([a.get("epsilon", UFF[a.get("element", "C")][1] * 4.184) for a in atoms])
    return s, e, np.array([a["charge"] for a in atoms]), np.array([a["position"] for a in atoms], float)


def add(receptor, ligand, tries=250, **more):
    s1, e1, q1, x1 = laws(receptor)
    s2, e2, q2, x2 = laws(ligand)
    s, e = (s1[:, None] + s2) / 2, np.sqrt(np.outer(e1, e2))
    kq = COULOMB * np.outer(q1, q2) / more.get("dielectric", 4)
    body = x2 - x2.mean(0)
    centre = np.array(more.get("centre", x1.mean(0)))

    def parts(x, soft=0.0):
        d = np.sqrt(((x1[:, None] - x) ** 2).sum(2) + soft**2)
        a = (s / d) ** 6
        return (4 * e * (a * a - a)).sum(), (kq / d).sum()

    def place(p, turn):
        return (Rotation.from_rotvec(p[3:]) * turn).apply(body) + p[:3]

    rng = np.random.default_rng(1)
    best = (np.inf, None)
    for _ in range(tries):
        turn = Rotation.random(random_state=int(rng.integers(2**31)))
        shift = rng.normal(size=3)
        shift *= more.get("radius", 4) * rng.random() ** (1 / 3) / np.linalg.norm(shift)
        p = np.r_[centre + shift, 0, 0, 0]
        for soft in (1.5, 0.5, 0.0):
            it = minimize(lambda q: sum(parts(place(q, turn), soft)), p, method="BFGS", options={"gtol": 1e-5, "maxiter": 200})
            p = it.x
        if it.fun < best[0]:
            best = (it.fun, p, turn)
    _, p, turn = best
    it = minimize(lambda q: sum(parts(place(q, turn))), p, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12, "maxiter": 4000})
    lj, coulomb = parts(place(it.x, turn))
    inp = {"receptor": receptor, "ligand": ligand} | more
    gyration = np.sqrt((body**2).sum(1).mean())
    whole = abs(lj) + abs(coulomb)
    out.add(inp, f"scipy BFGS from {tries} starts, Nelder-Mead at the end",
            {"energy": lj + coulomb, "lennardJones": lj, "coulomb": coulomb, "gyration": gyration},
            {"lennardJones": whole, "coulomb": whole})
    print(len(receptor), len(ligand), lj + coulomb, flush=True)


def atoms(rows):
    return [{"element": a, "position": [float(x), float(y), float(z)], "charge": q} for a, x, y, z, q in rows]


def drawn(seed, n, elements, spread, charge):
    rng = np.random.default_rng(seed)
    places = []
    while len(places) < n:
        x = rng.uniform(-spread, spread, 3)
        if all(np.linalg.norm(x - q) > 3.0 for q in places):
            places.append(x)
    return atoms([(elements[i % len(elements)], *np.round(x, 3), round(float(rng.uniform(-charge, charge)), 3)) for i, x in enumerate(places)])


water = atoms([("O", 0, 0, 0, -0.834), ("H", 0.9572, 0, 0, 0.417), ("H", -0.24, 0.9266, 0, 0.417)])
carbonyl = atoms([("C", 0, 0, 0, 0.6), ("O", 1.22, 0, 0, -0.5), ("N", -0.7, 1.15, 0, -0.6), ("H", -0.2, 2.0, 0.1, 0.3), ("H", -1.7, 1.1, -0.1, 0.2)])
chloro = atoms([("C", 0, 0, 0, 0.1), ("Cl", 1.77, 0, 0, -0.2), ("F", -0.6, 1.2, 0, -0.15), ("Br", -0.6, -0.9, 1.5, -0.1), ("H", -0.4, -0.5, -0.9, 0.35)])
mixed = atoms([("S", 0, 0, 0, -0.3), ("P", 2.1, 0, 0, 0.5), ("I", -1.2, 2.0, 0, 0.1), ("O", 2.7, 1.3, 0.4, -0.5)])

add(atoms([("O", 0, 0, 0, -0.834), ("H", 0.9572, 0, 0, 0.417), ("H", -0.24, 0.9266, 0, 0.417)]), water, dielectric=1)
add(drawn(1, 6, ["C", "N", "O"], 4, 0.4), water)
add(drawn(2, 12, ["C", "O", "N", "S"], 5, 0.5), carbonyl)
add(drawn(3, 8, ["Zn", "O", "N", "C"], 4, 0.6), water, dielectric=10)
add(drawn(4, 10, ["Ca", "O", "P", "O"], 5, 0.5), carbonyl, dielectric=2)
add(drawn(5, 15, ["C"], 5, 0.2), chloro)
add(drawn(6, 7, ["Fe", "N", "C"], 4, 0.5), carbonyl)
add(drawn(7, 9, ["Na", "Cl"], 4.5, 0.3), water, dielectric=78)
add(drawn(8, 9, ["K", "Br", "I"], 5, 0.3), chloro)
add(drawn(9, 20, ["C", "H", "N", "O"], 6, 0.4), mixed)
add(drawn(10, 5, ["Mg", "F", "O"], 4, 0.5), mixed, dielectric=20)
add(drawn(11, 12, ["S", "C", "P"], 5, 0.3), water, starts=128)
add(drawn(12, 4, ["C", "N", "O", "S"], 3.5, 0.5), carbonyl, radius=6)
add(drawn(13, 18, ["O", "C"], 5.5, 0.6), carbonyl, dielectric=6, seed=4)
add([a | {"sigma": 3.2, "epsilon": 0.7} for a in drawn(14, 8, ["C"], 4, 0.4)], [a | {"sigma": 2.5} for a in water])
add([a | {"epsilon": 3.0} for a in drawn(15, 6, ["C", "O"], 4, 0.01)], [a | {"charge": 0.0} for a in mixed])
add(drawn(16, 25, ["C", "N", "O", "H"], 6, 0.3), chloro, dielectric=4, tries=150)
add(drawn(17, 10, ["Cl", "H", "C"], 4.5, 0.5), mixed, dielectric=1.5)
add(drawn(18, 3, ["Zn", "S", "O"], 3.5, 0.7), water)
add(drawn(19, 11, ["F", "C"], 4.5, 0.3), carbonyl, dielectric=30)
add(drawn(20, 14, ["N", "C", "Br", "H"], 5, 0.4), water, dielectric=4)
out.write()
