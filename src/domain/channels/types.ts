import type { Caller } from '#core/caller.ts'
import type { Json } from '#core/canonical.ts'

/** Channels of one owner, and of one node: their rows are held in memory. */
export const CHANNELS_PER_OWNER_MAX = 16_384
export const CHANNELS_MAX = 65_536
/** Bytes of the canonical form of inputs and oracles. */
export const INPUT_BYTES_MAX = 65_536
/** Refusals in a row after which a channel is stopped. */
export const REFUSALS_MAX = 5
/** Name of the event that an attached contract gets of each tick. */
export const TICK_EVENT = 'stream_tick'

/** How a channel is to tick and to show itself; all of it may be changed. */
export interface ChannelChange {
  readonly inputs?: Readonly<Record<string, Json>> | undefined
  readonly autotick?: boolean | undefined
  readonly tickIntervalTicks?: number | undefined
  readonly outputFormat?: 'json' | 'template' | undefined
  readonly contentType?: string | undefined
  readonly template?: string | null | undefined
  readonly status?: 'open' | undefined
}

/** A channel as a call wants it. */
export interface ChannelOrder extends Omit<ChannelChange, 'status'> {
  /** The machine; one of the account that all its channels share when left out. */
  readonly slug?: string | undefined
  readonly solver?: string | undefined
  readonly operators?: readonly string[] | undefined
  readonly inputs: Readonly<Record<string, Json>>
  readonly mode: 'fresh' | 'continue'
  readonly onBound: 'stop' | 'restart'
  readonly contract?: string | undefined
  readonly oracles: Readonly<Record<string, Json>>
}

/** Who asks for what of which channel. */
export interface ChannelRequest {
  readonly caller: Caller
  readonly id: string
}
