import { fireId } from '#core/contract/cause.ts'
import type { ContractStanding, Scalar } from '#core/contract/standing.ts'
import { meshTickAt } from '#core/tick.ts'
import { NS_PER_SECOND } from '#core/time.ts'
import type { ZoneTable } from '#numerics/contracts/cron/cron.ts'
import { beginning } from '#numerics/contracts/fire/beginning.ts'
import { type ComputeOutcome, type Decision, decide, type Stimulus } from '#numerics/contracts/fire/decide.ts'
import { type Due, jitterOf, nextDue } from '#numerics/contracts/fire/dues.ts'
import { type ReadyContract, readyContract } from '#numerics/contracts/fire/ready.ts'
import { windowValues } from '#numerics/contracts/fire/windows.ts'
import type { TraceStep } from './finding.ts'
import type { Model, Placed } from './model.ts'
import type { StepsLeft } from './narrow.ts'
import type { ContractReach } from './reach.ts'
import { eventOf } from './step.ts'
import { type Bringing, bringing, type Taste, wish } from './wishes.ts'

/** Decisions of one search. */
const DECISIONS_MAX = 4_000
/** Standings from which a search goes on. */
const PLACES_MAX = 600
/** Ticks that are waited where nothing is due: longer than any window. */
const WAIT_TICKS = 1_000_000
/** Levels of events that a fire sends to its own contract. */
const DEPTH_MAX = 8
/** Name of a contract that is nobody's, by which traces have their jitter. */
const NOBODY = '0'.repeat(64)
const TASTES: readonly Taste[] = ['plain', 'low', 'high']

/** Where a search came to. */
export interface SearchPlace {
  readonly standing: ContractStanding
  readonly tick: number
  readonly trace: readonly TraceStep[]
}

/** What is looked for, and what was found: how it comes about. */
export interface SearchFindings {
  /** By the place of the claim. */
  readonly claims: ReadonlyMap<number, readonly TraceStep[]>
  /** A fire that is refused since transitions of `always` do not end. */
  readonly endless: readonly TraceStep[] | undefined
  /** Whether a bound ended it before everything that it knows to try was tried. */
  readonly bounded: boolean
}

interface Search {
  readonly model: Model
  readonly reach: ContractReach
  readonly ready: ReadyContract
  readonly start: number
  readonly steps: StepsLeft
  readonly wanted: ReadonlySet<number>
  readonly claims: Map<number, readonly TraceStep[]>
  endless: readonly TraceStep[] | undefined
  decisions: number
}

/** The claims of those looked for that hold where they should not, at a tick. */
const broken = ({ ready, wanted, claims }: Search, standing: ContractStanding, tick: number): readonly number[] => {
  const left = [...wanted].filter((it) => !claims.has(it))
  if (left.length === 0) return []
  const values = {
    context: standing.context,
    window: windowValues(ready.definition.windows, standing.windows, tick),
    state: standing.state,
    state_ticks: tick - standing.entered.tick,
  }
  return left.filter((it) => ready.claims[it]?.run(values) === true)
}

/** A decision whose computations stand for none. */
const decided = (
  search: Search,
  standing: ContractStanding,
  stimulus: Stimulus,
): Exclude<Decision, { kind: 'compute' }> => {
  const outcomes: ComputeOutcome[] = []
  for (;;) {
    search.decisions += 1
    const decision = decide(search.ready, standing, stimulus, outcomes)
    if (decision.kind !== 'compute') return decision
    outcomes.push({ stubbed: true })
  }
}

const event = (search: Search, placed: Placed, tick: number): ((it: Bringing) => Stimulus) => {
  const { trigger } = placed.it
  const { event: name = '', from = null } = trigger.kind === 'event' ? trigger : {}
  const cause = { slug: from ?? '', seq: search.decisions }
  return ({ data, readings }) => ({
    ...{ fire: NOBODY, cause, tick, due: null, attempt: 0, readings },
    of: { kind: 'event', name, from, data, at: tick },
  })
}

const instant = ({ trigger, due, tick }: Due): ((it: Bringing) => Stimulus) => {
  return ({ readings }) => ({
    ...{ fire: NOBODY, cause: { trigger, due }, tick, due, attempt: 0, readings },
    of: { kind: 'trigger', trigger },
  })
}

/** Events that a fire sends to its own contract, as causes of their own in the same tick. */
const sent = (decision: Decision, { cause, tick, readings }: Stimulus): readonly Stimulus[] =>
  decision.kind !== 'fired'
    ? []
    : decision.effects.flatMap((it): Stimulus[] => {
        if (it.kind !== 'emit') return []
        const of = { kind: 'event', name: it.event, from: null, data: it.data, at: tick } as const
        return [{ fire: NOBODY, cause, tick, due: null, attempt: 0, readings, of }]
      })

