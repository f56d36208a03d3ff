/** Sources that one side offers or keeps. */
export const SOURCES_MAX = 1_024
/** Leaves of one range, and bytes of any frame. */
export const RANGE_LEAVES_MAX = 1_000
export const FRAME_BYTES_MAX = 1_048_576
/** Ranges under way that the asker has not acknowledged. */
export const WINDOW_RANGES = 4
/** Bytes of a leaf: the largest event and its purpose line. Larger ones do not travel, and stop their log. */
export const LEAF_BYTES_MAX = 65_535 + 22
/** Bytes of an offered note: text and the source's own signature line, which are at most some 350. */
export const NOTE_BYTES_MAX = 512

/** What is kept of other nodes' event logs, at most. */
export interface Bounds {
  readonly sourcesMax: number
  /** Bytes kept of one source's log, before its oldest bundles go. */
  readonly sourceBytesMax: number
  /** Bytes kept of all of them; beyond this a growing log keeps no more than its share. */
  readonly totalBytesMax: number
  /** A log that was silent for this long gives its place to a new one. */
  readonly silentTicks: number
}

export const defaultBounds: Bounds = {
  sourcesMax: SOURCES_MAX,
  sourceBytesMax: 67_108_864,
  totalBytesMax: 1_073_741_824,
  silentTicks: 1_287,
}
