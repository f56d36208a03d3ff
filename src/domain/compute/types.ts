import type { Json } from '#core/canonical.ts'
import type { Bundle, Code, Envelope } from '#core/claim.ts'
import type { Clock } from '#core/clock.ts'
import type { Log, Meter } from '#core/telemetry.ts'
import type { SignedVerdict } from '#core/verdict.ts'
import type { Economy } from '#domain/economy/economy.ts'
import type { EnvelopeItem } from '#domain/economy/views.ts'
import type { Caller } from '#domain/identity/caller.ts'
import type { Order } from '#numerics/operators/computation.ts'
import type { RegistryHistory } from '#numerics/operators/history.ts'
import type { OperatorRegistry } from '#numerics/operators/registry.ts'
import type { Solver } from '#numerics/runtime/solver.ts'
import type { Signer } from '#ports/crypto.ts'
import type { Reading } from '#routing/reading.ts'
import type { Store } from '#store/store.ts'
import type { Codecs } from './codecs.ts'
import type { Picture, Wanted } from './pictures.ts'
import type { Pool } from './pool.ts'
import type { ReactorMachines, Reactors } from './reactor/types.ts'
import type { JobView, Quote } from './views/jobs.ts'
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
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** Secret of the pulse: what the receipt's hmac is made with. */
  readonly pulseSecret: Uint8Array
  readonly options: ComputeOptions
  /** Other solvers than this node's own and the worker module that runs them, for tests that judge the gate. */
  readonly solvers?: readonly Solver[]
  readonly workerFile?: URL
  /** Threads that outlive this domain, where one process has several of it after one another; its own unless given. */
  readonly pool?: Pool
}

/** Who asks and how: what of a request is not its input. */
export interface Asking {
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
}

/** How a call in words is read, and what it would cost. */
export interface AutoReading {
  readonly reading: Reading
  readonly price: number
  readonly work: number
}

/** What every checked result says of itself beside its own members. */
export interface Judged {
  /** JSON text of the object whose members stand at the top of the answer: large fields are written once. */
  readonly output: string
  /** Members that the pipeline adds and no digest covers, e.g. `protocol_steps`. */
  readonly extras: Readonly<Record<string, Json>>
  readonly value: number | null
  readonly unit: string
}

/** A checked result and its receipt. */
export interface Sealed extends Judged {
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
export interface Unsealed extends Judged {
  readonly kind: 'unsealed'
  readonly precisionActual: number | null
  readonly check: CheckView | null
  /** Why there is no receipt, as a sentence. */
  readonly reason: string
  /** True when an Idempotency-Key brought back what is kept of an earlier call. */
  readonly replayed?: boolean
}

/** The call goes on as a job. */
export interface Accepted {
  readonly kind: 'accepted'
  readonly job: JobView
  /** The preference of the call that made it a job; undefined when the node's own wait was over. */
  readonly applied: string | undefined
}

export type Computed = Sealed | Unsealed | Accepted

export type JobState = JobView['state']

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

/** The compute domain: the only door to a sealed result. */
export interface Compute extends AsyncDisposable {
  /** Digests of everything that computes here, without the solver of one claim. */
  readonly code: Omit<Code, 'solver'>
  /** The operator rows; `registry.version` is the claim's registry_version. */
  readonly registry: OperatorRegistry
  /** The same, and those of earlier versions. */
  readonly history: RegistryHistory
  readonly kernelVersion: string
  /** Stateful loops over solvers whose answer is a state. */
  readonly reactors: Reactors
  /** Transforms of bytes that seal nothing. */
  readonly codecs: Codecs
  /** How busy it is: threads, computations that wait for one, jobs by state. */
  load(): ComputeLoad

  /**
   * Runs a sealed solver and seals its result, in the order of definitions.md, "The gate".
   *
   * @throws Fault of validation, refusal, INSUFFICIENT_BALANCE, the gate (422), DAILY_LIMIT_EXCEEDED, NODE_BUSY.
   */
  solve(name: string, input: unknown, asking: Asking): Promise<Computed>
  /** Evaluates 1 to 3 operators and seals. @throws Fault as {@link solve}, and those of the operator pipeline. */
  operate(order: OperatorCall, asking: Asking): Promise<Computed>
  /** The keyless twin of {@link operate}: work cap, budget per address, minted to the house. */
  prove(order: OperatorCall, asking: Asking): Promise<Computed>
  /** Reads a call in words and runs what it means. @throws Fault AMBIGUOUS_INPUT that asks, and as {@link solve}. */
  auto(call: AutoCall, asking: Asking): Promise<Computed>
  /** Only reads a call in words; nothing runs. @throws Fault as {@link auto} before the hold. */
  read(call: AutoCall, asking: Asking): Promise<AutoReading>
  /**
   * Price, work and time of a call; runs nothing.
   *
   * @param kind `auto`, `compute`, `prove`, or the name of a solver.
   * @throws Fault NOT_FOUND, INVALID_INPUT and the refusals.
   */
  quote(kind: string, input: unknown, asking: Asking): Promise<Quote>

  /** The caller's own jobs, newest first. @throws Fault SCOPE_REQUIRED for callers who share theirs with others. */
  jobs(caller: Caller): readonly JobView[]
  /** @throws Fault NOT_FOUND, also for another caller's job. */
  job(id: string, caller: Caller): Promise<JobView>
  /** The answer of a job that is done; undefined while it is not. @throws Fault NOT_FOUND */
  jobAnswer(id: string, caller: Caller): Promise<Sealed | Unsealed | undefined>
  /** The job's frames after `after`, until it is over or the signal aborts. @throws Fault NOT_FOUND */
  jobFrames(id: string, asking: Asking, after: number): AsyncIterable<JobFrame>
  /** Ends a job; nothing is charged. @throws Fault NOT_FOUND, JOB_FINISHED */
  cancel(id: string, caller: Caller): Promise<JobView>

  /** A picture of an answer. @throws Fault NOT_FOUND for a plot that is not there; NODE_BUSY. */
  picture(kind: string, inputs: unknown, it: Sealed | Unsealed, wanted: Wanted): Promise<Picture>
  /** A picture of a stored result, for whoever may see its envelope. @throws Fault NOT_FOUND; NODE_BUSY. */
  storedPicture(tokenId: string, of: { caller: Caller; nonce?: string | undefined }, wanted: Wanted): Promise<Picture>

  /** @throws Fault NOT_FOUND; NOT_SEALED_YET until a checkpoint covers the envelope. */
  bundle(tokenId: string, caller: Caller, nonce?: string): Promise<Bundle>
  /** Re-runs a claim's result. @throws Fault INVALID_INPUT, WORK_LIMIT_EXCEEDED, DAILY_LIMIT_EXCEEDED */
  reverify(request: Reverification, asking: Asking): Promise<SignedVerdict>
  /** The stricter path: closed forms only, and a signature that verifies. @throws Fault as {@link reverify}. */
  attest(request: Attestation, asking: Asking): Promise<SignedVerdict>
}