/** Decides a stimulus and what follows of itself. @param seen is told every standing on the way */
const settle = (
  search: Search,
  standing: ContractStanding,
  {
    stimulus,
    seen,
  }: { readonly stimulus: Stimulus; readonly seen: (decision: Decision, after: ContractStanding) => void },
): ContractStanding => {
  let at = standing
  let level: readonly Stimulus[] = [stimulus]
  for (let depth = 0; level.length > 0 && depth <= DEPTH_MAX && search.decisions < DECISIONS_MAX; depth += 1) {
    const following: Stimulus[] = []
    for (const it of level) {
      const decision = decided(search, at, it)
      at = decision.after
      seen(decision, at)
      following.push(...sent(decision, it))
    }
    level = following
  }
  return at
}

/** What came of a stimulus, as the next place; what it shows is written down. */
const next = (search: Search, at: SearchPlace, stimulus: Stimulus): SearchPlace => {
  const { of, tick, readings } = stimulus
  const shown = new Set<number>()
  let endless = false
  const seen = (decision: Decision, after: ContractStanding): void => {
    endless ||= decision.kind === 'refused' && decision.problem.reason === 'chain'
    for (const claim of broken(search, after, tick)) shown.add(claim)
  }
  const after = settle(search, at.standing, { stimulus, seen })
  const step: TraceStep = {
    tick: tick - search.start,
    ...(of.kind === 'event'
      ? { event: { name: of.name, from: of.from, data: of.data as Record<string, Scalar> } }
      : {}),
    ...(of.kind === 'trigger' ? { due: { trigger: of.trigger, at: stimulus.due ?? 0 } } : {}),
    ...(Object.keys(readings).length === 0 ? {} : { readings: readings as Record<string, Scalar> }),
    ...{ state: after.state, context: after.context },
  }
  const trace = [...at.trace, step]
  if (endless) search.endless ??= trace
  for (const claim of shown) search.claims.set(claim, trace)
  return { standing: after, tick, trace }
}

/** Stimuli with which a transition goes through, in several ways; and those after which a claim is broken. */
const wishesFor = (search: Search, at: SearchPlace, of: { placed: Placed; due: Due | undefined; tick: number }) => {
  const { model, reach, steps } = search
  const { placed, due, tick } = of
  const step = reach.step(placed, at.standing.state)
  const stimulus = due === undefined ? event(search, placed, tick) : instant(due)
  if (step === undefined) return [stimulus(bringing(model, eventOf(placed), new Map()))]
  const asked = { model, placed, step, standing: at.standing, tick, due: due?.due ?? null, steps }
  const goes = (it: Bringing) => decided(search, at.standing, stimulus(it))
  const through = (it: Bringing): boolean => {
    const decision = goes(it)
    if (decision.kind === 'none' || decision.steps[0] !== placed.it.id) return false
    return decision.kind === 'fired' || decision.problem.reason === 'chain'
  }
  const breaking = [...search.wanted].flatMap((claim): Bringing[] => {
    const never = model.definition.claims[claim]?.never
    if (never === undefined || search.claims.has(claim) || steps.left <= 0) return []
    const breaks = (it: Bringing): boolean => {
      const decision = goes(it)
      return decision.kind === 'fired' && broken(search, decision.after, tick).includes(claim)
    }
    return [wish(asked, { never, taste: 'plain' }, breaks)].filter((it) => it !== undefined)
  })
  const plain = TASTES.map((taste) => wish(asked, { never: undefined, taste }, through)).filter(
    (it) => it !== undefined,
  )
  const distinct = new Map([...breaking, ...plain].map((it) => [JSON.stringify(it), it]))
  return [...distinct.values()].map(stimulus)
}

/** Events that feed windows, whatever else they do, in several ways. */
const feeding = (search: Search, _at: SearchPlace, tick: number): readonly Stimulus[] => {
  const { model } = search
  return search.ready.watches.flatMap(({ event: name, from }) => {
    if (!Object.values(model.definition.windows).some((it) => it.event === name)) return []
    return TASTES.map((taste): Stimulus => {
      const { data, readings } = bringing(model, name, new Map(), taste)
      const cause = { slug: from ?? '', seq: search.decisions }
      return {
        ...{ fire: NOBODY, cause, tick, due: null, attempt: 0, readings },
        of: { kind: 'event', name, from, data, at: tick },
      }
    })
  })
}

