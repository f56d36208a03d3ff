import type { FireProblem } from '#core/contract/fire-row.ts'
import type { ContractStanding, Scalar } from '#core/contract/standing.ts'
import { digest, purposes } from '#core/digest.ts'
import { COMPUTATIONS_MAX } from '#numerics/contracts/definition/schema.ts'
import type { ReadValues } from '#numerics/contracts/language/evaluate.ts'
import { runActions } from './actions.ts'
import { candidatesOf, chosen, type SeenGuard } from './candidates.ts'
import { dataOf } from './data.ts'
import { entering } from './dues.ts'
import {
  type ComputeOrder,
  type ComputeOutcome,
  type FireEffect,
  RefusedFire,
  refuse,
  WantedResult,
} from './effects.ts'
import type { ReadyContract, ReadyTransition } from './ready.ts'
import type { Stimulus } from './stimulus.ts'
import { fedWindows, windowValues } from './windows.ts'

export type { ComputeOrder, ComputeOutcome, FireEffect } from './effects.ts'
export type { Stimulus } from './stimulus.ts'

/** Transitions of `always` that follow another in one fire. */
const ALWAYS_MAX = 16

/** What becomes of a contract. Marks and windows of `after` have moved in every case. */
export type Decision =
  | {
      readonly kind: 'none'
      readonly why: 'transition' | 'guard'
      /** The transitions that were looked at, and what their guards read. */
      readonly seen: readonly SeenGuard[]
      readonly after: ContractStanding
    }
  | {
      readonly kind: 'compute'
      /** Place of the computation among those of the fire: so many outcomes were given. */
      readonly index: number
      readonly order: ComputeOrder
    }
  | {
      readonly kind: 'refused'
      readonly problem: FireProblem
      readonly from: string
      readonly to: string
      readonly steps: readonly string[]
      readonly after: ContractStanding
    }
  | {
      readonly kind: 'fired'
      readonly from: string
      readonly to: string
      readonly steps: readonly string[]
      readonly after: ContractStanding
      readonly effects: readonly FireEffect[]
      readonly computations: number
    }

/** What names a context in a row and an entry. */
export const contextDigest = (context: Readonly<Record<string, Scalar>>): string => digest(purposes.context, context)

type Event = { readonly name: string; readonly data: Readonly<Record<string, Scalar>> } | undefined

/** A fire on its way. */
interface Course {
  readonly ready: ReadyContract
  readonly stimulus: Stimulus
  readonly outcomes: readonly ComputeOutcome[]
  readonly window: Readonly<Record<string, Scalar>>
  readonly fire: ReadValues
  readonly oracle: ReadValues
  readonly steps: string[]
  readonly effects: FireEffect[]
  state: string
  enteredTick: number
  context: Readonly<Record<string, Scalar>>
  computations: number
}

const oraclesOf = (readings: Stimulus['readings']): ReadValues => {
  const names = Object.keys(readings)
  if (names.every((name) => readings[name] !== undefined)) return readings
  return Object.fromEntries(Object.entries(readings).filter(([, value]) => value !== undefined))
}

/** What expressions read at this point of a fire. */
const valuesOf = (course: Course, event: Event) => ({
  context: course.context,
  window: course.window,
  oracle: course.oracle,
  state: course.state,
  state_ticks: course.stimulus.tick - course.enteredTick,
  fire: course.fire,
  ...(event === undefined ? {} : { event }),
})

const nextOutcome = (course: Course, path: string): ComputeOutcome | undefined => {
  const index = course.computations
  course.computations += 1
  if (index < COMPUTATIONS_MAX) return course.outcomes[index]
  const message = `A fire has at most ${COMPUTATIONS_MAX} computations.`
  return refuse({ reason: 'chain', message, path })
}

/** Leaves a state, does what the transition says, and enters the next. */
const take = (course: Course, it: ReadyTransition, event: Event): void => {
  const { ready, effects } = course
  course.steps.push(it.id)
  const next = (path: string) => nextOutcome(course, path)
  const run = (actions: ReadyTransition['actions'], seen: Event): void => {
    if (actions.length === 0) return
    const values = valuesOf(course, seen)
    runActions({ values, effects, transition: it.id, next }, actions)
    course.context = values.context
  }
  run(ready.states.get(course.state)?.exit ?? [], undefined)
  run(it.actions, event)
  course.state = it.to
  course.enteredTick = course.stimulus.tick
  run(ready.states.get(it.to)?.entry ?? [], undefined)
}

