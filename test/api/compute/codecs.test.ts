/*
 * Goal: bytes come back as they went in, the numbers about them are true, and nothing unfolds beyond its bound.
 * Method: a real node over HTTP; compressed answers are read by another program where one is at hand, bombs are made
 * here, and every entropy is compared with one that follows from how the bytes were made.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { toHex } from '#core/bytes.ts'
import { sha256 } from '#crypto'
import { NodeRefusal } from '#gateway/client.ts'
import { type TestNode, testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('api: compute codecs')

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const digestOf = (bytes: Uint8Array): string => toHex(sha256(bytes))
const TEXT = new TextEncoder().encode('a tick is a period and its ordinal; '.repeat(50))

interface Folded {
  readonly compressed: string
  readonly codec: 'gzip' | 'brotli'
  readonly ratio: number
  readonly compressedBytes: number
  readonly sha256: string
  readonly tick: number
}

const refusal = async (call: Promise<unknown>): Promise<NodeRefusal> => {
  try {
    await call
  } catch (cause) {
    assert.ok(cause instanceof NodeRefusal, String(cause))
    return cause
  }
  return assert.fail('it was answered')
}

const post = async <T>({ client }: TestNode, path: string, body: object): Promise<T> =>
  (await client.send('POST', path, body)).body as T

/** The 256 bytes in an order that no codec gains by: multiples of an odd number, squared and mixed. */
const noise = (length: number): Uint8Array => {
  const bytes = new Uint8Array(length)
  let state = 0x9e3779b9
  for (let i = 0; i < length; i++) {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + i
    bytes[i] = (state ^ (state >>> 13)) & 255
  }
  return bytes
}

test('each codec gives bytes that other programs read, and the same ones every time', async () => {
  await using it = await testNode()
  for (const codec of ['gzip', 'brotli'] as const) {
    const first = await post<Folded>(it, '/api/compress', { data: base64(TEXT), codec })
    const again = await post<Folded>(it, '/api/compress', { data: base64(TEXT), codec })
    assert.deepEqual(again, first)
    const folded = Buffer.from(first.compressed, 'base64')
    assert.deepEqual(new Uint8Array(codec === 'gzip' ? gunzipSync(folded) : brotliDecompressSync(folded)), TEXT)
    assert.equal(first.codec, codec)
    assert.equal(first.compressedBytes, folded.length)
    assert.equal(first.ratio, TEXT.length / folded.length)
    assert.equal(first.sha256, digestOf(TEXT))
    const back = await post<{ data: string; verified: boolean; bytes: number; tick: number }>(it, '/api/decompress', {
      compressed: first.compressed,
      codec,
      sha256: first.sha256,
    })
    assert.deepEqual(back, { ok: true, data: base64(TEXT), verified: true, bytes: TEXT.length, tick: first.tick })
    if (codec === 'gzip') {
      // The header names neither a time nor a system.
      assert.equal(toHex(folded.subarray(3, 10)), '000000000002ff')
      const read = spawnSync('gzip', ['-dc'], { input: folded })
      if (read.error === undefined) assert.deepEqual(new Uint8Array(read.stdout), TEXT)
    }
  }
})

test('auto takes the smaller one; nothing at all comes back as nothing', async () => {
  await using it = await testNode()
  const auto = await post<Folded>(it, '/api/compress', { data: base64(TEXT) })
  const each = await Promise.all(
    ['gzip', 'brotli'].map((codec) => post<Folded>(it, '/api/compress', { data: base64(TEXT), codec })),
  )
  assert.equal(auto.compressedBytes, Math.min(...each.map((of) => of.compressedBytes)))
  const empty = await post<Folded>(it, '/api/compress', { data: '' })
  assert.equal(empty.ratio, 0)
  const { compressed, codec, sha256 } = empty
  const back = await post<{ data: string }>(it, '/api/decompress', { compressed, codec, sha256 })
  assert.equal(back.data, '')
})

