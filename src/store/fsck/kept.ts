import type { Json } from '#core/canonical.ts'
import type { Claim } from '#core/claim.ts'
import { equationsDigest, inputsDigest, receiptDigest, resultDigest } from '#core/envelope.ts'
import { Fault } from '#core/fault.ts'
import { questionFault } from '#core/question.ts'
import type { VerifyOptions } from '#core/verify.ts'
import { CorruptRow } from '#store/corrupt-row.ts'
import { type EnvelopeTexts, type Stamp, unpackKept } from '#store/kept.ts'
import { seqKey } from '#store/key-parts.ts'
import type { Rows } from '#store/layout.ts'
import type { EnvelopeRow } from '#store/rows/envelope.ts'
import type { Fsck } from './report.ts'

/** Schemas of what a claim says ran, for typed arrays; undefined for a solver that is not known. */
export type SchemasOf = NonNullable<VerifyOptions['schemas']>

/** What is kept of the envelopes walked over so far. */
export interface KeptCheck {
  readonly schemas: SchemasOf | undefined
  /** How many have it in a row of its own. */
  count: number
}

const refuse = (key: string, what: string): never => {
  throw new CorruptRow('kept', key, what)
}

const parsed = ({ stamp, inputs, output }: EnvelopeTexts) => ({
  stamp: JSON.parse(stamp) as Stamp,
  inputs: JSON.parse(inputs) as object,
  output: JSON.parse(output) as object,
})

/**
 * Holds what is kept against the claim. Members of the stamp that no digest covers, figures and extras, have the sum
 * of their row alone; inputs and output of a solver that is not known here, too, for their digests go by its schemas.
 *
 * @returns what does not fit.
 */
const misfit = (claim: Claim, texts: EnvelopeTexts, schemas: SchemasOf | undefined): string | undefined => {
  const { stamp, inputs, output } = parsed(texts)
  if (receiptDigest(stamp.tick_receipt) !== claim.receipt_digest) return 'the tick receipt'
  if (equationsDigest(stamp.equations) !== claim.equations_digest) return 'the equations'
  const { question } = stamp
  if (claim.v === 1 && question !== undefined) return 'the question'
  if (claim.v === 2 && (question === undefined || questionFault(claim, question, inputs as Json) !== undefined)) {
    return 'the question'
  }
  // Plain computations hold no typed arrays.
  const known = schemas?.(claim) ?? (claim.kind === 'compute' ? { input: {}, output: {} } : undefined)
  if (known === undefined) return undefined
  if (inputsDigest(known.input, inputs) !== claim.inputs_digest) return 'the inputs'
  const about = { inputs, evidence: stamp.evidence_digest }
  return resultDigest(known.output, output, about) === claim.result_digest ? undefined : 'the output'
}

/** Of what stands in a row of its own: it is there, and is what the claim has digests of. */
const checkRow = (check: KeptCheck, key: string, of: { readonly row: Uint8Array; readonly claim: Claim }): void => {
  const texts = unpackKept(of.row) ?? refuse(key, 'it does not hold stamp, inputs and output')
  let what: string | undefined
  try {
    what = misfit(of.claim, texts, check.schemas)
  } catch (cause) {
    if (!(cause instanceof SyntaxError || cause instanceof TypeError || cause instanceof Fault)) throw cause
    what = `a part (${cause.message})`
  }
  if (what !== undefined) refuse(key, `${what} is not what its claim says`)
  check.count += 1
}

/** What is kept of an envelope is there, in one of both forms. Blobs have the names of their bytes, as rows showed. */
export const checkKept = (
  { database }: Fsck<Rows>,
  check: KeptCheck,
  { row, claim }: { readonly row: EnvelopeRow; readonly claim: Claim },
): void => {
  const { token_id: token, receipt, inputs, result, index } = row
  const named = [receipt, inputs, result]
  if (named.every((it) => it === undefined)) {
    const key = seqKey(index)
    const kept = database.peek('kept', key) ?? refuse(key, `it is missing: envelope ${token} names no blobs`)
    checkRow(check, key, { row: kept, claim })
    return
  }
  if (receipt === undefined || named.includes(undefined)) {
    throw new CorruptRow('envelope', token, 'it names some of its blobs and not all')
  }
  for (const blob of named) {
    if (blob != null && database.peek('blob', blob) === undefined) {
      throw new CorruptRow('blob', blob, `envelope ${token} names it, and it is missing`)
    }
  }
}

/** Rows that no envelope has. */
export const checkKeptLeft = async ({ database }: Fsck<Rows>, { count }: KeptCheck): Promise<void> => {
  // Each envelope's was found by its key, so a greater number alone says that there is another.
  if ((await database.count('kept')) === count) return
  const own = new Set<string>()
  for await (const [, row] of database.range('envelope')) if (row.receipt === undefined) own.add(seqKey(row.index))
  for await (const [key] of database.range('kept')) if (!own.has(key)) refuse(key, 'no envelope has it')
}
