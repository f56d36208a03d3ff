import type { Bundle, Steps } from './claim.ts'
import type { VerifyStep } from './verify-steps.ts'

/** What a re-run of the solver gave, or why there was none. */
export type Replayed =
  | {
      readonly result_digest: string
      readonly value: number | null
      /** The error that the check measured, in percent. */
      readonly measured: number
      readonly steps: Steps | null
      /** What was computed with, KO42 first: the price, which is the face value, counts them. */
      readonly operators?: readonly string[]
      readonly unit?: string
      /** The modulation recomputed at the claim's phase. */
      readonly R_t?: string
      readonly equations_digest?: string
      /**
       * How the code that ran differs from that of the claim, as a sentence. The same bits by other code confirm a
       * claim; other bits accuse nobody.
       */
      readonly otherCode?: string
    }
  | { readonly unavailable: string }

/** Compares a re-run with a claim, for callers whose re-run is asynchronous. Throws nothing. */
export const compareReplay = (bundle: Bundle, replayed: Replayed): VerifyStep => {
  const { claim, tick_receipt: receipt } = bundle.envelope
  if ('unavailable' in replayed) return { step: 'replay', state: 'skipped', detail: replayed.unavailable }
  const unequalResult = [
    replayed.result_digest === claim.result_digest ? undefined : 'the result',
    replayed.value === claim.value ? undefined : 'the value',
    (replayed.unit ?? claim.unit) === claim.unit ? undefined : 'the unit',
    sameTexts(replayed.operators ?? claim.operators, claim.operators) ? undefined : 'the operators',
    sameSteps(replayed.steps, claim.steps) ? undefined : 'the step digests',
    (replayed.R_t ?? receipt.R_t) === receipt.R_t ? undefined : 'the modulation R_t',
    (replayed.equations_digest ?? claim.equations_digest) === claim.equations_digest ? undefined : 'the equations',
  ].filter((it) => it !== undefined)
  const sameError = replayed.measured === claim.precisionActual
  const unequal = sameError ? unequalResult : [...unequalResult, 'the measured error']
  const { otherCode } = replayed
  // A later revision may measure the error of the same result in another way.
  if (otherCode !== undefined && !sameError && unequalResult.length === 0) {
    const detail = `The same result, by another check: it measures ${replayed.measured} %. ${otherCode}`
    return { step: 'replay', state: 'ok', detail }
  }
  if (unequal.length === 0) {
    const detail =
      otherCode === undefined ? 'The solver gave the same bits again.' : `The same bits again. ${otherCode}`
    return { step: 'replay', state: 'ok', detail }
  }
  const differs = `The re-run differs in ${unequal.join(', ')}.`
  return otherCode === undefined
    ? { step: 'replay', state: 'failed', detail: differs }
    : { step: 'replay', state: 'skipped', detail: `${otherCode} ${differs} That accuses nobody.` }
}

const sameTexts = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((text, i) => text === b[i])

const sameSteps = (a: Steps | null, b: Steps | null): boolean =>
  a === null || b === null ? a === b : a.root === b.root && a.every === b.every && a.count === b.count
