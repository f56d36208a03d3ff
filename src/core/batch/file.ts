import Type, { type TSchema } from 'typebox'
import { claimOf } from '#core/bundle.ts'
import { fromUtf8 } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import type { Claim } from '#core/claim.ts'
import { Fault } from '#core/fault.ts'
import { patterns } from '#core/ids.ts'
import { parseJson } from '#core/json.ts'
import { anything, closed, count, fitting, hex64, nodeId, oneOf, orNull, signature, text, tick } from '#core/schema.ts'
import { PROOF_CHARS_MAX } from '#core/tlog-proof.ts'
import { BATCH_CALLS_MAX, type BatchCall, type BatchOutcome, type SignedClosing, type SignedOpening } from './forms.ts'

/** Bytes of the lines of a batch that are read. */
export const BATCH_FILE_BYTES_MAX = 67_108_864

const id = () => Type.String({ pattern: '^[0-9a-f]{32}$' })
const place = { v: Type.Literal(1), node: nodeId(), log: Type.String({ pattern: patterns.logName }), index: count() }
const calls = () => count({ minimum: 1, maximum: BATCH_CALLS_MAX })

/** Form of what a node signs before the first run: exactly these members. */
export const openingSchema = closed({
  ...place,
  batch: id(),
  zid: Type.String({ pattern: `${patterns.zid}|^house$` }),
  calls: calls(),
  root: hex64(),
  price: count(),
  tick: tick(),
})

/** Form of what it signs when nothing is left. */
export const closingSchema = closed({
  ...place,
  batch: id(),
  opening: hex64(),
  calls: calls(),
  sealed: count(),
  refused: count(),
  failed: count(),
  outcomes: hex64(),
  tick: tick(),
})

const proof = () => orNull(text(PROOF_CHARS_MAX))

/** Lines may have more members: an answer has its result. What is read of them is bound by a root or a signature. */
const lines = {
  opening: Type.Object({ opening: openingSchema, signature: signature() }),
  call: Type.Object({
    index: count(),
    outcome: oneOf(['sealed', 'refused', 'failed']),
    route: text(256),
    input: anything(),
    inputs_digest: hex64(),
  }),
  sealed: Type.Object({ answer: Type.Object({ claim: anything(), signature: signature() }) }),
  other: Type.Object({ problem: Type.Object({ code: text(64, { minLength: 1 }) }) }),
  closing: Type.Object({
    closing: closingSchema,
    signature: signature(),
    proofs: Type.Object({ opening: proof(), closing: proof() }),
  }),
} satisfies Record<string, TSchema>

/** A claim and its signature. */
export interface SealedCall {
  readonly claim: Claim
  readonly signature: string
}

/** One call of a batch as its lines tell of it. */
export interface ToldCall {
  readonly call: BatchCall
  readonly outcome: BatchOutcome
  /** Of a sealed one. */
  readonly sealed?: SealedCall
}

/** A batch as its lines tell of it. */
export interface BatchFile {
  readonly opening: SignedOpening
  readonly calls: readonly ToldCall[]
  /** Absent of a batch that is still open. */
  readonly closing?: SignedClosing
  readonly proofs: { readonly opening: string | null; readonly closing: string | null }
}

const LINE_FEED = '\n'

/** Whether bytes begin like the lines of a batch; whether they are such is for {@link batchFileOf}. */
export const isBatchFile = (bytes: Uint8Array): boolean => {
  const end = bytes.indexOf(LINE_FEED.charCodeAt(0))
  if (end < 0) return false
  try {
    const first = JSON.parse(fromUtf8(bytes.subarray(0, end))) as { readonly opening?: unknown } | null
    return typeof first?.opening === 'object'
  } catch {
    return false
  }
}

const placed = (cause: unknown, line: number): unknown =>
  cause instanceof Fault ? new Fault(cause.code, `Line ${line}: ${cause.message}`) : cause

const toldOf = (value: Json, at: number): ToldCall => {
  const told = fitting(lines.call, value)
  if (told.index !== at) throw new Fault('INVALID_INPUT', `call ${at} is missing, call ${told.index} stands there.`)
  const { route, input, inputs_digest, outcome } = told
  const call: BatchCall = { route, input: input as Json, inputs_digest }
  if (outcome !== 'sealed') return { call, outcome: { outcome, code: fitting(lines.other, value).problem.code } }
  const { answer } = fitting(lines.sealed, value)
  const claim = claimOf(answer.claim)
  const sealed = { claim, signature: answer.signature }
  return { call, outcome: { outcome, token_id: claim.token_id }, sealed }
}

const textOf = (bytes: Uint8Array): string => {
  try {
    return fromUtf8(bytes)
  } catch {
    throw new Fault('MALFORMED_JSON', 'The lines are not UTF-8.')
  }
}

/**
 * Reads the lines of a batch: the opening, a line for each call, and the closing, if it has one.
 *
 * @throws Fault BODY_TOO_LARGE, MALFORMED_JSON, INVALID_INPUT naming the line
 */
export const batchFileOf = (bytes: Uint8Array): BatchFile => {
  if (bytes.length > BATCH_FILE_BYTES_MAX) {
    throw new Fault('BODY_TOO_LARGE', `The lines of a batch have at most ${BATCH_FILE_BYTES_MAX} bytes.`)
  }
  const texts = textOf(bytes).trimEnd().split(LINE_FEED)
  if (texts.length > BATCH_CALLS_MAX + 2) throw new Fault('INVALID_INPUT', 'No batch has as many lines.')
  const read = <T>(line: number, of: (value: Json) => T): T => {
    try {
      return of(parseJson(texts[line] ?? '', BATCH_FILE_BYTES_MAX))
    } catch (cause) {
      throw placed(cause, line)
    }
  }
  const { opening, signature: signed } = read(0, (value) => fitting(lines.opening, value))
  const isClosing = (value: Json): boolean => typeof value === 'object' && value !== null && 'closing' in value
  const isClosed = texts.length > 1 && read(texts.length - 1, isClosing)
  const last = isClosed ? read(texts.length - 1, (value) => fitting(lines.closing, value)) : undefined
  const between = texts.slice(1, isClosed ? -1 : undefined)
  return {
    opening: { opening, signature: signed },
    calls: between.map((_, i) => read(i + 1, (value) => toldOf(value, i))),
    ...(last !== undefined && { closing: { closing: last.closing, signature: last.signature } }),
    proofs: last?.proofs ?? { opening: null, closing: null },
  }
}
