import assert from 'node:assert/strict'
import type { Static, TObject } from 'typebox'
import { Fault, type FaultCode, faults } from '#core/fault.ts'
import { produce } from '#numerics/gate.ts'
import { resolveInput } from '#numerics/input.ts'
import type { Outcome, Reality, Solver } from '#numerics/solver.ts'

/** A solver asked as its callers ask it. */
export interface Asked<I extends TObject, O extends TObject, E> {
  input(raw: object): Static<I>
  /** The output of a run that passed the gate. */
  sealed(raw: object): Static<O>
  outcome(raw: object): Outcome<Static<O>, E>
  reality(raw: object): Reality
  /** The details of the refusal of this code. */
  refusal(code: FaultCode, raw: object): Readonly<Record<string, unknown>>
  /** `sealed`, `unsealed`, or the code of a refusal with a status that its caller can act on; anything else throws. */
  ends(raw: object): 'sealed' | 'unsealed' | FaultCode
}

/** Everything that a test asks of a solver, from the caller's own words. */
export const asked = <I extends TObject, O extends TObject, E, S>(it: Solver<I, O, E, S>): Asked<I, O, E> => {
  const input = (raw: object): Static<I> => resolveInput(it, raw)
  const whole = (raw: object) => produce(it, input(raw))
  return {
    input,
    sealed: (raw) => {
      const { outcome, reality } = whole(raw)
      assert(reality !== null, 'it has a seal')
      return outcome.output
    },
    outcome: (raw) => whole(raw).outcome,
    reality: (raw) => {
      const { reality } = whole(raw)
      assert(reality !== null, 'it was judged')
      return reality
    },
    refusal: (code, raw) => {
      try {
        whole(raw)
      } catch (error) {
        assert(error instanceof Fault, String(error))
        assert.equal(error.code, code, error.message)
        return error.details
      }
      return assert.fail(`${JSON.stringify(raw)} was not refused`)
    },
    ends: (raw) => {
      try {
        return whole(raw).reality === null ? 'unsealed' : 'sealed'
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        assert([400, 422].includes(faults[error.code].status), error.code)
        assert.notEqual(error.code, 'NOT_CANONICAL', JSON.stringify(raw))
        return error.code
      }
    },
  }
}

/** The relative distance of two numbers, or that from zero. */
export const apart = (found: number, wanted: number): number =>
  Math.abs(found - wanted) / (wanted === 0 ? 1 : Math.abs(wanted))
