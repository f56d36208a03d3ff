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
/** Bytes kept of one source's log, before its oldest bundles go. */
export const SOURCE_BYTES_MAX = 67_108_864
/** Bytes kept of all of them; beyond this a growing log keeps no more than its share. */
export const TOTAL_BYTES_MAX = 1_073_741_824
export const SHARE_BYTES = TOTAL_BYTES_MAX / SOURCES_MAX
/** A log that was silent for this long gives its place to a new one. */
export const SILENT_TICKS = 1_287
