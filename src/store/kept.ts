import { assert } from '#core/assert.ts'
import { fromUtf8, utf8 } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import type { Question, TickReceipt } from '#core/claim.ts'
import { putBlob, readText } from './blobs.ts'
import { CorruptRow } from './corrupt-row.ts'
import { seqKey } from './key-parts.ts'
import type { EnvelopeRow } from './rows/envelope.ts'
import { UTF8_BYTES_MAX } from './rows.ts'
import type { Store } from './store.ts'
import type { Put } from './transaction.ts'

/**
 * What is kept of an envelope beside its leaf: its stamp, its inputs and its output, as text. Small ones stand in one
 * row under the envelope's serial number, and have no name; what is larger stands in blobs that the envelope's row
 * names, as all of it did in releases before schema 3.
 */

/** Bytes of stamp, inputs and output together up to which they stand in one row. */
export const KEPT_BYTES_MAX = 8_192

/** Bytes of stamp and of inputs (u16 each, big-endian); then the three, one behind the other. */
const HEADER_BYTES = 4

/** What of an envelope's evidence is stored beside its leaf. */
export interface Stamp {
  readonly tick_receipt: TickReceipt
  readonly equations: Json
  readonly evidence_digest: string | null
  readonly figures: Readonly<Record<string, number>>
  readonly extras: Readonly<Record<string, Json>>
  /** What the claim has a digest of under `asked`; absent of a claim that has no such member. */
  readonly question?: Question
}

/** The three texts: a {@link Stamp} as JSON, the inputs, the output as sent. */
export interface EnvelopeTexts {
  readonly stamp: string
  readonly inputs: string
  readonly output: string
}

/** What the row of an envelope says of where they are: names of blobs, or nothing. */
export type KeptNames = Pick<EnvelopeRow, 'receipt' | 'inputs' | 'result'>

/**
 * Adds what is kept of an envelope to a batch.
 *
 * @param serial of the envelope's leaf.
 * @param texts with null for an output that is not kept.
 * @returns what the envelope's row says of it.
 */
export const putKept = (
  put: Put,
  serial: number,
  texts: Omit<EnvelopeTexts, 'output'> & { readonly output: string | null },
): KeptNames => {
  const row = texts.output === null ? undefined : packed(texts.stamp, texts.inputs, texts.output)
  if (row !== undefined) {
    put('kept', seqKey(serial), row)
    return {}
  }
  return {
    receipt: putBlob(put, utf8(texts.stamp)),
    inputs: putBlob(put, utf8(texts.inputs)),
    result: texts.output === null ? null : putBlob(put, utf8(texts.output)),
  }
}

/** Room in which a row is put together, so that it is the only memory that it takes. */
const scratch = Buffer.allocUnsafeSlow(HEADER_BYTES + KEPT_BYTES_MAX * UTF8_BYTES_MAX)

/** The row of three texts; undefined where they are longer than one may be. */
const packed = (stamp: string, inputs: string, output: string): Uint8Array | undefined => {
  if (stamp.length + inputs.length + output.length > KEPT_BYTES_MAX) return undefined
  const inputsAt = HEADER_BYTES + scratch.write(stamp, HEADER_BYTES)
  const outputAt = inputsAt + scratch.write(inputs, inputsAt)
  const end = outputAt + scratch.write(output, outputAt)
  if (end > HEADER_BYTES + KEPT_BYTES_MAX) return undefined
  scratch.writeUInt16BE(inputsAt - HEADER_BYTES, 0)
  scratch.writeUInt16BE(outputAt - inputsAt, 2)
  return new Uint8Array(scratch.subarray(0, end))
}

/** The three texts in a row of `kept`; undefined for one that {@link putKept} did not write. */
export const unpackKept = (row: Uint8Array): EnvelopeTexts | undefined => {
  if (row.length < HEADER_BYTES || row.length > HEADER_BYTES + KEPT_BYTES_MAX) return undefined
  const view = new DataView(row.buffer, row.byteOffset, row.length)
  const inputsAt = HEADER_BYTES + view.getUint16(0)
  const outputAt = inputsAt + view.getUint16(2)
  if (outputAt > row.length) return undefined
  const text = (from: number, to?: number): string => fromUtf8(row.subarray(from, to))
  try {
    return { stamp: text(HEADER_BYTES, inputsAt), inputs: text(inputsAt, outputAt), output: text(outputAt) }
  } catch {
    return undefined // It is no text.
  }
}

/** Reads what is kept of one envelope, each part when it is asked for; undefined for a part that is not kept. */
export interface KeptReader {
  stamp(): Promise<Stamp | undefined>
  inputs(): Promise<string | undefined>
  output(): Promise<string | undefined>
}

const stampIn = (text: string | undefined): Stamp | undefined =>
  text === undefined ? undefined : (JSON.parse(text) as Stamp)

/** What is kept of an envelope, in whichever form. @throws CorruptRow for a row that does not hold three texts. */
export const keptOf = (
  store: Pick<Store, 'get'>,
  { index, ...names }: KeptNames & Pick<EnvelopeRow, 'index'>,
): KeptReader => {
  const { receipt, inputs, result } = names
  if (receipt !== undefined) {
    assert(inputs !== undefined && result !== undefined, 'a row names all of its blobs or none')
    return {
      stamp: async () => stampIn(await readText(store, receipt)),
      inputs: () => readText(store, inputs),
      output: () => readText(store, result),
    }
  }
  let read: Promise<EnvelopeTexts | undefined> | undefined
  const open = async (): Promise<EnvelopeTexts | undefined> => {
    const row = await store.get('kept', seqKey(index))
    const texts = row === undefined ? undefined : unpackKept(row)
    if (row !== undefined && texts === undefined) throw notThree(index)
    return texts
  }
  const texts = (): Promise<EnvelopeTexts | undefined> => {
    read ??= open()
    return read
  }
  return {
    stamp: async () => stampIn((await texts())?.stamp),
    inputs: async () => (await texts())?.inputs,
    output: async () => (await texts())?.output,
  }
}

const notThree = (serial: number): CorruptRow =>
  new CorruptRow('kept', seqKey(serial), 'it does not hold stamp, inputs and output')
