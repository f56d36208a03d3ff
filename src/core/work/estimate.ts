import { assert } from '#core/assert.ts'

/** Work units that a node is taken to do in a tick. */
export const UNITS_PER_TICK = 1_000
/** Ticks of the largest estimate that can be offered under a bond (trust.md, Duty). */
export const ESTIMATE_TICKS_MAX = 4_634

/** Ticks that a run is taken to last: a function of the inputs, by the solver's own measure, and nobody's word. */
export const estimateTicks = (workUnits: number): number => {
  assert(Number.isFinite(workUnits) && workUnits >= 0, 'work is a number of units')
  return Math.ceil(workUnits / UNITS_PER_TICK)
}

/** The same for one of `k` segments; `k` is 0 for a run that does not step. */
export const segmentEstimateTicks = (workUnits: number, k: number): number =>
  k === 0 ? estimateTicks(workUnits) : Math.ceil(estimateTicks(workUnits) / k)

/** Whether work of this size can be offered under a bond. */
export const canBeOffered = (workUnits: number): boolean => estimateTicks(workUnits) <= ESTIMATE_TICKS_MAX
