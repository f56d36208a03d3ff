import assert from 'node:assert/strict'
import { concat, equalBytes, fromUtf8, utf8 } from '#core/bytes.ts'
import { canonical, canonicalBytes, type Json } from '#core/canonical.ts'
import { type ChainFile, verifyChainFile } from '#core/chain-file.ts'
import { signCheckpoint } from '#core/checkpoint.ts'
import { type EquivocationProof, equivocationSchema, verifyEquivocation } from '#core/equivocation.ts'
import { logName } from '#core/ids.ts'
import { parseJson } from '#core/json.ts'
import { nodeIdOf, publicKeyOfSeed } from '#core/keys.ts'
import { parseNote } from '#core/note.ts'
import { fitting } from '#core/schema.ts'
import { blockKinds, documentBytes, HEADER_BYTES, readEnd, readHead, readHeader } from '#store/backup/format.ts'
import { BackupRefused } from '#store/backup/refused.ts'
import { decodeRows, encodeRows } from '#store/backup/row-codec.ts'
import { altered, leavesOf, replaced } from '../kit/alterations.ts'
import type { Random } from '../kit/random.ts'
import type { Decoder } from './fuzz.ts'
import { readVector } from './vectors.ts'

/** Decoders of what lies in files: archives, exported chains; and of evidence, which convicts whoever it names. */

const DOCUMENT_BYTES_MAX = 1_048_576
const SHAPED_SELDOM = 40

/** A reader of archives, whose refusals are its own. */
const archive = (it: Omit<Decoder, 'decode'> & { readonly read: (input: Uint8Array) => boolean }): Decoder => ({
  ...it,
  decode: (input) => {
    try {
      return it.read(input)
    } catch (thrown) {
      if (thrown instanceof BackupRefused) return false
      throw thrown
    }
  },
})

const headerOf = (kind: number, raw: number, packed: number): Uint8Array => {
  const header = new Uint8Array(HEADER_BYTES)
  const view = new DataView(header.buffer)
  view.setUint8(0, kind)
  view.setUint32(1, raw)
  view.setUint32(5, packed)
  return header
}

const blockHeader = archive({
  name: 'header of a block of an archive',
  corpus: Object.values(blockKinds).map((kind) => headerOf(kind, 64, 40)),
  read(input) {
    // Whoever reads blocks has nine bytes, or the end.
    const whole = input.length >= HEADER_BYTES ? input : concat(input, new Uint8Array(HEADER_BYTES - input.length))
    const { kind, rawBytes, packedBytes } = readHeader(whole, 0)
    assert(equalBytes(headerOf(blockKinds[kind], rawBytes, packedBytes), whole.subarray(0, HEADER_BYTES)))
    return true
  },
})

const seed = new Uint8Array(32).fill(9)
const publicKey = publicKeyOfSeed(seed)
const node = nodeIdOf(publicKey)
const origin = logName(node, 2_310_000_000)
const root = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)
const noteOf = (size: number, byte: number): string =>
  signCheckpoint({ origin, size, root: root(byte) }, publicKey, seed)

const head = {
  v: 1,
  release: '0.1.0',
  schema: 2,
  node,
  genesis_mesh_tick: 2_310_000_000,
  last_tick: 7,
  logs: [{ name: 'seal', origin, size: 4, root: '0'.repeat(64), note: noteOf(4, 1) }],
} as const
const part = { prefix: 'l', rows: 1, bytes: 5, sha256: '1'.repeat(64) }
const end = { v: 1, rows: 1, parts: [part], files: [{ name: 'vault.key', bytes: 64, sha256: '2'.repeat(64) }] } as const

const documents = archive({
  name: 'head and end of an archive',
  corpus: [documentBytes(head as never), documentBytes({ ...head, logs: [] } as never), documentBytes(end as never)],
  words: ['"logs":[', '"note":null', '"parts":[', '"schema":3', '"size":'],
  read(input) {
    const readers = [readHead, readEnd]
    const read = readers.map((it) => {
      try {
        return it(input)
      } catch (thrown) {
        assert(thrown instanceof BackupRefused, String(thrown))
        return undefined
      }
    })
    const found = read.filter((it) => it !== undefined)
    assert(found.length <= 1, 'a document of two kinds')
    for (const it of found) assert(equalBytes(documentBytes(it), input), 'two spellings of one document')
    return found.length === 1
  },
})

