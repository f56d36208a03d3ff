/** How long things are in one another. Instants are whole nanoseconds, so what divides one is a whole number too. */
export const NS_PER_MS = 1_000_000n
export const NS_PER_SECOND = 1_000_000_000n
export const MS_PER_SECOND = 1_000
export const MS_PER_MINUTE = 60_000
export const SECONDS_PER_HOUR = 3_600
export const SECONDS_PER_DAY = 86_400
export const NS_PER_HOUR = 3_600_000_000_000n
export const NS_PER_DAY = 86_400_000_000_000n

/** A span in milliseconds. @param ns nanoseconds. */
export const msOf = (ns: bigint): number => Number(ns) / 1e6

/** A span in seconds. @param ns nanoseconds. */
export const secondsOf = (ns: bigint): number => Number(ns) / 1e9
