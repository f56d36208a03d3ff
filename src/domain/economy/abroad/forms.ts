import Type, { type Static, type TSchema } from 'typebox'
import { BUNDLE_BYTES_MAX } from '#core/bundle.ts'
import { canonical, canonicalBytes, type Json, parseCanonical } from '#core/canonical.ts'
import { Fault, faultCodes } from '#core/fault.ts'
import { patterns } from '#core/ids.ts'
import {
  closed,
  count,
  fitting,
  hex64,
  meshTick,
  oneOf,
  orNull,
  publicKey,
  signature,
  text,
  tokenId,
  zid,
} from '#core/schema.ts'
import { ENTRY_BYTES, LIST_TOKENS_MAX } from '#core/token/list.ts'
import { signedOpSchema } from '#core/token/op.ts'
import { receiptFileSchema } from '#core/token/receipt.ts'
import { STATE_TOKENS_MAX, signedStateSchema } from '#core/token/state.ts'

/** What travels on `/tickmesh/token/1` (protocols/wire/token-exchange.md). */

/** Bytes of one frame; a question or an answer is one. */
export const FRAME_BYTES_MAX = 1_048_576
/** Bytes of a list or a bundle, which travel in pieces behind their frame. */
export const LIST_BYTES_MAX = LIST_TOKENS_MAX * ENTRY_BYTES
/** Bundles that one question asks for, and bytes of those that come at once; a larger one comes alone. */
export const BUNDLES_ASKED_MAX = 256
export const BUNDLES_BYTES_MAX = 4_194_304
/** Mesh ticks that the proof of a ZID may be old, or ahead. */
export const PROOF_TICKS = 120

const DETAIL_CHARS_MAX = 1_024
const DETAILS_CHARS_MAX = 4_096

/** A ZID's key lets a node ask for what is its own: over (`tickmesh/token-ask/1`, {from, to, zid, mesh_tick}). */
const proofSchema = closed({ public_key: publicKey(), mesh_tick: meshTick(), signature: signature() })
export type AskProof = Static<typeof proofSchema>

const v = Type.Literal(1)
const forZid = { zid: zid(), proof: orNull(proofSchema) }

const questions = {
  apply: closed({
    ...{ v, ask: Type.Literal('apply') },
    ...signedOpSchema.properties,
    bytes: count({ minimum: ENTRY_BYTES, maximum: LIST_BYTES_MAX }),
  }),
  state: closed({
    ...{ v, ask: Type.Literal('state'), ...forZid },
    home: Type.String({ pattern: patterns.logName }),
    token_ids: Type.Array(tokenId(), { minItems: 1, maxItems: STATE_TOKENS_MAX }),
  }),
  list: closed({ v, ask: Type.Literal('list'), ...forZid, op_digest: hex64() }),
  receipt: closed({ v, ask: Type.Literal('receipt'), ...forZid, op_digest: hex64() }),
  bundle: closed({ v, ask: Type.Literal('bundle'), ...forZid, token_id: tokenId() }),
  bundles: closed({
    ...{ v, ask: Type.Literal('bundles'), ...forZid },
    token_ids: Type.Array(tokenId(), { minItems: 1, maxItems: BUNDLES_ASKED_MAX }),
  }),
  arrived: closed({ v, ask: Type.Literal('arrived'), file: receiptFileSchema }),
} as const
export type TokenQuestionKind = keyof typeof questions
export type QuestionOf<K extends TokenQuestionKind> = Static<(typeof questions)[K]>
export type TokenQuestion = { [K in TokenQuestionKind]: QuestionOf<K> }[TokenQuestionKind]

const answers = {
  receipt: closed({ v, answer: Type.Literal('receipt'), file: receiptFileSchema }),
  state: closed({ v, answer: Type.Literal('state'), signed: signedStateSchema }),
  pieces: closed({ v, answer: Type.Literal('pieces'), bytes: count({ minimum: 1, maximum: LIST_BYTES_MAX }) }),
  bundles: closed({
    ...{ v, answer: Type.Literal('bundles') },
    sizes: Type.Array(count({ maximum: BUNDLE_BYTES_MAX }), { minItems: 1, maxItems: BUNDLES_ASKED_MAX }),
  }),
  kept: closed({ v, answer: Type.Literal('kept') }),
  fault: closed({
    ...{ v, answer: Type.Literal('fault'), code: oneOf(faultCodes) },
    detail: text(DETAIL_CHARS_MAX),
    details: Type.Record(Type.String(), Type.Unknown()),
  }),
} as const
export type TokenAnswerKind = Exclude<keyof typeof answers, 'fault'>
export type AnswerOf<K extends keyof typeof answers> = Static<(typeof answers)[K]>

const byKind = (table: Readonly<Record<string, TSchema>>, name: string, bytes: Uint8Array): unknown => {
  const value = parseCanonical(bytes)
  const kind = (value as Readonly<Record<string, unknown>> | null)?.[name]
  const schema = typeof kind === 'string' && Object.hasOwn(table, kind) ? table[kind] : undefined
  if (schema === undefined) throw new Fault('INVALID_INPUT', `The frame has no ${name} that is known here.`)
  return fitting(schema, value)
}

/** @throws Fault NOT_CANONICAL, INVALID_INPUT */
export const readQuestion = (bytes: Uint8Array): TokenQuestion => byKind(questions, 'ask', bytes) as TokenQuestion

/** Bytes of a question or an answer. */
export const frameOf = (value: object): Uint8Array => canonicalBytes(value as unknown as Json)

/** The frame that tells a refusal: with what it names, if that is little. */
export const faultFrame = ({ code, message, details }: Fault): Uint8Array => {
  const named = JSON.parse(JSON.stringify(details)) as Json
  const small = canonical(named).length <= DETAILS_CHARS_MAX ? named : {}
  return frameOf({ v: 1, answer: 'fault', code, detail: message.slice(0, DETAIL_CHARS_MAX), details: small })
}

/** What a refusal of a home may name, beside its code. */
const TOLD = ['token_id', 'spend_seq', 'kind', 'ref', 'until', 'valid_to', 'mesh_tick'] as const
const TOLD_CHARS_MAX = 256

/** Of what another node says the members that refusals of ops have, and no large or nested ones. */
const told = (details: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    TOLD.flatMap((name) => {
      const value = Object.hasOwn(details, name) ? details[name] : undefined
      const fits =
        value === null || typeof value === 'number' || (typeof value === 'string' && value.length <= TOLD_CHARS_MAX)
      return fits ? [[name, value]] : []
    }),
  )

/**
 * Reads an answer of one kind.
 *
 * @throws Fault as the other node gave it; NOT_CANONICAL, INVALID_INPUT for what is no such answer.
 */
export const readAnswer = <K extends TokenAnswerKind>(kind: K, bytes: Uint8Array): AnswerOf<K> => {
  const value = byKind(answers, 'answer', bytes) as AnswerOf<K> | AnswerOf<'fault'>
  if (value.answer === 'fault') throw new ToldFault(value.code, value.detail, told(value.details))
  if (value.answer !== kind) throw new Fault('INVALID_INPUT', `The answer is of another kind than ${kind}.`)
  return value
}

/** A refusal that another node gave, and not this one. */
export class ToldFault extends Fault {}

/** The most that pieces of one kind may come to. */
export const piecesMax = { list: LIST_BYTES_MAX, bundle: BUNDLE_BYTES_MAX } as const
