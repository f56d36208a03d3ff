"""The value by mpmath; the steps ahead by the page's formulas in fractions of integers."""
import random
from fractions import Fraction

import mpmath as mp

from kit import Cases
from specs import SPECS

cases = Cases("shift")
BY = "mpmath, 40 digits, phases as fractions"
TAU = 777000777
ALPHA = mp.mpf("0.001")
draw = random.Random(6)

for i, (spec, S) in enumerate(SPECS):
    given = {"stepCount": draw.randint(1, 64), "spec": spec, "baseTick": draw.choice([0, draw.randint(1, 10**6), draw.randint(10**8, 10**12)]),
             "phaseNs": draw.randint(0, TAU - 1), "genesis": draw.randint(0, 10**9), "mode": ("automatic", "manual", "gauge")[i % 3]}
    a = ALPHA
    if given["mode"] == "manual":
        given["beta"] = draw.choice([1e-4, 0.0125, 0.1, 0.05])
        a = mp.mpf(given["beta"])
    if given["mode"] == "gauge":
        given["phi0"], a = draw.choice([0, 0.25, 0.6, 0.913]), mp.mpf(0)
    phase = Fraction(given["phaseNs"], TAU)
    value = S * (1 + a * mp.sin(2 * mp.pi * phase.numerator / phase.denominator))
    scale = (a or ALPHA) * abs(S)
    cases.add(given, BY, {"specValue": S, "projected": value, "summary.meanRt": value, "baseTick": given["baseTick"]},
              {"projected": scale, "summary.meanRt": scale, "baseTick": 1})
    for n in {0, given["stepCount"] - 1}:
        at = f"projection.{n}"
        cases.add(given, BY, {f"{at}.R_t": value, f"{at}.tick": given["baseTick"] + n + 1, f"{at}.phase": phase, f"{at}.delta": mp.mpf((n + 1) * TAU) / 10**9},
                  {f"{at}.R_t": scale, f"{at}.tick": 1})
        if given["mode"] == "gauge":
            tau = mp.mpf(TAU) / 10**9
            start = 2 * mp.pi * mp.mpf(given["phi0"])
            t = tau * (n + 1) + mp.mpf(given["phaseNs"]) / 10**9
            bend = ALPHA * tau / (2 * mp.pi)
            cases.add(given, BY, {f"{at}.s": t - bend * (mp.cos(2 * mp.pi * t / tau + start) - mp.cos(start))}, {f"{at}.s": bend})
cases.write()
