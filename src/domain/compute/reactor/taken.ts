import type { Json } from '#core/canonical.ts'
import { codesOf, Fault, type FaultCode } from '#core/fault.ts'
import { stateDigest } from '#core/reactor.ts'
import type { Checked, Continued } from '#domain/compute/task.ts'
import { metBy } from '#numerics/reactor/contract.ts'
import { errorAfter } from '#numerics/reactor/errors.ts'
import type { ReactorEnd, ReactorRow, ReactorStepRow } from '#store/rows/reactor.ts'
import { assertStateFits } from './create.ts'

/** Refusals that follow from the state alone: whoever asks again, and whenever, is refused with the same numbers. */
export const lasting: ReadonlySet<string> = new Set([
  'INVALID_INPUT',
  'UNSTABLE_STEP',
  'ILL_POSED',
  'OUT_OF_RANGE',
  ...codesOf('gate'),
  'NOT_CANONICAL',
])

/** What a refusal leaves behind in the reactor. */
export const refusedBy = ({ code, message, details }: Fault): ReactorEnd => ({
  kind: 'refused',
  why: message,
  code,
  details: JSON.parse(JSON.stringify(details)) as Readonly<Record<string, unknown>>,
})

/** What whoever asks for a step of a reactor that is over is told. */
export const endedFault = ({ id, step, ended }: ReactorRow): Fault | undefined => {
  if (ended === null) return undefined
  if (ended.kind === 'refused') return new Fault(ended.code as FaultCode, ended.why, ended.details)
  return new Fault('REACTOR_ENDED', ended.why, { reactor: id, step, ended: ended.kind, ...ended.details })
}

/** Why a reactor is over after a step, if it is. */
const endAfter = (
  { terms }: ReactorRow,
  step: number,
  quantities: Readonly<Record<string, number | null>>,
): ReactorEnd | null => {
  const met = metBy(terms.stops, quantities)
  if (met !== undefined) {
    const why = `After step ${step} ${met.of} is ${quantities[met.of]}, ${met.op} ${met.than}: the contract ends here.`
    return { kind: 'condition', why, code: null, details: { ...met, is: quantities[met.of] ?? null } }
  }
  if (step < terms.steps) return null
  return { kind: 'complete', why: `All ${terms.steps} steps of the contract are taken.`, code: null, details: {} }
}

/** A step that was computed, on its way to the batch that makes it so. */
export interface Taken {
  readonly row: ReactorRow
  readonly step: Omit<ReactorStepRow, 'tick' | 'token_id' | 'seq'>
  readonly next: string
}

/** What the step of a checked stretch is. @throws Fault PRECISION_NOT_MET, WORK_LIMIT_EXCEEDED */
export const takenOf = (
  row: ReactorRow,
  { checked, continued }: { readonly checked: Checked; readonly continued: Continued },
  spent: { readonly took_ms: number; readonly work: number },
): Taken => {
  const step = row.step + 1
  const { errorPct, figures } = checked.reality
  const { seal, observers } = row.terms
  const error_sum = errorAfter(row.error_sum, { step, errorPct, seal })
  assertStateFits(continued.inputs)
  const { value, resultDigest: result_digest } = checked
  const { inputsDigest: inputs_digest } = continued
  const place = { step, previous: row.state, inputs_digest, result_digest }
  const state = stateDigest({ contract: row.contract, ...place })
  const quantities = { ...continued.quantities, value, errorPct, errorSum: error_sum }
  const observed = Object.fromEntries(
    observers.map((name) => [name, (quantities as Record<string, number | null>)[name] ?? null]),
  )
  const shown = Object.fromEntries(Object.entries(figures).filter(([, it]) => Number.isFinite(it)))
  return {
    row: { ...row, step, state, error_sum, value, unit: checked.unit, ended: endAfter(row, step, quantities) },
    step: { ...place, state, error_pct: errorPct, error_sum, value, ...spent, figures: shown, observed },
    next: continued.inputs,
  }
}

/** What the entry of a step says to everyone who may see the machine. */
export const entryOf = ({ row, step }: Taken, token_id: string | null): Readonly<Record<string, Json>> => ({
  reactor: row.id,
  solver: row.solver,
  contract: row.contract,
  step: step.step,
  state: step.state,
  previous: step.previous,
  errorPct: step.error_pct,
  errorSum: step.error_sum,
  token_id,
  observed: step.observed,
  ended: row.ended?.kind ?? null,
})
