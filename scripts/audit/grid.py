"""DC power flow by dense elimination, each outage anew. `grid.py DIR` reads MATPOWER's case files in DIR for the IEEE grids; without it what stands of them is kept."""

import json
import os
import re
import sys

import numpy as np

from kit import Cases

out = Cases("grid")


def solve(n, p, slack, lines, base):
    """Flows and angles in radians; lines are (from, to, x, tap, shift in radians), buses from 0."""
    b = np.zeros((n, n))
    rhs = p / base
    for i, j, x, tap, shift in lines:
        y = 1 / (x * tap)
        b[i, i] += y
        b[j, j] += y
        b[i, j] -= y
        b[j, i] -= y
        rhs[i] += y * shift
        rhs[j] -= y * shift
    free = [i for i in range(n) if i not in slack]
    theta = np.zeros(n)
    theta[free] = np.linalg.solve(b[np.ix_(free, free)], rhs[free])
    return np.array([base * (theta[i] - theta[j] - s) / (x * t) for i, j, x, t, s in lines]), theta


def whole(n, lines, roots):
    seen, todo = set(roots), list(roots)
    near = {}
    for i, j, *_ in lines:
        near.setdefault(i, []).append(j)
        near.setdefault(j, []).append(i)
    while todo:
        for j in near.get(todo.pop(), []):
            if j not in seen:
                seen.add(j)
                todo.append(j)
    return len(seen) == n


def add(inp, by, load, gen, slack, lines, base=100.0):
    n, scale = len(load), inp.get("scale", 1)
    load, gen = np.array(load, float) * scale, np.array(gen, float) * scale
    p = gen - load
    for s in slack:
        p[s] = 0
    flows, theta = solve(n, p.copy(), slack, lines, base)
    top = np.abs(flows).max()
    k, m = len(lines) // 2, n // 2
    angle = np.abs(np.degrees(theta)).max()
    leaves = sum(f for f, q in zip(flows, lines) for s in slack if q[0] == s) - sum(f for f, q in zip(flows, lines) for s in slack if q[1] == s)
    numbers = {"largestFlow": top, "load": load.sum(), "slackInjection": leaves, f"flows[{k}]": flows[k], "flows[0]": flows[0],
               f"angles[{m}]": np.degrees(theta[m])}
    scales = {f"flows[{k}]": top, "flows[0]": top, f"angles[{m}]": angle, "slackInjection": top}
    if inp.get("contingencies"):
        bridges, worst = [], {}
        for out_of in range(len(lines)):
            rest = lines[:out_of] + lines[out_of + 1:]
            if not whole(n, rest, slack):
                bridges.append(out_of + 1)
                continue
            f, _ = solve(n, p.copy(), slack, rest, base)
            worst[out_of] = np.abs(f).max()
        for i in sorted(worst, key=worst.get)[-3:] + list(worst)[:2]:
            numbers[f"worstFlows[{i}]"] = worst[i]
        for i, it in enumerate(bridges[:3]):
            numbers[f"bridges[{i}]"] = it
    # MATPOWER tells the negative generation of the 118-bus grid as load, so that the sum is another there.
    if load.sum() == 0 or inp["case"] == "ieee118":
        del numbers["load"]
    out.add(inp, by, numbers, scales)


def matpower(folder, name, file, **more):
    text = open(os.path.join(folder, file)).read()

    def table(what):
        body = re.search(r"mpc\." + what + r" = \[(.*?)\];", text, re.S).group(1)
        return [[float(x) for x in row.split("%")[0].strip(" \t;").split()] for row in body.strip().split("\n") if row.split("%")[0].strip(" \t;")]

    bus, gens, branch = table("bus"), table("gen"), table("branch")
    at = {int(r[0]): i for i, r in enumerate(bus)}
    assert all(r[4] == 0 for r in bus)
    gen = np.zeros(len(bus))
    for r in gens:
        if r[7] > 0:
            gen[at[int(r[0])]] += r[1]
    lines = [(at[int(r[0])], at[int(r[1])], r[3], r[8] or 1, np.radians(r[9])) for r in branch if r[10] > 0]
    add({"case": name} | more, f"MATPOWER's {file}, dense elimination", [r[2] for r in bus], gen, [i for i, r in enumerate(bus) if r[1] == 3], lines)


