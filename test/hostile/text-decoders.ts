import assert from 'node:assert/strict'
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { Check } from 'typebox/value'
import { addCheckpointBody, parseAddCheckpoint } from '#core/add-checkpoint.ts'
import { equalBytes, fromBase64, fromBase64Url, fromHex, toBase64, toBase64Url, toHex, utf8 } from '#core/bytes.ts'
import { checkpointText, parseCheckpoint } from '#core/checkpoint.ts'
import { Fault } from '#core/fault.ts'
import { checkHandshake, HANDSHAKE_WINDOW_TICKS } from '#core/handshake.ts'
import { apiKeyKindOf, isNodeId } from '#core/ids.ts'
import { isoOf, parseIsoMs } from '#core/iso.ts'
import { nodeIdOf, publicKeyOf } from '#core/keys.ts'
import { encodeVkey, openNote, parseVkey } from '#core/note.ts'
import { type Policy, parsePolicy } from '#core/policy.ts'
import { outgoing } from '#core/route.ts'
import { encodeTlogProof, parseTlogProof, verifyTlogProof } from '#core/tlog-proof.ts'
import { parseUnit } from '#core/units.ts'
import { preferenceOf, WAIT_SECONDS_MAX } from '#domain/compute/prefer.ts'
import { resumed } from '#domain/machines/feeds.ts'
import { bucketOf, clientAddress } from '#gateway/address.ts'
import { cookieOf } from '#gateway/authenticate.ts'
import { inputReader } from '#gateway/input.ts'
import { createRouter } from '#gateway/router.ts'
import { ConfigError, loadConfig } from '#node/config.ts'
import { settings } from '#node/settings.ts'
import { parseEquation, printExpression } from '#numerics/operators/grammar.ts'
import { all } from './calls.ts'
import { type Decoder, textOf } from './fuzz.ts'
import { readVector } from './vectors.ts'

/** Decoders of texts, headers and addresses. */

const of = (...texts: readonly string[]): readonly Uint8Array[] => texts.map((it) => utf8(it))

/** A decoder of text: bytes that are none are not its own to refuse. */
const reads = (
  name: string,
  it: Omit<Decoder, 'name' | 'decode'> & { readonly read: (text: string) => boolean },
): Decoder => ({
  ...it,
  name,
  decode: (input) => {
    const text = textOf(input)
    return text !== undefined && it.read(text)
  },
})

interface NoteVector {
  readonly log_vkey: string
  readonly witness_vkey: string
  readonly note: string
  readonly cosigned: string
  readonly leaf_hash: string
  readonly proof: string
  readonly cosigned_proof: string
  readonly proof_with_extra: string
}
const vector = readVector<NoteVector>('note')
const log = parseVkey(vector.log_vkey)
const witness = parseVkey(vector.witness_vkey)
const signedText = vector.note.slice(0, vector.note.indexOf('\n\n') + 1)
const noteWords = [
  '— ',
  '\n\n',
  'tickmesh.log/',
  '+',
  'old 4\n',
  '=',
  'AAAA',
  'index 2\n',
  'extra ',
  'c2sp.org/tlog-proof@v1\n',
]

const vkey = reads('verifier key', {
  corpus: of(vector.log_vkey, vector.witness_vkey),
  words: ['+', '/', '=', '==', '\u00a0', '\u2028'],
  read(text) {
    assert.equal(encodeVkey(parseVkey(text)), text, 'two spellings of one key')
    return true
  },
})

const checkpoint = reads('checkpoint', {
  corpus: of(signedText, 'x\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n'),
  words: noteWords,
  read(text) {
    assert.equal(checkpointText(parseCheckpoint(text)), text, 'two spellings of one checkpoint')
    return true
  },
})

const signedNote = reads('signed note', {
  corpus: of(vector.note, vector.cosigned),
  words: noteWords,
  read(text) {
    const opened = openNote(text, [log, witness])
    assert.equal(opened.text, signedText, 'a forged note')
    assert(opened.signatures.length > 0)
    return true
  },
})

const proofForm = reads('form of an inclusion proof', {
  corpus: of(vector.proof, vector.cosigned_proof, vector.proof_with_extra),
  words: noteWords,
  read(text) {
    assert.equal(encodeTlogProof(parseTlogProof(text)), text, 'two spellings of one proof')
    return true
  },
})

