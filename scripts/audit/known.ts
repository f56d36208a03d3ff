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
