import { wordOf } from '#core/mmio/page.ts'
import { interrupts as names } from '#core/mmio/table.ts'

/** What may interrupt: the bits of `irq_status`, in their order. */
export type Interrupt = 'tick' | 'sealed' | 'challenge' | 'ruling' | 'withheld' | 'peer_lost' | 'refusal' | 'error'

/** Interrupts of a node: status, acknowledgement, and who waits for one. */
export interface Interrupts {
  readonly status: number
  readonly acknowledged: number
  /** Something happened: its bit is set in the next page. */
  raise(what: Interrupt): void
  /**
   * A page is about to be written. The bits that the owner acknowledged are cleared before those of what happened since
   * the last page are set, so nothing that came later is lost.
   *
   * @param word of the control file; each change of it counts once. Undefined where there was none to read.
   * @param isAgain whether this tick has its page already: who has seen that one has not seen what is told now.
   */
  turn(word: number | undefined, tick: number, isAgain?: boolean): void
  /** Whether one of the interrupts in this word came after a tick. */
  cameAfter(word: number, tick: number): boolean
}

/** @param before the words of an earlier process: what it told and nobody acknowledged stands. */
export const createInterrupts = (before: { readonly status: number; readonly acknowledged: number }): Interrupts => {
  let { status, acknowledged } = before
  let raised = 0
  const last = names.map(() => Number.NEGATIVE_INFINITY)
  return {
    get status() {
      return status
    },
    get acknowledged() {
      return acknowledged
    },
    raise: (what) => {
      raised |= wordOf([what], names)
    },
    turn: (word, tick, isAgain = false) => {
      if (word !== undefined && word !== acknowledged) {
        status &= ~word
        acknowledged = word
      }
      status = (status | raised) >>> 0
      for (const bit of last.keys()) if (((raised >>> bit) & 1) === 1) last[bit] = isAgain ? tick + 1 : tick
      raised = 0
    },
    cameAfter: (word, tick) => last.some((at, bit) => ((word >>> bit) & 1) === 1 && at > tick),
  }
}
