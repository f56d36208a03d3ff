import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Static, TObject } from 'typebox'
import { Fault, type FaultCode, faults } from '#core/fault.ts'
import { passGate, produce } from '#numerics/runtime/gate.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import { run } from '#numerics/runtime/run.ts'
import type { Outcome, Reality, Solver } from '#numerics/runtime/solver.ts'
import { seed } from '../../kit/random.ts'

/** How inputs are drawn, and what may become of them. */
export interface Drawing {
  readonly numRuns: number
  /** Every input that is drawn must resolve; those of more work than this are passed over. */
  readonly workMax?: number
  /** The statuses that a refusal may have, 400 and 422 unless told. */
  readonly statuses?: readonly number[]
}

/** A solver asked as its callers ask it. */
export interface Outcomes<I extends TObject, O extends TObject, E> {
  inputOf(raw: object): Static<I>
  /** What a run ends with, judged or not. */
  ran(raw: object): Outcome<Static<O>, E>
  /** The output of a run, judged or not. */
  solve(raw: object): Static<O>
  /** What the check finds in a run, passed by the gate or not. */
  found(raw: object): Reality
  /** The error that the check measures in a run. */
  errorPct(raw: object): number
  /** The output of a run that passed the gate. */
  sealed(raw: object): Static<O>
  outcome(raw: object): Outcome<Static<O>, E>
  reality(raw: object): Reality
  /** The details of the refusal of this code. */
  refusal(code: FaultCode, raw: object): Readonly<Record<string, unknown>>
  /** `sealed`, `unsealed`, or the code of a refusal with a status that its caller can act on; anything else throws. */
  ends(raw: object): 'sealed' | 'unsealed' | FaultCode
  /** Has every input that is drawn sealed or refused rightly; how many seal, and the largest error of these. */
  sealsOrRefuses(drawn: fc.Arbitrary<object>, drawing: Drawing): { readonly seals: number; readonly largest: number }
}

/** The code of a refusal with a status that its caller can act on; anything else throws. */
export const refusedRightly = (error: unknown, statuses: readonly number[] = [400, 422]): FaultCode => {
  if (!(error instanceof Fault)) throw error
  assert(statuses.includes(faults[error.code].status), error.code)
  assert.notEqual(error.code, 'NOT_CANONICAL', error.message)
  return error.code
}

/** The details of the refusal of this code, which must come. */
const refused = (code: FaultCode, raw: object, act: () => unknown): Readonly<Record<string, unknown>> => {
  try {
    act()
  } catch (error) {
    assert(error instanceof Fault, String(error))
    assert.equal(error.code, code, error.message)
    return error.details
  }
  return assert.fail(`${JSON.stringify(raw).slice(0, 200)} was not refused`)
}

/** Everything that a test asks of a solver, from the caller's own words. */
export const outcomesOf = <I extends TObject, O extends TObject, E, S>(it: Solver<I, O, E, S>): Outcomes<I, O, E> => {
  const inputOf = (raw: object): Static<I> => resolveInput(it, raw)
  const whole = (raw: object) => produce(it, inputOf(raw))
  const ran = (raw: object) => run(it, inputOf(raw)).outcome
  const found = (raw: object): Reality => it.check(inputOf(raw), ran(raw))
  const passed = (raw: object): Reality => {
    const { reality } = whole(raw)
    assert(reality !== null, 'it was judged')
    return reality
  }
  return {
    inputOf,
    ran,
    solve: (raw) => ran(raw).output,
    found,
    errorPct: (raw) => found(raw).errorPct,
    sealed: (raw) => {
      const { outcome, reality } = whole(raw)
      assert(reality !== null, 'it has a seal')
      return outcome.output
    },
    outcome: (raw) => whole(raw).outcome,
    reality: passed,
    refusal: (code, raw) => refused(code, raw, () => whole(raw)),
    ends: (raw) => {
      try {
        return whole(raw).reality === null ? 'unsealed' : 'sealed'
      } catch (error) {
        return refusedRightly(error)
      }
    },
    sealsOrRefuses: (drawn, { numRuns, workMax, statuses }) => {
      let [seals, largest] = [0, 0]
      const one = (raw: object): void => {
        const input = workMax === undefined ? undefined : inputOf(raw)
        try {
          if (input !== undefined && workMax !== undefined) {
            it.refuse(input)
            if (it.work(input) > workMax) return
          }
          const reality = passed(raw)
          passGate(reality)
          largest = Math.max(largest, reality.errorPct)
          seals++
        } catch (error) {
          refusedRightly(error, statuses)
        }
      }
      fc.assert(fc.property(drawn, one), { seed, numRuns })
      return { seals, largest }
    },
  }
}

/** Holds a number within a distance of the wanted one. */
export const near = (found: number | null | undefined, wanted: number, by: number): void =>
  assert(Math.abs((found ?? Number.NaN) - wanted) <= by, `${found} instead of ${wanted}`)

/** Holds a number within a share of the wanted one, a billionth unless told. */
export const close = (found: number | null | undefined, wanted: number, share = 1e-9): void =>
  near(found, wanted, share * Math.abs(wanted))

/** The relative distance of two numbers, or that from zero. */
export const apart = (found: number, wanted: number): number =>
  Math.abs(found - wanted) / (wanted === 0 ? 1 : Math.abs(wanted))
