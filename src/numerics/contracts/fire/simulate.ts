import { assert } from '#core/assert.ts'
import { type Cause, fireId } from '#core/contract/cause.ts'
import type { ContractStanding, Scalar } from '#core/contract/standing.ts'
import { TICK_SECONDS } from '#core/tick.ts'
import { SECONDS_PER_DAY } from '#core/time.ts'
import { decide, refusedFor, type Stimulus } from './decide.ts'
import { type Due, jitterOf, nextDue, nextDues } from './dues.ts'
import type { ComputeOrder, ComputeOutcome, FireEffect } from './effects.ts'
import {
  type ContractHappening,
  DECISIONS_MAX,
  PAUSE,
  type Pause,
  type SimulatedOutcome,
  type Simulating,
  type SimulatingInTurns,
  type Simulation,
  type SimulationPlan,
  TIMELINE_MAX,
} from './simulation.ts'
import { type TimedClaims, timedClaims, watchClaims, watchTime } from './watched-claims.ts'

/** Levels of events and calls of one contract's own that act. */
const DEPTH_MAX = 8
/** Decisions from one pause to the next: some milliseconds. */
export const PAUSE_EVERY = 256
/** Due instants that a simulation ends with. */
const NEXT_MAX = 10

/** Something to be decided. */
interface Turn {
  readonly tick: number
  readonly cause: Cause
  readonly due: number | null
  readonly by: SimulatedOutcome['by']
  readonly of: Stimulus['of']
  readonly depth: number
}

interface Reading {
  readonly value: Scalar
  readonly tick: number
}

/** A simulation's own state. */
interface Run {
  readonly plan: SimulationPlan
  standing: ContractStanding
  decisions: number
  failures: number
  day: { day: number; credits: number; fires: number }
  credits: number
  computations: number
  most: { day: number; credits: number } | null
  tooDeep: number
  readonly readings: Map<string, Reading>
  /** Due instants that wait for their jitter, and own events and calls, in the order of their ticks. */
  readonly waiting: Turn[]
  readonly scheduled: Record<string, number>
  readonly timeline: SimulatedOutcome[]
  readonly counts: { fired: number; refused: number; none: number }
  readonly states: Set<string>
  readonly transitions: Set<string>
  readonly broken: Simulation['broken'][number][]
  /** What of claims time alone changes, and the tick up to which they were looked at. */
  readonly timed: TimedClaims | undefined
  watched: number
}

const begin = (plan: SimulationPlan): Run => ({
  ...{ plan, standing: plan.standing, decisions: 0, failures: 0, credits: 0, computations: 0, most: null, tooDeep: 0 },
  ...{ day: { day: -1, credits: 0, fires: 0 }, readings: new Map(), waiting: [], scheduled: {}, timeline: [] },
  ...{ counts: { fired: 0, refused: 0, none: 0 }, broken: [] },
  ...{ states: new Set([plan.standing.state]), transitions: new Set() },
  ...{ timed: timedClaims(plan.ready), watched: plan.from },
})

/** The civil UTC day of a mesh tick. */
const dayOf = (tick: number): number => Math.floor((tick * TICK_SECONDS) / SECONDS_PER_DAY)

/** What the oracles give in a tick: none of what is too old, unless an old one will do. */
const readingsAt = ({ plan: { ready }, readings }: Run, tick: number): Stimulus['readings'] => {
  const given: Record<string, Scalar | undefined> = {}
  for (const [name, { max_age, on_stale }] of Object.entries(ready.definition.oracles)) {
    const reading = readings.get(name)
    const fresh = reading !== undefined && (on_stale === 'last' || tick - reading.tick <= max_age)
    given[name] = fresh ? reading.value : undefined
  }
  return given
}

const changedBetween = (
  before: ContractStanding['context'],
  after: ContractStanding['context'],
): SimulatedOutcome['changed'] => {
  const changed: Record<string, readonly [Scalar, Scalar]> = {}
  if (before === after) return changed
  for (const [name, value] of Object.entries(after)) {
    const was = before[name] ?? null
    if (was !== value) changed[name] = [was, value]
  }
  return changed
}

/** Puts a turn among those that wait: behind all of its tick. */
const wait = ({ waiting }: Run, turn: Turn): void => {
  const behind = waiting.findIndex(({ tick }) => tick > turn.tick)
  waiting.splice(behind === -1 ? waiting.length : behind, 0, turn)
}

/** Own events and calls of a fire act as causes of their own, in the same tick. */
const queueOwn = (
  run: Run,
  { fire, tick, depth }: { fire: string; tick: number; depth: number },
  all: readonly FireEffect[],
) => {
  for (const [action, it] of all.entries()) {
    if (it.kind !== 'emit' && (it.kind !== 'call' || it.contract !== run.plan.id)) continue
    if (depth >= DEPTH_MAX) {
      run.tooDeep += 1
      continue
    }
    const { event: name, data } = it
    const of = { kind: 'event', name, from: null, data, at: it.kind === 'emit' ? tick : null } as const
    wait(run, { tick, cause: { fire, action }, due: null, by: 'call', of, depth: depth + 1 })
  }
}