const leaf = fromHex(vector.leaf_hash)
const good = parseTlogProof(vector.proof)

const proof = reads('inclusion proof', {
  corpus: of(vector.proof, vector.cosigned_proof, vector.proof_with_extra),
  words: noteWords,
  read(text) {
    const found = verifyTlogProof(text, leaf, { log, witnesses: [witness] })
    const { index, path } = parseTlogProof(text)
    assert.deepEqual([found.index, index, path.map(toHex)], [good.index, good.index, good.path.map(toHex)], 'forged')
    assert.equal(checkpointText(found.checkpoint), signedText, 'a forged checkpoint')
    return true
  },
})

const hash = new Uint8Array(32).fill(7)

const addCheckpoint: Decoder = {
  name: 'body of add-checkpoint',
  corpus: of(addCheckpointBody(0, [], vector.note), addCheckpointBody(3, [hash, leaf], vector.cosigned)),
  words: noteWords,
  decode(input) {
    const it = parseAddCheckpoint(input)
    const text = textOf(input) ?? ''
    const split = text.indexOf('\n\n')
    const again = addCheckpointBody(it.oldSize, it.proof, text.slice(split + 2))
    assert(equalBytes(utf8(again), input), 'two spellings of one request')
    assert(text.startsWith(it.note.text, split + 2))
    return true
  },
}

const witnessLine = `witness w1 ${vector.witness_vkey} https://w.example`
const policyText = `log ${vector.log_vkey}\n# words\n${witnessLine}\ngroup g 1 w1\nquorum g\n`
const printed = ({ logs, witnesses, urls, groups, quorum }: Policy): string =>
  [
    ...logs.map((it) => `log ${encodeVkey(it)}`),
    ...[...witnesses].map(([name, it]) => `witness ${name} ${encodeVkey(it)} ${urls.get(name) ?? ''}`),
    ...[...groups].map(([name, it]) => `group ${name} ${it.threshold} ${it.members.join(' ')}`),
    `quorum ${quorum ?? 'none'}`,
  ].join('\n')

const policy: Decoder = {
  name: 'policy file',
  corpus: of(policyText, `log ${vector.log_vkey} https://l.example\nquorum none\n`, 'quorum none'),
  words: ['log ', 'witness ', 'group ', 'quorum ', 'all', 'any', 'none', '\t', '#', 'w1', ' g', '__proto__'],
  decode(input) {
    const it = parsePolicy(input)
    assert(isDeepStrictEqual(parsePolicy(utf8(printed(it))), it), 'read otherwise when it is written again')
    const known = new Set([...it.witnesses.keys(), ...it.groups.keys()])
    assert(it.quorum === null || known.has(it.quorum), 'a quorum of nobody')
    for (const { threshold, members } of it.groups.values()) {
      assert(threshold >= 1 && threshold <= members.length && members.every((name) => known.has(name)))
    }
    return true
  },
}

interface HandshakeVector {
  readonly secret: string
  readonly mesh_tick: number
  readonly handshakes: readonly { readonly body: string; readonly header: string }[]
}
const handshakes = readVector<HandshakeVector>('handshake')
const [first] = handshakes.handshakes
const secrets = [fromHex(handshakes.secret)]

const handshakeHeader = reads('handshake header', {
  corpus: of(first!.header),
  words: ['v1;', ';', '2310000001', 'v2', '12D3KooW'],
  read(text) {
    const body = fromHex(first!.body)
    const verdict = checkHandshake({ header: text, body, secrets, meshTick: handshakes.mesh_tick })
    if (!verdict.ok) throw new Fault(verdict.code, verdict.why)
    assert.equal(text, first!.header, 'a forged handshake')
    assert(Math.abs(verdict.meshTick - handshakes.mesh_tick) <= HANDSHAKE_WINDOW_TICKS)
    return true
  },
})

const cursor = reads('cursor (Last-Event-ID)', {
  corpus: of('0', '17', 'a3', 'f999999999999999', '000000000000001'),
  words: ['a', 'f', '-1', '1e3', '0x1', '９', '\r\n'],
  bytesMax: 4_096,
  read(text) {
    const number = resumed(text)
    // Second reading of the form, letter by letter.
    const digits = text.startsWith('a') || text.startsWith('f') ? text.slice(1) : text
    const fits = digits.length >= 1 && digits.length <= 15 && [...digits].every((it) => it >= '0' && it <= '9')
    assert.equal(number, fits ? Number(digits) : undefined)
    assert(number === undefined || Number.isSafeInteger(number))
    return number !== undefined
  },
})

