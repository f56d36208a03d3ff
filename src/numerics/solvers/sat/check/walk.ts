/** What a walk over a proof found. */
export interface Walked {
  /** Whether every lemma follows, by unit propagation along its hints, from what stood before it. */
  readonly sound: boolean
  /** Whether the last lemma is the empty clause. */
  readonly refuted: boolean
  readonly lengths: Float64Array
  readonly units: number
  readonly deletions: number
  readonly hints: number
}

/** A proof and a cursor over it. Reading past the end gives NaN, which fits no test. */
const reader = (proof: Int32Array) => {
  let at = 0
  return {
    done: () => at >= proof.length,
    take: (): number => (at < proof.length ? (proof[at++] as number) : Number.NaN),
    /** The next `count` integers, or undefined when there are fewer. */
    some: (count: number): Int32Array | undefined => {
      if (!(count >= 0) || at + count > proof.length) return undefined
      at += count
      return proof.subarray(at - count, at)
    },
  }
}

/**
 * Walks a proof step by step and believes nothing: each lemma's literals are assumed false; each hint must then be a
 * clause with one literal that is not false, which becomes true, or none, which ends the step. It shares no code with
 * the search, has no watched literals, and looks at the named clauses only (Wetzler, Heule, Hunt, SAT 2014; Cruz-Filipe
 * et al., CADE 2017).
 *
 * @param clauses the original clauses, which have the numbers 1 to their count.
 */
export const walkProof = (variables: number, clauses: readonly (readonly number[])[], proof: Int32Array): Walked => {
  const known: (ArrayLike<number> | undefined)[] = [undefined, ...clauses]
  const lengths: number[] = []
  /** Number of the step in which a variable got its value, and the value. */
  const step = new Int32Array(variables + 1)
  const truth = new Int8Array(variables + 1)
  const input = reader(proof)
  const counts = { units: 0, deletions: 0, hints: 0 }
  let refuted = false
  const result = (sound: boolean): Walked => ({ sound, refuted, lengths: Float64Array.from(lengths), ...counts })

  /** 1 true, −1 false, 0 open in this step. */
  const truthOf = (literal: number, now: number): number => {
    const variable = Math.abs(literal)
    if (step[variable] !== now) return 0
    return literal > 0 ? (truth[variable] as number) : -(truth[variable] as number)
  }
  const makeTrue = (literal: number, now: number): void => {
    step[Math.abs(literal)] = now
    truth[Math.abs(literal)] = literal > 0 ? 1 : -1
  }
  /** Whether the step ends in a clause that is false. */
  const follows = (literals: Int32Array, hints: Int32Array, now: number): boolean => {
    for (const literal of literals) {
      const fits = Number.isInteger(literal) && literal !== 0 && Math.abs(literal) <= variables
      if (!fits || truthOf(literal, now) === 1) return false
      makeTrue(-literal, now)
    }
    for (const hint of hints) {
      const clause = known[hint]
      if (clause === undefined) return false
      let only = 0
      let open = 0
      for (let i = 0; i < clause.length; i++) {
        const literal = clause[i] as number
        if (truthOf(literal, now) === -1 || literal === only) continue
        only = literal
        open++
      }
      if (open === 0) return true
      if (open > 1) return false
      makeTrue(only, now)
    }
    return false
  }

  while (!input.done()) {
    const id = input.take()
    if (id < 0) {
      if (-id <= clauses.length || known[-id] === undefined) return result(false)
      known[-id] = undefined
      counts.deletions++
      continue
    }
    const literals = input.some(input.take())
    const hints = input.some(input.take())
    if (refuted || id !== known.length || literals === undefined || hints === undefined) return result(false)
    if (!follows(literals, hints, known.length)) return result(false)
    known.push(literals)
    lengths.push(literals.length)
    counts.hints += hints.length
    if (literals.length === 1) counts.units++
    refuted = literals.length === 0
  }
  return result(true)
}
