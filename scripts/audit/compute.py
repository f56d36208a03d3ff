"""Relations from textbooks, evaluated and solved by mpmath at 30 digits with SciPy's CODATA 2022."""

from mpmath import acos, asin, atan, cos, erfc, exp, findroot, log, log10, mp, mpf, pi, sin, sqrt, tan
from scipy import constants as C

from kit import Cases

mp.dps = 30
out = Cases("compute")
G, c, h, k, e, NA, R, me, eps0, sigma = (mpf(repr(x)) for x in (C.G, C.c, C.h, C.k, C.e, C.N_A, C.R, C.m_e, C.epsilon_0, C.sigma))
h, k, e, NA = mpf("6.62607015e-34"), mpf("1.380649e-23"), mpf("1.602176634e-19"), mpf("6.02214076e23")
R, hbar = k * NA, h / (2 * pi)


def num(x):
    return mpf(str(x))


def add(operators, inputs, value, **more):
    """`more` is what else is asked: solve_for, bracket, numbers beside the value."""
    numbers = {"value": value} | more.pop("numbers", {})
    out.add({"operators": operators, "inputs": inputs} | more, "mpmath, 30 digits, CODATA 2022", numbers)


def normal(x):
    return erfc(-x / sqrt(mpf(2))) / 2


M = num(5.9722e24)
add(["KO86"], {"r": "6778 km", "M": 5.9722e24}, 2 * pi * sqrt(num(6778e3) ** 3 / (G * M)))
add(["ORBIT_VELOCITY"], {"M": 1.98841e30, "r": 1.471e11, "a": 1.496e11}, sqrt(G * num(1.98841e30) * (2 / num(1.471e11) - 1 / num(1.496e11))))
add(["KEPLER_EQUATION"], {"M": 2.4, "e": 0.73}, findroot(lambda q: q - num(0.73) * sin(q) - num(2.4), 2.7), solve_for="E")
add(["COLEBROOK"], {"eps": "0.045 mm", "D": "0.1 m", "Re": 2.5e5},
    1 / findroot(lambda s: s + 2 * log10(num("0.045e-3") / (num(3.7) * num(0.1)) + num(2.51) * s / num(2.5e5)), 7) ** 2)
F, D, L, v, g = num(0.0186), num(0.25), 1200, num(2.3), num(9.80665)
add(["DARCY_WEISBACH"], {"f": 0.0186, "L": "1.2 km", "D": "250 mm", "v": 2.3, "g": 9.80665}, F * L / D * v * v / (2 * g))
add(["FL8"], {"mu": 1.002e-3, "L": 3, "Q": "2 L/min", "r": "4 mm"}, 8 * num(1.002e-3) * 3 * (num(2) / 60000) / (pi * num(0.004) ** 4))
S, K, q, r, s, T = num(102.5), num(110), num(0.013), num(0.042), num(0.31), num(0.75)
d1 = (log(S / K) + (r - q + s * s / 2) * T) / (s * sqrt(T))
d2 = d1 - s * sqrt(T)
add(["BLACK_SCHOLES"], {"S": 102.5, "K": 110, "q": "0.013 1/yr", "r": "0.042 1/yr", "sigma": "0.31 1/yr^0.5", "T": "0.75 yr"}, S * exp(-q * T) * normal(d1) - K * exp(-r * T) * normal(d2))
add(["BLACK_SCHOLES_PUT"], {"S": 80, "K": 130, "q": 0, "r": "0.001 1/yr", "sigma": "0.05 yr^(-1/2)", "T": "0.1 yr"},
    130 * exp(-num(0.0001)) * normal(-((log(num(80) / 130) + (num(0.001) - num(0.00125)) * num(0.1)) / (num(0.05) * sqrt(num(0.1)))))
    - 80 * normal(-((log(num(80) / 130) + (num(0.001) + num(0.00125)) * num(0.1)) / (num(0.05) * sqrt(num(0.1))))))
add(["OP1"], {"n1": 1.0003, "theta1": "41 deg", "n2": 1.5168}, asin(num(1.0003) * sin(41 * pi / 180) / num(1.5168)))
add(["OP3"], {"d": "1.6667 um", "m": 2, "lambda": "589.29 nm"}, asin(2 * num("589.29e-9") / num("1.6667e-6")))
add(["BREWSTER_ANGLE"], {"n1": 1, "n2": 1.46}, atan(num(1.46)))
n1, n2, th = num(1), num(1.7), num(1.1)
t = sqrt(n2**2 - n1**2 * sin(th) ** 2)
add(["FRESNEL_REFLECTANCE_P"], {"n1": 1, "n2": 1.7, "theta": 1.1}, ((n2**2 * cos(th) - n1 * t) / (n2**2 * cos(th) + n1 * t)) ** 2)
add(["ARRHENIUS"], {"A": 3.1e13, "E_a": "98.7 kJ/mol", "T": "35 °C"}, num(3.1e13) * exp(-98700 / (R * num(308.15))))
add(["ARRHENIUS"], {"A": 3.1e13, "E_a": 98700, "k": 1.2e-4}, 98700 / (R * log(num(3.1e13) / num(1.2e-4))), solve_for="T")
add(["EYRING"], {"kappa": 1, "T": 298.15, "dS": -42, "dH": 71500}, k * num(298.15) / h * exp(-42 / R - 71500 / (R * num(298.15))))
add(["TH9"], {"P1": "1 bar", "V1": 0.5, "V2": 0.031, "gamma": 1.4}, 100000 * (num(0.5) / num(0.031)) ** num(1.4))
add(["QM8"], {"L": "0.4 nm", "m": "1 @m_e", "V": "4.5 eV", "E": "3.1 eV"}, exp(-2 * num("0.4e-9") * sqrt(2 * me * num(1.4) * e) / hbar))
z0 = num("0.5e-9") * sqrt(2 * me * num(2) * e) / hbar
add(["FINITE_WELL_GROUND_STATE"], {"a": "0.5 nm", "m": "1 @m_e", "V_0": "2 eV"}, findroot(lambda z: cos(z) - z / z0, 1.2))
add(["GR35"], {"dt0": 86400, "M": 5.9722e24, "r": "26571 km", "v": 3873.8},
    86400 * sqrt(1 - 2 * G * M / (num(26571e3) * c**2) - num(3873.8) ** 2 / c**2))