const router = createRouter(all)
const readers = new Map(all.map((it) => [it, inputReader(it)]))
const gets = all.filter(({ route }) => /^(GET|DELETE) /.test(route))
const addresses = gets.map((it) => {
  const { method, path } = outgoing(it.route, it.example as Record<string, unknown>)
  return `${method} ${path}`
})

/** An input without what a query cannot spell: the sign of zero, and which prototype the parts have. */
const plain = (input: unknown): unknown => JSON.parse(JSON.stringify(input))

const address = reads('path and query', {
  corpus: of(...addresses),
  words: [
    '?',
    '&',
    '=',
    '%2F',
    '%00',
    '%',
    '..',
    '//',
    'limit=',
    'slug=',
    '&limit=1',
    '%C0%AF',
    '+',
    ';',
    '#',
    'x=1&x=1',
  ],
  bytesMax: 16_384,
  read(text) {
    const [method = '', target = ''] = [text.slice(0, text.indexOf(' ')), text.slice(text.indexOf(' ') + 1)]
    const [path = '', query = ''] = [target.split('?')[0], target.slice((target.split('?')[0] ?? '').length + 1)]
    const { route, params } = router.match(method, path)
    const { endpoint } = route
    const takesBody = route.method !== 'GET' && route.method !== 'DELETE'
    const input = readers.get(endpoint)!({ params, query, body: takesBody ? {} : undefined })
    assert(Check(endpoint.input, input), `${endpoint.id} takes what its schema does not say`)
    const again = outgoing(endpoint.route, input)
    const match = router.match(again.method, again.path.split('?')[0] ?? '')
    assert.equal(match.route.endpoint, endpoint, 'another endpoint when it is written again')
    const body = takesBody ? (again.body as Record<string, unknown>) : undefined
    const back = readers.get(endpoint)!({ params: match.params, query: again.path.split('?')[1] ?? '', body })
    assert(isDeepStrictEqual(plain(back), plain(input)), `${endpoint.id} reads otherwise what is written again`)
    return true
  },
})

const equation = reads('equation of an operator', {
  corpus: of('F = m*a', 'E = m*@C^2/(1 + sqrt(x))', 'a = -b^-2 + 3.5e-3*[kg*m/s^2]*max(x, pi)', 'y = ln(exp(x))'),
  words: ['sqrt(', '^', '@', '[', ']', '=', '(', '((((((((', '--', '1e', '.', 'pi', ',', '_', '+-'],
  read(text) {
    const it = parseEquation(text)
    const written = `${printExpression(it.left)} = ${printExpression(it.right)}`
    assert(isDeepStrictEqual(parseEquation(written), it), `reads otherwise when it is written as ${written}`)
    return true
  },
})

const unit = reads('unit', {
  corpus: of('kg*m/s^2', 'J/(kg*K)', 'MPa*m^(1/2)', 'µm', '°C', '', '1/s', 'rad/s'),
  words: ['^', '(', ')', '/', '*', 'm', 'µ', '⁻¹', '^(1/2)', '^-99999', '·'],
  read(text) {
    const it = parseUnit(text)
    const { numerator, denominator } = it.factor as unknown as { numerator: bigint; denominator: bigint }
    assert(numerator !== 0n && denominator !== 0n, 'a unit of nothing')
    return true
  },
})

const time = reads('time', {
  corpus: of('2026-11-20T15:00:00Z', '2026-11-20T15:00:00.123Z', '2024-02-29T23:59:59+01:30'),
  words: ['T', 'Z', '+', '-', ':', '.', '24:00', '-02-30', '60'],
  read(text) {
    const ms = parseIsoMs(text)
    if (ms === undefined) return false
    assert(Number.isSafeInteger(ms))
    assert.equal(parseIsoMs(isoOf(BigInt(ms) * 1_000_000n)), ms, 'another time when it is written again')
    return true
  },
})

const forms = [
  [fromHex, toHex],
  [fromBase64, toBase64],
  [fromBase64Url, toBase64Url],
] as const