/** Transitions of `always`, for as long as one can be taken. */
const takeAlways = (course: Course): void => {
  for (let taken = 0; ; taken += 1) {
    const always = course.ready.states.get(course.state)?.always ?? []
    if (always.length === 0) return
    const { transition } = chosen(always, () => valuesOf(course, undefined))
    if (transition === undefined) return
    if (taken === ALWAYS_MAX)
      return refuse({ reason: 'chain', message: `At most ${ALWAYS_MAX} transitions of always follow each other.` })
    take(course, transition, undefined)
  }
}

/** Where a contract stands once a stimulus was heard, whatever comes of it. */
const heard = (
  { definition }: ReadyContract,
  standing: ContractStanding,
  { of, due }: Stimulus,
  event: Event,
): ContractStanding => {
  if (of.kind === 'trigger' && due !== null) {
    const mark = Math.max(due, Object.hasOwn(standing.marks, of.trigger) ? (standing.marks[of.trigger] ?? due) : due)
    return { ...standing, marks: { ...standing.marks, [of.trigger]: mark } }
  }
  if (of.kind !== 'event' || of.at === null || event === undefined) return standing
  const windows = fedWindows(definition.windows, standing.windows, { ...event, tick: of.at })
  return windows === standing.windows ? standing : { ...standing, windows }
}

const refusalOf = (
  ready: ReadyContract,
  moved: ContractStanding,
  of: { readonly stimulus: Stimulus; readonly steps: readonly string[]; readonly problem: FireProblem },
): Extract<Decision, { kind: 'refused' }> => {
  const { stimulus, steps, problem } = of
  const from = moved.state
  const to = ready.transitions.get(steps.at(-1) ?? '')?.onRefused
  const { fire, tick } = stimulus
  const after = to === undefined ? moved : entering(ready, moved, { state: to, fire, tick })
  return { kind: 'refused', problem, from, to: to ?? from, steps, after }
}

const beginCourse = (
  ready: ReadyContract,
  moved: ContractStanding,
  stimulus: Stimulus,
  outcomes: readonly ComputeOutcome[],
): Course => {
  const { tick, due, attempt, readings } = stimulus
  return {
    ...{ ready, stimulus, outcomes, fire: { tick, due, attempt }, oracle: oraclesOf(readings) },
    window: windowValues(ready.definition.windows, moved.windows, tick),
    ...{ steps: [], effects: [], computations: 0 },
    ...{ state: moved.state, enteredTick: moved.entered.tick, context: moved.context },
  }
}

const decideOn = (course: Course, moved: ContractStanding, event: Event): Decision => {
  const { ready, stimulus, steps, effects } = course
  const from = moved.state
  const candidates = candidatesOf(ready, from, stimulus.of)
  if (candidates.length === 0) return { kind: 'none', why: 'transition', seen: [], after: moved }
  const { transition, seen } = chosen(candidates, (it) => valuesOf(course, it.kind === 'event' ? event : undefined))
  if (transition === undefined) return { kind: 'none', why: 'guard', seen, after: moved }
  take(course, transition, transition.kind === 'event' ? event : undefined)
  takeAlways(course)
  const { state, context, computations } = course
  const { fire, tick } = stimulus
  const after = { ...entering(ready, moved, { state, fire, tick }), context }
  return { kind: 'fired', from, to: state, steps, after, effects, computations }
}

/**
 * Decides what becomes of a contract. It is total and changes nothing that it is given: the same contract, standing,
 * stimulus and outcomes give the same decision wherever it is asked. One that wants a computation is asked again with
 * one outcome more, and runs from its start.
 */
export const decide = (
  ready: ReadyContract,
  standing: ContractStanding,
  stimulus: Stimulus,
  outcomes: readonly ComputeOutcome[],
): Decision => {
  const { event, problem } = dataOf(ready, standing.state, stimulus.of)
  const moved = heard(ready, standing, stimulus, event)
  if (problem !== undefined) return refusalOf(ready, moved, { stimulus, steps: [], problem })
  const course = beginCourse(ready, moved, stimulus, outcomes)
  try {
    return decideOn(course, moved, event)
  } catch (thrown) {
    if (thrown instanceof WantedResult) return { kind: 'compute', index: outcomes.length, order: thrown.order }
    if (!(thrown instanceof RefusedFire)) throw thrown
    return refusalOf(ready, moved, { stimulus, steps: course.steps, problem: thrown.problem })
  }
}

/**
 * The refusal of a fire for what no decision sees: a budget, an account, a transfer. It undoes what a decision to fire
 * gave; marks and windows move all the same.
 */
export const refusedFor = (
  ready: ReadyContract,
  standing: ContractStanding,
  of: { readonly stimulus: Stimulus; readonly steps: readonly string[]; readonly problem: FireProblem },
): Extract<Decision, { kind: 'refused' }> => {
  const { event } = dataOf(ready, standing.state, of.stimulus.of)
  return refusalOf(ready, heard(ready, standing, of.stimulus, event), of)
}
