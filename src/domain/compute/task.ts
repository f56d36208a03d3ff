import type { MessagePort } from 'node:worker_threads'
import type { Json } from '#core/canonical.ts'
import type { Steps } from '#core/claim.ts'
import { Fault } from '#core/fault.ts'
import type { Assurance } from '#core/work/assurance.ts'
import type { SignedWork } from '#core/work/work.ts'
import type { FieldEquations } from '#numerics/runtime/equations.ts'
import type { Reality } from '#numerics/runtime/solver.ts'
import type { Routed } from '#routing/route.ts'

/** The shortest time between two progress reports of one task, in milliseconds: at most 4 a second. */
export const PROGRESS_MS = 250

/** One computation, as a worker takes it. A solver's inputs are resolved: every default is filled in. */
export interface Task {
  /** A solver's name, or `compute`: then the inputs are an order of operators. */
  readonly name: string
  readonly inputs: Json
  /** Whether the place where it is taken up again is wanted: the solver must have one. */
  readonly goesOn?: boolean
  /** Version of the operator rows to read; today's when left out. */
  readonly registry?: string
  /** Name and revision that a claim has: states are told as that revision told them, where it is known how. */
  readonly sealedBy?: string
}

/** What of a run is done. */
export type RunPart =
  /** Its first state. */
  | { readonly kind: 'init' }
  /** From the state that segment `index` begins with to the next, or over `count` segments. */
  | { readonly kind: 'segment'; readonly index: number; readonly bytes: Uint8Array; readonly count?: number }
  /** Its end, from the last state and the records of all of it. */
  | { readonly kind: 'finish'; readonly bytes: Uint8Array; readonly records: Uint8Array }
  /** All of it. */
  | { readonly kind: 'all' }
  /** The check of what somebody else computed, by a solver that does not step: see `packed`. */
  | { readonly kind: 'check'; readonly outcome: Uint8Array }

/** A part of a run, done while nothing of the node's own waits for the thread. */
export interface PartTask extends Pick<Task, 'name' | 'inputs' | 'registry'> {
  readonly part: RunPart
}

/** A state of a run. */
export interface KeptState {
  readonly i: number
  readonly bytes: Uint8Array
}

/** What a whole run gave: of a solver that steps the ways to show each segment, of another one its outcome. */
export interface Whole {
  readonly kind: 'whole'
  readonly checked: Computable
  /** Digests of its states, one after another, and all that it kept; empty of a solver without steps. */
  readonly states: Uint8Array
  readonly records: Uint8Array
  /** Some of its states, ascending, the last one always, from which all others are soon made again. */
  readonly kept: readonly KeptState[]
  /** Output and evidence as {@link RunPart} `check` takes them; null of a solver that steps. */
  readonly outcome: Uint8Array | null
}

/** What a part gave. */
export type Parted =
  /** The state after it, and what it kept. */
  | { readonly kind: 'state'; readonly bytes: Uint8Array; readonly records: Uint8Array }
  /** What the run ends with. */
  | { readonly kind: 'end'; readonly checked: Computable }
  | Whole
  /** It gave its thread up: nothing of it is left, and it may be done again. */
  | { readonly kind: 'preempted' }

/** Where a run is taken up again. */
export interface Continued {
  /** JSON text of the full inputs of the next stretch, and their digest. */
  readonly inputs: string
  readonly inputsDigest: string
  /** Numbers at the top of the answer, by name. */
  readonly quantities: Readonly<Record<string, number | null>>
}

/** How far a task is. The first report has step 0 and says that a thread took the task. */
export interface Report {
  readonly step: number
  readonly steps: number
  readonly residual: number | null
  /** Milliseconds since the thread took the task. */
  readonly elapsedMs: number
}

/** A computed result. What `reality` found is checked at the gate, never here. */
interface Outcome {
  /** `compute`, or the solver's name: the claim's kind. */
  readonly kind: string
  /** Solver name @ revision. */
  readonly solver: string
  /** Names of the kernels that took part. */
  readonly kernels: readonly string[]
  /** KO42 first. */
  readonly operators: readonly string[]
  /** JSON text of the full inputs, and of the output as it is sent. */
  readonly inputs: string
  readonly output: string
  readonly inputsDigest: string
  readonly evidenceDigest: string | null
  readonly resultDigest: string
  readonly steps: Steps | null
  readonly value: number | null
  readonly unit: string
  /** What of the envelope's equations depends on the field alone. */
  readonly field: FieldEquations
  /** Members of the answer that no digest covers. */
  readonly extras: Readonly<Record<string, Json>>
  /** Null unless the task asked for it. */
  readonly continued: Continued | null
}

/** Who computed a result, and what of it was checked here. */
export interface ContributedBy {
  readonly node: string
  readonly work: SignedWork
  readonly assurance: Omit<Assurance, 'token_id' | 'work'>
}

/** A result that its check has measured: it may go to the gate. */
export interface Checked extends Outcome {
  /** Who computed it, where that was another node. */
  readonly contributed?: ContributedBy
  readonly reality: Reality
}

/** A result that can have no envelope, and why. */
export interface Unjudged extends Outcome {
  readonly reality: null
  readonly unsealed: string
}

export type Computable = Checked | Unjudged

/** Whether there is something for the gate to check. */
export const isChecked = (it: Computable): it is Checked => it.reality !== null

/** A throw of a worker: a fault loses its class on the way and is put together again by the pool. */
export interface FailedReply {
  readonly ok: false
  readonly fault: {
    readonly code: string
    readonly detail: string
    readonly details: Record<string, unknown>
  } | null
  /** The stack of an error that is no fault: a bug. */
  readonly bug: string
}

/** What a worker sends back of a task. */
export type WorkerReply = { readonly ok: true; readonly checked: Computable } | FailedReply

/** What a worker sends back of a part of a run. */
export type PartReply = { readonly ok: true; readonly parted: Parted } | FailedReply

/** What a worker sends back of a picture. */
export type DrawReply = { readonly ok: true; readonly bytes: Uint8Array } | FailedReply

/** What a worker sends back of a question in words. */
export type ReadReply = { readonly ok: true; readonly routed: Routed } | FailedReply

/** A throw as a reply, so that nothing of it is lost. */
export const failedReply = (cause: unknown): FailedReply =>
  cause instanceof Fault
    ? { ok: false, fault: { code: cause.code, detail: cause.message, details: { ...cause.details } }, bug: '' }
    : { ok: false, fault: null, bug: String((cause as Error)?.stack ?? cause) }

/** A task with the port that its reports go through. */
export type PostedTask = Task & { readonly port: MessagePort }

/**
 * A part with the port that its reports go through, and the word, over shared memory, that it is to give its thread up
 * by: 0, then 1.
 */
export type PostedPart = PartTask & { readonly yields: Int32Array; readonly port: MessagePort }
