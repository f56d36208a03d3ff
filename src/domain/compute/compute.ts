import type { Json } from '#core/canonical.ts'
import type { Bundle, Claim, Code, Envelope } from '#core/claim.ts'
import type { Clock } from '#core/clock.ts'
import type { Log, Meter } from '#core/telemetry.ts'
import type { Economy } from '#domain/economy/economy.ts'
import type { Caller } from '#domain/identity/caller.ts'
import type { Signer } from '#ports/crypto.ts'
import type { Store } from '#store/store.ts'

/** Bounds of the compute domain, from the settings `compute.*` and `limits.*`. */
export interface ComputeOptions {
  /** Worker threads; 0 takes one less than the processors, at least one. */
  readonly threads: number
  /** Computations that may wait for a thread. */
  readonly queueMax: number
  /** How long a call waits for its result before it becomes a job. */
  readonly waitMs: number
  /** Jobs kept, running or over. */
  readonly jobsMax: number
  /** Work units of the largest computation without a key. */
  readonly anonymousWorkMax: number
  /** Work units that one address bucket may use in a day without a key. */
  readonly anonymousWorkPerDay: number
}

/** What the composition root hands to the compute domain. */
export interface ComputePorts {
  readonly store: Store
  readonly economy: Economy
  readonly clock: Clock
  readonly log: Log
  readonly meter: Meter
  /** Signs claims and verdicts with the node's identity key. */
  readonly signer: Signer
  /** Node id and the mesh tick of its genesis: together the name of its seal log. */
  readonly node: { readonly id: string; readonly genesisMeshTick: number }
  /** Secret of the pulse: what the receipt's hmac is made with. */
  readonly pulseSecret: Uint8Array
  readonly options: ComputeOptions
  /** Another worker module than this layer's own, for tests that judge the gate. */
  readonly workerFile?: URL
}

/** Who asks and how: what of a request is not its input. */
export interface Asking {
  readonly caller: Caller
  /** Aborts when the client leaves or the node stops. */
  readonly signal: AbortSignal
  /** RFC 7240 `Prefer`: `respond-async`, `wait=<seconds>`. */
  readonly prefer?: string | undefined
  readonly idempotencyKey?: string | undefined
}

/** What an independent check found, as the answer shows it. */
export interface CheckView {
  readonly against: string
  readonly measured: number
  readonly bound: number
  readonly figures: Readonly<Record<string, number>>
}

/** An envelope as its owner sees it. */
export interface EnvelopeView {
  readonly token_id: string
  /** Leaf hash in the seal log. */
  readonly hash: string
  readonly log: string
  readonly index: number
  readonly face_value: number
  readonly tick: number
  readonly phase: number
  readonly funding: Claim['funding']
  readonly issued_to: string
  readonly soulbound: boolean
  readonly backs: string | null
  readonly state: 'promised' | 'sealed' | 'final'
  readonly folder: string
  readonly precisionActual: number
  readonly operators: readonly string[]
  readonly kind: string
  /** Path of the bundle, as in X-Svc-Verify. */
  readonly bundle: string
}

/** A checked result and its receipt. `result` holds the members that stand at the top of the answer. */
export interface Sealed {
  readonly kind: 'sealed'
  readonly result: Readonly<Record<string, Json>>
  readonly value: number | null
  readonly unit: string
  readonly precisionActual: number
  readonly check: CheckView
  readonly envelope: EnvelopeView
  readonly evidence: Envelope
  /** True when an Idempotency-Key brought back the stored answer. */
  readonly replayed: boolean
}

/**
 * A result without a receipt: the seal failed after a passed check, or the call has none by nature. It costs nothing,
 * and the type has no place for an envelope.
 */
export interface Unsealed {
  readonly kind: 'unsealed'
  readonly result: Readonly<Record<string, Json>>
  readonly value: number | null
  readonly unit: string
  readonly precisionActual: number | null
  readonly check: CheckView | null
  /** Why there is no receipt, as a sentence. */
  readonly reason: string
}

/** The call goes on as a job. */
export interface Accepted {
  readonly kind: 'accepted'
  readonly job: JobView
}

export type Computed = Sealed | Unsealed | Accepted

export type JobState = 'queued' | 'running' | 'done' | 'failed' | 'cancelled' | 'lost'

