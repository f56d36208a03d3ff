"""Steady filters by scipy's solve_discrete_are; the way there, and the filter on the sealed innovations' own law, by the textbook recursion."""
import numpy as np
from scipy.linalg import solve_discrete_are

from kit import Cases

cases = Cases("kalman")
BY = "scipy solve_discrete_are"
STEPS = "textbook recursion in numpy, covariance form with an explicit inverse"
rng = np.random.default_rng(53)


def compare(given, A, C, Q, R, P0, steps):
    """The steady covariances and gain, and the first traces and deviations."""
    n, m = len(A), len(C)
    P = solve_discrete_are(A.T, C.T, Q, R)
    S = C @ P @ C.T + R
    K = P @ C.T @ np.linalg.inv(S)
    F = P - K @ C @ P
    radius = np.abs(np.linalg.eigvals(A @ (np.eye(n) - K @ C))).max()
    deviation = np.sqrt(np.diag(P))
    cases.add(given, BY, {"traceP": np.trace(P), "closedLoopRadius": radius})
    for i in range(min(n, 4)):
        scale = deviation[i] ** 2
        cases.add(given, BY, {f"predicted.{i * n + i}": P[i, i], f"filtered.{i * n + i}": F[i, i]}, {f"filtered.{i * n + i}": scale})
        j = int(np.argmax(np.abs(K[i]) * np.sqrt(np.diag(S))))
        cases.add(given, BY, {f"gain.{i * m + j}": K[i, j]}, {f"gain.{i * m + j}": deviation[i] / np.sqrt(S[j, j])})
    if n > 1:
        cases.add(given, BY, {"predicted.1": P[0, 1]}, {"predicted.1": deviation[0] * deviation[1]})
    X = P0.copy()
    for k in range(steps):
        V = C @ X @ C.T + R
        if k in (1, 5, 20):
            cases.add(given, STEPS, {f"traces.{k}": np.trace(X), f"deviations.{k * m}": np.sqrt(V[0, 0])})
        G = X @ C.T @ np.linalg.inv(V)
        X = A @ (X - G @ C @ X) @ A.T + Q
        X = (X + X.T) / 2


def tracking(dt, a, z, steps=400, spread=10.0, **more):
    A, C = np.array([[1, dt], [0, 1.0]]), np.array([[1.0, 0]])
    g = np.array([dt * dt / 2, dt])
    given = {"dt": dt, "sigmaA": a, "sigmaZ": z, "steps": steps, "spread": spread, **more}
    compare(given, A, C, a * a * np.outer(g, g), np.array([[z * z]]), np.eye(2) * spread, steps)


def matrices(A, C, Q, R, steps=400, P0=None, **more):
    A, C, Q, R = (np.atleast_2d(np.array(v, float)) for v in (A, C, Q, R))
    Q, R = (Q + Q.T) / 2, (R + R.T) / 2
    given = {"model": "matrices", "states": len(A), "observations": len(C), "steps": steps, "A": A.ravel().tolist(),
             "C": C.ravel().tolist(), "Q": Q.ravel().tolist(), "R": R.ravel().tolist(), **more}
    if P0 is not None:
        given["P0"] = P0.ravel().tolist()
    compare(given, A, C, Q, R, np.eye(len(A)) * given.get("spread", 10.0) if P0 is None else P0, steps)


def drawn(n, m, radius, steps=600, **more):
    A = rng.normal(size=(n, n))
    A *= radius / np.abs(np.linalg.eigvals(A)).max()
    q, r = rng.normal(size=(n, n)) * 0.5, rng.normal(size=(m, m)) * 0.5
    matrices(A.round(4), rng.normal(size=(m, n)).round(4), (q @ q.T).round(5) + np.eye(n) * 0.01, (r @ r.T).round(5) + np.eye(m) * 0.1, steps, **more)


tracking(1.0, 0.1, 1.0)
tracking(0.1, 3.0, 0.5, 600)
tracking(0.02, 9.81, 2.5, 2000, 100.0)
tracking(60.0, 1e-3, 50.0, 400, 1e4)
tracking(5.0, 2.0, 1.0, 100)
tracking(1e-3, 0.5, 1e-4, 3000, 1.0)
tracking(1.0, 1e-2, 1.0, 1500)
matrices(0.9, 1, 0.2, 0.5)
matrices(1, 1, 1e-3, 1, 800)
matrices(1.04, 1, 0.1, 2.0, 100)
dt = 0.5
matrices([[1, dt, dt * dt / 2], [0, 1, dt], [0, 0, 1]], [1, 0, 0], np.diag([0, 0, 1e-2]), 4.0, 600)
dt, w = 0.05, 2.0
matrices([[np.cos(w * dt), np.sin(w * dt) / w], [-w * np.sin(w * dt), np.cos(w * dt)]], [1, 0], np.diag([1e-6, 1e-3]), 0.04, 1500, spread=1.0)
matrices([[1, 1, 0, 0], [0, 1, 0, 0], [0, 0, 1, 1], [0, 0, 0, 1]], [[1, 0, 0, 0], [0, 0, 1, 0]],
         np.kron(np.eye(2), [[0.25, 0.5], [0.5, 1]]) * 0.04, [[2.0, 0.6], [0.6, 1.0]], 400)
matrices([[0.95, 0.02], [0, 0.99]], [[1, 0], [0, 1], [1, 1]], np.diag([0.01, 0.002]), np.diag([0.5, 0.2, 1.0]), 600, spread=2.0)
matrices([[1, 0.01], [0, 0.98]], [1, 0], np.diag([1e-8, 1e-10]), 1e-6, 4000, spread=1e-4)
matrices([[1, -1.0], [0, 1]], [1, 0], np.diag([1e-3, 1e-7]), 1e-2, 4000, spread=1.0)
matrices([[0.7, 0.3], [-0.2, 0.8]], [1, 0.5], [[0.4, 0.1], [0.1, 0.3]], 0.7, 200, P0=np.array([[3.0, 0.5], [0.5, 1.0]]))
for n, m, radius in ((3, 1, 0.9), (3, 2, 1.02), (4, 2, 0.8), (5, 3, 0.97), (6, 1, 0.7), (8, 4, 0.95), (2, 2, 1.03), (12, 5, 0.9), (6, 6, 0.99)):
    drawn(n, m, radius, 100 if radius > 1 else 600, seed=int(rng.integers(1, 1000)))
cases.write()
