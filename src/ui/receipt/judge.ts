import { BUNDLE_BYTES_MAX, parseBundle } from '#core/bundle.ts'
import { Fault } from '#core/fault.ts'
import { type Verification, verifyBundle } from '#core/verify.ts'
import { operatorRegistry, rowsOfText } from '#numerics/operators/registry.ts'
import { rerun, schemasHere } from '#numerics/rerun.ts'
import { provenPast } from './past.ts'

/** What the worker is asked, and what it answers: progress as often as it likes, and one verification. */
export interface Question {
  /** A bundle, or what somebody takes for one. */
  readonly evidence: Blob
  readonly trusted: string
  /** Key successions as the node lists them, with their proofs. */
  readonly past: unknown
}
export type Reply =
  | { readonly kind: 'progress'; readonly step: number; readonly steps: number }
  | { readonly kind: 'verification'; readonly verification: Verification }

type Tell = (reply: Reply) => void

/** What is no bundle fails at its form, like one whose members do not fit. */
const badForm = (detail: string): Verification => ({
  outcome: 'failed',
  failing: 'form',
  unchecked: [],
  steps: [{ step: 'form', state: 'failed', detail }],
})

interface Case extends Omit<Question, 'evidence'> {
  readonly bundle: unknown
}

const judgeBundle = ({ bundle, trusted, past }: Case, rows: readonly string[], tell: Tell): Verification =>
  verifyBundle({
    bundle,
    trusted,
    successions: provenPast(past),
    schemas: schemasHere,
    replay: (claim, inputs) =>
      rerun(claim, inputs, {
        registry: () => operatorRegistry(rows.flatMap(rowsOfText)),
        progress: ({ step, steps }) => tell({ kind: 'progress', step, steps }),
      }),
  })

/**
 * Verifies evidence with the code that sealed it, the re-run included. It runs in a worker, so that the page stays
 * alive meanwhile.
 *
 * @param rows texts of the operator rows of this release.
 */
export const judge = async (
  { evidence, trusted, past }: Question,
  rows: readonly string[],
  tell: Tell,
): Promise<Verification> => {
  if (evidence.size > BUNDLE_BYTES_MAX) {
    return badForm(`The file has ${evidence.size} bytes; a bundle has at most ${BUNDLE_BYTES_MAX}.`)
  }
  let bundle: unknown
  try {
    bundle = parseBundle(new Uint8Array(await evidence.arrayBuffer()))
  } catch (error) {
    if (error instanceof Fault) return badForm(error.message)
    throw error
  }
  return judgeBundle({ bundle, trusted, past }, rows, tell)
}
