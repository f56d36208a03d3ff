"""Option prices: Black-Scholes with mpmath; the geometric mean by its lognormal law; barriers by a quadrature of the image law."""
import mpmath as mp
import numpy as np

from kit import Cases

mp.mp.dps = 30
cases = Cases("quant")
CLOSED = "lognormal law, mpmath; sensitivities by its differences"
IMAGE = "quadrature of the density of a killed Brownian motion, mpmath; sensitivities by its differences"


def lognormal(forward, variance, K, discount, right):
    """Price of an option on a lognormal of this mean and variance of the logarithm."""
    d1 = (mp.log(forward / K) + variance / 2) / mp.sqrt(variance)
    d2 = d1 - mp.sqrt(variance)
    s = 1 if right == "call" else -1
    return discount * s * (forward * mp.ncdf(s * d1) - K * mp.ncdf(s * d2))


def european(S, K, r, q, sigma, T, right):
    return lognormal(S * mp.exp((r - q) * T), sigma**2 * T, K, mp.exp(-r * T), right)


def asian(S, K, r, q, sigma, T, right, dates):
    t = [T * (i + 1) / mp.mpf(dates) for i in range(dates)]
    mean = mp.log(S) + (r - q - sigma**2 / 2) * mp.fsum(t) / dates
    variance = sigma**2 * mp.fsum(min(a, b) for a in t for b in t) / dates**2
    return lognormal(mp.exp(mean + variance / 2), variance, K, mp.exp(-r * T), right)


def barrier(S, K, r, q, sigma, T, right, kind, H):
    """Knocked-out price by quadrature of the payoff over the density with the image's part taken off."""
    b = mp.log(H / S)
    nu, root = r - q - sigma**2 / 2, sigma * mp.sqrt(T)
    density = lambda x: (mp.npdf((x - nu * T) / root) - mp.exp(2 * nu * b / sigma**2) * mp.npdf((x - 2 * b - nu * T) / root)) / root
    pay = lambda x: max(S * mp.exp(x) - K, 0) if right == "call" else max(K - S * mp.exp(x), 0)
    wide = 14 * root + abs(nu * T)
    lo, hi = (b, b + abs(b) + wide) if kind.startswith("down") else (b - abs(b) - wide, b)
    k = mp.log(K / S)
    cuts = sorted({lo, hi} | {c for c in [k, mp.mpf(0), nu * T, nu * T + 3 * root, nu * T - 3 * root, nu * T + 6 * root, nu * T - 6 * root]
                              if lo < c < hi})
    out = mp.exp(-r * T) * mp.quad(lambda x: pay(x) * density(x), cuts)
    return out if kind.endswith("out") else european(S, K, r, q, sigma, T, right) - out


def case(price, given, by, **more):
    """Price and sensitivities; a sensitivity near 0 on its own scale is left to the price."""
    p = {k: mp.mpf(given[k]) for k in ("S", "K", "r", "q", "sigma", "T")}
    f = lambda **moved: price(**{**p, **moved}, right=given["right"], **more)
    value = f()
    cases.add(given, by, dict(price=value))

    def slope(name, h):
        return (f(**{name: p[name] - 2 * h}) - 8 * f(**{name: p[name] - h}) + 8 * f(**{name: p[name] + h}) - f(**{name: p[name] + 2 * h})) / 12 / h

    s = p["S"] * mp.mpf("1e-3") * min(1, p["sigma"] * mp.sqrt(p["T"]) * 5)
    root = p["sigma"] * mp.sqrt(p["T"])
    vega = p["S"] * mp.exp(-p["q"] * p["T"]) * mp.sqrt(p["T"] / (2 * mp.pi))
    found = {
        "delta": (slope("S", s), mp.exp(-p["q"] * p["T"])),
        "vega": (slope("sigma", p["sigma"] / 1000), vega),
        "rho": (slope("r", mp.mpf("1e-4")), p["K"] * p["T"] * mp.exp(-p["r"] * p["T"])),
        "theta": (-slope("T", p["T"] / 1000), vega * p["sigma"] / (2 * p["T"])),
        "gamma": ((-f(S=p["S"] - 2 * s) + 16 * f(S=p["S"] - s) - 30 * value + 16 * f(S=p["S"] + s) - f(S=p["S"] + 2 * s)) / 12 / s**2,
                  1 / (p["S"] * root * mp.sqrt(2 * mp.pi))),
    }
    for name, (truth, scale) in found.items():
        if abs(truth) > NATURAL * scale:
            cases.add(given, by, {name: truth})


# A sensitivity is compared where it is at least this part of its greatest size at the money.
NATURAL = 0.2
FIELDS = ("S", "K", "r", "q", "sigma", "T", "right")


