import type { ResultOf } from '#api/result-of.ts'
import { table } from './io.ts'
import { describePropagated } from './propagated.ts'
import type { ComputeAnswer } from './run-job.ts'

/** Members of an answer that stand in lines of their own, or that only a verifier reads. */
const apart = new Set(['ok', 'value', 'unit', 'envelope', 'check', 'signature', 'svcProof', '_kernelUrl'])
const repeated = new Set(['precisionActual', 'bundle'])

/** A scalar as it is, a list of numbers by its length; other members are for programs. */
const shown = (value: unknown): string | undefined => {
  if (Array.isArray(value)) return typeof value[0] === 'number' ? `${value.length} values` : undefined
  return value === null || typeof value === 'object' ? undefined : String(value)
}

/** A value with its unit; a number without one, `1` on the wire, is a number. */
export const quantity = (value: unknown, unit: unknown): string =>
  unit === null || unit === undefined || unit === '1' ? String(value ?? 'none') : `${value ?? 'none'} ${unit}`

type Propagated = NonNullable<ResultOf<'compute.compute'>['propagated']>

/** What the uncertainties of an operator's inputs make of its value; a solver may have another member of that name. */
export const propagatedOf = (answer: ComputeAnswer): Propagated | undefined => {
  const { propagated } = answer
  const isOurs = typeof propagated === 'object' && propagated !== null && 'standard_uncertainty' in propagated
  return isOurs ? (propagated as Propagated) : undefined
}

/** What was answered, of a call in words; a solver may have another member of that name. */
export const answersOf = ({ reading, confirmed }: ComputeAnswer): string | undefined => {
  if (reading === undefined || typeof confirmed !== 'boolean') return undefined
  return confirmed ? 'the question, as read and confirmed' : 'what was read, which was not confirmed; not the question'
}

/** All of an answer that a person reads: the value first, then what else was computed, then why to believe it. */
export const describeAnswer = (answer: ComputeAnswer): string => {
  const { value, unit, envelope, check } = answer
  const propagated = propagatedOf(answer)
  const rows: (readonly string[])[] = [['value', quantity(value, unit)]]
  if (propagated !== undefined) rows.push(...describePropagated(propagated))
  const answers = answersOf(answer)
  if (answers !== undefined) rows.push(['answers', answers])
  for (const [name, member] of Object.entries(answer)) {
    if (answers !== undefined && name === 'confirmed') continue
    const text = apart.has(name) || repeated.has(name) ? undefined : shown(member)
    // The error of the computation is another thing than what comes from the inputs, and must not read like it.
    if (text !== undefined)
      rows.push([propagated !== undefined && name === 'uncertainty' ? 'computed to ±' : name, text])
  }
  if (check !== undefined && check !== null) {
    rows.push(['check', `error ${check.measured} %, against ${check.against}`])
  }
  if (envelope === undefined || envelope === null) return table([...rows, ['envelope', 'none']])
  const { token_id, state, face_value, funding, hash } = envelope
  const about = `${token_id} (${state}, ${face_value} credits, ${funding})`
  return table([...rows, ['envelope', about], ['hash', hash]])
}
