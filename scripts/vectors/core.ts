import { digestible, littleEndianBytes } from '#core/arrays.ts'
import { toHex, utf8 } from '#core/bytes.ts'
import { canonical, type Json } from '#core/canonical.ts'
import { digest, purposes } from '#core/digest.ts'
import { type ApiKeyKind, apiKey, apiKeyPrefixes, tokenIdOf, witnessName } from '#core/ids.ts'
import { signValue } from '#core/keys.ts'
import { consistencyProof, inclusionProof, leafHash, rootFrom } from '#core/merkle.ts'
import { genesisAtOrAfter, meshTickAt, meshTickStart, phaseAt, TICK_NS } from '#core/tick.ts'
import { sha256 } from '#crypto'
import { inputs, output } from './claim.ts'
import { eventLog, GENESIS, inputSchema, node, outputSchema, sealLog, treeOf, user, witness } from './sample.ts'

const bytesHex = (text: string): string => toHex(utf8(text))

/** The samples of RFC 8785 (section 3.2.2 and 3.2.3, appendix B) and the corners that implementations differ in. */
const canonicalValues: Readonly<Record<string, Json>> = {
  'rfc 8785, section 3.2.2': {
    numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
    string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"\u002f',
    literals: [null, true, false],
  },
  'rfc 8785, section 3.2.3': {
    '\u20ac': 'Euro Sign',
    '\r': 'Carriage Return',
    '\ufb33': 'Hebrew Letter Dalet With Dagesh',
    '1': 'One',
    '\ud83d\ude00': 'Emoji: Grinning Face',
    '\u0080': 'Control',
    '\u00f6': 'Latin Small Letter O With Diaeresis',
  },
  'numbers of appendix B': [
    -0,
    5e-324,
    -5e-324,
    Number.MAX_VALUE,
    -Number.MAX_VALUE,
    2 ** 53,
    -(2 ** 53),
    295147905179352830000,
    9.999999999999997e22,
    1e23,
    1.0000000000000001e23,
    999999999999999700000,
    1e21,
    9.999999999999997e-7,
    1e-6,
    333333333.3333332,
    333333333.33333325,
    333333333.3333334,
    -0.0000033333333333333333,
    1424953923781206.2,
  ],
  'a quantity beyond 2^53': { energy_J: 89875517873681760 },
  empty: [{}, [], '', null],
}

export const canonicalVectors = () => ({
  about: 'Values, their one text (RFC 8785), its UTF-8 bytes in hex. `refused` are bytes no signed document may have.',
  accepted: Object.entries(canonicalValues).map(([name, value]) => {
    const text = canonical(value)
    return { name, value, text, bytes: bytesHex(text) }
  }),
  refused: [
    ['a duplicate name', bytesHex('{"a":1,"a":1}')],
    ['names out of order', bytesHex('{"b":1,"a":1}')],
    ['white space', bytesHex('{"a": 1}')],
    ['a number spelled otherwise', bytesHex('[1.0]')],
    ['minus zero', bytesHex('[-0]')],
    ['an integer that a double bends', bytesHex('[9007199254740993]')],
    ['a number beyond the doubles', bytesHex('[1e400]')],
    ['an escape that need not be', bytesHex('["\\u0041"]')],
    ['a lone surrogate', bytesHex('["\\ud800"]')],
    ['the name __proto__', bytesHex('{"__proto__":1}')],
    ['33 levels', bytesHex(`${'['.repeat(33)}${']'.repeat(33)}`)],
    ['not UTF-8', '22ff22'],
    ['a byte order mark', 'efbbbf7b7d'],
    ['nothing', ''],
  ].map(([why, bytes]) => ({ why, bytes })),
})

/** Came with version 2 of claims: their digests stand with its vectors, since older files stay as they are. */
export const ofClaim2 = [purposes.askedClaim, purposes.reading, purposes.question] as const
/** Came with the receipts of token ops. */
export const ofTokens = [purposes.tokenMove, purposes.tokenReceipt, purposes.tokenState, purposes.bearer] as const
/** Came with votes. */
export const ofVotes = [purposes.voteLeaf] as const
/** Came with batches. */
export const ofBatches = [
  purposes.batchCall,
  purposes.batchOpening,
  purposes.batchOpen,
  purposes.batchOutcome,
  purposes.batchClosing,
  purposes.batchClose,
] as const
/** Came with the clock of contracts. */
export const ofZones = [purposes.zone] as const
/** Came with contracts. */
export const ofContracts = [purposes.contract] as const
/** Came with their fires. */
export const ofFires = [
  purposes.contractId,
  purposes.trigger,
  purposes.fire,
  purposes.context,
  purposes.eventData,
] as const
/** Came with channels. */
export const ofChannels = [purposes.channelState] as const
const later: readonly string[] = [
  ...[...ofClaim2, ...ofTokens, ...ofVotes, ...ofBatches, ...ofZones, ...ofContracts],
  ...[...ofFires, ...ofChannels],
]
const ofFirst = Object.values(purposes).filter((purpose) => !later.includes(purpose))

