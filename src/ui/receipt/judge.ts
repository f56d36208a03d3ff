import { BUNDLE_BYTES_MAX, bundleOf } from '#core/bundle.ts'
import { CHAIN_FILE_BYTES_MAX, isChainFile, verifyChainFile } from '#core/chain-file.ts'
import { Fault } from '#core/fault.ts'
import { parseJson } from '#core/json.ts'
import { provenPast } from '#core/succession.ts'
import { type Verification, verifyBundle } from '#core/verify.ts'
import { operatorRegistry, rowsOfText } from '#numerics/operators/registry.ts'
import { rerun, schemasHere } from '#numerics/rerun.ts'
import type { Judged } from '#ui/part/verdict.tsx'
import { valueText, withUnit } from '#ui/text/numbers.ts'

/** What the worker is asked, and what it answers: progress as often as it likes, and one verification. */
export interface Question {
  /** A bundle, a machine's chain, or what somebody takes for one. */
  readonly evidence: Blob
  readonly trusted: string
  /** Key successions as the node lists them, with their proofs. */
  readonly past: unknown
}
/** A verdict, and what it is about, for people. */
export interface Found extends Judged {
  readonly subject: string
}
export type Reply =
  | { readonly kind: 'progress'; readonly step: number; readonly steps: number }
  | { readonly kind: 'verification'; readonly found: Found }

type Tell = (reply: Reply) => void

/** Bytes of a file that may be either. */
const FILE_BYTES_MAX = Math.max(BUNDLE_BYTES_MAX, CHAIN_FILE_BYTES_MAX)

/** What is neither fails at its form, like one whose members do not fit. */
const badForm = (detail: string): Found => ({
  outcome: 'failed',
  failing: 'form',
  subject: '',
  steps: [{ step: 'form', state: 'failed', detail }],
})

const subjectOf = ({ bundle }: Verification): string => {
  if (bundle === undefined) return ''
  const { kind, value, unit } = bundle.envelope.claim
  return value === null ? kind : `${kind}, ${withUnit(valueText(value), unit)}`
}

/** The verdict alone: the evidence itself stays where it was judged. */
const told = ({ outcome, failing, steps }: Judged, subject: string): Found => ({
  outcome,
  steps,
  subject,
  ...(failing !== undefined && { failing }),
})

interface Case extends Omit<Question, 'evidence'> {
  readonly value: unknown
}

const judgeChain = ({ value, trusted, past }: Case): Found => {
  const found = verifyChainFile(value, { trusted, successions: provenPast(past) })
  const { chain } = found
  return told(found, chain === undefined ? '' : `${chain.slug}, ${chain.entries.length} entries`)
}

const judgeBundle = ({ value, trusted, past }: Case, rows: readonly string[], tell: Tell): Found => {
  const found = verifyBundle({
    bundle: bundleOf(value),
    trusted,
    successions: provenPast(past),
    schemas: schemasHere,
    replay: (claim, inputs) =>
      rerun(claim, inputs, {
        registry: () => operatorRegistry(rows.flatMap(rowsOfText)),
        progress: ({ step, steps }) => tell({ kind: 'progress', step, steps }),
      }),
  })
  return told(found, subjectOf(found))
}

/**
 * Verifies evidence with the code that sealed it, the re-run included. It runs in a worker, so that the page stays
 * alive meanwhile.
 *
 * @param rows texts of the operator rows of this release.
 */
export const judge = async (question: Question, rows: readonly string[], tell: Tell): Promise<Found> => {
  const { evidence, trusted, past } = question
  const { size } = evidence
  if (size > FILE_BYTES_MAX) return badForm(`The file has ${size} bytes; at most ${FILE_BYTES_MAX} are read.`)
  try {
    const value = parseJson(new Uint8Array(await evidence.arrayBuffer()), FILE_BYTES_MAX)
    if (isChainFile(value)) return judgeChain({ value, trusted, past })
    if (size > BUNDLE_BYTES_MAX) return badForm(`The file has ${size} bytes; a bundle has at most ${BUNDLE_BYTES_MAX}.`)
    return judgeBundle({ value, trusted, past }, rows, tell)
  } catch (error) {
    if (error instanceof Fault) return badForm(error.message)
    throw error
  }
}
