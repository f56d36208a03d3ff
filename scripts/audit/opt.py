"""Least values: known minima of the named functions, and of own expressions by scipy from a fine grid of starts."""
import numpy as np
from scipy.optimize import minimize

from kit import Cases

cases = Cases("opt")
KNOWN = "known minimum"
SEARCH = "grid of starts, scipy Nelder-Mead and L-BFGS-B"
SPACE = {k: getattr(np, k) for k in ("sin", "cos", "exp", "log", "sqrt", "abs", "tanh", "cosh", "sinh")}


def named(function, dimension, value, place, **more):
    """place: the coordinates of the one minimiser, or None where there are several."""
    given = {"function": function, "dimension": dimension, **more}
    cases.add(given, KNOWN, {"minimum": value}, {"minimum": abs(value) or 1.0})
    if place is not None:
        for i in (0, dimension - 1):
            cases.add(given, KNOWN, {f"point.{i}": place[i]})


def own(text, dimension, lower=-5.0, upper=5.0, several=False, **more):
    """Own expression over a box; lower and upper may be lists."""
    lo, hi = (np.full(dimension, float(v)) if np.isscalar(v) else np.array(v, float) for v in (lower, upper))
    code = compile(text.replace("^", "**").replace("ln(", "log("), "f", "eval")
    f = lambda *x: eval(code, SPACE, {f"x{i + 1}": v for i, v in enumerate(x)}) + 0 * x[0]
    n = {1: 20001, 2: 401, 3: 61}[dimension]
    axes = [np.linspace(a, b, n) for a, b in zip(lo, hi)]
    values = f(*np.meshgrid(*axes, indexing="ij"))
    order = np.argsort(values, axis=None)[:40]
    best, where = np.inf, None
    box = list(zip(lo, hi))
    for i in order:
        x = np.array([a[k] for a, k in zip(axes, np.unravel_index(i, values.shape))])
        for method, options in (("L-BFGS-B", {"ftol": 1e-16, "gtol": 1e-12}), ("Nelder-Mead", {"xatol": 1e-12, "fatol": 1e-15, "maxiter": 4000})):
            got = minimize(lambda z: float(f(*np.clip(z, lo, hi))), x, method=method, bounds=box, options=options)
            if got.fun < best:
                best, where = float(got.fun), got.x
    given = {"function": "expression", "dimension": dimension, "expression": {"f": text}, **more}
    if (lower, upper) != (-5.0, 5.0):
        given.update({"lower": lo.tolist(), "upper": hi.tolist()})
    cases.add(given, SEARCH, dict(minimum=best))
    if not several:
        for i, v in enumerate(where):
            if abs(v) > 0.05:
                cases.add(given, SEARCH, {f"point.{i}": v})


rng = np.random.default_rng(31)
named("rosenbrock", 10, 0.0, np.ones(10))
named("rosenbrock", 3, 0.0, np.ones(3), seed=4)
shift = [0.5, -1.25, 2.0, 0.125]
named("rosenbrock", 4, 0.0, 1 + np.array(shift), shift=shift)
named("rastrigin", 2, 0.0, [0.75, -0.4], shift=[0.75, -0.4])
named("rastrigin", 5, 0.0, np.arange(5) * 0.2 + 0.1, shift=[float(v) for v in np.arange(5) * 0.2 + 0.1], seed=3)
named("ackley", 6, 0.0, [3.5] * 6, shift=[3.5] * 6)
named("griewank", 5, 0.0, [20.0, -30.0, 5.0, 1.0, 7.0], shift=[20.0, -30.0, 5.0, 1.0, 7.0])
named("schwefel", 3, 0.0, [420.968746359982] * 3)
x = -2.903534027771177
st = (x**4 - 16 * x**2 + 5 * x) / 2
named("styblinski-tang", 2, 2 * st, [x] * 2)
named("styblinski-tang", 8, 8 * st, [x] * 8, seed=2)
named("styblinski-tang", 3, 3 * st, [x + 1, x, x - 0.5], shift=[1.0, 0.0, -0.5])
named("himmelblau", 2, 0.0, None)
own("(x1^2 + x2 - 11)^2 + (x1 + x2^2 - 7)^2 + x1", 2)
own("x1^4 - 3*x1^3 + 2*x1 - 7", 1)
own("sin(3*x1) + 0.1*x1^2", 1)
own("sin(x1) + sin(10*x1/3) + 2", 1, 2.7, 7.5)
own("exp(-x1)*sin(6*x1) + 0.05*x1", 1, 0.0, 5.0)
own("(1.5 - x1 + x1*x2)^2 + (2.25 - x1 + x1*x2^2)^2 + (2.625 - x1 + x1*x2^3)^2 + 3", 2, -4.5, 4.5)
own("sin(x1 + x2) + (x1 - x2)^2 - 1.5*x1 + 2.5*x2 + 1", 2, [-1.5, -3.0], [4.0, 4.0])
own("(4 - 2.1*x1^2 + x1^4/3)*x1^2 + x1*x2 + (4*x2^2 - 4)*x2^2 + 0.1*x1", 2, [-3.0, -2.0], [3.0, 2.0])
own("abs(x1 - 1.3) + 2*abs(x2 + 0.7) + 0.5*x1*x2 + 4", 2, -3.0, 3.0)
own("(x1 - 1)^2 + 2*(x2 + x1)^2 + 3*(x3 - x2 + 0.5)^2 + x1*x3 + 5", 3, -4.0, 4.0)
own("x1^2 + x2^2 + x3^2 - cos(3*x1) - cos(2*x2 + 1) + exp(0.3*x3)", 3, -3.0, 3.0)
own("exp(0.5*x1) + exp(-x1 + x2) + (x2 - 2)^2", 2, -3.0, 3.0)
own("x1*x2*exp(-x1^2 - x2^2) + 0.05*x1", 2, -2.0, 2.0)
own("x1^2/2 - 3*x1 + 2*x2", 2, [0.0, 1.0], [2.0, 4.0])
own("sqrt(x1^2 + 1) + (x1 - 3)^2/10", 1)
own("cosh(x1 - 0.4) + tanh(x1)", 1, -3.0, 3.0)
for _ in range(4):
    a = [round(float(v), 3) for v in rng.uniform(-2, 2, 8)]
    own(f"x1^4 + x2^4 + {a[0]}*x1^3 + {a[1]}*x1*x2^2 + {a[2]}*x1*x2 + {a[3]}*x1 + {a[4]}*x2 + {a[5]}*sin({abs(a[6]) + 1}*x1)", 2, -3.0, 3.0)
cases.write()
