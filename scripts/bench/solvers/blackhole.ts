import { blackhole as solver } from '#numerics/solvers/blackhole/index.ts'
import { type Case, python, solved } from './frame.ts'

/** Proper time of the default fall by the cycloid, in seconds. */
const FALL = 0.004826754123524907
/** Radial periods of the default orbit. */
const TURNS = 100

const peer = (what: string, exact: number) =>
  python('SciPy DOP853', 'blackhole.py', {
    args: [what, `${exact}`, `${TURNS}`],
    packages: ['python3-scipy'],
    modules: ['scipy.integrate'],
  })

/** Precession of the default orbit by quadrature at 30 digits, in radians. */
const PRECESSION = 2.1270940081278353

export const blackhole: readonly Case[] = [
  {
    solver: 'blackhole',
    problem: 'fall from rest at 10 r_s to the horizon',
    ours: () => {
      const { ms, output } = solved(solver, {})
      return { ms, said: `${((output.properTime ?? 0) / FALL - 1).toExponential(1)} of the proper time` }
    },
    peers: [peer('fall', FALL)],
  },
  {
    solver: 'blackhole',
    problem: `bound orbit, ${TURNS} radial periods, every nearest place`,
    ours: () => {
      const { ms, output } = solved(solver, { mode: 'orbit', orbit: { turns: TURNS } })
      return { ms, said: `${((output.precession ?? 0) / PRECESSION - 1).toExponential(1)} of the precession` }
    },
    peers: [peer('orbit', PRECESSION)],
  },
]
