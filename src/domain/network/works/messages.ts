import Type, { type Static } from 'typebox'
import { closed, count, finite, fitting, hex64, oneOf, orNull, text } from '#core/schema.ts'
import { signedAcceptSchema } from '#core/work/accept.ts'
import { closeSchema } from '#core/work/audit.ts'
import { attemptSchema, jobSchema } from '#core/work/job.ts'
import { signedOfferSchema } from '#core/work/offer.ts'
import { workPlaceSchema } from '#core/work/published.ts'
import { STATES_MAX } from '#core/work/segments.ts'
import { signedWorkSchema } from '#core/work/work.ts'

/** Bytes of one message, and so of a frame (trust.md allows a mebibyte). */
export const MESSAGE_BYTES_MAX = 1_048_576
/** Bytes of inputs that travel inside an offer; larger ones are pulled as a blob. */
export const INPUTS_INLINE_MAX = 65_536
/** Jobs that one heartbeat names. */
const BEAT_JOBS_MAX = 256
const DIGEST_CHARS_MAX = Math.ceil((STATES_MAX * 32) / 3) * 4
/** States asked for at once. */
const STATES_ASKED_MAX = 64

const of = { job: jobSchema, attempt: attemptSchema() }
const message = <const T extends string, const P extends Parameters<typeof closed>[0]>(type: T, members: P) =>
  closed({ type: Type.Literal(type), ...members })

/** Why a worker does not take a job, or ends it without blame. */
export const refusalCodes = [
  'BOND_FULL',
  'NOT_CONTRIBUTING',
  'OTHER_CODE',
  'OTHER_POLICY',
  'BUSY',
  'UNFIT',
  'PREEMPTED',
  'FAILED',
] as const

/** What a requester says to a worker. */
export const askedSchema = Type.Union([
  message('offer', { offer: signedOfferSchema, inputs: orNull(Type.Record(Type.String(), Type.Unknown())) }),
  message('sample', { ...of, states: Type.Array(count({ maximum: STATES_MAX - 1 }), { maxItems: STATES_ASKED_MAX }) }),
  message('cancel', of),
  message('published', { ...of, place: workPlaceSchema }),
  message('closed', { ...of, close: closeSchema }),
  message('beat', { jobs: Type.Array(closed(of), { maxItems: BEAT_JOBS_MAX }) }),
])
export type AskedOfWorker = Static<typeof askedSchema>

/** What a worker says to a requester. */
export const toldSchema = Type.Union([
  message('accept', { ...of, accept: signedAcceptSchema }),
  message('refuse', { ...of, code: oneOf(refusalCodes), detail: text(512) }),
  message('progress', { ...of, step: count(), steps: count(), residual: orNull(finite()) }),
  message('digests', { ...of, states: text(DIGEST_CHARS_MAX) }),
  message('result', {
    ...of,
    work: signedWorkSchema,
    /** Name of the outcome of a run that does not step; all else is named by the work. */
    outcome: orNull(hex64()),
  }),
  message('samples', {
    ...of,
    states: Type.Array(closed({ i: count({ maximum: STATES_MAX - 1 }), sha256: hex64() }), {
      maxItems: STATES_ASKED_MAX,
    }),
  }),
  message('beat', { jobs: Type.Array(closed(of), { maxItems: BEAT_JOBS_MAX }) }),
])
export type ToldRequester = Static<typeof toldSchema>

/** Reads what a requester says. @throws Fault INVALID_INPUT */
export const readAsked = (value: unknown): AskedOfWorker => fitting(askedSchema, value)

/** Reads what a worker says. @throws Fault INVALID_INPUT */
export const readTold = (value: unknown): ToldRequester => fitting(toldSchema, value)
