#!/usr/bin/env python3
"""Makes math-reference.txt: arguments over the range of every function, and the exact values to compare with.

A row is: name, argument bits (hex, one or two), bits of the nearest double to the exact value, and how far the exact
value is from that double, in units in the last place. Values are worked out with mpmath at 400 to 1,400 bits.

    python3 test/numerics/math-reference.py > test/numerics/math-reference.txt
"""

import math
import random
import struct

import mpmath as mp

ROWS = 36
random.seed(20261)


def bits(x):
    return struct.pack(">d", x).hex()


def signed(x):
    return random.choice((-1, 1)) * x


def log_uniform(low, high):
    return math.exp(random.uniform(math.log(low), math.log(high)))


def either(a, b):
    return a() if random.random() < 0.5 else b()


def angle():
    wide = lambda: signed(log_uniform(1e5, 1e300))
    return either(lambda: signed(log_uniform(1e-8, 1e5)), wide)


def unit():
    return either(lambda: random.uniform(-1, 1), lambda: signed(log_uniform(1e-9, 1)))


def positive():
    return either(lambda: random.uniform(0.5, 2), lambda: log_uniform(1e-300, 1e300))


UNARY = {
    "acos": (mp.acos, unit),
    "acosh": (mp.acosh, lambda: either(lambda: 1 + log_uniform(1e-10, 10), lambda: log_uniform(2, 1e300))),
    "asin": (mp.asin, unit),
    "asinh": (mp.asinh, lambda: signed(log_uniform(1e-10, 1e300))),
    "atan": (mp.atan, lambda: signed(log_uniform(1e-9, 1e9))),
    "atanh": (mp.atanh, unit),
    "cbrt": (lambda x: mp.sign(x) * mp.cbrt(abs(x)), lambda: signed(log_uniform(1e-300, 1e300))),
    "cos": (mp.cos, angle),
    "cosh": (mp.cosh, lambda: signed(log_uniform(1e-6, 709))),
    "exp": (mp.exp, lambda: either(lambda: random.uniform(-700, 709), lambda: signed(log_uniform(1e-9, 10)))),
    "expm1": (mp.expm1, lambda: signed(log_uniform(1e-10, 700))),
    "log": (mp.log, positive),
    "log10": (lambda x: mp.log(x) / mp.log(10), positive),
    "log1p": (lambda x: mp.log(1 + x), lambda: either(lambda: random.uniform(-0.999, 3), lambda: log_uniform(1e-10, 1e10))),
    "log2": (lambda x: mp.log(x) / mp.log(2), positive),
    "sin": (mp.sin, angle),
    "sinh": (mp.sinh, lambda: signed(log_uniform(1e-8, 709))),
    "tan": (mp.tan, angle),
    "tanh": (mp.tanh, lambda: signed(log_uniform(1e-8, 30))),
}

BINARY = {
    "atan2": (mp.atan2, lambda: (signed(log_uniform(1e-5, 1e5)), signed(log_uniform(1e-5, 1e5)))),
    "hypot": (
        lambda x, y: mp.sqrt(x * x + y * y),
        lambda: (signed(log_uniform(1e-160, 1e160)), signed(log_uniform(1e-160, 1e160))),
    ),
    "pow": (lambda x, y: mp.exp(y * mp.log(x)), lambda: (log_uniform(1e-5, 1e5), random.uniform(-30, 30))),
}


def row(name, arguments, function):
    mp.mp.prec = 1400 if name in ("sin", "cos", "tan") else 400
    exact = function(*(mp.mpf(x) for x in arguments))
    near = float(exact)
    rest = (exact - mp.mpf(near)) / mp.mpf(math.ulp(near))
    print(name, ",".join(bits(x) for x in arguments), bits(near), mp.nstr(rest, 6))


for name, (function, draw) in sorted(UNARY.items()):
    for _ in range(ROWS):
        row(name, (draw(),), function)
for name, (function, draw) in sorted(BINARY.items()):
    for _ in range(ROWS):
        row(name, draw(), function)