const listed = (run: Run, it: SimulatedOutcome): void => {
  if (run.timeline.length < (run.plan.timelineMax ?? TIMELINE_MAX)) run.timeline.push(it)
  run.counts[it.outcome] += 1
}

/** A fire's computations, one after another, each within what the day has left. */
function* computed(run: Run, stimulus: Stimulus, orders: ComputeOrder[]) {
  const { plan, standing } = run
  const { budget } = plan.ready.definition
  const outcomes: ComputeOutcome[] = []
  let decision = decide(plan.ready, standing, stimulus, outcomes)
  let credits = 0
  while (decision.kind === 'compute') {
    const { order } = decision
    const price = plan.priceOf(order)
    const beyond = run.day.credits + credits + price > (budget.credits_per_day ?? Number.POSITIVE_INFINITY)
    const message = `The day has no more than ${budget.credits_per_day} credits.`
    const outcome: ComputeOutcome = beyond ? { refused: { reason: 'budget', message } } : yield order
    if (!('refused' in outcome)) credits += price
    orders.push(order)
    outcomes.push(outcome)
    decision = decide(plan.ready, standing, stimulus, outcomes)
  }
  const spent = run.day.fires >= (budget.fires_per_day ?? Number.POSITIVE_INFINITY)
  if (decision.kind !== 'fired') return { decision, credits: 0 }
  if (!spent) return { decision, credits }
  const problem = { reason: 'budget', message: `The day has no more than ${budget.fires_per_day} fires.` } as const
  return { decision: refusedFor(plan.ready, standing, { stimulus, steps: decision.steps, problem }), credits: 0 }
}

const tally = (run: Run, tick: number, of: { credits: number; fired: boolean; orders: number }): void => {
  const day = run.day
  run.credits += of.credits
  run.computations += of.fired ? of.orders : 0
  day.credits += of.credits
  day.fires += of.fired ? 1 : 0
  run.failures = of.fired ? 0 : run.failures + 1
  if (day.credits > (run.most?.credits ?? 0)) run.most = { day: dayOf(tick), credits: day.credits }
}

/** Decides one turn, and keeps what came of it. */
function* takeTurn(run: Run, turn: Turn): Generator<ComputeOrder, void, ComputeOutcome> {
  const { plan, standing } = run
  const { tick, cause, due, by, of, depth } = turn
  const fire = fireId(plan.contract, cause)
  const stimulus: Stimulus = { fire, cause, tick, due, attempt: 0, of, readings: readingsAt(run, tick) }
  if (dayOf(tick) !== run.day.day) run.day = { day: dayOf(tick), credits: 0, fires: 0 }
  watchTime(run, tick)
  watchClaims(run, tick, fire)
  run.decisions += 1
  const orders: ComputeOrder[] = []
  const { decision, credits } = yield* computed(run, stimulus, orders)
  run.standing = decision.after
  const none = decision.kind === 'none'
  if (!none) tally(run, tick, { credits, fired: decision.kind === 'fired', orders: orders.length })
  const { from, to, steps } = none ? { from: standing.state, to: standing.state, steps: [] } : decision
  run.states.add(to)
  const effects = decision.kind === 'fired' ? decision.effects : []
  if (decision.kind === 'fired') for (const step of steps) run.transitions.add(step)
  for (const step of decision.kind === 'fired' ? steps : []) run.states.add(plan.ready.transitions.get(step)?.to ?? to)
  queueOwn(run, { fire, tick, depth }, effects)
  watchClaims(run, tick, fire)
  listed(run, {
    ...{ tick, fire, cause, due, by, outcome: decision.kind, from, to, steps, effects, computations: orders, credits },
    event:
      'event' in of && of.event !== undefined
        ? of.event
        : of.kind === 'event'
          ? { name: of.name, data: of.data }
          : null,
    changed: changedBetween(standing.context, decision.after.context),
    problem: decision.kind === 'refused' ? decision.problem : null,
    seen: none ? decision.seen : [],
  })
}

const turnOf = (it: Exclude<ContractHappening, { kind: 'reading' }>, n: number): Turn => {
  const { tick } = it
  const by = { tick, due: null, depth: 0 }
  if (it.kind !== 'event') {
    const of =
      it.kind === 'now'
        ? ({ kind: 'now' } as const)
        : { kind: it.kind, id: it.id, ...(it.event && { event: it.event }) }
    return { ...by, by: 'hand', cause: { key: `simulated ${n}` }, of }
  }
  const { name, from, data } = it
  return { ...by, by: 'event', cause: { slug: from ?? '', seq: n }, of: { kind: 'event', name, from, data, at: tick } }
}

const turnOfDue = ({ plan: { ready, contract }, standing }: Run, due: Due): Turn => {
  const cause =
    due.kind === 'after'
      ? { trigger: due.trigger, entered: standing.entered.fire }
      : { trigger: due.trigger, due: due.due }
  const trigger = ready.triggers.get(due.trigger)
  assert(trigger !== undefined, 'what is due is a trigger of the contract')
  // The name of a fire costs more than the rest of a turn: it is worked out twice only where jitter comes of it.
  const isLate = 'jitter' in trigger.trigger && trigger.trigger.jitter > 0
  const tick = due.tick + (isLate ? jitterOf(trigger, fireId(contract, cause)) : 0)
  return { tick, cause, due: due.due, by: 'clock', of: { kind: 'trigger', trigger: due.trigger }, depth: 0 }
}

