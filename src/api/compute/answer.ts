import Type, { type TProperties } from 'typebox'
import { type Answer, answer, type Call } from '#api/endpoint.ts'
import type { Json } from '#core/canonical.ts'
import { codesOf, type FaultCode } from '#core/fault.ts'
import type { Repeat } from '#core/once.ts'
import type { AcceptedJob, Computed, RequestContext, Sealed, Unsealed } from '#domain/compute/types.ts'
import { job } from '#domain/compute/views/jobs.ts'
import { receiptMembers } from '#domain/compute/views/receipt.ts'

/** Names that a result's own members must leave alone. */
export const reservedMembers: readonly string[] = Object.keys(receiptMembers)

/** What of a computation's answer is no figure of it, by what it is: pages and readers group an answer so. */
export const answerGroups = {
  Receipt: ['envelope', 'tick_receipt', 'claim', 'signature', 'bundle', 'unsealed_reason'],
  Diagnostics: ['precisionActual', 'check', 'equations', 'tick_averaged'],
} as const satisfies Readonly<Record<string, readonly (keyof typeof receiptMembers)[]>>

/** The answer of a computation whose result has these members. @param title of one that several endpoints give. */
export const computedResult = <P extends TProperties>(members: P, title?: string) =>
  Type.Object({ ...members, ...receiptMembers }, title === undefined ? {} : { title })

/** What any computation can be refused with, beside what its own inputs can. */
export const computeFaults = [
  'INVALID_INPUT',
  'WORK_LIMIT_EXCEEDED',
  'INSUFFICIENT_BALANCE',
  'DAILY_LIMIT_EXCEEDED',
  'PRECISION_NOT_MET',
  ...codesOf('commit'),
  'NODE_BUSY',
  'NODE_STOPPING',
  'WORKER_LOST',
] as const satisfies readonly FaultCode[]

/** What a solver can be refused with beside that. */
export const solvingFaults = [
  'UNSTABLE_STEP',
  'ILL_POSED',
  'OUT_OF_RANGE',
  'ENERGY_NOT_CONSERVED',
  'DID_NOT_CONVERGE',
  'NOT_CANONICAL',
] as const satisfies readonly FaultCode[]

/** What operators and their inputs can be refused with before anything is computed. */
export const orderFaults = [
  'OPERATOR_LIMIT_EXCEEDED',
  'UNKNOWN_OPERATOR',
  'MISSING_INPUTS',
  'AMBIGUOUS_INPUT',
  'RELATION_REFUSED',
  'DIMENSION_MISMATCH',
] as const satisfies readonly FaultCode[]

/** A call as the compute service takes it. @param repeat of an idempotent endpoint, as `call.once` gives it. */
export const askingOf = (
  { caller, route, signal, headers }: Pick<Call<never>, 'caller' | 'route' | 'signal' | 'headers'>,
  repeat?: Repeat,
): RequestContext => ({ caller, route, signal, prefer: headers.prefer, idempotencyKey: repeat?.key })

/** The receipt's members of an answer; all null where there is no envelope. */
const receiptOf = (it: Sealed | Unsealed): Readonly<Record<string, unknown>> => {
  const { value, unit, precisionActual, check } = it
  const own = { value, unit, precisionActual, check }
  if (it.kind === 'unsealed') {
    const none = { envelope: null, tick_receipt: null, tick_averaged: null, equations: null, claim: null }
    return { ...own, ...none, signature: null, bundle: null, unsealed_reason: it.reason }
  }
  const { claim, signature: signed, tick_receipt, equations } = it.evidence
  return {
    ...own,
    envelope: it.envelope,
    tick_receipt,
    tick_averaged: tick_receipt.tick_averaged,
    equations,
    claim,
    signature: signed,
    bundle: it.envelope.bundle,
    unsealed_reason: null,
  }
}

/** JSON text of an object and the members of another: large results are written once, by the thread that made them. */
const merged = (output: string, more: Readonly<Record<string, unknown>>): string => {
  const rest = JSON.stringify(more)
  const inner = output.slice(1, -1)
  return inner === '' ? rest : `{${inner},${rest.slice(1)}`
}

/** What an answer has beside the result of its computation and the receipt. */
export interface Beside {
  /** Members of the receipt that the result itself has already, with the same meaning: no name may stand twice. */
  readonly own: readonly string[]
  /** Members that the endpoint adds, from what the pipeline recorded. */
  more(it: Sealed | Unsealed): Readonly<Record<string, Json>>
}

const nothing: Beside = { own: [], more: () => ({}) }

/** The JSON text that answers a computation. */
export const computedText = (it: Sealed | Unsealed, { own, more }: Beside = nothing): string => {
  const receipt = Object.entries(receiptOf(it)).filter(([name]) => !own.includes(name))
  const { reading, confirmed } = it.extras
  const read = { ...(reading !== undefined && { reading }), ...(confirmed !== undefined && { confirmed }) }
  return merged(it.output, { ...read, ...more(it), ...Object.fromEntries(receipt) })
}

/** What the literal of a computation says of its answers: they may carry a seal. */
export const sealing = { sends: ['X-Svc-Sealed'] } as const
/** The same of one that may become a job. */
export const computing = { ...sealing, defers: job } as const

const JSON_TYPE = 'application/json; charset=utf-8'

/** The headers of a sealed answer (protocol, Envelope and receipt). */
export const sealHeaders = ({ envelope }: Pick<Sealed, 'envelope'>): Readonly<Record<string, string>> => ({
  'X-Svc-Sealed': envelope.state,
  'X-Svc-Proof': envelope.hash,
  'X-Svc-Token': envelope.token_id,
  'X-Svc-Tick': String(envelope.tick),
  'X-Svc-Verify': envelope.bundle,
})

const acceptedAnswer = ({ job, applied }: AcceptedJob): Answer<never> =>
  answer<never>({
    status: 202,
    headers: {
      Location: `/api/jobs/${job.id}`,
      ...(applied === undefined ? {} : { 'Preference-Applied': applied }),
    },
    body: JSON.stringify(job),
    type: JSON_TYPE,
  })

/** The answer of a computation: 200 with the result, or 202 with the job that it has become. */
export const computedAnswer = (computed: Computed, beside: Beside = nothing): Answer<never> => {
  if (computed.kind === 'accepted') return acceptedAnswer(computed)
  const headers = computed.kind === 'sealed' ? sealHeaders(computed) : {}
  return answer<never>({ body: computedText(computed, beside), type: JSON_TYPE, headers })
}
