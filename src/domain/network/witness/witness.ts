import type { EquivocationProof } from '#core/equivocation.ts'
import type { WitnessStatement } from '#core/witness-key.ts'
import type { StandingOf } from '#domain/network/standing.ts'
import type { EvidenceRow } from '#store/witness-rows.ts'
import type { WitnessDoor } from './door.ts'
import type { Lost } from './rollback.ts'
import type { WitnessState, WitnessTransport } from './transport.ts'

/** How far one log of this node is cosigned. */
export interface CosignedView {
  readonly origin: string
  /** Size of its newest checkpoint, or null before the first. */
  readonly size: number | null
  /** Cosignatures of that checkpoint. */
  readonly witnessed: number
  /** The newest size that met the quorum of the policy in force, or null. */
  readonly quorum_size: number | null
  /** The largest size that each witness cosigned. */
  readonly witnesses: readonly { readonly name: string; readonly size: number }[]
}

/** What a node says of itself as a witness and as a log. */
export interface WitnessStatus {
  readonly name: string
  readonly vkey: string
  /** Logs of others that it has cosigned. */
  readonly logs_known: number
  /** `open`, or the SHA-256 of the policy file; whether it asks for cosignatures at all. */
  readonly policy: string
  readonly quorum: 'none' | 'asked'
  readonly logs: readonly CosignedView[]
  readonly evidence: readonly EvidenceRow[]
  /** `rolled_back`: see {@link Lost}. `unconfirmed`: just started, and its witnesses are being asked. */
  readonly state: 'growing' | 'unconfirmed' | 'rolled_back'
  readonly lost: Omit<Lost, 'note'> | null
}

/** The part of the network that witnesses others, has its own logs witnessed, and keeps proof against liars. */
export interface Witness extends AsyncDisposable {
  readonly vkey: string
  /** This node's signed word that the witness key is its own. */
  readonly statement: WitnessStatement
  readonly door: WitnessDoor
  /** What the mesh answers when it is asked about this witness and one log. */
  stateOf(origin: string): WitnessState
  /** How far a log counts: whoever takes another log's word asks here. */
  readonly standingOf: StandingOf
  /** A note of this node's key that its log does not hold, if one was shown: nothing is sealed any more. */
  lost(): Lost | undefined
  status(): Promise<WitnessStatus>
  /** Keeps evidence that was found here and records it for all. Returns at once. */
  accuse(proof: EquivocationProof): void
  /** Gives the way to other witnesses, once there is one. */
  join(transport: WitnessTransport): void
  /** What comes round with the ticks, after each checkpoint. */
  beat(): void
}
