import { admit, type ChallengeCandidate, type ChallengeRefusal } from './admit.ts'
import { type CourseEnd, courseOf, type DisputeCourse, type Ruled } from './course.ts'
import { ordered, tickOf } from './order.ts'
import { workerReveals } from './reveals.ts'
import { type Rules, trustRules } from './rules.ts'
import type { DisputedWork, DisputeEvent, DisputeUnion, EventOf } from './types.ts'
import { workKey } from './types.ts'

/** What a node says of a challenge after it ran the segment itself; null before. */
export type OwnVerdict = 'proven' | 'refuted' | 'not_reproducible' | 'unchecked' | null

/** A dispute, or why a challenge opened none. */
export interface Dispute {
  /** Id of the event of the challenge. */
  readonly id: string
  readonly work: DisputedWork
  readonly challenge: EventOf<'challenge'>
  /** Null when it stands. */
  readonly refused: ChallengeRefusal | null
  /** `documents`: offer or accept are not here. `w`, `c`: a value is awaited. `duty`: pool members are called. */
  readonly phase: 'refused' | 'pending' | 'documents' | 'w' | 'c' | 'duty' | 'ended'
  readonly course: DisputeCourse | null
  /** By events and ticks, or because another dispute over the work is proven here. */
  readonly end: CourseEnd | { readonly how: 'proven'; readonly at: number } | null
  readonly verdict: OwnVerdict
  /** Whether the challenger lost it: its value was withheld, or this node's check has the worker's digest. */
  readonly lost: boolean
  /** Authors of rulings that this node's own check refutes: signed proof against each. */
  readonly refutedRulers: readonly string[]
}

/** A work with what its disputes come to here. */
export interface WorkStanding {
  readonly work: DisputedWork
  /** Ids of its disputes, those that stand. */
  readonly disputes: readonly string[]
  /** The challenge by which this node has proven it wrong; null: nothing is proven. */
  readonly proven: string | null
  /** Nobody could get its data. */
  readonly unavailable: boolean
  /** Homes that say the bond is withheld, for one of these disputes. */
  readonly withheldBy: readonly { readonly node: string; readonly challenge: string }[]
}

/** All disputes of a union, and all works in it. */
export interface DisputesStanding {
  readonly disputes: ReadonlyMap<string, Dispute>
  readonly works: ReadonlyMap<string, WorkStanding>
}

/** Challenges of one work with one segment and digest are checked once: what they have in common. */
export const checkKey = (work: DisputedWork, { payload }: EventOf<'challenge'>): string =>
  `${workKey(work)}/${payload.segment}/${payload.own}`

interface Check {
  readonly verdict: OwnVerdict
  readonly at: number
}

const verdicts = { upheld: 'proven', dismissed: 'refuted' } as const

/** The events of a union by their type and by the challenge that they name. */
interface Sorted {
  readonly challenges: readonly EventOf<'challenge'>[]
  readonly reveals: ReadonlyMap<string, readonly EventOf<'reveal'>[]>
  readonly allReveals: readonly EventOf<'reveal'>[]
  readonly rulings: ReadonlyMap<string, readonly EventOf<'ruling'>[]>
  readonly withheld: readonly EventOf<'withheld'>[]
  readonly checked: readonly EventOf<'checked'>[]
}

const put = <T>(map: Map<string, T[]>, name: string, it: T): void => {
  const list = map.get(name)
  if (list === undefined) map.set(name, [it])
  else list.push(it)
}

const sortedEvents = (events: readonly DisputeEvent[]): Sorted => {
  const challenges: EventOf<'challenge'>[] = []
  const reveals = new Map<string, EventOf<'reveal'>[]>()
  const allReveals: EventOf<'reveal'>[] = []
  const rulings = new Map<string, EventOf<'ruling'>[]>()
  const withheld: EventOf<'withheld'>[] = []
  const checked: EventOf<'checked'>[] = []
  for (const event of events) {
    if (event.type === 'challenge') challenges.push(event)
    else if (event.type === 'withheld') withheld.push(event)
    else if (event.type === 'checked') checked.push(event)
    else if (event.type === 'ruling') put(rulings, event.payload.challenge, event)
    else {
      put(reveals, event.payload.challenge, event)
      allReveals.push(event)
    }
  }
  return { challenges, reveals, allReveals, rulings, withheld, checked }
}

/** The work that a challenge names, if it is that work. */
const workOf = (
  works: ReadonlyMap<string, DisputedWork>,
  { payload }: EventOf<'challenge'>,
): DisputedWork | undefined => {
  const work = works.get(workKey(payload.place))
  return work?.work === payload.place.work && work.worker === payload.place.worker ? work : undefined
}

const majority = (rulings: readonly Ruled[]): OwnVerdict => {
  const upheld = rulings.filter(({ outcome }) => outcome === 'upheld').length
  return upheld * 2 > rulings.length ? 'proven' : rulings.length > 0 ? 'refuted' : null
}

/** What a node goes by: its own check. The other two are rules that the simulator breaks. */
const verdictOf = (rules: Rules, check: Check | undefined, course: DisputeCourse | null): OwnVerdict => {
  if (rules.verdict === 'own_check') return check?.verdict ?? null
  const rulings = course?.rulings ?? []
  if (rules.verdict === 'pool_majority') return majority(rulings)
  const [first] = rulings
  return first === undefined ? null : first.outcome === 'upheld' ? 'proven' : 'refuted'
}

