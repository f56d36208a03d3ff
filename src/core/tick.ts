import { assert } from './assert.ts'

/** The tick period, exact, in nanoseconds. Every other form of it is a caption. */
export const TICK_NS = 777_000_777n
/** The same in seconds: the double nearest to it. */
export const TICK_SECONDS = Number(TICK_NS) / 1e9
/** The pulse frequency in hertz: the double nearest to 1e9/777,000,777. */
export const PULSE_HZ_EXACT = 1e9 / Number(TICK_NS)
/** The pulse frequency in millihertz, a caption of 1e9/777000777 Hz. */
export const PULSE_MILLIHZ = 1_287n

// Frequency times period is 1 to one part in 10¹². The integers say how near, once, at load.
assert(TICK_NS * PULSE_MILLIHZ === 999_999_999_999n, 'f × period')

/** An instant: Unix nanoseconds. */
export type Instant = bigint

/** Whole mesh ticks from the Unix epoch to an instant: the one grid on which all nodes agree. */
export const meshTickAt = (instant: Instant): number => {
  assert(instant >= 0n, 'instants begin with the Unix epoch')
  return Number(instant / TICK_NS)
}

/** The instant at which a mesh tick begins. */
export const meshTickStart = (meshTick: number): Instant => BigInt(meshTick) * TICK_NS

/** How far an instant is into its tick, in [0, 1). */
export const phaseAt = (instant: Instant): number => Number(instant % TICK_NS) / Number(TICK_NS)

/** A node's genesis: the first mesh-tick boundary at or after an instant, as a mesh tick. */
export const genesisAtOrAfter = (instant: Instant): number => Number((instant + TICK_NS - 1n) / TICK_NS)
