"""The same docking by NumPy and scipy.optimize: python3 dock.py <atoms as JSON>.

The same energy over all pairs with analytic gradients, the same softening first, L-BFGS-B from as many random poses in
the same ball; the poses are its own draws. Prints milliseconds, the least energy found and how many starts found it.
"""

import json
import math
import sys
import time

import numpy as np
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation

with open(sys.argv[1]) as file:
    pair = json.load(file)
fixed, guest = pair["receptor"], pair["ligand"]
places, body = np.reshape(fixed["places"], (-1, 3)), np.reshape(guest["places"], (-1, 3))
sigma = (np.array(guest["sigma"])[:, None] + np.array(fixed["sigma"])) / 2
four = 4 * np.sqrt(np.outer(guest["epsilon"], fixed["epsilon"]))
charge = pair["coulomb"] / pair["dielectric"] * np.outer(guest["charge"], fixed["charge"])


def energy(pose, soft):
    turned = Rotation.from_rotvec(pose[3:]).apply(body)
    d = (turned + pose[:3])[:, None, :] - places
    r2 = np.einsum("ijk,ijk->ij", d, d) + soft
    s6 = (sigma * sigma / r2) ** 3
    near = charge / np.sqrt(r2)
    push = (four * (12 * s6 * s6 - 6 * s6) + near) / r2
    force = np.einsum("ij,ijk->ik", push, d)
    torque = np.sum(np.cross(turned, force), axis=0)
    v = pose[3:]
    angle = max(np.linalg.norm(v), 1e-9)
    cross = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    jacobian = np.eye(3) + (1 - math.cos(angle)) / angle**2 * cross + (angle - math.sin(angle)) / angle**3 * cross @ cross
    return np.sum(four * (s6 * s6 - s6) + near), -np.concatenate([np.sum(force, axis=0), jacobian.T @ torque])


random = np.random.default_rng(1)
start = time.process_time()
found = []
for _ in range(pair["starts"]):
    v = random.normal(size=3)
    place = np.array(pair["site"]) + pair["radius"] * random.uniform() ** (1 / 3) * v / np.linalg.norm(v)
    pose = np.concatenate([place, Rotation.random(random_state=random).as_rotvec()])
    pose = minimize(energy, pose, args=(1.5**2,), jac=True, method="L-BFGS-B", options={"maxiter": 40}).x
    found.append(minimize(energy, pose, args=(0,), jac=True, method="L-BFGS-B", options={"maxiter": 120, "ftol": 1e-12}).fun)
ms = 1e3 * (time.process_time() - start)
least = min(found)
hits = sum(abs(it - least) < 1e-6 * abs(least) for it in found)
print(f"{ms:.3f} {least:.6f} kJ/mol, {hits} of {len(found)} starts there")