/** Everything that is tried from a place: events at once, and what is due next. */
const stimuliFrom = (search: Search, at: SearchPlace, due: Due | undefined): readonly Stimulus[] => {
  const { model, ready } = search
  const out = model.from.get(at.standing.state) ?? []
  const tick = at.tick + 1
  const early =
    due !== undefined && due.tick <= tick
      ? []
      : [
          ...out
            .filter((it) => eventOf(it) !== undefined)
            .flatMap((placed) => wishesFor(search, at, { placed, due: undefined, tick })),
          ...feeding(search, at, tick),
        ]
  if (due === undefined) return early
  const waiting = out.filter(({ it }) => ready.transitions.get(it.id)?.trigger === due.trigger)
  const late = waiting.flatMap((placed) => wishesFor(search, at, { placed, due, tick: due.tick }))
  return [...early, ...(late.length > 0 ? late : [instant(due)(bringing(model, undefined, new Map()))])]
}

/** Looks at claims that time alone breaks, until something is due. */
const wait = (search: Search, at: SearchPlace, due: Due | undefined): void => {
  const last = due === undefined ? at.tick + WAIT_TICKS : due.tick - 1
  if (last <= at.tick) return
  for (const claim of broken(search, at.standing, last)) {
    let [low, high] = [at.tick, last]
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (broken(search, at.standing, middle).includes(claim)) high = middle
      else low = middle
    }
    const { state, context } = at.standing
    search.claims.set(claim, [...at.trace, { tick: high - search.start, state, context }])
  }
}

/** An instant with the jitter of its fire. */
const delayed = (ready: ReadyContract, due: Due | undefined): Due | undefined => {
  const trigger = ready.triggers.get(due?.trigger ?? '')
  if (due === undefined || trigger === undefined) return undefined
  const fire = fireId(NOBODY, { trigger: due.trigger, due: due.due })
  return { ...due, tick: due.tick + jitterOf(trigger, fire) }
}

const keyOf = ({ ready }: Search, { standing, tick }: SearchPlace): string => {
  const { state, context, windows } = standing
  const seen = Object.values(windowValues(ready.definition.windows, windows, tick))
  return JSON.stringify([state, context, seen])
}

/** Makes a definition ready where the tables of its zones are there. */
const readyOf = ({ definition }: Model, zones: Readonly<Record<string, ZoneTable>>): ReadyContract | undefined => {
  const named = definition.transitions.flatMap(({ trigger }) =>
    trigger.kind === 'cron' ? [trigger.timezone ?? definition.timezone] : [],
  )
  return named.every((zone) => Object.hasOwn(zones, zone))
    ? readyContract({ definition, version: '', zones })
    : undefined
}

/**
 * Plays a contract from its beginning, breadth first, with data chosen so that guards hold and claims break: what it
 * finds has happened, so it is a counterexample, and one with the fewest steps among those tried.
 *
 * @param of `claims` by their places; `from` in Unix seconds.
 * @returns undefined where the table of a zone is missing
 */
export const searchFor = (
  model: Model,
  reach: ContractReach,
  of: {
    readonly claims: readonly number[]
    readonly endless: boolean
    readonly from: number
    readonly zones: Readonly<Record<string, ZoneTable>>
    readonly steps: StepsLeft
  },
): SearchFindings | undefined => {
  const ready = readyOf(model, of.zones)
  if (ready === undefined) return undefined
  const start = meshTickAt(BigInt(of.from) * NS_PER_SECOND)
  const search: Search = {
    ...{ model, reach, ready, start, steps: of.steps, wanted: new Set(of.claims) },
    ...{ claims: new Map(), endless: undefined, decisions: 0 },
  }
  const places: SearchPlace[] = [{ standing: beginning(ready, NOBODY, start), tick: start, trace: [] }]
  const seen = new Set<string>()
  const done = (): boolean => search.claims.size === of.claims.length && !(of.endless && search.endless === undefined)
  const spent = (): boolean => search.decisions >= DECISIONS_MAX || search.steps.left <= 0
  let bounded = false
  for (let i = 0; i < places.length && !done(); i += 1) {
    const at = places[i]
    if (at === undefined || spent()) {
      bounded = true
      break
    }
    // A day has no more fires, and nobody says here when it ends.
    if (at.trace.length >= (model.definition.budget.fires_per_day ?? Number.POSITIVE_INFINITY)) continue
    const due = delayed(ready, nextDue(ready, at.standing, start))
    wait(search, at, due)
    for (const stimulus of stimuliFrom(search, at, due)) {
      const reached = next(search, at, stimulus)
      const key = keyOf(search, reached)
      if (seen.has(key)) continue
      seen.add(key)
      if (places.length < PLACES_MAX) places.push(reached)
      else bounded = true
    }
  }
  return { claims: search.claims, endless: search.endless, bounded }
}
