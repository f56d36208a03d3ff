import { UNCHECKED_TICKS_MAX } from '#core/work/exposure.ts'
import type { Dispute, DisputesStanding, WorkStanding } from './fold.ts'
import { workKey } from './types.ts'

/** Why a home does not withhold; null when it does. */
export type NotWithheld = 'nothing_proven' | 'no_bond_at_risk' | 'not_counted' | 'no_home' | 'needs_another'

/** Who asks. */
export interface HomeView {
  readonly node: string
  readonly zidOf: (node: string) => string | undefined
  /** Whether the bond answers for the work (`countedWorks`). */
  readonly isCounted: boolean
}

const isOwn = (other: string, { node, zidOf }: HomeView): boolean =>
  other === node || (zidOf(other) !== undefined && zidOf(other) === zidOf(node))

/** Another node that says the same: a ruling of the pool, or a home of the bond that withheld. */
const isConfirmed = (standing: WorkStanding, over: readonly Dispute[], view: HomeView): boolean =>
  standing.withheldBy.some(({ node }) => !isOwn(node, view)) ||
  over.some(({ course }) => course?.rulings.some(({ author, outcome }) => outcome === 'upheld' && !isOwn(author, view)))

/**
 * Whether a home withholds the bond behind a work. It has itself run the segment and got the challenger's digest; where
 * it is requester, worker or challenger it also waits for another node, since interface.md asks for an independent
 * re-execution.
 */
export const notWithheld = (
  standing: WorkStanding,
  disputes: DisputesStanding['disputes'],
  view: HomeView,
): NotWithheld | null => {
  const { work, proven } = standing
  const { terms } = work
  if (proven === null) return 'nothing_proven'
  if (terms === null || !terms.atRisk || terms.bond === null) return 'no_bond_at_risk'
  if (!terms.homes.includes(view.node)) return 'no_home'
  if (!view.isCounted) return 'not_counted'
  const over = standing.disputes.flatMap((id) => disputes.get(id) ?? [])
  const challengers = over.filter(({ verdict }) => verdict === 'proven').map(({ challenge }) => challenge.author)
  const parties = [work.requester, work.worker, ...challengers]
  const isParty = parties.some((party) => isOwn(party, view))
  // Beside a challenger that is this home's own there may be one that is not: then its check answers to a stranger.
  const stranger =
    challengers.some((it) => !isOwn(it, view)) && !isOwn(work.requester, view) && !isOwn(work.worker, view)
  return isParty && !stranger && !isConfirmed(standing, over, view) ? 'needs_another' : null
}

/** A lock that proof of a wrong work keeps: it becomes final and ends by no clock. */
export const NEVER = Number.MAX_SAFE_INTEGER

/**
 * Until when a dispute keeps a bond locked at a home: until that home's own check, which it owes at once; 9,009 ticks
 * beyond its end at most, where it cannot load the code. Undefined: not at all any more.
 */
export const locksUntil = ({ refused, challenge, course, verdict, end }: Dispute): number | undefined => {
  // What is pending stands in no window: the 240 ticks beyond the 1,287 are there for it.
  if (refused !== null || challenge.when === 'pending') return undefined
  if (challenge.payload.kind === 'unavailable') return end?.at ?? course?.until
  // Between what a home found and its ledger there is a moment, and a home that is a side waits for another node.
  if (verdict === 'proven') return NEVER
  if (verdict !== null && verdict !== 'unchecked') return undefined
  const last = course?.until ?? challenge.when.at
  return last + UNCHECKED_TICKS_MAX
}

/**
 * The mesh ticks until which disputes keep the bond of some works locked at a home, for `unlocksAt`. A work that the
 * bond does not answer for keeps nothing, whatever is proven of it: nothing could be taken for it.
 *
 * @param isCounted whether the bond answers for a work, by its key (`countedWorks`).
 */
export const lockedBy = (
  { disputes, works }: DisputesStanding,
  bond: string,
  isCounted: (key: string) => boolean,
): readonly number[] =>
  [...disputes.values()]
    .filter(({ work }) => work.terms?.bond === bond && works.has(workKey(work)) && isCounted(workKey(work)))
    .flatMap((it) => locksUntil(it) ?? [])
