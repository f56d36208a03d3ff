import type { ContractStanding } from '#core/contract/standing.ts'
import type { ReadyContract } from './ready.ts'
import type { Simulation, SimulationPlan } from './simulation.ts'
import { expiryOf, windowValues } from './windows.ts'

/** Ticks of one stretch without a decision that are looked at. */
const LOOKS_MAX = 512
/** Numbers as they are written in expressions; digits of names and texts do no harm. */
const NUMBERS = /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** What of claims time alone can change. */
export interface TimedClaims {
  /** Numbers that `state_ticks` may be compared with. */
  readonly numbers: readonly number[]
  readonly ticks: boolean
  readonly windows: boolean
}

/** What of a simulation claims are watched by. */
interface WatchedRun {
  readonly plan: SimulationPlan
  readonly standing: ContractStanding
  readonly broken: Simulation['broken'][number][]
  /** Undefined where time alone changes no claim. */
  readonly timed: TimedClaims | undefined
  /** The tick up to which they were looked at. */
  watched: number
}

/** Undefined where time alone changes no claim. */
export const timedClaims = ({ claims }: ReadyContract): TimedClaims | undefined => {
  const reads = (root: string): boolean => claims.some((it) => it.reads.some(([name]) => name === root))
  const [ticks, windows] = [reads('state_ticks'), reads('window')]
  if (!ticks && !windows) return undefined
  const numbers = claims.flatMap(({ text }) => [...text.matchAll(NUMBERS)].map(([it]) => Number(it)))
  return { numbers, ticks, windows }
}

/**
 * The ticks between two, both left out, in which a claim can begin to hold while nothing is decided: those in which a
 * part of a window runs out, and those in which the time in the state passes a number of a claim or of the context.
 */
const claimTicks = (
  { definition }: ReadyContract,
  standing: ContractStanding,
  of: { readonly timed: TimedClaims; readonly from: number; readonly until: number },
): readonly number[] => {
  const { timed, from, until } = of
  if (until - from < 2) return []
  const found: number[] = []
  const add = (tick: number): void => {
    if (tick > from && tick < until) found.push(tick)
  }
  if (timed.windows) {
    for (const [name, parts] of Object.entries(standing.windows)) {
      const rule = definition.windows[name]
      for (const { part } of parts) if (rule !== undefined) add(expiryOf(rule, part))
    }
  }
  if (timed.ticks) {
    const held = Object.values(standing.context).filter((it) => typeof it === 'number')
    for (const number of [...timed.numbers, ...held]) {
      const at = standing.entered.tick + Math.floor(number)
      for (const tick of [at, at + 1]) add(tick)
    }
  }
  return [...new Set(found)].sort((a, b) => a - b).slice(0, LOOKS_MAX)
}

/** Looks whether a claim is broken, and keeps where it was seen first. */
export const watchClaims = (run: WatchedRun, tick: number, fire: string | null): void => {
  const { plan, standing, broken } = run
  const { claims, definition } = plan.ready
  if (claims.length === 0 || broken.length === claims.length) return
  const values = {
    context: standing.context,
    window: windowValues(definition.windows, standing.windows, tick),
    state: standing.state,
    state_ticks: tick - standing.entered.tick,
  }
  for (const [claim, it] of claims.entries()) {
    if (broken.some((other) => other.claim === claim) || it.run(values) !== true) continue
    broken.push({ claim, never: it.text, tick, fire })
  }
}

/** Looks at claims where time alone can break them, up to a tick, while nothing is decided. */
export const watchTime = (run: WatchedRun, until: number): void => {
  const { timed, watched: from, plan, standing, broken } = run
  run.watched = until
  if (timed === undefined || broken.length === plan.ready.claims.length) return
  for (const tick of claimTicks(plan.ready, standing, { timed, from, until })) watchClaims(run, tick, null)
}
