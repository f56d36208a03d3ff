"""The value by mpmath; the stamps by the page's formulas in fractions of integers."""
import random
from fractions import Fraction

import mpmath as mp

from kit import Cases
from specs import SPECS

cases = Cases("lattice")
BY = "mpmath, 40 digits, phases as fractions"
TAU = 777000777
draw = random.Random(5)

for i, (spec, S) in enumerate(SPECS):
    count = 8 if i == 0 else draw.randint(1, 16)
    given = {"nodeCount": count, "spec": spec, "tick": draw.randint(0, 10**9), "phaseNs": draw.randint(0, TAU - 1), "genesis": draw.randint(0, 10**9)}
    a = mp.mpf("0.001")
    if i % 3 == 1:
        given.update({"mode": "manual", "beta": draw.choice([1e-4, 0.0125, 0.1, 0.05])})
        a = mp.mpf(given["beta"])
    phases = [Fraction(given["phaseNs"] * count + n * TAU, TAU * count) for n in range(count)]
    stamps = [S * (1 + a * mp.sin(2 * mp.pi * p.numerator / p.denominator)) for p in phases]
    mean = mp.fsum(stamps) / count
    sd = mp.sqrt(mp.fsum((r - mean) ** 2 for r in stamps) / count)
    cases.add(given, BY, {"specValue": S, "meanRt": mean, "coherenceScore": max(0, 1 - sd / abs(mean)), "tick": given["tick"],
                          "sharedTick": given["genesis"] + given["tick"]})
    if count > 1:
        cases.add(given, BY, {"sdRt": sd}, {"sdRt": a * abs(S)})
    for n in {0, count // 2, count - 1}:
        cases.add(given, BY, {f"nodes.{n}.R_t": stamps[n], f"nodes.{n}.tick": given["tick"] + int(phases[n])}, {f"nodes.{n}.R_t": a * abs(S), f"nodes.{n}.tick": 1})
        if phases[n] % 1:
            cases.add(given, BY, {f"nodes.{n}.phase": float(phases[n] % 1)})
cases.write()
