import type { ChannelGapReason } from '#core/channel/entries.ts'

/** What happened on a channel, once it is durable. */
export type ChannelHappening =
  | {
      readonly kind: 'tick'
      /** Id of the channel. */
      readonly channel: string
      readonly epoch: number
      readonly count: number
      /** Node tick. */
      readonly tick: number
      readonly token_id: string
      readonly contentType: string
      /** The output as `latest` gives it, made when it is first read. */
      readonly output: string
    }
  | {
      readonly kind: 'gap'
      readonly channel: string
      /** Mesh ticks of the first and of the last due tick that was missed. */
      readonly from: number
      readonly to: number
      readonly reason: ChannelGapReason
    }
  | { readonly kind: 'closed' | 'starved' | 'stopped'; readonly channel: string }

/** Tells whoever listens what happens on channels. */
export interface ChannelFeed {
  /** Called after each happening is durable, in the order of each channel. It must not throw. */
  listen(fn: (it: ChannelHappening) => void): void
  tell(it: ChannelHappening): void
}

/** A feed without listeners. */
export const createChannelFeed = (): ChannelFeed => {
  const listeners: ((it: ChannelHappening) => void)[] = []
  return {
    listen: (fn) => void listeners.push(fn),
    tell: (it) => {
      for (const fn of listeners) fn(it)
    },
  }
}
