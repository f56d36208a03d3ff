import Type from 'typebox'
import { answered, endpoint } from '#api/endpoint.ts'
import { fromBase64, toBase64 } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { closed, count, finite, hex64, oneOf, preset, text, tick } from '#core/schema.ts'
import { analysis, codec } from '#domain/compute/views/codecs.ts'

/** Transforms of bytes: nothing is sealed, charged or kept, so they have a bound of calls of their own. */
const common = {
  domain: 'compute',
  tier: 'computation',
  access: { credential: 'none' },
  limits: { callsPerMinute: 120 },
} as const

/** The largest body that any setting allows, in base64 characters. */
const BASE64_CHARS_MAX = 67_108_864
/** RFC 4648, section 4, with padding. */
const BASE64 = '^[A-Za-z0-9+/]*={0,2}$'
const base64 = (description: string) => text(BASE64_CHARS_MAX, { pattern: BASE64, description })

/** The bytes of a member. @throws Fault INVALID_INPUT when its length or its last bits are not those of base64. */
const bytesOf = (name: string, value: string): Uint8Array => {
  try {
    return fromBase64(value)
  } catch {
    const message = 'is not base64 with padding'
    throw new Fault('INVALID_INPUT', `The member ${name} ${message}.`, { errors: [{ path: `/${name}`, message }] })
  }
}

const analyze = endpoint({
  ...common,
  id: 'compute.analyze',
  route: 'POST /api/analyze',
  summary: 'What bytes are, how much they say, and what each codec makes of them.',
  input: closed({ data: base64('The bytes, base64.') }),
  result: answered(Type.Object({ ...analysis.properties, tick: tick() })),
  faults: ['NODE_BUSY'],
  example: { data: 'dGljaw==' },
  async handle({ compute, explorer }, { input, signal }) {
    const found = await compute.codecs.analyze(bytesOf('data', input.data), signal)
    return { ...found, tick: explorer.pulse().tick }
  },
})

const compress = endpoint({
  ...common,
  id: 'compute.compress',
  route: 'POST /api/compress',
  summary: 'Bytes, compressed, with the digest that they had before.',
  input: closed({
    data: base64('The bytes, base64.'),
    codec: preset(oneOf(['auto', 'gzip', 'brotli'], { default: 'auto', description: 'auto takes the smaller one.' })),
  }),
  result: answered(
    Type.Object({
      compressed: Type.String({ description: 'The compressed bytes, base64.' }),
      codec,
      ratio: finite({ minimum: 0, description: 'Original bytes over compressed ones.' }),
      originalBytes: count({ description: 'Bytes before.' }),
      compressedBytes: count({ description: 'Bytes after.' }),
      sha256: hex64({ description: 'SHA-256 of the bytes before.' }),
      tick: tick(),
    }),
  ),
  faults: ['NODE_BUSY'],
  example: { data: 'dGljayB0aWNrIHRpY2sgdGljayB0aWNrIHRpY2sgdGljayB0aWNr', codec: 'auto' },
  async handle({ compute, explorer }, { input, signal }) {
    const bytes = bytesOf('data', input.data)
    const { compressed, ...rest } = await compute.codecs.fold(bytes, input.codec, signal)
    return {
      ...rest,
      compressed: toBase64(compressed),
      compressedBytes: compressed.length,
      tick: explorer.pulse().tick,
    }
  },
})

const decompress = endpoint({
  ...common,
  id: 'compute.decompress',
  route: 'POST /api/decompress',
  summary: 'Bytes as they were before, held against their digest; what unfolds too far is refused on the way.',
  input: closed({
    compressed: base64('The compressed bytes, base64.'),
    codec,
    sha256: hex64({ description: 'SHA-256 that the bytes had before, as compress answered it.' }),
  }),
  result: answered(
    Type.Object({
      data: Type.String({ description: 'The bytes, base64.' }),
      verified: Type.Boolean({ description: 'True: their SHA-256 is the one given.' }),
      bytes: count({ description: 'How many.' }),
      tick: tick(),
    }),
  ),
  faults: ['EXPANDS_TOO_FAR', 'DIGEST_MISMATCH', 'NODE_BUSY'],
  example: {
    compressed: 'iwGAdGljawM=',
    codec: 'brotli',
    sha256: '55a4bc5be68ea5c30cbe4d07e3bf951163b5a207dfd628ea53a2eb21072a9f3b',
  },
  async handle({ compute, explorer }, { input, signal }) {
    const compressed = bytesOf('compressed', input.compressed)
    const bytes = await compute.codecs.unfold({ compressed, codec: input.codec, sha256: input.sha256 }, signal)
    return { data: toBase64(bytes), verified: true, bytes: bytes.length, tick: explorer.pulse().tick }
  },
})

export const codecEndpoints = [analyze, compress, decompress] as const
