// Goal: C2SP texts are made and read exactly. Method: the examples that the specifications publish, then each rule of
// signed-note, tlog-checkpoint, tlog-cosignature and tlog-proof broken once.
import assert from 'node:assert/strict'
import { toBase64, toHex, utf8 } from '#core/bytes.ts'
import {
  checkpointText,
  openCheckpoint,
  parseAnyCheckpoint,
  parseCheckpoint,
  signCheckpoint,
  signCheckpointWith,
} from '#core/checkpoint.ts'
import { Fault } from '#core/fault.ts'
import { leafHash, rootOf } from '#core/merkle.ts'
import {
  cosignatureLine,
  ED25519_COSIGNATURE,
  encodeVkey,
  NOTE_BYTES_MAX,
  openNote,
  parseVkey,
  sameKey,
  signNote,
  verifierOf,
} from '#core/note.ts'
import { encodeTlogProof, parseTlogProof, verifyTlogProof } from '#core/tlog-proof.ts'
import { ed25519PublicKey } from '#crypto'
import { createSigner } from '#ports/signer.node.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/note')
const random = seeded()

const party = (name: string) => {
  const seed = random.bytes(32)
  const publicKey = ed25519PublicKey(seed)
  return { seed, publicKey, verifier: verifierOf(name, publicKey) }
}
const log = party('tickmesh.log/node/7')
const other = party('example.com/other')
const witnessSeed = random.bytes(32)
const witness = verifierOf('witness.example/w', ed25519PublicKey(witnessSeed), ED25519_COSIGNATURE)

const refused = (run: () => unknown, code = 'BAD_SIGNATURE'): void => {
  assert.throws(run, (error) => error instanceof Fault && error.code === code)
}

test('the example of C2SP signed-note opens under its verifier key', () => {
  const vkey = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k'
  const signature = 'Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM='
  const note = `This is an example message.\n\n— example.com/foo ${signature}\n`
  const verifier = parseVkey(vkey)
  assert.equal(encodeVkey(verifier), vkey)
  assert.equal(openNote(note, [verifier]).text, 'This is an example message.\n')
  refused(() => openNote(note.replace('This', 'That'), [verifier]))
})

test('the example of C2SP tlog-checkpoint is read as published', () => {
  const text = 'example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n'
  const checkpoint = parseCheckpoint(text)
  assert.equal(checkpoint.origin, 'example.com/behind-the-sofa')
  assert.equal(checkpoint.size, 20_852_163)
  assert.equal(checkpointText(checkpoint), text)
})

test('a note keeps its text, holds several signatures, and ignores those of unknown keys', () => {
  const text = 'a line\n\nand another, after an empty one\n'
  const note = signNote(text, log.verifier, log.seed)
  const [, otherLine = ''] = signNote(text, other.verifier, other.seed).split('\n\n— ').slice(-2)
  const both = `${note}— ${otherLine}`
  assert.equal(openNote(both, [log.verifier]).text, text)
  assert.equal(openNote(both, [log.verifier]).signatures.length, 1)
  assert.equal(openNote(both, [log.verifier, other.verifier]).signatures.length, 2)
  assert.equal(openNote(`${note}— nobody.example AAAAAAA=\n`, [log.verifier]).signatures.length, 1)
  refused(() => openNote(note, [other.verifier]))
  refused(() => openNote(note, []))
  // Same name, another key: the key id tells them apart, and the name alone opens nothing.
  refused(() => openNote(note, [verifierOf(log.verifier.name, other.publicKey)]))
})

test('one bad signature of a known key refuses the whole note', () => {
  const text = 'text\n'
  const note = signNote(text, log.verifier, log.seed)
  const wrong = signNote('other text\n', other.verifier, other.seed).split('\n\n')[1] ?? ''
  assert.equal(openNote(`${note}${wrong}`, [log.verifier]).signatures.length, 1)
  refused(() => openNote(`${note}${wrong}`, [log.verifier, other.verifier]))
})

