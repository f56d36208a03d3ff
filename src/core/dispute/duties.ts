import { DISPUTE_TICKS, SERVE_TICKS } from '#core/work/exposure.ts'
import { followTicks } from './course.ts'
import { checkKey, type Dispute, type DisputesStanding } from './fold.ts'
import { tickOf } from './order.ts'
import { RANKS_FIRST } from './rules.ts'

/** What a node owes to disputes, or may do about them. */
export interface DisputeDuty {
  /**
   * `reveal`: its value of the draw. `rule`: run the segment and say what came. `look`: get the data. `check`: run it
   * for itself. `serve`: the data of the work. `challenge`: what the data that came allow.
   */
  readonly what: 'reveal' | 'rule' | 'look' | 'check' | 'serve' | 'challenge'
  /** Id of the challenge. */
  readonly challenge: string
  /** Mesh ticks; `until` is null where there is no hurry but its own. */
  readonly from: number
  readonly until: number | null
  /** Homes check at once; all others at low priority, when they next need worker, bond or token. */
  readonly atOnce: boolean
}

type Of = (dispute: Dispute, node: string, tick: number) => readonly Omit<DisputeDuty, 'challenge'>[]

const openedAt = ({ challenge }: Dispute, tick: number): number => tickOf(challenge.when) ?? tick

const reveals: Of = (dispute, node, tick) => {
  const { course, phase, work, challenge } = dispute
  const pending = challenge.when === 'pending'
  if (course === null || (phase !== 'w' && phase !== 'c' && phase !== 'pending')) return []
  const { w, wUntil, cUntil } = course.draw
  if (node === work.worker && w === null && (pending || tick <= wUntil)) {
    return [{ what: 'reveal', from: openedAt(dispute, tick), until: pending ? null : wUntil, atOnce: true }]
  }
  if (node !== challenge.author || pending) return []
  return [{ what: 'reveal', from: w?.at ?? wUntil + 1, until: cUntil, atOnce: true }]
}

/** Ranks are called in turn; after a first `upheld` ranks 1 and 2 may be asked as well. */
const ruling: Of = ({ course, challenge, phase, end }, node) => {
  if (course === null || course.drawnAt === null || challenge.payload.kind !== 'wrong') return []
  const { ranks, span, rulings, drawnAt } = course
  const rank = ranks.indexOf(node)
  if (rank < 0 || rulings.some(({ author }) => author === node)) return []
  const [first] = rulings
  if (first === undefined) {
    // What a member has proven for itself ends nothing for others: they wait for its word.
    const isCalled = phase === 'duty' || (end?.how === 'proven' && course.end === null)
    if (!isCalled) return []
    const from = drawnAt + rank * span
    return [{ what: 'rule', from, until: from + span, atOnce: true }]
  }
  if (first.outcome !== 'upheld' || rank === 0 || rank >= RANKS_FIRST) return []
  return [{ what: 'rule', from: first.at, until: first.at + span, atOnce: false }]
}

const looking: Of = ({ course, challenge, phase }, node) => {
  if (course?.drawnAt == null || challenge.payload.kind !== 'unavailable' || phase !== 'duty') return []
  const rank = course.ranks.indexOf(node)
  if (rank < 0 || rank >= RANKS_FIRST || course.rulings.some(({ author }) => author === node)) return []
  const from = course.drawnAt + rank * course.span
  return [{ what: 'look', from, until: from + course.span, atOnce: true }]
}

const checking: Of = (dispute, node, tick) => {
  const { challenge, verdict, work, course, end } = dispute
  if (challenge.payload.kind !== 'wrong' || (verdict !== null && verdict !== 'unchecked')) return []
  // A challenge proves itself: whether its author's value came says nothing of the work.
  if (end?.how === 'proven') return []
  const isHome = work.terms?.homes.includes(node) === true
  const rank = course?.ranks.indexOf(node) ?? -1
  const near = isHome || node === work.requester || (rank >= 0 && rank < RANKS_FIRST)
  // A whole run is for those whose business it is; who is about to give that worker a job asks for itself.
  if (challenge.payload.segment === 'all' && !near) return []
  return [{ what: 'check', from: openedAt(dispute, tick), until: null, atOnce: isHome }]
}

const serving: Of = ({ work, phase, course, challenge }, node, tick) => {
  if ((node !== work.requester && node !== work.worker) || phase === 'ended') return []
  const from = tickOf(work.when) ?? tick
  const until = challenge.when === 'pending' ? null : Math.max(from + DISPUTE_TICKS + SERVE_TICKS, course?.until ?? 0)
  return [{ what: 'serve', from, until, atOnce: true }]
}

const following: Of = ({ challenge, end, work }, node) => {
  if (node !== challenge.author || end?.how !== 'available' || work.terms === null) return []
  return [{ what: 'challenge', from: end.at, until: end.at + followTicks(work.terms), atOnce: false }]
}

const kinds: readonly Of[] = [reveals, ruling, looking, checking, serving, following]

/**
 * What a node owes, from the state of all disputes: each duty with the ticks between which it stands. Those whose time
 * has not come are there too, those whose time is over are not. Equal challenges ask for one check.
 */
export const dutiesOf = ({ disputes }: DisputesStanding, node: string, tick: number): readonly DisputeDuty[] => {
  const checked = new Set<string>()
  return [...disputes.values()]
    .filter(({ refused }) => refused === null)
    .flatMap((dispute) =>
      kinds.flatMap((of) =>
        of(dispute, node, tick).flatMap((duty): DisputeDuty[] => {
          if (duty.until !== null && duty.until < tick) return []
          if (duty.what === 'check') {
            const key = checkKey(dispute.work, dispute.challenge)
            if (checked.has(key)) return []
            checked.add(key)
          }
          return [{ ...duty, challenge: dispute.id }]
        }),
      ),
    )
}
