import { advisoryText } from '#core/advisory.ts'
import { BUNDLE_BYTES_MAX, bundleOf } from '#core/bundle.ts'
import { CHAIN_FILE_BYTES_MAX, isChainFile, verifyChainFile } from '#core/chain-file.ts'
import type { Bundle } from '#core/claim.ts'
import { Fault } from '#core/fault.ts'
import { parseJson } from '#core/json.ts'
import { provenPast } from '#core/succession.ts'
import { isTokenReceipt, verifyTokenReceipt } from '#core/token/verify.ts'
import { type Verification, verifyBundle } from '#core/verify.ts'
import { type KeptTexts, type RowsAt, registryHistory } from '#numerics/operators/history.ts'
import { type OperatorRegistry, operatorRegistry, rowsOfText } from '#numerics/operators/registry.ts'
import { advisoriesHere } from '#numerics/runtime/advisories.ts'
import { readsRows, rerun, schemasHere } from '#numerics/runtime/rerun.ts'
import type { RerunReply } from '#ui/part/ask-worker.ts'
import type { VerificationView } from '#ui/part/verdict.tsx'
import { valueText, withUnit } from '#ui/text/numbers.ts'

/** What the worker is asked, and what it answers: progress as often as it likes, and one verification. */
export interface VerifyRequest {
  /** A bundle, a machine's chain, a receipt of a token, or what somebody takes for one. */
  readonly evidence: Blob
  /** The key of whom one trusts; empty where none was given, and then the step `key` is left out. */
  readonly trusted: string
  /** Key successions as the node lists them, with their proofs. */
  readonly past: unknown
}
/** A verdict, and what it is about, for people. */
export interface FileVerdict extends VerificationView {
  readonly subject: string
}
type Tell = (reply: RerunReply<FileVerdict>) => void

/** Bytes of a file that may be either. */
const FILE_BYTES_MAX = Math.max(BUNDLE_BYTES_MAX, CHAIN_FILE_BYTES_MAX)

/** What is neither fails at its form, like one whose members do not fit. */
const badForm = (detail: string): FileVerdict => ({
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

/** The verdict alone: the evidence itself stays where it was checked. */
const verdictOf = (
  { outcome, failing, steps, answers, advisories = [] }: VerificationView,
  subject: string,
): FileVerdict => ({
  outcome,
  steps,
  subject,
  advisories,
  ...(failing !== undefined && { failing }),
  ...(answers !== undefined && { answers }),
})

interface Case {
  readonly value: unknown
  readonly trusted?: string
  readonly past: unknown
}

const chainVerdict = ({ value, past, ...trust }: Case): FileVerdict => {
  const found = verifyChainFile(value, { ...trust, successions: provenPast(past) })
  const { chain } = found
  return verdictOf(found, chain === undefined ? '' : `${chain.slug}, ${chain.entries.length} entries`)
}

const tokenVerdict = ({ value, past, ...trust }: Case): FileVerdict => {
  const found = verifyTokenReceipt(value, { ...trust, successions: provenPast(past) })
  const { op, count } = found.token?.op ?? {}
  return verdictOf(found, op === undefined ? '' : `${op} of ${count} ${count === 1 ? 'token' : 'tokens'}`)
}

/** Operator rows, as text. */
export interface RowTexts {
  /** Of this release. */
  readonly rows: readonly string[]
  /** Those of earlier ones, fetched from the node when evidence names them. */
  readonly kept: () => Promise<KeptTexts>
}

/** The rows of the version that a bundle names; of another than today's only what is fetched now can be read later. */
const rowsFor = async ({ envelope: { claim } }: Bundle, { rows, kept }: RowTexts): Promise<RowsAt> => {
  const today = (): OperatorRegistry => operatorRegistry(rows.flatMap(rowsOfText))
  if (!readsRows(claim)) return today
  const current = today()
  if (claim.code.registry === current.version) return () => current
  try {
    const texts = await kept()
    return registryHistory(current, () => texts).at
  } catch (error) {
    const missing = `The earlier operator rows could not be fetched: ${error instanceof Error ? error.message : error}`
    return () => ({ missing })
  }
}

const bundleVerdict = async ({ value, past, ...trust }: Case, texts: RowTexts, tell: Tell): Promise<FileVerdict> => {
  const bundle = bundleOf(value)
  const registry = await rowsFor(bundle, texts)
  const found = verifyBundle({
    bundle,
    ...trust,
    successions: provenPast(past),
    schemas: schemasHere,
    advisories: advisoriesHere(),
    replay: (claim, inputs) =>
      rerun(claim, inputs, {
        registry,
        progress: ({ step, steps }) => tell({ kind: 'progress', step, steps }),
      }),
  })
  return verdictOf({ ...found, advisories: found.advisories.map(advisoryText) }, subjectOf(found))
}

/**
 * Verifies evidence with the code that sealed it, the re-run included. It runs in a worker, so that the page stays
 * alive meanwhile.
 *
 * @param texts the operator rows: nothing else is asked of the node.
 */
export const judge = async (question: VerifyRequest, texts: RowTexts, tell: Tell): Promise<FileVerdict> => {
  const { evidence, trusted, past } = question
  const trust = { past, ...(trusted !== '' && { trusted }) }
  const { size } = evidence
  if (size > FILE_BYTES_MAX) return badForm(`The file has ${size} bytes; at most ${FILE_BYTES_MAX} are read.`)
  try {
    const value = parseJson(new Uint8Array(await evidence.arrayBuffer()), FILE_BYTES_MAX)
    if (isChainFile(value)) return chainVerdict({ value, ...trust })
    if (isTokenReceipt(value)) return tokenVerdict({ value, ...trust })
    if (size > BUNDLE_BYTES_MAX) return badForm(`The file has ${size} bytes; a bundle has at most ${BUNDLE_BYTES_MAX}.`)
    return await bundleVerdict({ value, ...trust }, texts, tell)
  } catch (error) {
    if (error instanceof Fault) return badForm(error.message)
    throw error
  }
}
