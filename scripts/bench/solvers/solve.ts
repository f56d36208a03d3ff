import { loadRegistry } from '#domain/compute/load-registry.ts'
import { aided } from '#numerics/runtime/solver.ts'
import { solve as bare } from '#numerics/solvers/solve/index.ts'
import { places } from '#numerics/solvers/solve/places.ts'
import { type Case, python, solved } from './frame.ts'

const solver = aided(bare, { registry: loadRegistry })

const HEIGHT = 4e5
const SPEED = 9_800
const TURNS = 20

/** One turn of the orbit of the bench, in s, and its 1/a. */
const orbit = () => {
  const { mu, radius } = places.earth
  const alpha = 2 / (radius + HEIGHT) - (SPEED * SPEED) / mu
  return { alpha, period: (2 * Math.PI) / Math.sqrt(mu * alpha * alpha * alpha), start: radius + HEIGHT }
}

const ROOT = Math.sqrt((6.6743e-11 * 5.972e24 * 1_000) / 8670.94)
/** Roots of one round: one alone is over before the clock moves. */
const ROOTS = 100

export const solve: readonly Case[] = [
  {
    solver: 'solve',
    problem: `${TURNS} turns of an orbit with e = 0.63, position after whole turns`,
    ours: () => {
      const { alpha, period, start } = orbit()
      const t_max = TURNS * period
      const raw = { referenceMode: 'gravity', height: HEIGHT, v0: SPEED, t_max, dt: period / 100 }
      const { ms, output } = solved(solver, raw)
      const [x = 0, y = 0] = Array.from(output.solution ?? []).slice(-3)
      return { ms, said: `${(Math.hypot(x - start, y) * alpha).toExponential(1)} of the semi-major axis` }
    },
    peers: [
      python('SciPy solve_ivp DOP853', 'solve.py', {
        args: ['orbit', '1e-13', String(TURNS)],
        packages: ['python3-scipy'],
        modules: ['scipy.integrate'],
      }),
    ],
  },
  {
    solver: 'solve',
    problem: 'the distance in Newton’s law of gravitation, one root, units and roots checked by us',
    ours: () => {
      const inputs = { F: 8670.94, m1: 5.972e24, m2: 1_000 }
      const raw = { referenceMode: 'algebraic', relation: { operator: 'NM21', inputs } }
      let [ms, root] = [0, Number.NaN]
      for (let i = 0; i < ROOTS; i++) {
        const it = solved(solver, raw)
        ms += it.ms
        root = it.output.algebraic?.root ?? Number.NaN
      }
      return { ms: ms / ROOTS, said: `${Math.abs(root / ROOT - 1).toExponential(1)} of the root` }
    },
    peers: [
      python('mpmath findroot, 50 digits', 'solve.py', {
        args: ['root', '50'],
        packages: ['python3-mpmath'],
        modules: ['mpmath'],
      }),
    ],
  },
]
