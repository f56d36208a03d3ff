import { assert } from '#core/assert.ts'

/** Ticks after the event that publishes a work in which a dispute over it may be opened. */
export const DISPUTE_TICKS = 1_287
/** Ticks beyond that for which what a check needs is served, and a bond stays locked. */
export const SERVE_TICKS = 240
/** Works that a bond carries at a time. */
export const BOND_WORKS_MAX = 64
/** Ticks that a lock may outlive `unlocks_at` because a home cannot load the code of a work. */
export const UNCHECKED_TICKS_MAX = 9_009

/** A work under a bond, as the log shows it. */
export interface BondedWork {
  /** Names it; the second order after time. */
  readonly id: string
  /** Mesh tick at which it was published, by *When*; undefined while that is pending. */
  readonly at: number | undefined
}

const byTime = (a: BondedWork, b: BondedWork): number => {
  const [left, right] = [a.at ?? Number.MAX_SAFE_INTEGER, b.at ?? Number.MAX_SAFE_INTEGER]
  if (left !== right) return left - right
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}

/**
 * The works that a bond answers for: never more than 64 whose 1,287 ticks are not over. What is above that counts for
 * nothing, the later ones by *When* and then by id, whoever learnt of which first.
 *
 * @returns ids, in that order.
 */
export const countedWorks = (works: readonly BondedWork[], worksMax = BOND_WORKS_MAX): readonly string[] => {
  const counted: BondedWork[] = []
  let first = 0
  for (const work of [...works].sort(byTime)) {
    const at = work.at ?? Number.MAX_SAFE_INTEGER
    while (first < counted.length && (counted[first]?.at ?? at) + DISPUTE_TICKS < at) first += 1
    if (counted.length - first < worksMax) counted.push(work)
  }
  return counted.map(({ id }) => id)
}

/** Works of a bond that are open at a mesh tick: accepted, and their 1,287 ticks not over. */
export const openWorks = (
  works: readonly { readonly accepted: number; readonly at: number | undefined }[],
  meshTick: number,
): number =>
  works.filter(({ accepted, at }) => accepted <= meshTick && (at === undefined || meshTick <= at + DISPUTE_TICKS))
    .length

/** What the end of a bond's lock follows from. */
export interface ReleaseOf {
  /** When the release was said. */
  readonly released: number
  /** Ticks of the results under the bond, and of the events that publish them. */
  readonly works: readonly { readonly result: number; readonly published: number | undefined }[]
  /** Until when each dispute over one of them can last at most. */
  readonly disputesUntil: readonly number[]
}

/**
 * The mesh tick at which a bond's lock may end: 1,287 + 240 ticks after its last result, or that result's publication
 * if that is later, and not while a dispute is open. A home cannot know that there is no work that it has not heard of,
 * so the ticks count from the release at least. It is worked out anew as works and disputes become known, and may
 * only move later: a home keeps the largest that it ever found.
 */
export const unlocksAt = ({ released, works, disputesUntil }: ReleaseOf): number => {
  assert(Number.isSafeInteger(released), 'a mesh tick')
  const last = works.reduce((late, { result, published }) => Math.max(late, result, published ?? 0), released)
  return Math.max(last + DISPUTE_TICKS + SERVE_TICKS, ...disputesUntil)
}
