import assert from 'node:assert/strict'
import { toJson } from '#core/arrays.ts'
import { inputsDigest } from '#core/envelope.ts'
import { stateDigest } from '#core/reactor.ts'
import { produce } from '#numerics/gate.ts'
import { resolveInput } from '#numerics/input.ts'
import { heat } from '#numerics/solvers/heat.ts'

/** A line of 128 intervals, two time steps a stretch: 0.001 % a step. */
export const LINE = { dim: 1, nx: 128, steps: 2 }

/** The states of a contract over the heat solver, and the error of each step, as whoever has the solver computes them. */
export const statesByHand = (contract: string, inputs: object, steps: number) => {
  let input = resolveInput(heat, inputs)
  let previous: string | null = null
  let result_digest: string | null = null
  const states: string[] = []
  const errors: number[] = []
  for (let step = 0; ; step++) {
    previous = stateDigest({ contract, step, previous, inputs_digest: inputsDigest(heat.input, input), result_digest })
    states.push(previous)
    if (step === steps) return { states, errors }
    const done = produce(heat, input)
    assert.ok(done.reality !== null && heat.continued !== undefined)
    errors.push(done.reality.errorPct)
    result_digest = done.resultDigest
    input = resolveInput(heat, toJson(heat.continued(input, done.outcome.output)))
  }
}