def vanilla(*numbers, **more):
    case(european, {"product": "european", **dict(zip(FIELDS, numbers)), **more}, CLOSED)


def mean(*numbers, dates, **more):
    case(asian, {"product": "asian", "asian": {"dates": dates}, **dict(zip(FIELDS, numbers)), **more}, CLOSED, dates=dates)


def watched(*numbers, kind, H, steps=1, **more):
    given = {"product": "barrier", "barrier": {"kind": kind, "H": H, "steps": steps}, **dict(zip(FIELDS, numbers)), **more}
    case(barrier, given, IMAGE, kind=kind, H=mp.mpf(H))


vanilla(100, 100, 0.05, 0.0, 0.2, 1.0, "call")
vanilla(42, 40, 0.1, 0.0, 0.2, 0.5, "put")
vanilla(1.25, 1.3, 0.02, 0.035, 0.09, 0.25, "call", paths=262144)
vanilla(4500, 4200, 0.045, 0.015, 0.17, 0.08, "put", paths=262144)
vanilla(0.032, 0.05, 0.0, 0.0, 0.9, 2.0, "call", paths=131072)
vanilla(100, 160, 0.03, 0.01, 0.25, 1.0, "call", paths=262144)
vanilla(80, 100, -0.005, 0.02, 0.35, 5.0, "put")
vanilla(60, 65, 0.08, 0.0, 0.3, 0.25, "call", seed=77)
vanilla(100, 60, 0.05, 0.03, 0.5, 10.0, "put", seed=5, paths=262144)
mean(100, 100, 0.05, 0.0, 0.2, 1.0, "call", dates=12)
mean(100, 95, 0.09, 0.0, 0.5, 1.0, "call", dates=52, paths=131072)
mean(50, 55, 0.03, 0.02, 0.3, 0.5, "put", dates=6)
mean(2.1, 2.0, 0.01, 0.04, 0.15, 2.0, "put", dates=24, paths=262144)
mean(75, 75, 0.04, 0.0, 0.4, 0.25, "call", dates=3, seed=9)
mean(1800, 2100, 0.05, 0.0, 0.2, 1.0, "call", dates=4, paths=524288)
watched(100, 100, 0.05, 0.0, 0.2, 1.0, "call", kind="down-out", H=90)
watched(100, 90, 0.08, 0.04, 0.25, 0.5, "call", kind="down-out", H=95, paths=131072)
watched(100, 100, 0.08, 0.04, 0.3, 0.5, "call", kind="down-in", H=95, paths=262144)
watched(100, 110, 0.03, 0.0, 0.25, 1.0, "put", kind="up-out", H=115)
watched(100, 95, 0.02, 0.01, 0.2, 1.0, "call", kind="up-out", H=130, paths=524288)
watched(50, 50, 0.04, 0.0, 0.35, 0.75, "put", kind="down-out", H=35, paths=524288)
watched(50, 52, 0.04, 0.02, 0.35, 0.75, "put", kind="down-in", H=44, paths=262144)
watched(1.1, 1.1, 0.01, 0.03, 0.12, 0.5, "call", kind="up-in", H=1.2, paths=262144, steps=4)
watched(100, 90, 0.06, 0.0, 0.3, 2.0, "put", kind="up-in", H=120, paths=524288)
watched(100, 101.3689, 0.0608, 0.0244, 0.378, 2.211, "call", kind="down-out", H=37.6712, steps=4, paths=16384, seed=9)
mean(100, 123.8868, 0.0848, 0.0493, 0.561, 1.091, "put", dates=10, paths=32768, seed=26)
rng = np.random.default_rng(17)
for i in range(12):
    S = round(float(10 ** rng.uniform(-1, 4)), 3)
    sigma, T = round(float(rng.uniform(0.08, 0.8)), 3), round(float(10 ** rng.uniform(-1, 1)), 3)
    K = round(S * float(np.exp(rng.normal() * sigma * T**0.5 * 0.8)), 4)
    r, q, right = round(float(rng.uniform(-0.01, 0.12)), 4), round(float(rng.uniform(0, 0.06)), 4), str(rng.choice(["call", "put"]))
    if i % 3 == 0:
        vanilla(S, K, r, q, sigma, T, right, paths=262144, seed=i)
    elif i % 3 == 1:
        mean(S, K, r, q, sigma, T, right, dates=int(rng.integers(2, 40)), paths=524288, seed=i)
    else:
        down = bool(rng.integers(2))
        H = round(S * float(np.exp((-1 if down else 1) * sigma * T**0.5 * rng.uniform(0.4, 2))), 4)
        watched(S, K, r, q, sigma, T, right, kind=("down-" if down else "up-") + str(rng.choice(["in", "out"])), H=H, paths=524288, seed=i)
cases.write()
