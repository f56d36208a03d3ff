import { estimateTicks, segmentEstimateTicks } from '#core/work/estimate.ts'
import { poolBeside } from '#core/work/offer.ts'
import { ranksOf } from './draw.ts'
import { type DrawState, drawState } from './reveals.ts'
import { DUTY_ESTIMATES, DUTY_TICKS_MIN, RANKS_FIRST, RANKS_MAX, type Rules } from './rules.ts'
import type { RulingOutcome } from './statements.ts'
import type { AcceptedTerms, DisputedWork, EventOf } from './types.ts'

/** A ruling that counts: by a member of the pool beside the parties, its first. */
export interface Ruled {
  readonly event: string
  readonly author: string
  readonly outcome: RulingOutcome
  readonly at: number
}

/** How a dispute ended by events and ticks alone, whatever a node found itself. */
export interface CourseEnd {
  readonly how: 'ruled' | 'c_withheld' | 'unresolved' | 'available' | 'unavailable'
  readonly at: number
}

/** How a dispute goes, apart from whether it may be opened at all. */
export interface DisputeCourse {
  readonly draw: DrawState
  /** Members that may rule, by rank; empty before the draw. */
  readonly ranks: readonly string[]
  readonly drawnAt: number | null
  /** Ticks that each rank has. */
  readonly span: number
  readonly rulings: readonly Ruled[]
  readonly end: CourseEnd | null
  /** The last tick at which it can still be open. */
  readonly until: number
}

/** Ticks that a rank has: four times the estimate of what is in dispute, 240 at least; for data always 240. */
export const spanOf = ({ kind, segment }: EventOf<'challenge'>['payload'], { workUnits, k }: AcceptedTerms): number => {
  if (kind === 'unavailable') return DUTY_TICKS_MIN
  const estimate = segment === 'all' ? estimateTicks(workUnits) : segmentEstimateTicks(workUnits, k)
  return Math.max(DUTY_TICKS_MIN, DUTY_ESTIMATES * estimate)
}

/** Ticks after the data became available in which a challenge from them is still the same dispute. */
export const followTicks = ({ workUnits }: AcceptedTerms): number =>
  Math.max(DUTY_TICKS_MIN, DUTY_ESTIMATES * estimateTicks(workUnits))

/** Requester, worker and challenger, and every node of the pool that is one of theirs. */
export const partiesOf = (
  { requester, worker, terms }: DisputedWork,
  challenger: string,
  zidOf: ReadonlyMap<string, string>,
): readonly string[] => {
  const parties = [requester, worker, challenger]
  const zids = new Set(parties.flatMap((node) => zidOf.get(node) ?? []))
  return [...parties, ...(terms?.pool ?? []).filter((node) => zids.has(zidOf.get(node) ?? ''))]
}

/** What the course of one dispute follows from. */
export interface CourseOf {
  readonly work: DisputedWork
  readonly terms: AcceptedTerms
  readonly byWorker: EventOf<'reveal'> | undefined
  /** Reveals and rulings that name the challenge, in their order. */
  readonly reveals: readonly EventOf<'reveal'>[]
  readonly rulings: readonly EventOf<'ruling'>[]
  readonly zidOf: ReadonlyMap<string, string>
  readonly rules: Rules
  readonly tick: number
}

const speaksOf = (outcome: RulingOutcome, kind: 'wrong' | 'unavailable'): boolean =>
  (outcome === 'available' || outcome === 'unavailable') === (kind === 'unavailable')

const countedRulings = (
  { payload, when }: EventOf<'challenge'>,
  judges: readonly string[],
  { work, rulings, tick }: CourseOf,
): readonly Ruled[] => {
  const seen = new Set<string>()
  return rulings.flatMap((it): Ruled[] => {
    const inTime = it.when !== 'pending' && when !== 'pending' && it.when.at >= when.at && it.when.at <= tick
    const fits = it.payload.work === work.work && speaksOf(it.payload.outcome, payload.kind)
    if (!inTime || !fits || !judges.includes(it.author) || seen.has(it.author)) return []
    seen.add(it.author)
    return [{ event: it.id, author: it.author, outcome: it.payload.outcome, at: it.when.at }]
  })
}

const endForData = (
  rulings: readonly Ruled[],
  ranks: readonly string[],
  until: number,
  tick: number,
): CourseEnd | null => {
  const found = rulings.find(({ outcome }) => outcome === 'available')
  if (found !== undefined) return { how: 'available', at: found.at }
  if (tick <= until) return null
  // Who says nothing has not shown that there was nothing to get.
  const looked = rulings.some(({ author }) => ranks.slice(0, RANKS_FIRST).includes(author))
  return { how: looked ? 'unavailable' : 'unresolved', at: until }
}

/**
 * How one dispute goes as of a tick: the draw of both values, the order of duty that it gives, rulings, and the end.
 * It depends on nothing that another dispute does.
 */
export const courseOf = (challenge: EventOf<'challenge'>, of: CourseOf): DisputeCourse => {
  const { work, terms, zidOf, rules, tick } = of
  const { kind } = challenge.payload
  const judges = poolBeside(terms.pool, partiesOf(work, challenge.author, zidOf))
  const draw = drawState(challenge, { work, byWorker: of.byWorker, reveals: of.reveals, rules })
  const span = spanOf(challenge.payload, terms)
  const called = Math.min(judges.length, kind === 'unavailable' ? RANKS_FIRST : RANKS_MAX)
  const { w, c, cUntil } = draw
  const drawnAt = c === null || c.at > tick ? null : c.at
  const until = (drawnAt ?? cUntil) + called * span
  const all = countedRulings(challenge, judges, of).filter(({ at }) => at <= until)
  const common = { draw, span, drawnAt, until }
  // Data that came end it at any time; a ruling about a wrong work does once the draw said whose turn it was.
  const got = all.find(({ outcome }) => outcome === 'available')
  if (c === null || drawnAt === null) {
    const withheld = tick > cUntil ? ({ how: 'c_withheld', at: cUntil } as const) : null
    const end = got !== undefined && got.at <= cUntil ? ({ how: 'available', at: got.at } as const) : withheld
    return { ...common, ranks: [], rulings: all, end }
  }
  const drawn = { work: work.work, challenge: challenge.id, c: c.value, w: w?.value ?? null }
  const ranks = ranksOf(drawn, judges).slice(0, RANKS_MAX)
  if (kind === 'unavailable') return { ...common, ranks, rulings: all, end: endForData(all, ranks, until, tick) }
  const [first] = all
  const ruled = first === undefined ? null : ({ how: 'ruled', at: Math.max(first.at, drawnAt) } as const)
  const silent = tick > until || called === 0 ? ({ how: 'unresolved', at: until } as const) : null
  return { ...common, ranks, rulings: all, end: ruled ?? silent }
}
