"""Peridynamic plates by small steps of symplectic Euler's kind in NumPy, and cohesive bars in closed form."""

import numpy as np

from kit import Cases

out = Cases("fracture")


def plate(fine=12, **inp):
    p = {"E": 72e9, "Gc": 3.8, "rho": 2440, "width": 0.1, "thickness": 1e-3, "nx": 100, "ny": 50, "horizon": 3.015, "crack": 0.5,
         "strain": 7e-5, "gripSpeed": 0, "damping": 0, "courant": 0.05, "time": 1e-5} | inp
    nx, ny = p["nx"], p["ny"]
    dx = p["width"] / nx
    v = dx * dx * p["thickness"]
    reach = int(p["horizon"])
    half = [(a, b) for b in range(reach + 1) for a in range(-reach, reach + 1)
            if (b > 0 or a > 0) and a * a + b * b <= p["horizon"] ** 2 * (1 + 1e-12)]
    length = {q: dx * np.hypot(*q) for q in half}
    c = 6 * p["E"] / (v * 2 * sum(length.values()))
    s0 = np.sqrt(2 * p["Gc"] * dx * p["thickness"] / (c * v * v * sum(q[1] * length[q] for q in half)))
    dt_c = np.sqrt(2 * p["rho"] / (c * v * 2 * sum(1 / it for it in length.values())))
    steps = int(np.ceil(p["time"] / (p["courant"] * dt_c))) * fine
    dt = p["time"] / steps
    col, row = np.meshgrid(np.arange(nx), np.arange(ny))
    i, j, lx, ly = [], [], [], []
    number = row * nx + col
    for a, b in half:
        ok = (col + a >= 0) & (col + a < nx) & (row + b < ny)
        i.append(number[ok]); j.append(number[ok] + b * nx + a)
        lx.append(np.full(ok.sum(), a * dx)); ly.append(np.full(ok.sum(), b * dx))
    i, j, lx, ly = (np.concatenate(q) for q in (i, j, lx, ly))
    x, y = ((col + 0.5) * dx).ravel(), ((row + 0.5) * dx).ravel()
    mid = ny * dx / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        share = (mid - y[i]) / (y[j] - y[i])
        place = x[i] + share * (x[j] - x[i])
        cut = (share > 0) & (share < 1) & (place < p["crack"] * p["width"] * (1 - 1e-9))
    i, j, lx, ly = i[~cut], j[~cut], lx[~cut], ly[~cut]
    r0 = np.hypot(lx, ly)
    n = nx * ny
    grip = (row.ravel() < reach) | (row.ravel() >= ny - reach)
    up = np.where(row.ravel() >= ny / 2, 1.0, -1.0) * grip * p["gripSpeed"]
    ux, uy = np.zeros(n), p["strain"] * (y - mid)
    vx, vy = np.zeros(n), np.zeros(n)
    whole = np.ones(len(i), bool)
    took, broken, drag, work = 0.0, 0, 0.0, 0.0

    def pull(theta_check=True):
        ex, ey = ux[j] - ux[i], uy[j] - uy[i]
        wx, wy = lx + ex, ly + ey
        r = np.hypot(wx, wy)
        # The stretch without cancellation: (|xi + eta|^2 - |xi|^2) / (|xi| (|xi + eta| + |xi|)).
        s = (ex * (2 * lx + ex) + ey * (2 * ly + ey)) / (r0 * (r + r0))
        return s, wx / r, wy / r

    def force(s, ax, ay):
        g = np.where(whole, c * v * s, 0)
        fx = np.bincount(i, g * ax, n) - np.bincount(j, g * ax, n)
        fy = np.bincount(i, g * ay, n) - np.bincount(j, g * ay, n)
        return fx, fy

    def energy(s):
        return (0.5 * c * s[whole] ** 2 * r0[whole]).sum() * v * v

    s, ax, ay = pull()
    start = energy(s)
    fx, fy = force(s, ax, ay)
    al, rho = p["damping"], p["rho"]
    keep = (1 - al * dt / 4) / (1 + al * dt / 4)
    give = dt / 2 / rho / (1 + al * dt / 4)
    for _ in range(steps):
        k0 = (vx[~grip] ** 2 + vy[~grip] ** 2).sum()
        vx, vy = vx * keep + fx * give, vy * keep + fy * give
        vx[grip], vy[grip] = 0, up[grip]
        work -= (fy * up).sum() * v * dt / 2
        ux, uy = ux + dt * vx, uy + dt * vy
        drag += al * rho * v * (vx[~grip] ** 2 + vy[~grip] ** 2).sum() * dt
        s, ax, ay = pull()
        gone = whole & (s >= s0)
        if gone.any():
            whole &= ~gone
            took += (0.5 * c * s0**2 * r0[gone]).sum() * v * v
            broken += int(gone.sum())
        fx, fy = force(s, ax, ay)
        work -= (fy * up).sum() * v * dt / 2
        vx, vy = vx * keep + fx * give, vy * keep + fy * give
        vx[grip], vy[grip] = 0, up[grip]
    kinetic = (vx[~grip] ** 2 + vy[~grip] ** 2).sum() * rho * v / 2
    strain = energy(s)
    margin = np.abs(s[whole] / s0 - 1).min()
    print(inp, f"s0 {s0:.4e}, {steps} steps, {broken} broken, start {start:.6e} strain {strain:.6e} kinetic {kinetic:.6e} took {took:.6e} "
          f"balance {(strain + kinetic + took + drag - work - start) / (start + abs(work)):.1e}", flush=True)
    scale = start + abs(work)
    numbers = {"criticalStrain": s0, "initialEnergy": start, "dissipated": took, "brokenBonds": broken,
               "strainEnergy[-1]": strain, "kineticEnergy[-1]": kinetic}
    if took == 0:
        del numbers["dissipated"], numbers["brokenBonds"]
    scales = {"strainEnergy[-1]": scale, "kineticEnergy[-1]": scale}
    if p["gripSpeed"]:
        numbers["externalWork[-1]"] = work
    k = (ny // 2 + 2) * nx + nx // 2
    top = max(np.abs(ux).max(), np.abs(uy - p["strain"] * (y - mid)).max(), np.abs(uy).max())
    numbers[f"ux[{k}]"], numbers[f"uy[{k}]"] = ux[k], uy[k]
    scales[f"ux[{k}]"] = scales[f"uy[{k}]"] = top
    out.add(inp, f"the same lattice with {fine} times the steps, bonds broken where a step ends", numbers, scales)


def bar(E=72e9, Gc=3.8, **given):
    p = {"length": 1, "area": 1e-4, "strength": 30e6, "law": "linear", "opening": 2} | given
    f, a = p["strength"], p["area"]
    w = p["opening"] * Gc / f
    if p["law"] == "linear":
        w_eff = min(w, 2 * Gc / f)
        stress, took = max(0, f * (1 - w * f / (2 * Gc))), a * f * (w_eff - w_eff**2 * f / (4 * Gc))
    else:
        stress, took = f * np.exp(-w * f / Gc), a * Gc * (1 - np.exp(-w * f / Gc))
    longest = max(stress / E * p["length"] + w, f / E * p["length"])
    if p["law"] == "linear" and p["length"] < 2 * E * Gc / f**2:
        longest = max(longest, w)
    inp = {"mode": "bar", "E": E, "Gc": Gc}
    if given:
        inp["bar"] = given
    out.add(inp, "closed form of the cohesive law", {
        "dissipated": took, "criticalStrain": f / E, "elongation[-1]": stress / E * p["length"] + w, "force[-1]": stress * a,
        "strainEnergy[-1]": stress**2 / (2 * E) * a * p["length"], "maxDeflection": longest},
        {"force[-1]": f * a, "strainEnergy[-1]": f * f / (2 * E) * a * p["length"]})


bar()
bar(law="exponential", opening=3)
bar(opening=0.8, elements=10)
bar(E=30e9, Gc=100, length=0.3, area=0.01, strength=3e6, law="exponential", opening=8)
bar(E=30e9, Gc=120, length=0.15, area=0.01, strength=4e6, law="linear", opening=1.3)
bar(E=210e9, Gc=5e4, length=2, area=3e-4, strength=4e8, law="exponential", opening=1, increments=4000)
bar(E=3e9, Gc=300, length=0.05, area=1e-5, strength=6e7, law="linear", opening=2, increments=1000)
bar(E=10e9, Gc=10, length=0.5, area=2e-3, strength=1e6, law="linear", opening=0.01)
bar(E=10e9, Gc=10, length=5, area=2e-3, strength=1e6, law="exponential", opening=20, increments=2000)
bar(E=70e9, Gc=8, length=0.02, area=1e-6, strength=5e7, law="linear", opening=3)
plate(nx=40, ny=24, time=8e-6, strain=3e-5)
plate(nx=40, ny=24, time=1e-5, strain=6.5e-5)
plate(nx=40, ny=24, time=6e-6, strain=8e-5)
plate(nx=48, ny=30, time=6e-6, strain=8e-5, horizon=2.3)
plate(nx=40, ny=24, time=5e-6, strain=0, gripSpeed=0.4, crack=0.4)
plate(nx=40, ny=24, time=1e-5, strain=6e-5, damping=1e5)
plate(nx=60, ny=30, width=0.6, thickness=0.02, E=30e9, rho=2400, Gc=100, strain=1.5e-4, time=6e-5, crack=0.3)
plate(nx=32, ny=32, width=0.02, thickness=0.002, E=3.2e9, rho=1180, Gc=300, strain=5e-3, time=4e-6, crack=0.5)
plate(nx=50, ny=30, time=5e-6, strain=6e-5, gripSpeed=0.2, courant=0.03, horizon=3.5)
plate(nx=40, ny=24, time=5e-6, strain=9e-5, horizon=1.5)
plate(nx=64, ny=40, time=4e-6, strain=9e-5, crack=0.25)
rng = np.random.default_rng(9)
for k in range(6):
    plate(96, nx=int(rng.integers(36, 56)), ny=int(rng.choice([24, 26, 32])), strain=float(f"{rng.uniform(4e-5, 8e-5):.3g}"), time=float(f"{rng.uniform(3e-6, 9e-6):.3g}"),
          crack=round(float(rng.uniform(0.2, 0.6)), 2), horizon=round(float(rng.choice([2.015, 2.5, 3.015, 3.2])), 3), gripSpeed=round(float(rng.uniform(0, 0.3)), 3))
out.write()
