import { DISPUTE_TICKS, SERVE_TICKS } from '#core/work/exposure.ts'
import type { GivenRow, TakenRow } from '#store/works.ts'

/** Nodes that are named at most. */
const PARTNERS_MAX = 64

/** Whether something may still be said about a work: until its last dispute can be over. */
const isFresh = (published: number | null, meshTick: number): boolean =>
  published === null || meshTick - published <= DISPUTE_TICKS + SERVE_TICKS

/**
 * Nodes whose events concern this one: those it works for, those that work for it, and the pools of its own jobs, in
 * this order and without a repeat.
 */
export const partnersOf = (
  { taken, given }: { readonly taken: readonly TakenRow[]; readonly given: readonly GivenRow[] },
  meshTick: number,
): readonly string[] => {
  const isTaken = ({ state, published }: TakenRow): boolean => state !== 'over' && isFresh(published, meshTick)
  const isGiven = ({ state, published }: GivenRow): boolean =>
    state !== 'over' && isFresh(published?.mesh_tick ?? null, meshTick)
  const offers = given.filter(isGiven).map(({ offer }) => offer.offer)
  const nodes = new Set([
    ...taken.filter(isTaken).map(({ offer }) => offer.offer.job.requester),
    ...offers.map(({ worker }) => worker),
    ...offers.flatMap(({ pool }) => pool),
  ])
  return [...nodes].slice(0, PARTNERS_MAX)
}
