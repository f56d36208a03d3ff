import type { EquivocationProof } from '#core/equivocation.ts'
import type { WitnessStatement } from '#core/witness-key.ts'
import type { StandingOf } from '#domain/network/standing.ts'
import type { WitnessStatus } from '#domain/network/views.ts'
import type { WitnessAdmission } from './admission.ts'
import type { Lost } from './rollback.ts'
import type { WitnessState, WitnessTransport } from './transport.ts'

/** The part of the network that witnesses others, has its own logs witnessed, and keeps proof against liars. */
export interface Witness extends AsyncDisposable {
  readonly vkey: string
  /** This node's signed word that the witness key is its own. */
  readonly statement: WitnessStatement
  readonly admission: WitnessAdmission
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
