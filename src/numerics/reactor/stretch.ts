import type { Static, TObject } from 'typebox'
import { toJson } from '#core/arrays.ts'
import { assert } from '#core/assert.ts'
import { inputsDigest } from '#core/envelope.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import type { Solver } from '#numerics/runtime/solver.ts'
import { quantitiesOf } from './contract.ts'

/** What a stretch leaves behind for the next one. */
export interface Continuation {
  /** Full inputs of the next stretch. */
  readonly input: Static<TObject>
  readonly inputsDigest: string
  /** Numbers at the top of the answer, by name: what conditions and observers look at. */
  readonly quantities: Readonly<Record<string, number | null>>
}

/**
 * Where a run on `input` that gave `output` is taken up again. The inputs are what JSON says of them, so that a state
 * that was stored, sent or kept in memory is the same bits.
 *
 * @throws Fault INVALID_INPUT when the state has left what the solver takes as a beginning.
 */
export const continuation = (solver: Solver, input: Static<TObject>, output: Static<TObject>): Continuation => {
  assert(solver.continued !== undefined, 'a solver that is stepped says how it goes on')
  const next = resolveInput(solver, JSON.parse(JSON.stringify(toJson(solver.continued(input, output)))))
  const all = output as Readonly<Record<string, unknown>>
  const quantities: Record<string, number | null> = {}
  for (const name of quantitiesOf(solver)) quantities[name] = typeof all[name] === 'number' ? all[name] : null
  return { input: next, inputsDigest: inputsDigest(solver.input, next as object), quantities }
}