def own(seed, n, m, islands=1, taps=False, capacitors=False, base=100.0, **more):
    rng = np.random.default_rng(seed)
    size = n // islands
    load, gen = np.round(rng.uniform(0, 80, n), 1), np.zeros(n)
    gen[rng.choice(n, max(1, n // 4), replace=False)] = np.round(rng.uniform(40, 300, max(1, n // 4)), 1)
    slack = [k * size for k in range(islands)]
    pairs = []
    for k in range(islands):
        lo, hi = k * size, (k + 1) * size if k < islands - 1 else n
        for i in range(lo + 1, hi):
            pairs.append((int(rng.integers(max(lo, i - 4), i)), i))
        for _ in range((m - n) // islands):
            i, j = rng.choice(np.arange(lo, hi), 2, replace=False)
            pairs.append((int(i), int(j)))
    lines, told = [], []
    for i, j in pairs:
        x = float(np.round(rng.uniform(0.01, 0.4), 4))
        if capacitors and rng.random() < 0.08:
            x = -float(np.round(rng.uniform(0.001, 0.006), 4))
        tap = float(np.round(rng.uniform(0.92, 1.08), 3)) if taps and rng.random() < 0.3 else 1.0
        shift = float(np.round(rng.uniform(-12, 12), 1)) if taps and rng.random() < 0.15 else 0.0
        lines.append((i, j, x, tap, np.radians(shift)))
        told.append({"from": i + 1, "to": j + 1, "x": x} | ({"tap": tap} if tap != 1 else {}) | ({"shift": shift} if shift else {}))
    buses = [{"load": float(load[i]), "generation": float(gen[i])} | ({"slack": True} if i in slack else {}) for i in range(n)]
    inp = {"case": "own", "buses": buses, "lines": told} | ({"baseMva": base} if base != 100 else {}) | more
    add(inp, "dense elimination", load, gen, slack, lines, base)


def given(buses, lines, **more):
    inp = {"case": "own", "buses": buses, "lines": lines} | more
    add(inp, "dense elimination", [b.get("load", 0) for b in buses], [b.get("generation", 0) for b in buses],
        [i for i, b in enumerate(buses) if b.get("slack")],
        [(q["from"] - 1, q["to"] - 1, q["x"], q.get("tap", 1), np.radians(q.get("shift", 0))) for q in lines], more.get("baseMva", 100))


if len(sys.argv) > 1:
    for name, file in (("ieee14", "case14.m"), ("ieee30", "case_ieee30.m"), ("ieee57", "case57.m"), ("ieee118", "case118.m")):
        matpower(sys.argv[1], name, file)
        matpower(sys.argv[1], name, file, contingencies=True)
    matpower(sys.argv[1], "ieee57", "case57.m", scale=1.37)
else:
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "grid.json"), encoding="utf-8") as file:
        out.cases = [it for it in json.load(file) if it["by"].startswith("MATPOWER")]  # an input and its numbers together
given([{"slack": True}, {"load": 50}, {"load": 30, "generation": 10}], [{"from": 1, "to": 2, "x": 0.1}, {"from": 2, "to": 3, "x": 0.2}, {"from": 1, "to": 3, "x": 0.25}])
given([{"slack": True}, {}], [{"from": 1, "to": 2, "x": 0.1, "shift": 10}, {"from": 1, "to": 2, "x": 0.3}])
given([{"slack": True}, {"load": 5}, {"load": 2.5}, {"slack": True}, {"load": 40, "generation": 90}],
      [{"from": 1, "to": 2, "x": 0.05}, {"from": 1, "to": 2, "x": 0.08}, {"from": 3, "to": 2, "x": 0.02, "tap": 0.95}, {"from": 4, "to": 5, "x": 0.2, "tap": 1.05}], baseMva=10)
own(1, 6, 9)
own(2, 12, 20, taps=True)
own(3, 25, 45, contingencies=True)
own(4, 40, 62, taps=True, contingencies=True)
own(5, 30, 50, islands=2)
own(6, 30, 55, capacitors=True)
own(7, 60, 90, islands=3, taps=True, base=50.0, scale=0.3)
own(8, 8, 14, capacitors=True, contingencies=True)
own(9, 120, 200, taps=True)
own(10, 15, 15, contingencies=True)
out.write()
