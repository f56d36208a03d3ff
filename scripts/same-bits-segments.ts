import type { Static, TObject } from 'typebox'
import { concat, toHex } from '#core/bytes.ts'
import { evidenceDigest, resultDigest } from '#core/envelope.ts'
import { cutOf, stateDigestAt } from '#core/states.ts'
import { sha256 } from '#crypto'
import { type Produced, produce } from '#numerics/runtime/gate.ts'
import { finishRun, runSegment } from '#numerics/runtime/segment.ts'
import type { Solver } from '#numerics/runtime/solver.ts'

/** Segments of a row that are taken up from their bytes. */
const SEGMENTS = 24

/** A run, and what its segments give when they are taken up from the bytes of their states. */
interface Taken {
  readonly produced: Produced<Static<TObject>, unknown>
  /** SHA-256 over states and records of those segments, and over the end from the last state; `none` without steps. */
  readonly segments: string
}

/**
 * Runs a solver, and again by segments.
 *
 * @throws Error where a segment, or the end, is not that of the whole run.
 */
export const takenUp = (solver: Solver, input: object): Taken => {
  const { run } = solver
  if (run.kind === 'whole') return { produced: produce(solver, input as never), segments: 'none' }
  const { segments } = cutOf(run.steps(input as never))
  const wanted = new Set(Array.from({ length: SEGMENTS }, (_, k) => Math.floor((k * (segments - 1)) / (SEGMENTS - 1))))
  const held = new Map<number, Uint8Array>()
  const kept: Uint8Array[] = []
  let told = 0
  const bytes = (state: unknown): Uint8Array => {
    const now = run.bytes(state)
    if (wanted.has(told) || told === segments) held.set(told, now.slice())
    told++
    return now
  }
  const watched = { ...solver, run: { ...run, bytes } }
  const produced = produce(watched, input as never, { onRecord: (record) => void kept.push(record) })
  const states = produced.states ?? new Uint8Array(0)
  const found: Uint8Array[] = []
  for (const index of wanted) {
    const end = runSegment(solver, input as never, { index, bytes: held.get(index) ?? new Uint8Array(0) })
    const digest = sha256(end.bytes)
    if (toHex(digest) !== toHex(stateDigestAt(states, index + 1))) throw new Error(`segment ${index} has other bits`)
    found.push(digest, sha256(end.records))
  }
  const last = { bytes: held.get(segments) ?? new Uint8Array(0), records: concat(...kept) }
  const { output, evidence } = finishRun(solver, input as never, last)
  const result = resultDigest(solver.output, output as object, { inputs: input, evidence: evidenceDigest(evidence) })
  if (result !== produced.resultDigest) throw new Error('the end from the last state has other bits')
  return { produced, segments: toHex(sha256(concat(...found))) }
}
