import assert from 'node:assert/strict'
import { toJson } from '#core/arrays.ts'
import type { Caller } from '#core/caller.ts'
import { inputsDigest } from '#core/envelope.ts'
import { stateDigest } from '#core/reactor.ts'
import type { RequestContext, Sealed } from '#domain/compute/types.ts'
import type { ReactorView, StepView } from '#domain/compute/views/reactor.ts'
import type { ContractOrder } from '#numerics/reactor/schema.ts'
import { produce } from '#numerics/runtime/gate.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import { heat } from '#numerics/solvers/heat/index.ts'
import { asking, type ComputeHouse } from './house.ts'

/** A line of 128 intervals, two time steps a stretch: 0.001 % a step. */
export const LINE = { dim: 1, nx: 128, steps: 2 }

/** States of a contract over the heat solver and errors of its steps, as whoever has the solver computes them. */
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

/** A contract over the short line. */
export const contract = (more: Partial<ContractOrder> = {}): ContractOrder => ({
  solver: 'heat',
  inputs: LINE,
  initialState: {},
  steps: 10,
  seal: true,
  stops: [],
  observers: [],
  ...more,
})

/** Makes a reactor and shows it. */
export const make = async (
  { compute }: ComputeHouse,
  caller: Caller,
  more: Partial<ContractOrder> = {},
  slug?: string,
) => (await compute.reactors.create({ ...contract(more), slug }, asking(caller))).view

/** Takes a step that must be sealed. */
export const sealedStep = async (
  { compute }: ComputeHouse,
  asked: RequestContext,
  order: object = {},
): Promise<Sealed> => {
  const it = await compute.reactors.step(order, asked)
  assert.ok(it.kind === 'sealed', it.kind)
  return it
}

/** What the answer of a step says of its reactor. */
export const beside = ({ compute }: ComputeHouse, it: Sealed) => {
  const found = compute.reactors.beside(it)
  assert.ok(found !== null)
  return found as unknown as StepView & Pick<ReactorView, 'id' | 'status'>
}
