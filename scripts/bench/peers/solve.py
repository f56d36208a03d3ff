"""An orbit of e = 0.63 by scipy's solve_ivp, or a root by mpmath: solve.py orbit <rtol> <turns> | solve.py root <digits>."""

import sys
import time

MU = 3.986004418e14

if sys.argv[1] == "orbit":
    import numpy as np
    from scipy.integrate import solve_ivp

    rtol, turns = float(sys.argv[2]), int(sys.argv[3])
    r0, v0 = 6371008.4 + 4e5, 9800.0
    alpha = 2 / r0 - v0 * v0 / MU
    period = 2 * np.pi / np.sqrt(MU * alpha**3)

    def rate(_, s):
        r2 = s[0] * s[0] + s[1] * s[1] + s[2] * s[2]
        pull = -MU / (r2 * np.sqrt(r2))
        return [s[3], s[4], s[5], pull * s[0], pull * s[1], pull * s[2]]

    began = time.process_time()
    out = solve_ivp(rate, (0, turns * period), [r0, 0, 0, 0, v0, 0], method="DOP853", rtol=rtol, atol=rtol * 1e6 * np.array([1, 1, 1, 1e-3, 1e-3, 1e-3]), dense_output=False)
    ms = 1e3 * (time.process_time() - began)
    off = np.hypot(out.y[0, -1] - r0, out.y[1, -1]) * alpha
    print(f"{ms:.3f} {off:.1e} of the semi-major axis")
else:
    import mpmath as mp

    mp.mp.dps = int(sys.argv[2])
    G, F, m1, m2 = mp.mpf("6.67430e-11"), mp.mpf("8670.94"), mp.mpf("5.972e24"), mp.mpf(1000)
    began = time.process_time()
    for _ in range(100):
        r = mp.findroot(lambda x: F - G * m1 * m2 / x**2, mp.mpf("6e6"))
    ms = 1e3 * (time.process_time() - began) / 100
    print(f"{ms:.4f} {float(abs(r / mp.sqrt(G * m1 * m2 / F) - 1)):.1e} of the root")
