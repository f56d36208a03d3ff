"""Satisfiability by PySAT's CaDiCaL and Glucose, small formulas by all assignments; drawn ones by Philox4x32-10 (Random123) as the page says."""
import itertools

import numpy as np
from pysat.solvers import Cadical153, Glucose4

from kit import Cases

cases = Cases("sat")
MASK = 0xFFFFFFFF


def philox(counter, key):
    """Four words of Philox4x32-10 (Salmon et al., SC '11)."""
    x, k = list(counter), list(key)
    for _ in range(10):
        a, b = 0xD2511F53 * x[0], 0xCD9E8D57 * x[2]
        x = [(b >> 32) ^ x[1] ^ k[0], b & MASK, (a >> 32) ^ x[3] ^ k[1], a & MASK]
        k = [(k[0] + 0x9E3779B9) & MASK, (k[1] + 0xBB67AE85) & MASK]
    return x


def drawn(n, m, seed):
    """Clauses of a drawn formula."""
    def words():
        for block in itertools.count():
            yield from philox((block, 0, 0, 0), (seed & MASK, seed >> 32))

    word, clauses = words(), []
    for _ in range(m):
        clause = []
        while len(clause) < min(3, n):
            v = 1 + next(word) * n // 2**32
            if v not in map(abs, clause):
                clause.append(-v if next(word) % 2 else v)
        clauses.append(clause)
    return clauses


def put(given, clauses, variables):
    """The answer of two solvers that agree, and of all assignments where these are few."""
    answers = set()
    for solver in (Cadical153, Glucose4):
        with solver(bootstrap_with=clauses) as it:
            answers.add(it.solve())
    by = "PySAT: CaDiCaL 1.5.3 and Glucose 4"
    if variables <= 12:
        all_ = any(all(any((v > 0) == bits[abs(v) - 1] for v in c) for c in clauses)
                   for bits in itertools.product((False, True), repeat=variables))
        answers.add(all_)
        by += ", all assignments"
    if len(answers) != 1:
        raise SystemExit(f"solvers disagree: {given}")
    cases.add(given, by, {"answer": int(answers.pop()), "clauses": len(clauses), "variables": variables}, {"answer": 1})


def random(n, m, seed):
    put({"n": n, "m": m, "seed": seed}, drawn(n, m, seed), n)


def own(clauses, variables):
    text = f"p cnf {variables} {len(clauses)}\n" + "".join(" ".join(map(str, [*c, 0])) + "\n" for c in clauses)
    put({"dimacs": text}, clauses, variables)


def threes(clause, fresh):
    """A long clause as clauses of three, with new variables from `fresh`."""
    clause, out = list(clause), []
    while len(clause) > 3:
        y = next(fresh)
        out.append([*clause[:2], y])
        clause = [-y, *clause[2:]]
    return [*out, clause]


def pigeons(p, holes):
    at = lambda i, j: i * holes + j + 1
    fresh = itertools.count(p * holes + 1)
    clauses = [c for i in range(p) for c in threes([at(i, j) for j in range(holes)], fresh)]
    clauses += [[-at(i, j), -at(k, j)] for j in range(holes) for i in range(p) for k in range(i)]
    own(clauses, next(fresh) - 1)


def colouring(n, edges, colours):
    at = lambda v, c: v * colours + c + 1
    fresh = itertools.count(n * colours + 1)
    clauses = [c for v in range(n) for c in threes([at(v, c) for c in range(colours)], fresh)]
    clauses += [[-at(a, c), -at(b, c)] for a, b in edges for c in range(colours)]
    own(clauses, next(fresh) - 1)


def parity(n, odd):
    """A ring of exclusive ors, each of two neighbours, whose sum must be even."""
    clauses = []
    for i in range(n):
        a, b = i + 1, (i + 1) % n + 1
        clauses += [[a, b], [-a, -b]] if i < odd else [[a, -b], [-a, b]]
    own(clauses, n)


def factors(product, bits):
    """Two factors above 1 of an odd number, by an array multiplier."""
    count, clauses = itertools.count(1), []
    a, b = [next(count) for _ in range(bits)], [next(count) for _ in range(bits)]

    def gate_and(x, y):
        z = next(count)
        clauses.extend([[-z, x], [-z, y], [z, -x, -y]])
        return z

    def gate_xor(x, y):
        z = next(count)
        clauses.extend([[-z, x, y], [-z, -x, -y], [z, -x, y], [z, x, -y]])
        return z

    columns = [[] for _ in range(2 * bits + 1)]
    for i in range(bits):
        for j in range(bits):
            columns[i + j].append(gate_and(a[i], b[j]))
    for at in range(2 * bits):
        while len(columns[at]) > 1:
            x, y = columns[at].pop(0), columns[at].pop(0)
            if columns[at]:
                z = columns[at].pop(0)
                s = gate_xor(x, y)
                columns[at].append(gate_xor(s, z))
                carry = next(count)
                p, q = gate_and(x, y), gate_and(s, z)
                clauses.extend([[-carry, p, q], [carry, -p], [carry, -q]])
            else:
                columns[at].append(gate_xor(x, y))
                carry = gate_and(x, y)
            columns[at + 1].append(carry)
    for at in range(2 * bits + 1):
        for v in columns[at]:
            clauses.append([v if product >> at & 1 else -v])
    clauses.extend(threes(a[1:], count))
    clauses.extend(threes(b[1:], count))
    own(clauses, next(count) - 1)


random(150, 639, 1)
for seed in (2, 3, 4, 5):
    random(150, 639, seed)
for n, m, seed in ((100, 420, 11), (100, 440, 12), (200, 840, 13), (200, 852, 14), (180, 900, 15), (400, 1500, 16), (1000, 3500, 17), (50, 218, 18),
                   (12, 60, 19), (10, 42, 20), (3, 7, 21), (2, 5, 22), (1, 3, 23), (60, 600, 24), (3000, 9000, 2**32 - 1)):
    random(n, m, seed)
pigeons(6, 5)
pigeons(7, 7)
pigeons(8, 7)
petersen = [(i, (i + 1) % 5) for i in range(5)] + [(i, i + 5) for i in range(5)] + [(5 + i, 5 + (i + 2) % 5) for i in range(5)]
colouring(10, petersen, 3)
colouring(10, petersen, 2)
rng = np.random.default_rng(61)
for n, m in ((40, 90), (40, 100), (60, 140)):
    colouring(n, sorted({tuple(sorted(map(int, rng.choice(n, 2, replace=False)))) for _ in range(m)}), 3)
parity(61, 3)
parity(60, 4)
factors(899, 5)
factors(907, 5)
factors(59 * 61, 7)
own([], 4)
own([[1], []], 1)
cases.write()