test('every rule of the form, broken once', () => {
  const note = signNote('text\n', log.verifier, log.seed)
  const line = note.slice(note.indexOf('— '))
  const encoded = line.slice(line.lastIndexOf(' ') + 1, -1)
  const broken: Readonly<Record<string, string>> = {
    'no newline at the end': note.slice(0, -1),
    'no blank line': `text\n${line}`,
    'no signature': 'text\n\n',
    'a tab in the text': note.replace('text', 'te\txt'),
    'a carriage return': note.replace('text\n', 'text\r\n'),
    'a hyphen for the dash': note.replace('— ', '- '),
    'two spaces': note.replace('— ', '—  '),
    'a trailing space': note.replace(`${encoded}\n`, `${encoded} \n`),
    'base64 without padding': note.replace(encoded, encoded.replace(/=+$/, '')),
    'base64 with stray bits': note.replace(encoded, encoded.replace(/.(=*)$/, '/$1')),
    'text after the signatures': `${note}tail\n`,
    'a lone surrogate': note.replace('text', '\ud800'),
    'too long': `${'a'.repeat(NOTE_BYTES_MAX)}\n\n${line}`,
    'a key id without a signature': `${note}— other ${toBase64(new Uint8Array(4))}\n`,
    'too many lines': `text\n\n${line.repeat(33)}`,
  }
  for (const [why, text] of Object.entries(broken)) {
    assert.throws(() => openNote(text, [log.verifier]), Fault, why)
  }
  const least = `${note}— other ${toBase64(new Uint8Array(5))}\n`
  assert.equal(openNote(least, [log.verifier]).signatures.length, 1, 'of a key that nobody knows')
  assert.equal(openNote(`text\n\n${line.repeat(16)}`, [log.verifier]).signatures.length, 16)
  for (const name of ['', 'a b', 'a+b', 'a\u00a0b', 'a\nb']) refused(() => verifierOf(name, log.publicKey))
  refused(() => signNote('no newline', log.verifier, log.seed))
})

test('a verifier key says what it is, or is refused', () => {
  const vkey = encodeVkey(log.verifier)
  assert.ok(sameKey(parseVkey(vkey), log.verifier))
  assert.equal(encodeVkey(parseVkey(encodeVkey(witness))), encodeVkey(witness))
  const [name = '', id = '', key = ''] = vkey.split(/\+(?=[0-9a-f]{8}\+)|(?<=\+[0-9a-f]{8})\+/)
  assert.equal(`${name}+${id}+${key}`, vkey)
  const ofType = (type: number, publicKey = log.publicKey): string => toBase64(Uint8Array.from([type, ...publicKey]))
  const bad = [
    '',
    'x',
    `${name}+${id}`,
    `+${id}+${key}`,
    `${name}+00000000+${key}`,
    `${name}+${id.toUpperCase()}F+${key}`,
    `${name}+${id}+${ofType(2)}`,
    `${name}+${id}+${ofType(1, log.publicKey.subarray(1))}`,
    `${name} +${id}+${key}`,
    `${vkey}\n`,
  ]
  for (const text of bad) refused(() => parseVkey(text), 'INVALID_INPUT')
})

const checkpoint = {
  origin: log.verifier.name,
  size: 3,
  root: rootOf([1, 2, 3].map((n) => leafHash(Uint8Array.of(n)))),
}

test('a checkpoint opens under the key of its origin, with the cosignatures that are known', async () => {
  const note = signCheckpoint(checkpoint, log.publicKey, log.seed)
  assert.equal(await signCheckpointWith(checkpoint, createSigner(log.seed)), note)
  assert.deepEqual(openCheckpoint(note, log.verifier).checkpoint, checkpoint)
  const cosigned = note + cosignatureLine(checkpointText(checkpoint), witness, witnessSeed, 1_794_874_000)
  const opened = openCheckpoint(cosigned, log.verifier, [witness])
  assert.equal(opened.cosignatures.length, 1)
  assert.equal(opened.cosignatures[0]?.timestamp, 1_794_874_000)
  assert.equal(openCheckpoint(cosigned, log.verifier).cosignatures.length, 0)
  // A cosignature alone is no checkpoint of the log, and one of other text spoils the note for who knows the witness.
  const line = cosignatureLine(checkpointText(checkpoint), witness, witnessSeed, 1)
  refused(() => openCheckpoint(`${checkpointText(checkpoint)}\n${line}`, log.verifier, [witness]))
  const bad = note + cosignatureLine('other\n', witness, witnessSeed, 1_794_874_000)
  refused(() => openCheckpoint(bad, log.verifier, [witness]))
  assert.equal(openCheckpoint(bad, log.verifier).cosignatures.length, 0)
})

