import assert from 'node:assert/strict'
import type { ContractStanding, Scalar } from '#core/contract/standing.ts'
import type { TraceStep } from '#numerics/contracts/checker/finding.ts'
import { beginning } from '#numerics/contracts/fire/beginning.ts'
import { type ComputeOutcome, type Decision, decide, type Stimulus } from '#numerics/contracts/fire/decide.ts'
import { nextDue } from '#numerics/contracts/fire/dues.ts'
import type { ReadyContract } from '#numerics/contracts/fire/ready.ts'
import { simulateWith } from '#numerics/contracts/fire/simulate.ts'
import { windowValues } from '#numerics/contracts/fire/windows.ts'
import { CONTRACT } from '../fire/drawn.ts'
import { happeningsOf } from './trace.ts'

/** Plays what a checker says, by decisions alone, and by a simulation. */

/** Levels of events that a fire sends to its own contract. */
const DEPTH_MAX = 8

type Decided = Exclude<Decision, { kind: 'compute' }>

/** A decision to the end. @param outcomes what computations give; a stub where there are no more */
export const decideAll = (
  ready: ReadyContract,
  standing: ContractStanding,
  stimulus: Stimulus,
  outcomes: readonly ComputeOutcome[] = [],
): Decided => {
  const given: ComputeOutcome[] = []
  for (;;) {
    const decision = decide(ready, standing, stimulus, given)
    if (decision.kind !== 'compute') return decision
    given.push(outcomes[given.length] ?? { stubbed: true })
  }
}

/** What claims and guards read at a standing. */
export const standingValues = (
  ready: ReadyContract,
  { context, state, entered, windows }: ContractStanding,
  tick: number,
) => ({
  ...{ context, state, state_ticks: tick - entered.tick },
  window: windowValues(ready.definition.windows, windows, tick),
})

/** What a step asks a contract; undefined where time alone goes by. */
const stimulusOf = (step: TraceStep, tick: number): Stimulus['of'] | undefined => {
  if (step.event !== undefined) return { kind: 'event', ...step.event, at: tick }
  return step.due === undefined ? undefined : { kind: 'trigger', trigger: step.due.trigger }
}

/** What was seen while a trace played: how it stands at the end, which claims were broken, and what was refused. */
interface Played {
  standing: ContractStanding
  readonly broken: Set<number>
  readonly refused: Set<string>
}

const look = (ready: ReadyContract, { standing, broken }: Played, tick: number): void => {
  const values = standingValues(ready, standing, tick)
  for (const [i, claim] of ready.claims.entries()) if (claim.run(values) === true) broken.add(i)
}

/** One stimulus and the events that it makes the contract send to itself. */
const settle = (ready: ReadyContract, played: Played, stimulus: Stimulus): void => {
  let level = [stimulus]
  for (let depth = 0; level.length > 0 && depth <= DEPTH_MAX; depth += 1) {
    const following: Stimulus[] = []
    for (const it of level) {
      const decision = decideAll(ready, played.standing, it)
      played.standing = decision.after
      look(ready, played, it.tick)
      if (decision.kind === 'refused') played.refused.add(decision.problem.reason)
      for (const effect of decision.kind === 'fired' ? decision.effects : []) {
        if (effect.kind !== 'emit') continue
        const of = { kind: 'event', name: effect.event, from: null, data: effect.data, at: it.tick } as const
        following.push({ ...it, due: null, of })
      }
    }
    level = following
  }
}

/** Plays a trace from the beginning of a contract; every step has to lead where it says. */
export const play = (ready: ReadyContract, trace: readonly TraceStep[], start: number): Played => {
  const played: Played = { standing: beginning(ready, CONTRACT, start), broken: new Set(), refused: new Set() }
  for (const step of trace) {
    const tick = start + step.tick
    const next = nextDue(ready, played.standing, start)
    const of = stimulusOf(step, tick)
    if (step.due !== undefined) assert.deepEqual([next?.trigger, next?.due], [step.due.trigger, step.due.at])
    else assert.ok(next === undefined || next.tick > tick, 'something is due before it')
    const readings: Readonly<Record<string, Scalar>> = step.readings ?? {}
    const due = step.due?.at ?? null
    if (of === undefined) look(ready, played, tick)
    else settle(ready, played, { fire: CONTRACT, cause: { key: String(tick) }, tick, due, attempt: 0, of, readings })
    assert.deepEqual([played.standing.state, played.standing.context], [step.state, step.context])
  }
  return played
}

/** The contract by which traces have their jitter. */
const NOBODY = '0'.repeat(64)

/** Simulates a trace: it leads where the trace says, and breaks the same claims where it does not end by waiting. */
export const playSimulated = (
  ready: ReadyContract,
  trace: readonly TraceStep[],
  start: number,
): ReadonlySet<number> => {
  const last = trace.at(-1)
  const simulation = simulateWith(
    {
      ...{ ready, contract: NOBODY, id: 'nobody', standing: beginning(ready, NOBODY, start), from: start },
      ...{ until: start + (last?.tick ?? 0), happenings: happeningsOf(trace, start), priceOf: () => 0 },
    },
    () => ({ stubbed: true }),
  )
  const { state, context } = simulation.standing
  assert.deepEqual([state, context], [last?.state, last?.context])
  return new Set(simulation.broken.map(({ claim }) => claim))
}