/** The next instant that does not wait for its jitter already. */
const unscheduled = ({ plan, standing, scheduled }: Run): Due | undefined => {
  const waiting = Object.entries(scheduled)
  if (waiting.length === 0) return nextDue(plan.ready, standing, plan.from)
  const marks = { ...standing.marks }
  for (const [trigger, due] of waiting) marks[trigger] = Math.max(due, marks[trigger] ?? due)
  return nextDue(plan.ready, { ...standing, marks }, plan.from)
}

/** What comes next of the clock and of what waits, up to a tick. */
const nextTurn = (run: Run, until: number): Turn | undefined => {
  for (;;) {
    const due = unscheduled(run)
    const [first] = run.waiting
    if (due === undefined || due.tick > Math.min(until, first?.tick ?? until)) break
    const turn = turnOfDue(run, due)
    if (turn.tick === due.tick) return turn
    run.scheduled[due.trigger] = due.due
    wait(run, turn)
  }
  const [first] = run.waiting
  if (first === undefined || first.tick > until) return undefined
  run.waiting.shift()
  return first
}

const covered = ({ plan: { ready }, states, transitions }: Run): Simulation['coverage'] => {
  const [allStates, allTransitions] = [[...ready.states.keys()], ready.definition.transitions.map(({ id }) => id)]
  return {
    states: allStates.filter((it) => states.has(it)),
    states_missed: allStates.filter((it) => !states.has(it)),
    transitions: allTransitions.filter((it) => transitions.has(it)),
    transitions_missed: allTransitions.filter((it) => !transitions.has(it)),
  }
}

const ended = (run: Run, stopped: Simulation['stopped'], tick: number): Simulation => {
  const { plan, timeline, counts, standing, credits, computations, most, broken, tooDeep } = run
  return {
    ...{ timeline, counts, stopped, tick, standing, coverage: covered(run), broken, too_deep: tooDeep },
    spending: { credits, computations, most },
    next: nextDues(plan.ready, standing, { armedTick: Math.max(plan.from, tick), countMax: NEXT_MAX }),
  }
}

/** Why no more is decided, though time is left. */
const stopOf = ({ plan, decisions, failures }: Run): Simulation['stopped'] | undefined => {
  if (failures >= plan.ready.definition.budget.failures_in_row) return 'failures'
  return decisions >= (plan.decisionsMax ?? DECISIONS_MAX) ? 'decisions' : undefined
}

/** Decides what comes up to a tick. @returns why it stopped before, if it did */
function* goTo(run: Run, until: number): Generator<ComputeOrder | Pause, Simulation | undefined, ComputeOutcome> {
  for (let turn = nextTurn(run, until); turn !== undefined; turn = nextTurn(run, until)) {
    yield* takeTurn(run, turn)
    const stopped = stopOf(run)
    if (stopped !== undefined) return ended(run, stopped, turn.tick)
    if (run.decisions % PAUSE_EVERY === 0) yield PAUSE
  }
  return undefined
}

/**
 * Simulates a contract as {@link simulate} does, and gives a pause after so many decisions, which is answered by
 * anything: others may have their turn in it.
 */
export function* simulateInTurns(plan: SimulationPlan): SimulatingInTurns {
  const run = begin(plan)
  watchClaims(run, plan.from, null)
  let stopped: Simulation | undefined
  for (const [n, it] of plan.happenings.entries()) {
    if (it.tick > plan.until) break
    // Instants of the same tick come before what happens in it; a reading before both.
    stopped = yield* goTo(run, it.kind === 'reading' ? it.tick - 1 : it.tick)
    if (stopped !== undefined) return stopped
    if (it.kind === 'reading') run.readings.set(it.oracle, it)
    else wait(run, turnOf(it, n))
  }
  stopped = yield* goTo(run, plan.until)
  if (stopped !== undefined) return stopped
  watchTime(run, plan.until)
  watchClaims(run, plan.until, null)
  return ended(run, 'until', plan.until)
}

/**
 * Simulates a contract: what its clock and some happenings make of it until a tick. It writes nothing and asks nobody:
 * computations are given to the caller, who answers with their outcome, be it that it stands for none.
 */
export function* simulate(plan: SimulationPlan): Simulating {
  const simulation = simulateInTurns(plan)
  let step = simulation.next()
  while (step.done !== true) step = simulation.next(step.value === PAUSE ? { stubbed: true } : yield step.value)
  return step.value
}

/** Runs a simulation with outcomes that are at hand. */
export const simulateWith = (plan: SimulationPlan, outcomeOf: (order: ComputeOrder) => ComputeOutcome): Simulation => {
  const simulation = simulate(plan)
  let step = simulation.next()
  while (step.done !== true) step = simulation.next(outcomeOf(step.value))
  return step.value
}
