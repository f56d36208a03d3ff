import { DISPUTE_TICKS } from '#core/work/exposure.ts'
import { type DisputeCourse, followTicks } from './course.ts'
import { byWhen, tickOf } from './order.ts'
import { OPEN_BY_ONE_MAX, OVER_ONE_WORK_MAX, type Rules, STREAK_MAX } from './rules.ts'
import type { BondedSpan, DisputedWork, EventOf } from './types.ts'

/** Why a challenge opens no dispute. */
export type ChallengeRefusal =
  | 'late'
  | 'not_bonded'
  | 'repeated'
  | 'too_many'
  | 'waiting'
  | 'crowded'
  | 'follows_nothing'

/** A challenge with what its admission depends on. */
export interface ChallengeCandidate {
  readonly event: EventOf<'challenge'>
  readonly work: DisputedWork
  /** Null while offer and accept are not here. */
  readonly course: DisputeCourse | null
  /** When it was lost (c withheld, or by this node's own check) or won, by this node's own check. */
  readonly lostAt: number | null
  readonly wonAt: number | null
}

const bondedAt = (spans: readonly BondedSpan[], node: string, at: number): boolean =>
  spans.some((it) => it.node === node && it.from <= at && (it.until === null || at < it.until))

/** The earlier challenge for want of data that this one goes on with, if it is one and its data came. */
const followed = (
  it: ChallengeCandidate,
  all: ReadonlyMap<string, ChallengeCandidate>,
): ChallengeCandidate | undefined => {
  const parent = all.get(it.event.payload.follows ?? '')
  const fits =
    parent !== undefined &&
    parent.event.payload.kind === 'unavailable' &&
    parent.event.author === it.event.author &&
    parent.work === it.work
  return fits ? parent : undefined
}

const inWindow = ({ event, work }: ChallengeCandidate, parent: ChallengeCandidate | undefined): boolean => {
  if (event.when === 'pending' || work.when === 'pending') return true
  const end = parent?.course?.end
  const more = work.terms === null || end?.how !== 'available' ? 0 : end.at + followTicks(work.terms)
  return event.when.at <= Math.max(work.when.at + DISPUTE_TICKS, more)
}

/** Ticks that a challenger who lost n in a row waits: 1,287 · 2^n, none after none. */
const waitAfter = (losses: number): number => {
  let ticks = losses === 0 ? 0 : DISPUTE_TICKS
  for (let n = 0; n < Math.min(losses, STREAK_MAX); n++) ticks *= 2
  return ticks
}

const isWaiting = (earlier: readonly ChallengeCandidate[], at: number): boolean => {
  const decided = earlier
    .flatMap(({ lostAt, wonAt }) => [
      ...(lostAt === null ? [] : [{ at: lostAt, lost: true }]),
      ...(wonAt === null ? [] : [{ at: wonAt, lost: false }]),
    ])
    .filter((it) => it.at <= at)
    .sort((a, b) => a.at - b.at)
  let losses = 0
  let last = 0
  for (const it of decided) {
    losses = it.lost ? losses + 1 : 0
    last = it.at
  }
  return losses > 0 && at < last + waitAfter(losses)
}

const isOpenAt = ({ event, course, lostAt, wonAt }: ChallengeCandidate, at: number): boolean => {
  if (event.when === 'pending') return false
  const ends = [course?.end?.at, lostAt, wonAt].flatMap((it) => it ?? [])
  return Math.min(...ends, course?.until ?? Number.MAX_SAFE_INTEGER) > at
}

/** Why a challenge does not open a dispute, given those that its author opened before it; null when it does. */
const refusedOf = (
  it: ChallengeCandidate,
  before: readonly ChallengeCandidate[],
  context: {
    readonly all: ReadonlyMap<string, ChallengeCandidate>
    readonly bonded: readonly BondedSpan[]
    readonly tick: number
  },
): ChallengeRefusal | null => {
  const { event, work } = it
  const at = tickOf(event.when) ?? context.tick
  const parent = followed(it, context.all)
  if (event.payload.follows !== null && parent === undefined) return 'follows_nothing'
  if (!inWindow(it, parent)) return 'late'
  if (event.author !== work.requester && !bondedAt(context.bonded, event.author, at)) return 'not_bonded'
  const { kind, segment } = event.payload
  const same = (other: ChallengeCandidate): boolean =>
    other.work === work && other.event.payload.kind === kind && other.event.payload.segment === segment
  if (before.some(same)) return 'repeated'
  // What goes on with a dispute is that dispute: it takes no second place and waits for nothing.
  if (parent !== undefined) return null
  if (isWaiting(before, at)) return 'waiting'
  return before.filter((other) => isOpenAt(other, at)).length >= OPEN_BY_ONE_MAX ? 'too_many' : null
}

/** Those of the requester and of pool members first, then by *When* and id. */
const rankOf = ({ event, work }: ChallengeCandidate): number =>
  event.author === work.requester || work.terms?.pool.includes(event.author) === true ? 0 : 1

const crowdedOut = (admitted: readonly ChallengeCandidate[], rules: Rules): ReadonlySet<ChallengeCandidate> => {
  const byWork = new Map<DisputedWork, ChallengeCandidate[]>()
  for (const it of admitted) byWork.set(it.work, [...(byWork.get(it.work) ?? []), it])
  const out = new Set<ChallengeCandidate>()
  for (const over of byWork.values()) {
    const first = rules.eachStandsAlone
      ? [...over].sort((a, b) => rankOf(a) - rankOf(b) || byWhen(a.event, b.event))
      : over
    for (const it of first.slice(rules.eachStandsAlone ? OVER_ONE_WORK_MAX : 1)) out.add(it)
  }
  return out
}

/**
 * Which challenges open a dispute, and why the others do not (trust.md, Who, how many).
 *
 * @param candidates in the order of their events.
 */
export const admit = (
  candidates: readonly ChallengeCandidate[],
  context: { readonly bonded: readonly BondedSpan[]; readonly tick: number; readonly rules: Rules },
): ReadonlyMap<string, ChallengeRefusal | null> => {
  const all = new Map(candidates.map((it) => [it.event.id, it]))
  const answers = new Map<string, ChallengeRefusal | null>()
  const opened = new Map<string, ChallengeCandidate[]>()
  const admitted: ChallengeCandidate[] = []
  for (const it of candidates) {
    const before = opened.get(it.event.author) ?? []
    const why = refusedOf(it, before, { ...context, all })
    answers.set(it.event.id, why)
    if (why !== null) continue
    admitted.push(it)
    opened.set(it.event.author, [...before, it])
  }
  for (const it of crowdedOut(admitted, context.rules)) answers.set(it.event.id, 'crowded')
  return answers
}
