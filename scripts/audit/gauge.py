"""U(1) in two dimensions: the partition function of the torus, Z = sum over n of I_n(beta)^V, by mpmath at 30 digits."""

from mpmath import besseli, mp, mpf

from kit import Cases

mp.dps = 30
out = Cases("gauge")


def add(**inp):
    p = {"L": 32, "beta": 4} | inp
    v, b = p["L"] ** 2, mpf(str(p["beta"]))
    i0 = besseli(0, b)
    top = bottom = mpf(0)
    for n in range(0, 400):
        r = besseli(n, b) / i0
        # The derivative of I_n is half the sum of its neighbours.
        d = (besseli(abs(n - 1), b) + besseli(n + 1, b)) / 2 / i0
        weight = 1 if n == 0 else 2
        top += weight * r ** (v - 1) * d
        bottom += weight * r**v
        if r**v < mpf(10) ** -25:
            break
    out.add(inp, "mpmath, characters of the torus", {"plaquette": top / bottom})


for beta in (1, 2, 2.6, 3, 5.5, 8):
    add(beta=beta, seed=int(10 * beta))
add()
add(L=8, beta=1.5, sweeps=60000)
add(L=8, beta=6, sweeps=20000, seed=3)
add(L=12, beta=2.2, sweeps=20000, start="hot")
add(L=16, beta=0.8, sweeps=20000, thermal=50)
add(L=16, beta=9, sweeps=6000, seed=99)
add(L=20, beta=3.3, sweeps=12000, start="hot", thermal=1000)
add(L=48, beta=1.2, sweeps=5000)
add(L=64, beta=7, sweeps=800)
add(L=24, beta=12, sweeps=3000, seed=17)
add(L=8, beta=20, sweeps=6000)
add(L=64, beta=1.5, sweeps=2500)
add(L=16, beta=4.4, sweeps=10000, seed=2024)
add(L=32, beta=1.7, sweeps=9000, start="hot", seed=5)
add(L=8, beta=2.5, sweeps=40000, seed=8)
add(L=8, beta=50, sweeps=4000)
add(L=128, beta=4, sweeps=400, thermal=100)
out.write()
