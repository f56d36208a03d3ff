import { concat } from '#core/bytes.ts'
import { evidenceDigest, resultDigest } from '#core/envelope.ts'
import { run } from '#numerics/runtime/run.ts'
import type { Outcome, Solver } from '#numerics/runtime/solver.ts'

/** A run with every state that it came through. */
export interface Watched {
  /** Bytes of S_0, S_1, … */
  readonly states: readonly Uint8Array[]
  /** All records, and how many of their bytes there were at each state. */
  readonly records: Uint8Array
  readonly marks: readonly number[]
  /** Their digests, as the run tells them. */
  readonly digests: Uint8Array
  readonly result: string
}

/** The digest of an outcome, whether or not it would pass the gate. */
export const digestOf = (it: Solver, input: object, { output, evidence }: Outcome<object, unknown>): string =>
  resultDigest(it.output, output, { inputs: input, evidence: evidenceDigest(evidence) })

/** Runs a solver that steps as a whole, and looks on. */
export const watched = (it: Solver, input: object): Watched => {
  const stepping = it.run
  if (stepping.kind !== 'steps') throw new Error(`${it.name} does not step`)
  const states: Uint8Array[] = []
  const marks: number[] = []
  const kept: Uint8Array[] = []
  let length = 0
  const bytes = (state: unknown): Uint8Array => {
    const told = stepping.bytes(state)
    states.push(told.slice())
    marks.push(length)
    return told
  }
  const onRecord = (record: Uint8Array): void => {
    kept.push(record)
    length += record.length
  }
  const found = run({ ...it, run: { ...stepping, bytes } }, input as never, { onRecord })
  return {
    states,
    marks,
    records: concat(...kept),
    digests: found.states ?? new Uint8Array(0),
    result: digestOf(it, input, found.outcome),
  }
}
