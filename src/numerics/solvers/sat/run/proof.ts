import { Fault } from '#core/fault.ts'

/** A lemma with its hints: the first so many numbers of both arrays, which may be longer. */
export interface Step {
  readonly literals: Int32Array
  literalCount: number
  readonly hints: Int32Array
  hintCount: number
}

/** A step of arrays that hold nothing else. */
export const stepOf = (literals: readonly number[], hints: readonly number[]): Step => ({
  literals: Int32Array.from(literals),
  literalCount: literals.length,
  hints: Int32Array.from(hints),
  hintCount: hints.length,
})

/**
 * A proof as one run of integers. A lemma is its number (clauses have 1 to m, lemmas follow), how many literals,
 * the literals ±v, how many hints, the hints: numbers of the clauses it follows from by unit propagation, in order. A
 * deletion is the negated number of a lemma.
 */
export interface ProofLog {
  lemma(step: Step): number
  forget(id: number): void
  /** All of it so far. */
  written(): Int32Array
}

/** Integers of the longest proof: 128 MB. */
const INTEGERS_MAX = 33_554_432

/** An empty proof over so many original clauses. @throws Fault DID_NOT_CONVERGE when it outgrows its bound. */
export const proofLog = (clauses: number): ProofLog => {
  let room = new Int32Array(65_536)
  let used = 0
  let last = clauses
  const reserve = (more: number): void => {
    if (used + more <= room.length) return
    if (used + more > INTEGERS_MAX) {
      throw new Fault('DID_NOT_CONVERGE', 'The proof is longer than its bound; nothing was sealed.', {
        measured: used + more,
        bound: INTEGERS_MAX,
      })
    }
    const grown = new Int32Array(Math.min(INTEGERS_MAX, Math.max(2 * room.length, used + more)))
    grown.set(room)
    room = grown
  }
  return {
    lemma: ({ literals, literalCount, hints, hintCount }) => {
      reserve(literalCount + hintCount + 3)
      last++
      room[used++] = last
      room[used++] = literalCount
      for (let k = 0; k < literalCount; k++) room[used++] = literals[k] as number
      room[used++] = hintCount
      for (let k = 0; k < hintCount; k++) room[used++] = hints[k] as number
      return last
    },
    forget: (id) => {
      reserve(1)
      room[used++] = -id
    },
    written: () => room.slice(0, used),
  }
}
