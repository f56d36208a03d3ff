"""Epidemics: DOP853 at 1e-13 in logarithms, the final size by Lambert's W."""

import numpy as np
from scipy.integrate import solve_ivp
from scipy.special import lambertw

from kit import Cases

out = Cases("epi")


def add(**inp):
    p = {"model": "SIR", "beta": 0.3, "gamma": 0.1, "sigma": 0.2, "N": 1e6, "I0": 10, "E0": 0, "R0": 0, "t_max": 160} | inp
    v = {"rate": 0, "initialFraction": 0} | inp.get("vaccination", {})
    n, b, g, nu = p["N"], p["beta"], p["gamma"], v["rate"]
    seir = p["model"] == "SEIR"
    s = n - p["I0"] - p["R0"] - (p["E0"] if seir else 0)
    y = [s * (1 - v["initialFraction"]), p["E0"] if seir else 0, p["I0"], p["R0"], s * v["initialFraction"]]
    if "initial" in inp:
        y = [inp["initial"].get(k, 0) for k in "SEIRV"]
    y = np.array(y, float) / n
    s0 = y[0]

    def rate(_, q):
        w, e, i = q[0], q[1], q[2]
        sh = s0 * np.exp(w)
        f = b * sh * i
        return [-b * i - nu, f - p["sigma"] * e if seir else 0, (p["sigma"] * e if seir else f) - g * i, g * i, nu * sh]

    def top(t, q):
        return rate(t, q)[2]

    sol = solve_ivp(rate, (0, p["t_max"]), [0, *y[1:]], method="DOP853", rtol=1e-13, atol=1e-60, events=top, dense_output=True)
    q = sol.y[:, -1]
    end = s0 * np.exp(q[0])
    peaks = [(y[2], 0.0), (q[2], p["t_max"])] + [(sol.sol(t)[2], t) for t in sol.t_events[0]]
    peak, when = max(peaks)
    numbers = {"susceptibleEnd": n * end, "infectiousEnd": n * q[2], "recoveredEnd": n * q[3], "vaccinatedEnd": n * q[4],
               "peakInfectious": n * peak, "peakTime": when, "exposedEnd": n * q[1]}
    # Who fell ill: everybody who left the susceptible and was not vaccinated.
    numbers["attackRate"] = s0 - end - (q[4] - y[4])
    k = p.get("outputs", 320)
    numbers[f"infectious[{k // 2}]"] = n * sol.sol(p["t_max"] * (k // 2) / k)[2]
    if nu == 0 and g > 0 and b > 0:
        r = b / g
        sigma = s0 + y[1] + y[2]
        numbers["susceptibleLimit"] = n * float(np.real(-lambertw(-r * s0 * np.exp(-r * sigma)) / r))
    drop = [k for k, it in numbers.items() if k in ("vaccinatedEnd", "exposedEnd") and it == 0]
    for k in drop:
        del numbers[k]
    out.add(inp, "scipy solve_ivp DOP853 rtol 1e-13, Lambert W", numbers)


add()
add(model="SEIR", beta=0.5, gamma=0.14, sigma=0.25, t_max=200)
add(beta=1.6, gamma=0.9, N=60000, I0=3, t_max=45)
add(beta=0.08, gamma=0.1, I0=5000, t_max=120)
add(model="SEIR", beta=1.8, gamma=0.125, sigma=0.1, N=8.3e6, I0=1, E0=20, t_max=120, outputs=240)
add(beta=0.35, gamma=0.12, vaccination={"rate": 0.004}, t_max=250)
add(beta=0.45, gamma=0.2, vaccination={"initialFraction": 0.4}, N=330e6, I0=1000, t_max=300, method="dopri8")
add(model="SEIR", beta=0.9, gamma=0.2, sigma=0.5, vaccination={"rate": 0.01, "initialFraction": 0.1}, N=5e5, I0=40, t_max=100)
add(beta=4, gamma=0.07, N=763, I0=1, t_max=60)
add(beta=0.2, gamma=0, N=1000, I0=1, t_max=100)
add(beta=0.11, gamma=0.1, t_max=1500, N=1e5, I0=10)
add(beta=0.6, gamma=0.25, R0=3e5, I0=200, t_max=90)
add(beta=0.4, gamma=0.1, I0=400000, t_max=30)
add(model="SEIR", beta=2.2, gamma=0.5, sigma=2, I0=0, E0=100, t_max=40, N=2e4)
add(beta=12, gamma=3, N=150, I0=2, t_max=6, outputs=60)
add(initial={"S": 600000, "I": 50000, "R": 250000, "V": 100000}, beta=0.7, gamma=0.22, t_max=80)
add(model="SEIR", initial={"S": 7000, "E": 500, "I": 300, "R": 2200}, N=1e4, beta=0.55, gamma=0.2, sigma=0.3, t_max=150)
add(beta=0.25, gamma=0.05, vaccination={"rate": 0.03}, t_max=120, N=1e6, I0=100)
add(beta=0.0005, gamma=0.001, t_max=20000, N=1e6, I0=1e5)
add(beta=30, gamma=20, t_max=5, N=1e9, I0=1e4, method="dopri8", outputs=100)
add(model="SEIR", beta=0.3, gamma=0.1, sigma=40, t_max=160)
add(t_max=400)
add(beta=0.6, gamma=0.2, t_max=300, N=1e5, I0=5)
add(model="SEIR", beta=0.6, gamma=0.2, sigma=0.5, t_max=365, N=1e5, I0=5)
add(beta=1000, gamma=300, t_max=0.2, N=1e12, I0=1e6)
add(beta=1e-6, gamma=1e-6, t_max=2e5, N=1e6, I0=1e5)
add(model="SEIR", beta=50, gamma=0.01, sigma=0.01, t_max=400, N=1e4, I0=1)
add(beta=0.3, gamma=0.1, vaccination={"rate": 0.5}, t_max=60, I0=1e4)
rng = np.random.default_rng(3)
for k in range(12):
    gamma = float(f"{10 ** rng.uniform(-2, 1):.3g}")
    n = float(f"{10 ** rng.uniform(2, 9):.3g}")
    more = {"model": "SEIR", "sigma": float(f"{gamma * 10 ** rng.uniform(-0.7, 1):.3g}")} if k % 2 else {}
    add(beta=float(f"{gamma * rng.uniform(0.7, 9):.3g}"), gamma=gamma, N=n, I0=float(f"{n * 10 ** rng.uniform(-5, -1):.2g}"),
        t_max=float(f"{rng.uniform(3, 60) / gamma:.3g}"), method=("dopri5", "dopri8")[k % 3 == 0],
        vaccination={"rate": float(f"{gamma * rng.uniform(0, 0.2):.2g}") if k % 4 == 1 else 0, "initialFraction": round(float(rng.uniform(0, 0.4)), 2)}, **more)
out.write()