export interface JobView {
  readonly id: string
  readonly state: JobState
  readonly route: string
  readonly kind: string
  readonly created_tick: number
  readonly fraction: number
  readonly step: number
  readonly steps: number
  /** Seconds to go at the pace so far; null before the first report. */
  readonly eta_seconds: number | null
  readonly residual: number | null
  /** Why it waits, is lost or failed; null while it runs or when it is done. */
  readonly reason: string | null
  /** The problem of a failed job: code and details of its fault. */
  readonly problem: { readonly code: string; readonly detail: string; readonly details: Json } | null
  readonly token_id: string | null
  /** The answer of a job that is done. */
  readonly answer: Json
}

/** One frame of a job's feed; `id` is what Last-Event-ID resumes after. */
export interface JobFrame {
  readonly id: string
  readonly event: 'progress' | 'state'
  readonly data: JobView
}

export interface Quote {
  readonly route: string
  readonly price: number
  readonly operators: readonly string[]
  /** Work units of about 1e6 floating-point operations. */
  readonly work: number
  readonly expected_seconds: number
  readonly work_limit: number
}

/** What `POST /api/svc/compute` and `prove` take. */
export interface OperatorOrder {
  readonly operators: readonly string[]
  readonly inputs: Readonly<Record<string, unknown>>
  readonly domain?: string | undefined
  /** The quantity to solve for, when it is not the operator's own output. */
  readonly solve_for?: string | undefined
}

/** Anything wrong with a bundle is named; nothing is thrown for a bad one. */
export interface BundleReport {
  readonly ok: boolean
  readonly steps: readonly { readonly name: string; readonly ok: boolean; readonly detail: string }[]
  /** `pinned` when the claim's signer is this node's own key. */
  readonly signer: 'pinned' | 'unknown'
  readonly token_id: string | null
}

export type VerdictWord = 'agree' | 'disagree' | 'unverifiable'

/** What a verdict signs (protocol.md, Envelope and receipt). */
export interface VerdictView {
  readonly verdict: {
    readonly subject: string
    readonly claimed: string
    readonly recomputed: string | null
    readonly verdict: VerdictWord
    readonly reason: string
    readonly code: Code
    readonly signer: 'pinned' | 'unknown'
    readonly mesh_tick: number
  }
  readonly signature: string
  readonly public_key: string
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

/** The compute domain: the only door to a sealed result. */
export interface Compute extends AsyncDisposable {
  /** Digests of everything that computes here, without the solver of one claim. */
  readonly code: Omit<Code, 'solver'>
  /** `sha256:` and the digest of the sorted operator rows. */
  readonly registryVersion: string
  readonly kernelVersion: string

  /**
   * Runs a sealed solver and seals its result, in the order of definitions.md, "The gate".
   *
   * @throws Fault of validation, refusal, INSUFFICIENT_BALANCE, the gate (422), DAILY_LIMIT_EXCEEDED, NODE_BUSY.
   */
  solve(name: string, input: unknown, asking: Asking): Promise<Computed>
  /** Evaluates 1 to 3 operators and seals. @throws Fault as {@link solve}, and those of the operator pipeline. */
  operate(order: OperatorOrder, asking: Asking): Promise<Computed>
  /** The keyless twin of {@link operate}: work cap, budget per address, minted to the house. */
  prove(order: OperatorOrder, asking: Asking): Promise<Computed>
  /** Price, work and time of a call; runs nothing. @throws Fault NOT_FOUND, INVALID_INPUT and the refusals. */
  quote(route: string, input: unknown, caller: Caller): Quote

  /** @throws Fault NOT_FOUND, also for another caller's job. */
  job(id: string, caller: Caller): Promise<JobView>
  /** The job's frames after `after`, until it is over or the signal aborts. @throws Fault NOT_FOUND */
  jobFrames(id: string, asking: Asking, after: string | undefined): Promise<AsyncIterable<JobFrame>>
  /** Ends a job; nothing is charged. @throws Fault NOT_FOUND, JOB_FINISHED */
  cancel(id: string, caller: Caller): Promise<JobView>

  /** @throws Fault NOT_FOUND; NOT_SEALED_YET until a checkpoint covers the envelope. */
  bundle(tokenId: string, caller: Caller): Promise<Bundle>
  /** Checks a bundle without running it. */
  verify(bundle: unknown): BundleReport
  /** Re-runs a claim's result. @throws Fault INVALID_INPUT, WORK_LIMIT_EXCEEDED, DAILY_LIMIT_EXCEEDED */
  reverify(request: Reverification, asking: Asking): Promise<VerdictView>
  /** The stricter path: closed forms only, and a signature that verifies. @throws Fault as {@link reverify}. */
  attest(request: Attestation, asking: Asking): Promise<VerdictView>
}
