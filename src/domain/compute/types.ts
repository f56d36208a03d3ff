import type { Caller } from '#core/caller.ts'
import type { Json } from '#core/canonical.ts'
import type { Envelope } from '#core/claim.ts'
import type { Clock } from '#core/clock.ts'
import type { Log, Meter } from '#core/telemetry.ts'
import type { Sleep } from '#core/wait.ts'
import type { Economy } from '#domain/economy/economy.ts'
import type { EnvelopeItem } from '#domain/economy/views.ts'
import type { Machines } from '#domain/machines/service.ts'
import type { Order } from '#numerics/operators/computation.ts'
import type { Solver } from '#numerics/runtime/solver.ts'
import type { Signer } from '#ports/crypto.ts'
import type { Reading } from '#routing/reading.ts'
import type { Calls } from '#routing/route.ts'
import type { JobState } from '#store/rows/job.ts'
import type { Store } from '#store/store.ts'
import type { PictureFormat } from './drawing.ts'
import type { Pool } from './pool.ts'
import type { NodeTally } from './tally.ts'
import type { JobView } from './views/jobs.ts'
import type { CheckView } from './views/receipt.ts'

/** Bounds of the compute domain, from the settings `compute.*`. */
export interface ComputeOptions {
  /** Worker threads; 0 takes one less than the processors, at least one. */
  readonly threads: number
  /** Computations that may wait for a thread. */
  readonly queueMax: number
  /** How long a call waits for its result before it becomes a job. */
  readonly waitMs: number
  /** Jobs kept, running or over. */
  readonly jobsMax: number
}

/** What reactors need of the machines whose chains hold their entries. */
export type ReactorMachines = Pick<Machines, 'admit' | 'write' | 'assertRoom' | 'foundIn' | 'shares' | 'proved'>

/** What the composition root hands to the compute domain. */
export interface ComputePorts {
  readonly store: Store
  readonly economy: Economy
  /** The machines whose chains hold the entries of reactors. */
  readonly machines: ReactorMachines
  readonly clock: Clock
  readonly log: Log
  readonly meter: Meter
  /** Signs claims and verdicts with the node's identity key. */
  readonly signer: Signer
  /** Node id and the mesh tick of its genesis: together the name of its seal log. */
  readonly node: { readonly id: string; readonly genesisMeshTick: number }
  /** A wait that ends early, without a throw, when the signal aborts. */
  readonly sleep: Sleep
  /** Secret of the pulse: what the receipt's hmac is made with. */
  readonly pulseSecret: Uint8Array
  readonly options: ComputeOptions
  /** Told of each envelope and each refusal. */
  readonly tally: Pick<NodeTally, 'sealed' | 'refused'>
  /** What the calls are named that words stand for. */
  readonly calls: Calls
  /** Other solvers than this node's own and the worker module that runs them, for tests that check the gate. */
  readonly solvers?: readonly Solver[]
  readonly workerFile?: URL
  /** Threads that outlive this domain, where one process has several of it after one another; its own unless given. */
  readonly pool?: Pool
}

/** Who asks and how: what of a request is not its input. */
export interface RequestContext {
  readonly caller: Caller
  /** What was called, in the words of whoever asks: a job that comes of it shows them. */
  readonly route: string
  /** Aborts when the client leaves or the node stops. */
  readonly signal: AbortSignal
  /** RFC 7240 `Prefer`: `respond-async`, `wait=<seconds>`. */
  readonly prefer?: string | undefined
  readonly idempotencyKey?: string | undefined
}

/** An order as a call gives it: what is computed, and what is to be done with the envelope. */
export interface OperatorCall extends Order {
  /** Whether the envelope stands in the public record; the account's default when left out. */
  readonly publish?: boolean | undefined
  /** The domain that one of the operators must be of; the operators alone decide what is computed. */
  readonly domain?: string | undefined
}

/** A call in words. */
export interface AutoCall {
  readonly query: string
  /** Values by name: numbers, texts with a unit, or {value, unit}. */
  readonly constants?: Readonly<Record<string, unknown>> | undefined
  /** Whether the envelope stands in the public record; the account's default when left out. */
  readonly publish?: boolean | undefined
  /** The reading that the caller was shown and says yes to, by its digest. */
  readonly confirm?: string | undefined
}

/** How a call in words is read, and what it would cost. */
export interface AutoReading {
  readonly reading: Reading
  readonly reading_digest: string
  readonly price: number
  readonly work: number
}

/** What every checked result says of itself beside its own members. */
export interface CheckedAnswer {
  /** JSON text of the object whose members stand at the top of the answer: large fields are written once. */
  readonly output: string
  /** Members that the pipeline adds and no digest covers, e.g. `protocol_steps`. */
  readonly extras: Readonly<Record<string, Json>>
  readonly value: number | null
  readonly unit: string
}

/** A checked result and its receipt. */
export interface Sealed extends CheckedAnswer {
  readonly kind: 'sealed'
  readonly precisionActual: number
  readonly check: CheckView
  readonly envelope: EnvelopeItem
  /** Claim, signature, tick receipt and equations, as the bundle carries them. */
  readonly evidence: Envelope
  /** True when an Idempotency-Key brought back the stored answer. */
  readonly replayed?: boolean
}

/**
 * A result without a receipt: the seal failed after a passed check, or the call has none by nature. It costs nothing,
 * and the type has no place for an envelope.
 */
export interface Unsealed extends CheckedAnswer {
  readonly kind: 'unsealed'
  readonly precisionActual: number | null
  readonly check: CheckView | null
  /** Why there is no receipt, as a sentence. */
  readonly reason: string
  /** True when an Idempotency-Key brought back what is kept of an earlier call. */
  readonly replayed?: boolean
}

/** The call goes on as a job. */
export interface AcceptedJob {
  readonly kind: 'accepted'
  readonly job: JobView
  /** The preference of the call that made it a job; undefined when the node's own wait was over. */
  readonly applied: string | undefined
  /** What has just begun is no answer of an earlier call. */
  readonly replayed?: false
}

export type Computed = Sealed | Unsealed | AcceptedJob

/** One frame of a job's feed; `id` is what Last-Event-ID resumes after. */
export interface JobFrame {
  readonly id: string
  readonly event: 'progress' | 'state' | 'gap'
  readonly data: JobView
}

/** A claim and the inputs it was made from, which the claim holds by digest only. */
export interface Reverification {
  readonly claim: unknown
  readonly signature?: string | undefined
  readonly inputs: unknown
}

/** `origin_public_key` is 64 hex digits: whom the caller believes to have signed. */
export interface Attestation extends Reverification {
  readonly signature: string
  readonly origin_public_key: string
}

export interface ComputeLoad {
  readonly threads: number
  readonly waiting: number
  readonly waitingMax: number
  readonly jobs: ReadonlyMap<JobState, number>
}

/** Which picture is wanted: the solver's plot of this number, in this format. */
export interface Wanted {
  readonly format: PictureFormat
  readonly index: number
  /** Ends the drawing when the client leaves. */
  readonly signal: AbortSignal
}

/** What a picture of each format is served as. */
export const pictureTypes = { svg: 'image/svg+xml', png: 'image/png', csv: 'text/csv; charset=utf-8' } as const

/** A picture and what it is. */
export interface Picture {
  readonly type: (typeof pictureTypes)[PictureFormat]
  readonly bytes: Uint8Array
}
