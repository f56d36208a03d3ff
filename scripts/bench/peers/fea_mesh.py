"""The cantilever of the fea solver for its peers: the same eight-node mesh, loads and prescribed root, in NumPy."""

import numpy as np

# As thin as that because CPS8 elements are bricks whose faces bulge: the thickness squared is their departure from plane stress.
L, H, T, E, NU, P = 1.0, 0.1, 1e-4, 210e9, 0.3, 10.0
INERTIA = T * H**3 / 12


def exact(x, y):
    """Displacements of plane elasticity under a load downwards at x = L."""
    k = P / (6 * E * INERTIA)
    u = k * y * ((6 * L - 3 * x) * x + (2 + NU) * (y**2 - H**2 / 4))
    v = -k * (3 * NU * y**2 * (L - x) + (4 + 5 * NU) * H**2 * x / 4 + (3 * L - x) * x**2)
    return u, v


def mesh(nx, ny):
    """Nodes line by line, and elements: corners against the clock, then middles from the lower side."""
    pitch = 3 * ny + 2
    x = np.empty(nx * pitch + 2 * ny + 1)
    y = np.empty_like(x)
    for c in range(nx + 1):
        at = c * pitch
        x[at : at + 2 * ny + 1] = L * c / nx
        y[at : at + 2 * ny + 1] = H * (np.arange(2 * ny + 1) / (2 * ny) - 0.5)
        if c < nx:
            at += 2 * ny + 1
            x[at : at + ny + 1] = L * (c + 0.5) / nx
            y[at : at + ny + 1] = H * (np.arange(ny + 1) / ny - 0.5)
    c, r = (a.ravel() for a in np.meshgrid(np.arange(nx), np.arange(ny), indexing="ij"))
    left, right = c * pitch + 2 * r, (c + 1) * pitch + 2 * r
    middle = c * pitch + 2 * ny + 1 + r
    return x, y, np.stack([left, right, right + 2, left + 2, middle, right + 1, middle + 1, left + 1], 1)


def loads(nx, ny, nodes):
    """Vertical nodal loads of the parabola at the tip, by three Gauss points a side."""
    force = np.zeros(nodes)
    tip = nx * (3 * ny + 2)
    side = H / ny
    for s, w in zip((-np.sqrt(0.6), 0, np.sqrt(0.6)), (5 / 9, 8 / 9, 5 / 9)):
        shape = (s * (s - 1) / 2, 1 - s * s, s * (s + 1) / 2)
        for r in range(ny):
            y = -H / 2 + side * (r + (1 + s) / 2)
            q = -1.5 * P / H * (1 - 4 * y * y / H**2) * w * side / 2
            for a in range(3):
                force[tip + 2 * r + a] += shape[a] * q
    return force


def error(x, y, u, v):
    """Relative L2 distance from plane elasticity over the nodes."""
    eu, ev = exact(x, y)
    return np.sqrt(((u - eu) ** 2 + (v - ev) ** 2).sum() / (eu**2 + ev**2).sum())
