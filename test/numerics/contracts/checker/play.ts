import assert from 'node:assert/strict'
import type { Standing } from '#core/contract/standing.ts'
import type { TraceStep } from '#numerics/contracts/checker/finding.ts'
import { type Decision, decide, type Outcome, type Stimulus } from '#numerics/contracts/fire/decide.ts'
import { nextDue } from '#numerics/contracts/fire/dues.ts'
import { beginning, type Ready } from '#numerics/contracts/fire/ready.ts'
import { windowValues } from '#numerics/contracts/fire/windows.ts'
import { CONTRACT } from '../fire/drawn.ts'

/** Plays what a checker says, by decisions alone. */

/** A decision to the end. @param outcomes what computations give; a stub where there are no more */
export const decideAll = (ready: Ready, standing: Standing, stimulus: Stimulus, outcomes: readonly Outcome[] = []) => {
  const given: Outcome[] = []
  for (;;) {
    const decision = decide(ready, standing, stimulus, given)
    if (decision.kind !== 'compute') return decision
    given.push(outcomes[given.length] ?? { stubbed: true })
  }
}

/** What claims and guards read at a standing. */
export const standingValues = (ready: Ready, { context, state, entered, windows }: Standing, tick: number) => ({
  ...{ context, state, state_ticks: tick - entered.tick },
  window: windowValues(ready.definition.windows, windows, tick),
})

const stimulusOf = (step: TraceStep, tick: number): Stimulus['of'] | undefined => {
  if (step.event !== undefined) return { kind: 'event', ...step.event, at: tick }
  return step.due === undefined ? undefined : { kind: 'trigger', trigger: step.due.trigger }
}

/** Plays a trace from the beginning of a contract; every step has to lead where it says. */
export const play = (ready: Ready, trace: readonly TraceStep[], start: number) => {
  let standing = beginning(ready, CONTRACT, start)
  let [tick, last]: [number, Exclude<Decision, { kind: 'compute' }> | undefined] = [start, undefined]
  for (const step of trace) {
    tick = start + step.tick
    const next = nextDue(ready, standing, start)
    const of = stimulusOf(step, tick)
    if (step.due !== undefined)
      assert.deepEqual([next?.trigger, next?.due, next?.tick], [step.due.trigger, step.due.at, tick])
    else assert.ok(next === undefined || next.tick > tick, 'something is due before it')
    if (of !== undefined) {
      const due = step.due?.at ?? null
      const cause = { key: String(tick) }
      last = decideAll(ready, standing, {
        fire: CONTRACT,
        cause,
        tick,
        due,
        attempt: 0,
        of,
        readings: step.readings ?? {},
      })
      standing = last.after
    }
    assert.deepEqual([standing.state, standing.context], [step.state, step.context])
  }
  return { standing, tick, last }
}
