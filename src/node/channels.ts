import type { Clock } from '#core/clock.ts'
import type { Log } from '#core/telemetry.ts'
import { type ChannelDoors, createChannelDoors } from '#domain/channels/doors.ts'
import { type Channels, openChannels } from '#domain/channels/service.ts'
import type { NodeKeys } from '#domain/identity/node-keys.ts'
import type { Services } from '#domain/services.ts'
import type { Store } from '#store/store.ts'

interface Base {
  readonly ports: { readonly clock: Clock; readonly log: Log }
  readonly keys: NodeKeys
  readonly store: Store
}

/** The channels of a node, which are looked at once a tick. */
export const channelsOf = async (
  { ports: { clock, log }, keys, store }: Base,
  {
    compute,
    economy,
    machines,
    each,
  }: Pick<Services, 'compute' | 'economy' | 'machines'> & { readonly each: (work: () => void) => void },
): Promise<Channels> => {
  const channels = await openChannels({
    ...{ store, economy, machines, clock, log, held: compute.held, threads: compute.load().threads },
    ...{ vault: keys.vault, signer: keys.signer, repeatSecret: keys.secret('repeat') },
  })
  each(channels.beat)
  return channels
}

/** Signed links to the channels of a node, and sessions in which their frames are encrypted. */
export const channelDoorsOf = (
  { keys, store }: Pick<Base, 'keys' | 'store'>,
  { channels, compute }: Pick<Services, 'channels' | 'compute'>,
): ChannelDoors =>
  createChannelDoors({
    ...{ channels, store, held: compute.held, signer: keys.signer },
    linkSecret: keys.secret('link'),
  })