test('a checkpoint has three lines in their one spelling', () => {
  const [origin = '', size = '', root = ''] = checkpointText(checkpoint).split('\n')
  const spellings = [
    `${origin}\n0${size}\n${root}\n`,
    `${origin}\n+${size}\n${root}\n`,
    `${origin}\n${size} \n${root}\n`,
    `${origin}\n-1\n${root}\n`,
    `${origin}\n9007199254740992\n${root}\n`,
    `${origin}\n\n${root}\n`,
    `\n${size}\n${root}\n`,
    `${origin}\n${size}\n${root.slice(4)}\n`,
    `${origin}\n${size}\n${root.replace(/=$/, '')}\n`,
    `${origin}\n${size}\n${root}\nextension\n`,
    `${origin}\n${size}\n${root}`,
    `${origin}\n${size}\n`,
  ]
  for (const text of spellings) refused(() => parseCheckpoint(text))
  const foreign = signNote(checkpointText({ ...checkpoint, origin: 'example.com/else' }), log.verifier, log.seed)
  refused(() => openCheckpoint(foreign, log.verifier))
})

test('extension lines of other logs are counted, and none of them is empty', () => {
  const text = checkpointText(checkpoint)
  assert.equal(parseAnyCheckpoint(`${text}one\ntwo\n`).extensions, 2)
  for (const more of ['\n', '\none\n', 'one\n\n', 'one\n\ntwo\n', 'one']) refused(() => parseAnyCheckpoint(text + more))
})

test('a proof text carries index, path and note, and verifies for its leaf alone', () => {
  const leaves = [1, 2, 3].map((n) => leafHash(Uint8Array.of(n)))
  const [first, second, third] = leaves as [Uint8Array, Uint8Array, Uint8Array]
  const note = signCheckpoint(checkpoint, log.publicKey, log.seed)
  const text = encodeTlogProof({ index: 0, path: [second, third], checkpoint: note })
  const keys = { log: log.verifier }
  assert.equal(verifyTlogProof(text, first, keys).index, 0)
  assert.deepEqual(parseTlogProof(text).path.map(toHex), [second, third].map(toHex))
  refused(() => verifyTlogProof(text, second, keys))
  refused(() => verifyTlogProof(text, first, { log: other.verifier }))
  const extra = encodeTlogProof({ index: 0, path: [second, third], checkpoint: note, extra: utf8('more') })
  assert.deepEqual(parseTlogProof(extra).extra, utf8('more'))
  assert.equal(verifyTlogProof(extra, first, keys).index, 0)
  const lines = text.split('\n')
  const broken: Readonly<Record<string, string>> = {
    'another header': text.replace('@v1', '@v2'),
    'no index': lines.filter((line) => !line.startsWith('index')).join('\n'),
    'a leading zero': text.replace('index 0', 'index 00'),
    'another place': text.replace('index 0', 'index 1'),
    'a place outside': text.replace('index 0', 'index 3'),
    'a hash less': [...lines.slice(0, 2), ...lines.slice(3)].join('\n'),
    'a hash too many': [...lines.slice(0, 3), lines[2], ...lines.slice(3)].join('\n'),
    'a short hash': text.replace(toBase64(second), toBase64(second.subarray(1))),
    'two extras': extra.replace('extra ', 'extra AA==\nextra '),
    'no blank line': text.replace('\n\n', '\n'),
    nothing: '',
    'carriage returns': text.replaceAll('\n', '\r\n'),
  }
  for (const [why, it] of Object.entries(broken)) assert.throws(() => verifyTlogProof(it, first, keys), Fault, why)
})

test.run()