const checksOf = (
  { checked, challenges }: Sorted,
  works: ReadonlyMap<string, DisputedWork>,
): ReadonlyMap<string, Check> => {
  const byId = new Map(challenges.map((it) => [it.id, it]))
  const checks = new Map<string, Check>()
  for (const { payload, when } of checked) {
    const challenge = byId.get(payload.challenge)
    const work = challenge && workOf(works, challenge)
    if (challenge === undefined || work === undefined) continue
    const key = checkKey(work, challenge)
    const { outcome } = payload
    const verdict = outcome === 'upheld' || outcome === 'dismissed' ? verdicts[outcome] : outcome
    const before = checks.get(key)
    // A node that could not check at first may be able to later; what it found once stays.
    if (before === undefined || before.verdict === 'unchecked') checks.set(key, { verdict, at: tickOf(when) ?? 0 })
  }
  return checks
}

const refutedBy = (verdict: OwnVerdict, rulings: readonly Ruled[]): readonly string[] => {
  const wrong = verdict === 'proven' ? 'dismissed' : verdict === 'refuted' ? 'upheld' : undefined
  return rulings.filter(({ outcome }) => outcome === wrong).map(({ author }) => author)
}

const phaseOf = (it: Pick<Dispute, 'refused' | 'challenge' | 'course' | 'end'>, tick: number): Dispute['phase'] => {
  if (it.refused !== null) return 'refused'
  if (it.end !== null) return 'ended'
  if (it.challenge.when === 'pending') return 'pending'
  if (it.course === null) return 'documents'
  const { draw, drawnAt } = it.course
  if (drawnAt !== null) return 'duty'
  return draw.w === null && tick <= draw.wUntil ? 'w' : 'c'
}

interface Judged extends ChallengeCandidate {
  readonly verdict: OwnVerdict
}

/**
 * What a node knows of disputes, from the union of events and its own checks: a pure function of both as sets, so that
 * equal unions give equal states in whatever order they came, and what comes late counts at its own time.
 *
 * @param rules the product names none.
 */
export const foldDisputes = (union: DisputeUnion, rules: Rules = trustRules): DisputesStanding => {
  const { tick, bonded } = union
  const works = new Map(union.works.map((work) => [workKey(work), work]))
  const zidOf = new Map(union.owners.map(({ node, zid }) => [node, zid]))
  const sorted = sortedEvents(ordered(union.events, rules))
  const checks = checksOf(sorted, works)
  const chains = new Map<DisputedWork, ReturnType<typeof workerReveals>>()
  const judged = sorted.challenges.flatMap((event): Judged[] => {
    const work = workOf(works, event)
    if (work === undefined) return []
    const chain = chains.get(work) ?? workerReveals(work, sorted.allReveals)
    chains.set(work, chain)
    const reveals = sorted.reveals.get(event.id) ?? []
    const rulings = sorted.rulings.get(event.id) ?? []
    const of = { work, zidOf, rules, tick, byWorker: chain.get(event.id), reveals, rulings }
    const course = work.terms === null ? null : courseOf(event, { ...of, terms: work.terms })
    const check = checks.get(checkKey(work, event))
    const verdict = verdictOf(rules, check, course)
    const at = check?.at ?? course?.end?.at ?? tick
    const lostAt = verdict === 'refuted' ? at : course?.end?.how === 'c_withheld' ? course.end.at : null
    return [{ event, work, course, verdict, lostAt, wonAt: verdict === 'proven' ? at : null }]
  })
  const answers = admit(judged, { bonded, tick, rules })
  return standingOf(judged, { answers, works, withheld: sorted.withheld, tick })
}

const standingOf = (
  judged: readonly Judged[],
  of: {
    readonly answers: ReadonlyMap<string, ChallengeRefusal | null>
    readonly works: ReadonlyMap<string, DisputedWork>
    readonly withheld: readonly EventOf<'withheld'>[]
    readonly tick: number
  },
): DisputesStanding => {
  const proven = new Map<DisputedWork, Judged>()
  for (const it of judged) {
    const stands = (of.answers.get(it.event.id) ?? null) === null
    if (stands && it.verdict === 'proven' && !proven.has(it.work)) proven.set(it.work, it)
  }
  const disputes = new Map<string, Dispute>()
  const byWork = new Map<string, Dispute[]>()
  for (const { event, work, course, verdict, lostAt } of judged) {
    const refused = of.answers.get(event.id) ?? null
    const first = proven.get(work)
    const end =
      first?.wonAt === null || first === undefined
        ? (course?.end ?? null)
        : { how: 'proven' as const, at: first.wonAt ?? 0 }
    const part = { id: event.id, work, challenge: event, refused, course, end, verdict, lost: lostAt !== null }
    const refutedRulers = refutedBy(verdict, course?.rulings ?? [])
    const dispute: Dispute = Object.freeze({ ...part, phase: phaseOf(part, of.tick), refutedRulers })
    disputes.set(event.id, dispute)
    if (refused === null) put(byWork, workKey(work), dispute)
  }
  const works = new Map(
    [...of.works].map(([key, work]) => {
      const over = byWork.get(key) ?? []
      const ids = over.map(({ id }) => id)
      const withheldBy = of.withheld
        .filter(({ author, payload }) => ids.includes(payload.challenge) && work.terms?.homes.includes(author) === true)
        .map(({ author, payload }) => ({ node: author, challenge: payload.challenge }))
      const unavailable = over.some(({ end }) => end?.how === 'unavailable')
      const standing: WorkStanding = {
        work,
        disputes: ids,
        proven: proven.get(work)?.event.id ?? null,
        unavailable,
        withheldBy,
      }
      return [key, Object.freeze(standing)] as const
    }),
  )
  return { disputes, works }
}