const encodings = reads('hex and base64', {
  corpus: of('00ff', '', 'AAAA', '+/8=', '-_8'),
  words: ['=', '==', '+', '_', 'A', 'AB', '\u00a0'],
  bytesMax: 8_192,
  read(text) {
    let accepted = false
    for (const [from, to] of forms) {
      let bytes: Uint8Array
      try {
        bytes = from(text)
      } catch {
        // Whoever calls these says what is refused.
        continue
      }
      // Hex may be in either case here; the forms that are signed ask for the lower one themselves.
      assert.equal(to(bytes), from === fromHex ? text.toLowerCase() : text, 'two spellings of the same bytes')
      accepted = true
    }
    return accepted
  },
})

const { node } = { node: vector.log_vkey.split('/')[1] ?? '' }

const nodeId = reads('node id', {
  corpus: of(node),
  words: ['12D3KooW', '0', 'O', 'l', 'I', 'Qm'],
  bytesMax: 256,
  read(text) {
    if (!isNodeId(text)) return false
    // The form fits many; few of them hold a key, and a key has one id.
    assert.equal(nodeIdOf(publicKeyOf(text)), text, 'two ids of one key')
    return true
  },
})

const header = reads('headers: forwarded address, cookie, key, preference', {
  corpus: of(
    '203.0.113.9, 10.0.0.1',
    '2001:db8::1, [::1]',
    'a=b; tickmesh=xyz',
    `svc_ak_${'0'.repeat(43)}`,
    'respond-async, wait=5',
  ),
  words: [',', ';', '=', ':', '::', '::ffff:', '%eth0', 'tickmesh=', 'wait=', '"', '[', ']', 'svc_ak_', 'zsm_'],
  bytesMax: 16_384,
  read(text) {
    const client = clientAddress('10.0.0.1', text, new Set(['10.0.0.1', '::1']))
    const bucket = bucketOf(client)
    assert(bucket.length <= 64 && !/[\s,]/.test(bucket), `a bucket of ${bucket}`)
    assert.equal(bucketOf(bucket.replace('::/64', '::')), bucket, 'a bucket that is in another one')
    const cookie = cookieOf(text, 'tickmesh')
    assert(cookie === undefined || (text.includes('tickmesh') && !cookie.includes(';')))
    assert(apiKeyKindOf(text) === undefined || !/\s/.test(text))
    const { waitMs } = preferenceOf(text)
    assert(waitMs === undefined || (waitMs >= 0 && waitMs <= WAIT_SECONDS_MAX * 1000))
    return true
  },
})

/** A decoder that reads files, in a directory of the test's. */
export const configFile = (directory: string): Decoder & Disposable => {
  const file = join(directory, 'config.json')
  const paths = new Set(settings.map(({ path }) => path))
  const descriptor = openSync(file, 'w')
  return {
    name: 'configuration file',
    corpus: of('{"http":{"port":1,"hosts":["a"]},"log":"debug"}', '{"bootstrap":[],"metrics":{"port":null}}', '{}'),
    words: ['"http":', '"port":', '"mesh":{"secret":"x"}', '{"a":', '"__proto__":', 'null', '[', '"data":"/"', '1e999'],
    decode(input) {
      // A file that is opened anew to be written costs a multiple of reading it.
      ftruncateSync(descriptor, writeSync(descriptor, input, 0, input.length, 0))
      try {
        const { config, origins } = loadConfig({ file, environment: { XDG_CONFIG_HOME: '/nowhere' } })
        const given = [...origins].filter(([, { origin }]) => origin === 'file')
        assert(given.every(([path]) => paths.has(path)))
        assert(Number.isInteger(config.http.port) && Array.isArray(config.http.hosts))
        return true
      } catch (thrown) {
        if (thrown instanceof ConfigError) return false
        throw thrown
      }
    },
    [Symbol.dispose]: () => closeSync(descriptor),
  }
}

/** Notes and what is made of them: a signature for each that comes as far. */
export const noteDecoders: readonly Decoder[] = [vkey, checkpoint, signedNote, proofForm, proof, addCheckpoint, policy]

export const textDecoders: readonly Decoder[] = [
  handshakeHeader,
  cursor,
  address,
  equation,
  unit,
  time,
  encodings,
  nodeId,
  header,
]
