"""Computations by operators, as a node is asked for them, with their values by mpmath and CODATA 2022: for lattice and shift."""
import mpmath as mp
from scipy import constants as si

mp.mp.dps = 40
G, c, h, e, k, R = (mp.mpf(v) for v in (si.G, si.c, si.h, si.e, si.k, si.R))
AU, SUN = mp.mpf(149597870700), mp.mpf("1.98892e30")


def redlich_kwong(T, V, Tc, Pc):
    """Pressure of a gas."""
    T, V, Tc, Pc = (mp.mpf(v) for v in (T, V, Tc, Pc))
    b = mp.mpf("0.08664") * R * Tc / Pc
    return R * T / (V - b) - mp.mpf("0.42748") * R**2 * Tc ** mp.mpf("2.5") / (Pc * mp.sqrt(T) * V * (V + b))


def ogata_banks(C, x, v, t, D):
    """Concentration behind a front."""
    C, x, v, t, D = (mp.mpf(q) for q in (C, x, v, t, D))
    root = 2 * mp.sqrt(D * t)
    return C / 2 * (mp.erfc((x - v * t) / root) + mp.exp(v * x / D) * mp.erfc((x + v * t) / root))


def spec(operators, value, inputs, **more):
    """The request and its value."""
    return {"operators": operators, "inputs": inputs, **more}, mp.mpf(value)


SPECS = [
    spec(["NM19"], 10, {"m": 5, "a": 2}),
    spec(["NM19"], 2.5, {"F": 10, "m": 4}, solve_for="a"),
    spec(["nm21"], G * mp.mpf("5.972e24") * mp.mpf("7.35e22") / mp.mpf("3.844e8") ** 2, {"m1": 5.972e24, "m2": 7.35e22, "r": "384400 km"}),
    spec(["NM30"], -1.5, {"k": 30, "x": "5 cm"}),
    spec(["NM19", "NM22"], 10 * 3 * mp.cos(mp.mpf("0.4")), {"m": 5, "a": 2, "d": 3, "theta": 0.4}),
    spec(["KO42", "TH2"], 3 * R * 310 / mp.mpf("0.02"), {"n": 3, "T": 310, "V": 0.02}),
    spec(["TH2"], 2 * R * mp.mpf("293.15") / 101325, {"n": 2, "T": "20 degC", "P": 101325}, solve_for="V"),
    spec(["QM10"], h * mp.mpf("5.1e14"), {"nu": 5.1e14}),
    spec(["WIEN_DISPLACEMENT"], mp.mpf("2.897771955e-3") / 5772, {"T": 5772}),
    spec(["THRUST_TSIOLKOVSKY"], 3100 * mp.log(mp.mpf(540) / 131), {"v_e": 3100, "m_0": 540, "m_1": 131}),
    spec(["PERIHELION_PRECESSION"], 6 * mp.pi * G * SUN / (c**2 * mp.mpf("5.791e10") * (1 - mp.mpf("0.2056") ** 2)),
         {"M": 1.98892e30, "a": 5.791e10, "e": 0.2056}),
    spec(["GR35"], mp.sqrt(1 - 2 * G * SUN / (mp.mpf("1e7") * c**2) - (mp.mpf("2e7") / c) ** 2) * 10, {"dt0": 10, "M": 1.98892e30, "r": 1e7, "v": 2e7}),
    spec(["SHOCKLEY_DIODE"], mp.mpf("1e-12") * mp.expm1(e * mp.mpf("0.6") / (mp.mpf("1.5") * k * 300)), {"I_s": 1e-12, "V": 0.6, "n": 1.5, "T": 300}),
    spec(["REDLICH_KWONG"], redlich_kwong(350, "4e-4", "304.1", "7.38e6"), {"T": 350, "V_m": 4e-4, "T_c": 304.1, "P_c": 7.38e6}),
    spec(["OGATA_BANKS"], ogata_banks(2, 18, "1e-5", "2e6", "2e-5"), {"C_0": 2, "x": 18, "v": 1e-5, "t": 2e6, "D": 2e-5}),
    spec(["ISENTROPIC_PRESSURE"], 20000 * (1 + mp.mpf("0.2") * mp.mpf("1.8") ** 2) ** mp.mpf("3.5"), {"P": 20000, "gamma": 1.4, "M": 1.8}),
    spec(["BIO_MICHAELIS"], mp.mpf("2.1") * mp.mpf("0.4") / (mp.mpf("0.9") + mp.mpf("0.4")), {"V_max": 2.1, "S": 0.4, "K_m": 0.9}),
    spec(["NM24"], mp.mpf("80.5") * mp.mpf("9.81") * 12, {"m": 80.5, "g": 9.81, "h": 12}),
    spec(["NM23"], mp.sqrt(mp.mpf(2) * 1000 / 3), {"K": "1 kJ", "m": 3}, solve_for="v"),
    spec(["SWAMEE_JAIN"], mp.mpf("0.25") / mp.log10(mp.mpf("4.5e-5") / (mp.mpf("3.7") * mp.mpf("0.2")) + mp.mpf("5.74") / mp.mpf("1.2e5") ** mp.mpf("0.9")) ** 2,
         {"eps": 4.5e-5, "D": 0.2, "Re": 1.2e5}),
    spec(["FALL_DRAG_SPEED"], 55 * mp.tanh(mp.mpf("9.81") * 4 / 55), {"v_t": 55, "g": 9.81, "t": 4}),
]
