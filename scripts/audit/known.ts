import type { Finding } from './cases.ts'

/** Numbers that were found to be sealed beyond the bound and are not mended yet, with the cause. */
export interface Known {
  readonly solver: string
  /** The member, as a case names it. */
  readonly path: RegExp
  /** Members of the input, where it is so in some modes alone. */
  readonly where?: Readonly<Record<string, unknown>>
  /** The most that was seen, in percent: what is further off is another fault. */
  readonly upTo: number
  readonly why: string
}

/** A line leaves this list with the fault that it names: the audit says which lines explain nothing any more. */
export const known: readonly Known[] = [
  {
    solver: 'climate',
    path: /^output\.energy$/,
    where: { mode: 'jet' },
    upTo: 0.17,
    why: 'The check holds the energy to a sum over the sealed fields, and it is off by twice what they are.',
  },
  {
    solver: 'climate',
    path: /^output\.(?:energy|maxSpeed)$/,
    where: { mode: 'dam-break' },
    upTo: 0.2,
    why: 'Both are held to the sealed fields alone, and the speed overshoots within the cells of the bore.',
  },
  {
    solver: 'device',
    path: /^output\.charges\[/,
    upTo: 0.22,
    why: 'Only the sum of voltages times charges is bounded: a small charge between large ones is off by more.',
  },
  {
    solver: 'heat',
    path: /^output\.meanTemperature$/,
    upTo: 0.29,
    why: 'The mean is a trapezoidal sum over the nodes, for run and check alike.',
  },
  {
    solver: 'heat',
    path: /^output\.(?:centre|max|min)Temperature$/,
    upTo: 0.16,
    why: 'The field is judged as a whole, and a single node may be further off than it.',
  },
  {
    solver: 'flow',
    path: /^output\.pressure\[/,
    where: { case: 'taylor-green' },
    upTo: 0.25,
    why: 'The check lets the pressure be off by 0.3 % before it counts.',
  },
  {
    solver: 'flow',
    path: /^output\.kineticEnergy$/,
    where: { case: 'cavity' },
    upTo: 0.87,
    why: 'It is that of the finest grid, not extrapolated as the extremes are.',
  },
  {
    solver: 'evolve',
    path: /^output\.(?:temperature|positions\[.*|velocities\[.*)$/,
    upTo: 8.4,
    why: 'The phase of a motion that is not chaotic is not judged, only energy, momentum and the last stretch.',
  },
  {
    solver: 'compute',
    path: /^output\.propagated\./,
    upTo: 1.8,
    why: 'Ten thousand draws have a scatter of their own, which the check of the draws does not see.',
  },
  {
    solver: 'tumor',
    path: /^output\.(?:mass|maxDensity)$/,
    upTo: 0.19,
    why: 'Early errors in the thin tail of a hill grow into the place of a front; stretches do not see what grows.',
  },
  {
    solver: 'wave',
    path: /^output\.energy$/,
    where: { dim: 2 },
    upTo: 0.42,
    why: 'Slopes are means over cells, for run and check alike, so that the energy of a short wave is too low.',
  },
  {
    solver: 'quant',
    path: /^output\.(?:delta|gamma|vega|theta|rho)$/,
    upTo: 0.35,
    why: 'A sensitivity counts from 0.3 % of its scale at the money.',
  },
  {
    solver: 'multibody',
    path: /^output\.(?:positions|velocities)\./,
    upTo: 0.9,
    why: 'Places are judged on the farthest way from the start, velocities by energy alone: pericentres show both.',
  },
  {
    solver: 'lorenz',
    path: /^output\.exponents\./,
    upTo: 0.19,
    why: 'Exponents are means over a time and hold to the errors that stand beside them.',
  },
  {
    solver: 'lorenz',
    path: /^output\.dimension$/,
    upTo: 100,
    why: 'On a cycle the largest exponent is 0 and its sign in the answer is chance, and with it 0 or 1.',
  },
]

/** The line that explains why a number is beyond the bound, or undefined. */
export const knownOf = ({ solver, case: { input, path }, realPct }: Finding): Known | undefined =>
  known.find(
    (it) =>
      it.solver === solver &&
      it.path.test(path) &&
      realPct !== undefined &&
      realPct <= it.upTo &&
      Object.entries(it.where ?? {}).every(([name, value]) => input[name] === value),
  )
