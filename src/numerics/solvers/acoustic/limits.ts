import { Fault } from '#core/fault.ts'
import { wrong } from '#numerics/runtime/refusing.ts'
import { elementsOf, partsOf } from './problem.ts'
import type { AcousticInput } from './schema.ts'

/** Largest radius of a bore over its smallest, at most. */
const CONTRAST_MAX = 1e3
/** What a quotient of two decimal numbers may be off. */
const ROUNDING = 1e-9
/** Elements for each mode, at least. */
const ELEMENTS_PER_MODE = 4
/** Longest part of a bore over its shortest, at most. */
const LENGTHS_MAX = 1e4

const refuseTable = ({ L, section }: AcousticInput): void => {
  const { kind, points } = section
  if (kind !== 'table') {
    if (points !== undefined) wrong('/section/points', 'only a table has points.')
    return
  }
  if (points === undefined) return wrong('/section/points', 'a table needs its points.')
  const [first, last] = [points[0], points.at(-1)]
  if (first?.x !== 0) wrong('/section/points/0/x', 'the bore begins at 0.', { measured: first?.x })
  points.forEach((point, k) => {
    if (k > 0 && !(point.x > (points[k - 1]?.x ?? 0))) wrong(`/section/points/${k}/x`, 'places must rise.')
  })
  if (last?.x !== L)
    wrong(`/section/points/${points.length - 1}/x`, `the bore ends at L = ${L}.`, { measured: last?.x, limit: L })
}

/**
 * Every refusal before work.
 *
 * @throws Fault INVALID_INPUT (a table that is no bore), OUT_OF_RANGE (more modes than the elements carry, bores and
 * parts too unlike).
 */
export const refuseAcoustic = (input: AcousticInput): void => {
  refuseTable(input)
  const parts = partsOf(input)
  const radii = parts.flatMap(({ from, to }) => [from, to])
  const lengths = parts.map(({ length }) => length)
  for (const [what, all, limit] of [
    ['radii', radii, CONTRAST_MAX],
    ['parts', lengths, LENGTHS_MAX],
  ] as const) {
    const measured = Math.max(...all) / Math.min(...all)
    if (measured <= limit * (1 + ROUNDING)) continue
    throw new Fault('OUT_OF_RANGE', `/section: ${what} of the bore differ ${measured} fold; ${limit} is allowed.`, {
      path: '/section',
      measured,
      limit,
    })
  }
  const total = (of: AcousticInput): number => elementsOf(of).reduce((sum, it) => sum + it, 0)
  const elements = total(input)
  if (ELEMENTS_PER_MODE * input.modes <= elements) return
  const limit = Math.floor(elements / ELEMENTS_PER_MODE)
  // Each part rounds its share of the elements, so that the sum may be short of those asked for by half of one a part.
  let asked = ELEMENTS_PER_MODE * input.modes
  while (total({ ...input, elements: asked }) < ELEMENTS_PER_MODE * input.modes) asked++
  throw new Fault('OUT_OF_RANGE', `/modes: ${elements} elements carry ${limit} modes, not ${input.modes}.`, {
    path: '/modes',
    measured: input.modes,
    limit,
    elements: asked,
  })
}