const rows = archive({
  name: 'rows of an archive',
  corpus: [
    new Uint8Array(),
    encodeRows([[utf8('l/seal/00'), utf8('bytes')]] as never),
    encodeRows([
      [utf8('a/version'), utf8('1')],
      [utf8('k/x'), new Uint8Array(300)],
    ] as never),
  ],
  words: ['\u0000\u0001\u0000\u0000\u0000\u0001', '\u007f\u007f\u007f\u007f'],
  read(input) {
    assert(equalBytes(encodeRows(decodeRows(input)), input), 'two spellings of the same rows')
    return true
  },
})

const leafChanged =
  (document: Json) =>
  (random: Random): Uint8Array => {
    const [path, old] = random.pick(leavesOf(document))
    return canonicalBytes(replaced(document, path, altered(old)) as Json)
  }

interface MachineVector {
  readonly genesis: { readonly slug: string }
  readonly genesis_hash: string
  readonly chain: readonly { readonly entry: Json }[]
  readonly log: { readonly public_key: string }
  readonly proof: ChainFile['proof']
}
const machine = readVector<MachineVector>('machine')
const { head: sealed, head_index, head_path, checkpoint } = machine.proof
const chain = {
  format: 'tickmesh-chain-v1',
  slug: machine.genesis.slug,
  genesis_hash: machine.genesis_hash,
  entries: machine.chain.map((it) => it.entry),
  proof: { head: sealed, head_index, head_path, checkpoint },
} as unknown as Json

/** What a verified chain binds: all of it but lines of keys that nobody knows. */
const boundOf = (it: ChainFile): string =>
  canonical({ ...it, proof: { ...it.proof, checkpoint: parseNote(it.proof.checkpoint).text } } as unknown as Json)
const goodChain = boundOf(chain as unknown as ChainFile)

/** Exported chains: what is verified must be the one that was sealed. */
export const chainFile: Decoder = {
  name: 'exported chain',
  corpus: [canonicalBytes(chain), utf8(JSON.stringify(chain))],
  words: ['"entries":[', '"previous":"', '"seq":', '"body":{', '"checkpoint":"', '"head_index":1'],
  shaped: leafChanged(chain),
  shapedEvery: SHAPED_SELDOM,
  decode(input) {
    const file = parseJson(input, DOCUMENT_BYTES_MAX)
    const { outcome } = verifyChainFile(file, { trusted: machine.log.public_key })
    if (outcome !== 'verified') return false
    assert.equal(boundOf(file as unknown as ChainFile), goodChain, 'a forged chain')
    return true
  },
}

const evidence: readonly EquivocationProof[] = [{ origin, notes: [noteOf(4, 1), noteOf(4, 2)], prefix: null }]
const signedTexts = new Set(evidence.flatMap(({ notes }) => notes.map((it) => parseNote(it).text)))

const equivocation: Decoder = {
  name: 'evidence of two histories',
  corpus: evidence.map((it) => canonicalBytes(it as unknown as Json)),
  words: ['"notes":[', '"prefix":null', '"prefix":{"path":[],"root":"', '\\n', '\u2014 '],
  shaped: leafChanged(evidence[0] as unknown as Json),
  shapedEvery: SHAPED_SELDOM,
  decode(input) {
    const proof = fitting(equivocationSchema, parseJson(input, DOCUMENT_BYTES_MAX)) as EquivocationProof
    const proven = verifyEquivocation(proof)
    assert.equal(proven.node, node, 'evidence against another node')
    const texts = proof.notes.map((it) => parseNote(it).text)
    assert(texts.every((it) => signedTexts.has(it)) && new Set(texts).size === 2, `forged evidence: ${fromUtf8(input)}`)
    return true
  },
}

export const archiveDecoders: readonly Decoder[] = [blockHeader, documents, rows, equivocation]
