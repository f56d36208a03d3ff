"""A European call by 16 scrambles of Sobol points: quant.py <paths>; the price alone, with the same control variate."""

import sys
import time

import numpy as np
from scipy.stats import norm, qmc

size = int(sys.argv[1])
began = time.process_time()
means = []
for seed in range(16):
    u = qmc.Sobol(1, scramble=True, seed=seed).random(size // 16)[:, 0]
    end = 100 * np.exp(0.05 - 0.02 + 0.2 * norm.ppf(u))
    pay = np.exp(-0.05) * np.maximum(0, end - 100)
    hold = np.exp(-0.05) * end
    beta = np.cov(pay, hold)[0, 1] / np.var(hold)
    means.append(pay.mean() - beta * (hold.mean() - 100))
ms = 1e3 * (time.process_time() - began)
print(f"{ms:.3f} {np.mean(means) / 10.450583572185565 - 1:.3e} of the price")