test('a bomb is refused at the bound, whatever it would have become', async () => {
  await using it = await testNode()
  const limit = 4_194_304
  const huge = new Uint8Array(limit * 64)
  for (const [codec, fold] of [
    ['gzip', gzipSync],
    ['brotli', brotliCompressSync],
  ] as const) {
    const at = new Uint8Array(limit)
    const fits = { compressed: base64(fold(at)), codec, sha256: digestOf(at) }
    assert.equal((await post<{ bytes: number }>(it, '/api/decompress', fits)).bytes, limit)
    for (const bytes of [new Uint8Array(limit + 1), huge]) {
      const refused = await refusal(
        post(it, '/api/decompress', { compressed: base64(fold(bytes)), codec, sha256: digestOf(bytes) }),
      )
      assert.deepEqual([refused.status, refused.code, refused.problem['limit']], [400, 'EXPANDS_TOO_FAR', limit])
    }
  }
}, 60_000)

test('another digest, another codec, a part, a tail and no base64 are refused', async () => {
  await using it = await testNode()
  const sha256 = digestOf(TEXT)
  const folded = { gzip: gzipSync(TEXT), brotli: brotliCompressSync(TEXT) }
  const wrong = await refusal(
    post(it, '/api/decompress', { compressed: base64(folded.gzip), codec: 'gzip', sha256: digestOf(noise(3)) }),
  )
  assert.deepEqual([wrong.code, wrong.problem['found']], ['DIGEST_MISMATCH', sha256])
  for (const codec of ['gzip', 'brotli'] as const) {
    const whole = folded[codec]
    const parts = [
      whole.subarray(0, whole.length - 1),
      Buffer.concat([whole, Buffer.from('tail')]),
      Buffer.alloc(0),
      Buffer.from(noise(200)),
      folded[codec === 'gzip' ? 'brotli' : 'gzip'],
    ]
    for (const [i, part] of parts.entries()) {
      const refused = await refusal(post(it, '/api/decompress', { compressed: base64(part), codec, sha256 }))
      assert.equal(refused.code, 'INVALID_INPUT', `${codec} ${i}: ${refused.message}`)
    }
  }
  for (const data of ['a', 'ab=c', 'YQ', 'YQ=', 'YR==', '-_==', 'YQ==\n']) {
    for (const path of ['/api/analyze', '/api/compress']) {
      assert.equal((await refusal(post(it, path, { data }))).code, 'INVALID_INPUT', `${path} ${data}`)
    }
  }
})

test('an analysis says what the bytes are', async () => {
  await using it = await testNode()
  const of = (bytes: Uint8Array) =>
    post<{
      size: number
      entropy: number
      type: string
      ratios: { gzip: number; brotli: number }
      recommendation: string
      recommended: string[]
      estimatedRatio: number
      sha256: string
    }>(it, '/api/analyze', { data: base64(bytes) })
  const every = await of(Uint8Array.from({ length: 4096 }, (_, i) => i & 255))
  assert.equal(every.entropy, 8)
  assert.equal((await of(new Uint8Array(100).fill(7))).entropy, 0)
  assert.equal((await of(Uint8Array.from({ length: 64 }, (_, i) => 65 + (i % 4)))).entropy, 2)
  const types: readonly (readonly [Uint8Array, string])[] = [
    [new Uint8Array(0), 'application/x-empty'],
    [TEXT, 'text/plain'],
    [new TextEncoder().encode(' {"a": [1, 2]}'), 'application/json'],
    [new TextEncoder().encode('{"a": '), 'text/plain'],
    [gzipSync(TEXT), 'application/gzip'],
    [Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0), 'image/png'],
    [Uint8Array.of(104, 105, 0), 'application/octet-stream'],
    [Uint8Array.of(0xc3, 0x28), 'application/octet-stream'],
  ]
  for (const [bytes, type] of types) assert.equal((await of(bytes)).type, type)
  const text = await of(TEXT)
  assert.equal(text.ratios.gzip, (await post<Folded>(it, '/api/compress', { data: base64(TEXT), codec: 'gzip' })).ratio)
  assert.equal(text.estimatedRatio, Math.max(text.ratios.gzip, text.ratios.brotli))
  assert.equal(text.sha256, digestOf(TEXT))
  assert.equal(text.recommended.length, 2)
  const random = await of(noise(4096))
  assert.deepEqual([random.recommendation, random.recommended, random.estimatedRatio], ['none', [], 1])
})

test.run()