v8 = num(0.8)
add(["RELATIVISTIC_KINETIC_ENERGY"], {"m": "1 @m_e", "v": "0.8 @c"}, me * c**2 * (1 / sqrt(1 - v8**2) - 1))
add(["RELATIVISTIC_KINETIC_ENERGY"], {"m": 1, "v": 10}, c**2 * ((1 - mpf(100) / c**2) ** mpf("-0.5") - 1))
add(["KO77"], {"u": "0.9 @c", "v": "0.95 @c"}, c * (num(0.9) + num(0.95)) / (1 + num(0.9) * num(0.95)))
add(["LENSMAKER_EQUATION"], {"n": 1.52, "n_m": 1, "R1": "80 mm", "R2": "-120 mm", "d": "6 mm"},
    1 / (num(0.52) * (1 / num(0.08) + 1 / num(0.12) + num(0.52) * num(0.006) / (num(1.52) * num(0.08) * -num(0.12)))))
add(["HOHMANN_TRANSFER"], {"M": 5.9722e24, "r1": "6678 km", "r2": "42164 km"},
    sqrt(G * M / num(6678e3)) * (sqrt(2 * num(42164e3) / num(6678e3 + 42164e3)) - 1)
    + sqrt(G * M / num(42164e3)) * (1 - sqrt(2 * num(6678e3) / num(6678e3 + 42164e3))))
add(["RC_CHARGING"], {"V_s": 5, "t": "1 us", "R": "10 kohm", "C": "47 uF"}, -5 * (exp(-num("1e-6") / num("0.47")) - 1))
add(["QM14"], {"E": "1 meV", "mu": 0, "T": "300 K"}, 1 / (exp(num("1e-3") * e / (k * 300)) - 1))
add(["TRUE_ANOMALY"], {"E": 1.9, "e": 0.41}, 2 * atan(sqrt(num(1.41) / num(0.59)) * tan(num(0.95))))
# Chains: the second takes what the first gives.
add(["NM19", "NM22"], {"m": 12, "a": 3.5, "d": 8, "theta": "20 deg"}, 42 * 8 * cos(20 * pi / 180))
ecc = findroot(lambda q: q - num(0.2) * sin(q) - num(0.9), 1)
add(["KEPLER_EQUATION", "TRUE_ANOMALY"], {"M": 0.9, "KEPLER_EQUATION.e": 0.2, "TRUE_ANOMALY.e": 0.2}, 2 * atan(sqrt(num(1.2) / num(0.8)) * tan(ecc / 2)))
# Uncertain inputs: exact moments of normal laws.
sd = sqrt((num(2.5) ** 2 * num(0.02) ** 2) + (num(4) ** 2 * num(0.05) ** 2))
add(["NM19"], {"m": "4 ± 0.02 kg", "a": "2.5 ± 0.05 m/s^2"}, 10, numbers={"propagated.standard_uncertainty": sd})
mu, sg = num(10), num(3)
add(["NM23"], {"m": 2, "v": "10 ± 3 m/s"}, 100, numbers={"propagated.standard_uncertainty": sqrt(4 * mu**2 * sg**2 + 2 * sg**4), "propagated.mean": mu**2 + sg**2})
mu, sg = num(2), num(0.25)
add(["RC_DISCHARGING"], {"V_0": 5, "t": "2 ± 0.25 s", "R": 1, "C": 1}, 5 * exp(-mu), numbers={
    "propagated.mean": 5 * exp(-mu + sg**2 / 2), "propagated.standard_uncertainty": 5 * exp(-mu + sg**2 / 2) * sqrt(exp(sg**2) - 1)})
for sg in ("0.1", "0.3", "0.45"):
    w = num(sg) * log(10)
    add(["HAMMETT"], {"k_0": 2, "rho": f"1.5 ± {sg}", "sigma": 1}, 2 * mpf(10) ** num(1.5), numbers={
        "propagated.mean": 2 * mpf(10) ** num(1.5) * exp(w**2 / 2), "propagated.standard_uncertainty": 2 * mpf(10) ** num(1.5) * exp(w**2 / 2) * sqrt(exp(w**2) - 1)})
add(["NM23"], {"m": 2, "v": "0 ± 3 m/s"}, 0, numbers={"propagated.mean": 9, "propagated.standard_uncertainty": sqrt(mpf(162))})
out.write()
