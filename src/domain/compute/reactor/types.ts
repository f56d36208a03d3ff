import type { Caller } from '#core/caller.ts'
import type { Computed, RequestContext, Sealed, Unsealed } from '#domain/compute/types.ts'
import type {
  BesideStep,
  NextView,
  Observed,
  ReactorView,
  StepView,
  TelemetryView,
  TrajectoryView,
} from '#domain/compute/views/reactor.ts'
import type { WaitBounds } from '#domain/waits.ts'
import type { Condition, ContractOrder } from '#numerics/reactor/schema.ts'

/** Reactors of one owner, and of one node. */
export const REACTORS_PER_OWNER_MAX = 32
export const REACTORS_MAX = 1_024
/** Ticks without a step after which a reactor gives its place to a new one: a day. */
export const IDLE_TICKS = 111_197
/** JSON text of one state, in bytes. */
export const STATE_BYTES_MAX = 8_388_608
/** States kept of one reactor, beside the first and the newest. */
export const STATES_KEPT_MAX = 32
/** Long-polls and observations that wait at once: of one owner, and of the node. */
export const WAITS_PER_OWNER_MAX = 16
const WAITS_MAX = 256
/** The same as waits. */
export const reactorWaits: WaitBounds = { most: WAITS_MAX, perOwner: WAITS_PER_OWNER_MAX, things: 'reactors' }

/** A contract as a call gives it. */
export interface ReactorOrder extends ContractOrder {
  /** The machine; a new private one of the account when left out. */
  readonly slug?: string | undefined
}

export interface NextOrder {
  readonly reactor?: string | undefined
  /** The last step that the asker has; the newest one when left out. */
  readonly after?: number | undefined
  /** Seconds. */
  readonly wait: number
  /** The node on which the reactor runs, when it is another one. */
  readonly node?: string | undefined
  /** Share token of its machine, for a private one. */
  readonly share?: string | undefined
}

export interface TrajectoryQuery {
  readonly reactor?: string | undefined
  /** The last step that the reader has. */
  readonly after?: number | undefined
  readonly limit: number
  readonly proofs: boolean
  readonly rerun: boolean
}

export interface StateView {
  readonly reactor: ReactorView
  readonly step: number
  readonly digest: string
  readonly inputs_digest: string
  /** JSON text of the full inputs that take up here: the state, bit for bit. */
  readonly input: string
}

export interface StepOrder {
  readonly reactor?: string | undefined
  /** The number that the step must get; refused when the reactor does not stand before it. */
  readonly step?: number | undefined
  readonly publish?: boolean | undefined
}

export interface ObserveOrder {
  readonly reactor?: string | undefined
  /** Steps to take; those that the contract has left, when left out. */
  readonly steps?: number | undefined
  readonly until?: Condition | undefined
}

/** One line of an observation. */
export interface ObserveLine {
  /** The step's number, after which an observation is resumed. */
  readonly id: string
  readonly event: 'step' | 'end'
  readonly data: StepView | ReactorView
}

/** Stateful loops over solvers. */
export interface Reactors {
  /** @throws Fault INVALID_INPUT, NOT_STEPPABLE, the solver's refusals, NOT_FOUND or SCOPE_REQUIRED of the machine. */
  create(
    order: ReactorOrder,
    asking: RequestContext,
  ): Promise<{ readonly view: ReactorView; readonly replayed: boolean }>
  /** The caller's own, newest first. @throws Fault SCOPE_REQUIRED for callers who share theirs with others. */
  list(caller: Caller): readonly ReactorView[]
  /** Takes one step, whole or not at all. @throws Fault REACTOR_BUSY, REACTOR_ENDED, STEP_TAKEN, a computation's */
  step(order: StepOrder, asking: RequestContext): Promise<Computed>
  /** What an answer of {@link step} says of its reactor. */
  beside(answer: Sealed | Unsealed): BesideStep
  /** Steps once a tick until a condition, the bound or the contract ends it, or the signal. */
  observe(order: ObserveOrder, asking: RequestContext, after: number | undefined): AsyncGenerator<ObserveLine>
  /** The steps of an observation that are there when it ends, or when the wait is over. */
  collect(
    order: ObserveOrder,
    asking: RequestContext,
    of: { readonly after: number | undefined; readonly wait: number },
  ): Promise<Observed>
  /** @throws Fault NOT_FOUND */
  state(reactor: string | undefined, asking: RequestContext): Promise<StateView>
  trajectory(query: TrajectoryQuery, asking: RequestContext): Promise<TrajectoryView>
  telemetry(reactor: string | undefined, asking: RequestContext): Promise<TelemetryView>
  /** Answers when there is a step after `after`, here or on the node named. @throws Fault NOT_FOUND and others */
  next(order: NextOrder, asking: RequestContext): Promise<NextView>
  /** Answers another node's long-poll. */
  answer(node: string, question: Uint8Array): Promise<Uint8Array>
  /** Gives the way to other nodes: a question, and the answer of a node that is connected. */
  join(ask: (node: string, question: Uint8Array, signal: AbortSignal) => Promise<Uint8Array>): void
  /** Wakes whoever waits for a checkpoint. Once a tick. */
  beat(): void
  /** What holds of them now, for gauges. */
  load(): { readonly reactors: number; readonly waiting: number }
}
