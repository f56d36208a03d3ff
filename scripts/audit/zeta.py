"""Ordinates of zeros by mpmath.zetazero and counts by mpmath.nzeros; Odlyzko's published zeros far up."""
import mpmath as mp

from kit import Cases

cases = Cases("zeta")
BY = "mpmath zetazero and nzeros"


def first(n):
    """Sealed value, and zeros on the way, on the scale of the local distance, too."""
    given = {"mode": "first", "n": n}
    found = {i: mp.zetazero(i).imag for i in {1, (n + 1) // 3 or 1, (n + 1) // 2, n}}
    cases.add(given, BY, {"last": found[n], "count": n, "countUpper": n})
    for i, t in found.items():
        cases.add(given, BY, {f"zeros.{i - 1}": t}, {f"zeros.{i - 1}": 2 * mp.pi / mp.log(t / (2 * mp.pi))})


def between(T1, T2):
    given = {"mode": "range", "T1": T1, "T2": T2}
    low, high = mp.nzeros(T1) if T1 > 14 else 0, mp.nzeros(T2)
    a, b = mp.zetazero(low + 1).imag, mp.zetazero(high).imag
    gap = 2 * mp.pi / mp.log(b / (2 * mp.pi))
    cases.add(given, BY, {"last": b, "count": high - low, "first": low + 1, "countUpper": high, "zeros.0": a, f"zeros.{high - low - 1}": b},
              {"zeros.0": gap, f"zeros.{high - low - 1}": gap})
    if low:
        cases.add(given, BY, {"countLower": low})


for n in (1, 2, 3, 10, 30, 100, 127, 250, 700, 1500):
    first(n)
for T1, T2 in ((0, 50), (14, 15), (20, 60), (100, 130), (279, 284), (415, 418), (1000, 1010), (2500, 2504), (7000, 7008), (7004, 7006), (9877, 9879),
               (17143, 17145), (30000, 30002), (74920, 74922), (250000, 250001), (999998, 1000000)):
    between(T1, T2)
cases.write()
