import type { Json } from '#core/canonical.ts'

/** What one kind of computation takes on the reference machine, its check included. */
export interface ReferencePace {
  /** Milliseconds beside the work: tables, outputs, a check that does not grow. */
  readonly fixedMs: number
  /** Milliseconds for a unit of work. */
  readonly workMs: number
  /** Where the work is a bound and no forecast: the shares of the expected time between which runs were seen to end. */
  readonly range?: readonly [low: number, high: number]
}

const pace = (fixedMs: number, workMs: number, range?: ReferencePace['range']): ReferencePace => ({
  ...{ fixedMs, workMs },
  ...(range !== undefined && { range }),
})

/** A kind with paces of its own for some values of one input. */
interface Kind extends ReferencePace {
  readonly by?: string
  readonly of?: Readonly<Record<string, ReferencePace>>
}

/**
 * Processor time of one thread, measured by `npm run bench -- paces` and fitted by hand to three sizes and more of each
 * kind: what a quote needs is the size of the answer, not its digits.
 */
const kinds: Readonly<Record<string, Kind>> = {
  acoustic: pace(6, 0.83),
  action: pace(30, 0.9),
  blackhole: pace(3.5, 2.1),
  buckling: pace(1, 1),
  climate: { ...pace(10, 0.33), by: 'mode', of: { general: pace(10, 0.515) } },
  compute: pace(5, 1),
  device: { ...pace(2, 0.52), by: 'dim', of: { 1: pace(1, 2.5) } },
  dock: pace(20, 0.11, [0.5, 3]),
  epi: pace(5, 2.4),
  evolve: pace(15, 0.19),
  fea: pace(5, 0.3),
  flow: { ...pace(2, 0.15), by: 'case', of: { cavity: pace(2, 0.96) } },
  fracture: { ...pace(5, 1.3), by: 'mode', of: { bar: pace(6, 1.3) } },
  gauge: pace(10, 0.49),
  grid: pace(0.5, 2.2),
  heat: pace(10, 0.26),
  kalman: pace(5, 7.7),
  lorenz: pace(5, 2.5),
  lotka: pace(3, 2.5),
  multibody: pace(2, 105),
  opt: pace(5, 0.2, [0.1, 8]),
  quant: { ...pace(1, 0.31), by: 'product', of: { asian: pace(1, 0.49), barrier: pace(1, 2.1) } },
  react: pace(3, 0.745),
  sat: pace(3, 0.3, [0.02, 3]),
  schrodinger: pace(3, 0.02),
  solve: pace(2, 5),
  tumor: { ...pace(10, 0.27), by: 'dim', of: { 1: pace(25, 0.25) } },
  wave: { ...pace(5, 0.29), by: 'mode', of: { maxwell: pace(3, 0.9) } },
  zeta: pace(2, 1.5, [0.5, 3]),
}

/** A kind that is not in the table: 1e6 operations at 1e9 a second. */
const COMMON = pace(0, 1)

/** What is expected of a computation, and under which name its kind is learnt. */
export const referenceOf = (kind: string, inputs: Json): { readonly key: string; readonly pace: ReferencePace } => {
  const found: Kind = kinds[kind] ?? COMMON
  if (found.by === undefined) return { key: kind, pace: found }
  const value = String((inputs as Readonly<Record<string, Json>>)[found.by])
  const own = found.of !== undefined && Object.hasOwn(found.of, value) ? found.of[value] : undefined
  return own === undefined ? { key: kind, pace: found } : { key: `${kind} ${value}`, pace: own }
}
