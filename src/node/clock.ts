import type { Clock } from '#core/clock.ts'
import { type Instant, TICK_NS } from '#core/tick.ts'
import { NS_PER_DAY, NS_PER_MS } from '#core/time.ts'

/** The wall clock is read in whole milliseconds, so steps below this are noise. */
const NOISE_NS = 10n * NS_PER_MS
/** A forward step this long is a jump: it is followed and recorded. */
const JUMP_NS = 2n * TICK_NS
/** A longer step is not believed until someone restarts the node. */
const JUMP_MAX_NS = NS_PER_DAY

/** A wall clock that stepped against the monotonic one. */
export interface ClockJump {
  readonly stepNs: bigint
  readonly before: Instant
  readonly after: Instant
}

/** What one comparison of the two clocks found. */
export type ClockVerdict =
  | { readonly kind: 'steady' }
  | { readonly kind: 'followed'; readonly jump: ClockJump }
  | { readonly kind: 'refused'; readonly jump: ClockJump }
  | { readonly kind: 'backward'; readonly stepNs: bigint }

/** The node's clock: a monotonic count on top of the wall clock, so that it never falls. */
export interface NodeClock extends Clock {
  /** Compares wall and monotonic time; to be called each second, since Linux stops the latter during suspend. */
  compare(): ClockVerdict
  /** Why the clock cannot be believed until a restart, if it cannot. */
  broken(): string | undefined
}

/** The two clocks of a machine, in nanoseconds. */
export interface ClockSources {
  readonly wall: () => bigint
  readonly monotonic: () => bigint
}

/** The one place that reads the machine's clocks. */
export const machineClocks: ClockSources = {
  wall: () => BigInt(Date.now()) * NS_PER_MS,
  monotonic: () => process.hrtime.bigint(),
}

/**
 * A clock over two sources. Forward steps of up to a day are followed (those of two ticks or more are jumps, which the
 * caller records), longer ones break the clock until a restart, backward ones are never followed: it runs on from
 * where it was (protocol, Clock).
 */
export const nodeClock = ({ wall, monotonic }: ClockSources = machineClocks): NodeClock => {
  let offset = wall() - monotonic()
  let broken: string | undefined
  const now = (): Instant => monotonic() + offset
  return {
    now,
    broken: () => broken,
    compare() {
      const before = now()
      const step = wall() - before
      if (step < -NOISE_NS) return { kind: 'backward', stepNs: step }
      if (step <= NOISE_NS || broken !== undefined) return { kind: 'steady' }
      const jump = { stepNs: step, before, after: before + step }
      if (step > JUMP_MAX_NS) {
        broken = `the wall clock jumped forward by ${step / 1_000_000_000n} s; restart the node if that is right`
        return { kind: 'refused', jump }
      }
      offset += step
      return step < JUMP_NS ? { kind: 'steady' } : { kind: 'followed', jump }
    },
  }
}
