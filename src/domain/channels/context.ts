import type { Caller } from '#core/caller.ts'
import type { Clock } from '#core/clock.ts'
import type { Log } from '#core/telemetry.ts'
import type { HeldRuns } from '#domain/compute/held.ts'
import type { MakeKeyOnce } from '#domain/credentials/shown-once.ts'
import type { Economy } from '#domain/economy/economy.ts'
import { channelSealer } from '#domain/economy/sight.ts'
import { payerFor } from '#domain/identity/payer.ts'
import type { Machines } from '#domain/machines/service.ts'
import type { Signer } from '#ports/crypto.ts'
import type { SecretSealer } from '#ports/sealing.node.ts'
import type { ChannelRow } from '#store/rows/channel.ts'
import type { Store } from '#store/store.ts'
import type { SealPace } from './admission.ts'
import type { ChannelStore } from './channel-store.ts'
import type { ChannelFeed } from './feed.ts'

/** What the composition root hands to channels. */
export interface ChannelPorts {
  readonly store: Store
  readonly economy: Pick<Economy, 'idempotent' | 'hold'>
  readonly machines: Pick<Machines, 'admit' | 'enter' | 'assertRoom' | 'foundIn'>
  /** Computations whose seals stand or fall with the tick that they are of. */
  readonly held: HeldRuns
  /** Threads that compute: what admission goes by. */
  readonly threads: number
  /** Opens sealed data of events that oracles read. */
  readonly vault: SecretSealer
  /** The node's identity key: its owner's channels are paid by the owner. */
  readonly signer: Pick<Signer, 'publicKey'>
  readonly clock: Clock
  readonly log: Log
}

/** What all parts of channels stand on. */
export interface ChannelContext extends ChannelPorts {
  readonly channels: ChannelStore
  readonly feed: ChannelFeed
  readonly makeKeyOnce: MakeKeyOnce
  readonly seals: SealPace
}

/** Who pays for the ticks of a channel, whoever asked for them: its owner. */
export const channelPayer = (
  ports: Pick<ChannelPorts, 'store' | 'signer'>,
  { owner, id }: Pick<ChannelRow, 'owner' | 'id'>,
): Caller => payerFor(ports, owner, channelSealer(id))
