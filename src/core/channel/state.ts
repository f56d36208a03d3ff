import { digest, purposes } from '#core/digest.ts'

/** A sealed tick of a channel, as its digest binds it. */
export interface ChannelTick {
  /** Id of the channel. */
  readonly channel: string
  readonly epoch: number
  /** Ticks of the epoch, this one included. */
  readonly count: number
  /** The digest of the tick before it in the same epoch; null for the first. */
  readonly previous: string | null
  readonly inputs_digest: string
  readonly result_digest: string
}

/** digest(`tickmesh/channel-state/1`, {channel, epoch, count, previous, inputs_digest, result_digest}). */
export const channelStateDigest = (it: ChannelTick): string =>
  digest(purposes.channelState, {
    // In the order of their names, in which a canonical text is written fastest.
    channel: it.channel,
    count: it.count,
    epoch: it.epoch,
    inputs_digest: it.inputs_digest,
    previous: it.previous,
    result_digest: it.result_digest,
  })