export const digestVectors = () => ({
  about: 'digest(purpose, value) = hex SHA-256 of purpose, 0x0A, JCS(value). Then what a typed array becomes first.',
  digests: ofFirst.map((purpose) => {
    const value = { purpose, n: 1 }
    return { purpose, value, digest: digest(purpose, value) }
  }),
  arrays: [
    { name: 'inputs', schema: inputSchema, value: inputs, sizes: inputs },
    { name: 'output', schema: outputSchema, value: output, sizes: inputs },
  ].map((it) => ({ ...it, digestible: digestible(it.schema, it.value, it.sizes) })),
  bytes: [
    { type: 'f64', values: [1, -2.5], bytes: toHex(littleEndianBytes(Float64Array.of(1, -2.5))) },
    { type: 'i32', values: [1, -2], bytes: toHex(littleEndianBytes(Int32Array.of(1, -2))) },
    { type: 'u8', values: [0, 255], bytes: toHex(littleEndianBytes(Uint8Array.of(0, 255))) },
  ],
})

export const tickVectors = () => {
  const instants = [0n, 1n, TICK_NS - 1n, TICK_NS, 1_700_000_000_000_000_000n, meshTickStart(GENESIS) + TICK_NS / 4n]
  return {
    about: 'Unix nanoseconds (decimal text) to mesh tick, phase, and the genesis of a node first started then.',
    tick_ns: Number(TICK_NS),
    instants: instants.map((instant) => ({
      unix_ns: String(instant),
      mesh_tick: meshTickAt(instant),
      phase: phaseAt(instant),
      genesis: genesisAtOrAfter(instant),
    })),
  }
}

const unsound = [
  ['the neutral point', `01${'00'.repeat(31)}`],
  ['order 2', `ec${'ff'.repeat(30)}7f`],
  ['order 4', '00'.repeat(32)],
  ['order 8', '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05'],
  ['y not below p', `ed${'ff'.repeat(30)}7f`],
  ['negative zero x', `01${'00'.repeat(30)}80`],
  ['a low-order part', '10eb7c3acfb2bed3e0d6ab89bf5a3d6afddd1176ce4812e38d9fd485058fdb1f'],
  ['no point of the curve', `02${'00'.repeat(31)}`],
  ['31 bytes', '11'.repeat(31)],
]

export const keyVectors = () => {
  const value = { hello: 'mesh', n: 42 }
  const bytes = sha256(utf8('tickmesh vectors: api key'))
  return {
    about: 'Seeds (public here), what is named after their keys, a signed value, keys that are refused, API keys.',
    parties: [node, witness, user].map((it) => ({
      seed: toHex(it.seed),
      public_key: toHex(it.publicKey),
      zid: it.zid,
      node: it.node,
    })),
    names: { genesis: GENESIS, log: sealLog, events: eventLog, witness: witnessName(witness.node) },
    signed: { purpose: purposes.signUp, value, signature: signValue(node.seed, purposes.signUp, value) },
    unsound: unsound.map(([why, public_key]) => ({ why, public_key })),
    tokens: [0, 1, 2, 2 ** 32, Number.MAX_SAFE_INTEGER].map((index) => ({
      log: sealLog,
      index,
      token_id: tokenIdOf(sealLog, index),
    })),
    api_keys: (Object.keys(apiKeyPrefixes) as ApiKeyKind[])
      .flatMap((kind) => [bytes, new Uint8Array(32), new Uint8Array(32).fill(255)].map((it) => ({ kind, it })))
      .map(({ kind, it }) => ({ kind, bytes: toHex(it), key: apiKey(kind, it) })),
  }
}

export const merkleVectors = () => {
  const leaves = Array.from({ length: 11 }, (_, i) => utf8(`leaf ${i}`))
  const hashes = leaves.map(leafHash)
  const tree = treeOf(hashes)
  const sizes = [1, 2, 3, 4, 7, 8, 11]
  return {
    about: 'RFC 6962 trees of the leaves `leaf 0` … `leaf 10`: roots by size, inclusion and consistency proofs.',
    leaf_hashes: hashes.map(toHex),
    roots: Array.from({ length: 12 }, (_, size) => toHex(rootFrom(tree, size))),
    inclusion: sizes
      .flatMap((size) => [0, Math.floor(size / 2), size - 1].map((index) => ({ index, size })))
      .map((it) => ({ ...it, path: inclusionProof(tree, it.index, it.size).map(toHex) })),
    consistency: sizes
      .flatMap((newSize) => sizes.filter((oldSize) => oldSize <= newSize).map((oldSize) => ({ oldSize, newSize })))
      .map((it) => ({ ...it, path: consistencyProof(tree, it.oldSize, it.newSize).map(toHex) })),
  }
}
