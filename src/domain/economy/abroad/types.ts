import type { Caller } from '#core/caller.ts'
import type { Bundle } from '#core/claim.ts'
import type { Policy } from '#core/policy.ts'
import type { Log } from '#core/telemetry.ts'
import type { TokenProof } from '#core/token/evidence.ts'
import type { StandingOf } from '#domain/network/standing.ts'
import type { Wire } from '#domain/network/sync/inbox.ts'

/**
 * Whether another node is connected, or why it is not: libp2p is off, no address of it is known, or it answers at none.
 */
export type Reached = 'connected' | 'off' | 'unknown' | 'silent'

/** What tokens of other homes need of the node: the way to others, and by which rules it takes their word. */
export interface AbroadPorts {
  /** Nodes that are connected now; none where libp2p is off. */
  readonly peers: () => readonly string[]
  /** Connects to a node unless it is: one attempt, of a few seconds, that all who ask meanwhile share. Never throws. */
  readonly reach: (node: string) => Promise<Reached>
  /** A dialogue with a connected node. @throws Error when it is not there, not in time; what `talk` throws. */
  readonly talk: <T>(node: string, talk: (wire: Wire) => Promise<T>, signal: AbortSignal) => Promise<T>
  /** Tells all nodes that a home spent a token twice. @throws Fault where the log takes no event, or not this one */
  readonly accuse: (proof: TokenProof) => Promise<unknown>
  readonly standingOf: StandingOf
  /** Undefined for the open one. */
  readonly policy: Policy | undefined
  /** Bundles of tokens that were minted here. @throws Fault NOT_SEALED_YET */
  readonly bundle: (tokenId: string, caller: Caller) => Promise<Bundle>
  readonly log: Log
}

/** Tokens between nodes, as the composition root sees them. Disposing ends what is under way. */
export interface Abroad extends AsyncDisposable {
  /** Answers one dialogue that another node opened. @param node its far end, by Noise. @throws what ended it */
  readonly answer: (node: string, wire: Wire) => Promise<void>
  /** Gives it the node that it lives in, once there is one. */
  join(ports: AbroadPorts): void
  /** What comes round with the ticks: what is to be told, fetched or asked again. Returns at once. */
  beat(): void
}
