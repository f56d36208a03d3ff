import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { Clock } from '#core/clock.ts'
import { TICK_NS } from '#core/tick.ts'
import { nodeClock } from '#node/clock.ts'

/** Ticks of a jump: beyond the end of a bond that was released just now. */
const JUMP_TICKS = 1_600n

/** The machine's clock and some jumps, which a file keeps for the processes that follow one another. */
export const jumpingClock = (file: string): Clock & { jump(): void } => {
  const real = nodeClock()
  let ticks = existsSync(file) ? BigInt(readFileSync(file, 'utf8')) : 0n
  return {
    now: () => real.now() + ticks * TICK_NS,
    jump: () => {
      // Written first and whole: a clock never goes back.
      writeFileSync(`${file}.next`, String(ticks + JUMP_TICKS))
      renameSync(`${file}.next`, file)
      ticks += JUMP_TICKS
    },
  }
}
