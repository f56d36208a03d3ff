import type { Json } from '#core/canonical.ts'
import type { Cause } from '#core/contract/cause.ts'
import type { FireProblem } from '#core/contract/fire-row.ts'
import type { ContractStanding, Scalar } from '#core/contract/standing.ts'
import type { SeenGuard } from './candidates.ts'
import type { Due } from './dues.ts'
import type { ComputeOrder, ComputeOutcome, FireEffect } from './effects.ts'
import type { ReadyContract } from './ready.ts'

/** Decisions of one simulation: a year of the fastest cron pattern has 525,600. */
export const DECISIONS_MAX = 1_000_000
/** Outcomes that a timeline lists; further ones are counted. */
export const TIMELINE_MAX = 10_000

type Data = Readonly<Record<string, Json>>

/** Something that happens to a contract that is simulated, in a mesh tick. */
export type ContractHappening = { readonly tick: number } & (
  | { readonly kind: 'event'; readonly name: string; readonly from: string | null; readonly data: Data }
  | { readonly kind: 'reading'; readonly oracle: string; readonly value: Scalar }
  | {
      readonly kind: 'transition'
      readonly id: string
      readonly event?: { readonly name: string; readonly data: Data }
    }
  | { readonly kind: 'now' }
)

/** What is simulated: from where, until when, and what happens meanwhile. */
export interface SimulationPlan {
  readonly ready: ReadyContract
  /** Name of the contract in digests, and the id by which calls name it. */
  readonly contract: string
  readonly id: string
  readonly standing: ContractStanding
  /** Mesh ticks: instants after the first up to the last, which is counted, are due. */
  readonly from: number
  readonly until: number
  /** In the order of their ticks. */
  readonly happenings: readonly ContractHappening[]
  readonly decisionsMax?: number
  readonly timelineMax?: number
  /** Credits of a computation. */
  readonly priceOf: (order: ComputeOrder) => number
}

/** One outcome of a simulation. */
export interface SimulatedOutcome {
  readonly tick: number
  readonly fire: string
  readonly cause: Cause
  readonly due: number | null
  readonly by: 'clock' | 'event' | 'call' | 'hand'
  readonly outcome: 'fired' | 'refused' | 'none'
  readonly event: { readonly name: string; readonly data: Data } | null
  readonly from: string
  readonly to: string
  readonly steps: readonly string[]
  /** Members of the context that changed: before and after. */
  readonly changed: Readonly<Record<string, readonly [Scalar, Scalar]>>
  readonly effects: readonly FireEffect[]
  readonly computations: readonly ComputeOrder[]
  readonly credits: number
  readonly problem: FireProblem | null
  /** What guards saw that were all false. */
  readonly seen: readonly SeenGuard[]
}

/** What a simulation came to. */
export interface Simulation {
  readonly timeline: readonly SimulatedOutcome[]
  readonly counts: { readonly fired: number; readonly refused: number; readonly none: number }
  /** `until`: its time ran out; `decisions`: it was to decide no more; `failures`: so many in a row would pause it. */
  readonly stopped: 'until' | 'decisions' | 'failures'
  /** Mesh tick of the last decision, or of the end. */
  readonly tick: number
  readonly standing: ContractStanding
  readonly spending: {
    readonly credits: number
    readonly computations: number
    /** The most of one civil day. */
    readonly most: { readonly day: number; readonly credits: number } | null
  }
  readonly coverage: {
    readonly states: readonly string[]
    readonly states_missed: readonly string[]
    readonly transitions: readonly string[]
    readonly transitions_missed: readonly string[]
  }
  /** Claims that did not hold, each where it was first seen; no fire where time alone broke it. */
  readonly broken: readonly {
    readonly claim: number
    readonly never: string
    readonly tick: number
    readonly fire: string | null
  }[]
  /** Emitted events and calls that went too deep to act. */
  readonly too_deep: number
  readonly next: readonly Due[]
}

/** A simulation on its way: it gives what has to be computed, and takes what came of it. */
export type Simulating = Generator<ComputeOrder, Simulation, ComputeOutcome>

/** Others may have their turn. */
export const PAUSE = 'pause'
export type Pause = typeof PAUSE

/** The same with pauses. */
export type SimulatingInTurns = Generator<ComputeOrder | Pause, Simulation, ComputeOutcome>
