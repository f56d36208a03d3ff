import { constants, createBrotliCompress, createBrotliDecompress, createGunzip, createGzip } from 'node:zlib'
import { toHex } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { sha256 } from '#crypto'
import type { Analysis } from './views/codecs.ts'

/** Codecs that a caller may name; both are streams with an end of their own. */
export const codecNames = ['gzip', 'brotli'] as const
export type CodecName = (typeof codecNames)[number]

/** Bytes that one call may unfold to. A body of 1 MiB holds at most 786,432 bytes as base64. */
export const UNFOLDED_BYTES_MAX = 4_194_304
/** Transforms of one node at once: each keeps a thread of the runtime busy. */
const RUNNING_MAX = 8
const CHUNK_BYTES = 65_536

/** Where a gzip header names the system that wrote it, and its value for one that does not say (RFC 1952, 2.3.1). */
const GZIP_SYSTEM_AT = 9
const GZIP_SYSTEM_UNKNOWN = 255

const GZIP_LEVEL = 9
/** Quality 9 is within some percent of 11 and takes a tenth of its time. */
const BROTLI_QUALITY = 9

const folders = {
  gzip: () => createGzip({ level: GZIP_LEVEL, chunkSize: CHUNK_BYTES }),
  brotli: (bytes: number) =>
    createBrotliCompress({
      chunkSize: CHUNK_BYTES,
      params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes },
    }),
} as const
const unfolders = {
  gzip: () => createGunzip({ chunkSize: CHUNK_BYTES }),
  brotli: () => createBrotliDecompress({ chunkSize: CHUNK_BYTES }),
} as const

interface Bound {
  readonly bytesMax: number
  readonly signal: AbortSignal
}

/** Runs bytes through a codec; stops it in the chunk that passes the bound. */
const through = async (
  codec: ReturnType<(typeof folders)[CodecName] | (typeof unfolders)[CodecName]>,
  bytes: Uint8Array,
  { bytesMax, signal }: Bound,
): Promise<Uint8Array> => {
  signal.throwIfAborted()
  const stop = (): void => void codec.destroy(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    codec.end(bytes)
    for await (const chunk of codec as AsyncIterable<Uint8Array>) {
      size += chunk.length
      if (size > bytesMax) {
        const detail = `The data unfold beyond ${bytesMax} bytes; what was read is discarded.`
        throw new Fault('EXPANDS_TOO_FAR', detail, { limit: bytesMax })
      }
      chunks.push(chunk)
    }
  } finally {
    signal.removeEventListener('abort', stop)
    codec.destroy()
  }
  return Buffer.concat(chunks, size)
}

const fold = async (name: CodecName, bytes: Uint8Array, signal: AbortSignal): Promise<Uint8Array> => {
  const folded = await through(folders[name](bytes.length), bytes, { bytesMax: Number.MAX_SAFE_INTEGER, signal })
  if (name === 'gzip') folded[GZIP_SYSTEM_AT] = GZIP_SYSTEM_UNKNOWN
  return folded
}

const isCodecError = (cause: unknown): cause is Error & { readonly code: string } =>
  cause instanceof Error && 'code' in cause && /^(?:Z_|ERR_(?:_?BROTLI|_ERROR|PADDING))/.test(String(cause.code))

const unfold = async (name: CodecName, bytes: Uint8Array, signal: AbortSignal): Promise<Uint8Array> => {
  const codec = unfolders[name]()
  const refuse = (why: string): Fault =>
    new Fault('INVALID_INPUT', `This is not one whole ${name} stream: ${why}.`, {
      errors: [{ path: '/compressed', message: why }],
    })
  try {
    const unfolded = await through(codec, bytes, { bytesMax: UNFOLDED_BYTES_MAX, signal })
    if (codec.bytesWritten !== bytes.length) throw refuse('bytes follow its end')
    return unfolded
  } catch (cause) {
    if (isCodecError(cause)) throw refuse(cause.message.toLowerCase())
    throw cause
  }
}

/** Shannon's entropy of the bytes as they are counted, in bits per byte: 0 to 8. */
export const entropyOf = (bytes: Uint8Array): number => {
  const counts = new Uint32Array(256)
  for (const byte of bytes) counts[byte] = (counts[byte] ?? 0) + 1
  let sum = 0
  for (const n of counts) if (n > 0) sum += n * Math.log2(n)
  return bytes.length === 0 ? 0 : Math.max(0, Math.log2(bytes.length) - sum / bytes.length)
}

/** First bytes of formats, in hex, as their specifications state them. */
const marks: readonly (readonly [type: string, first: string])[] = [
  ['application/gzip', '1f8b08'],
  ['application/zip', '504b0304'],
  ['application/zstd', '28b52ffd'],
  ['application/x-xz', 'fd377a585a00'],
  ['application/x-bzip2', '425a68'],
  ['application/x-7z-compressed', '377abcaf271c'],
  ['application/pdf', '255044462d'],
  ['application/wasm', '0061736d'],
  ['application/vnd.sqlite3', '53514c69746520666f726d6174203300'],
  ['image/png', '89504e470d0a1a0a'],
  ['image/jpeg', 'ffd8ff'],
  ['image/gif', '47494638'],
]
const MARK_BYTES_MAX = 16

const textOf = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const isJson = (text: string): boolean => {
  if (!/^\s*[[{]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** What the bytes look like, as a media type. Brotli has no mark and looks like any other bytes. */
export const typeOf = (bytes: Uint8Array): string => {
  if (bytes.length === 0) return 'application/x-empty'
  const first = toHex(bytes.subarray(0, MARK_BYTES_MAX))
  const marked = marks.find(([, mark]) => first.startsWith(mark))
  if (marked !== undefined) return marked[0]
  const text = textOf(bytes)
  // Text has no control characters but tab, line feed, form feed and carriage return.
  if (text === undefined || /[^\P{Cc}\t\n\f\r]/u.test(text)) return 'application/octet-stream'
  return isJson(text) ? 'application/json' : 'text/plain'
}

export interface Folded {
  readonly compressed: Uint8Array
  readonly codec: CodecName
  readonly ratio: number
  readonly originalBytes: number
  /** Of the bytes before they were compressed: what `unfold` asks for. */
  readonly sha256: string
}

/** The utility transforms. They compute nothing that is sealed, cost nothing and leave nothing behind. */
export interface Codecs {
  /** @throws Fault NODE_BUSY */
  analyze(bytes: Uint8Array, signal: AbortSignal): Promise<Analysis>
  /** `auto` takes the smaller one; gzip when they are equal. @throws Fault NODE_BUSY */
  fold(bytes: Uint8Array, codec: CodecName | 'auto', signal: AbortSignal): Promise<Folded>
  /** @throws Fault NODE_BUSY; INVALID_INPUT for what is no such stream; EXPANDS_TOO_FAR; DIGEST_MISMATCH */
  unfold(
    from: { readonly compressed: Uint8Array; readonly codec: CodecName; readonly sha256: string },
    signal: AbortSignal,
  ): Promise<Uint8Array>
}

const ratioOf = (bytes: Uint8Array, folded: Uint8Array): number => bytes.length / folded.length

interface Candidate {
  readonly name: CodecName
  readonly folded: Uint8Array
}

const foldAll = async (bytes: Uint8Array, signal: AbortSignal): Promise<readonly Candidate[]> => {
  const all = await Promise.all(codecNames.map(async (name) => ({ name, folded: await fold(name, bytes, signal) })))
  return all.toSorted((a, b) => a.folded.length - b.folded.length)
}

const analyze = async (bytes: Uint8Array, signal: AbortSignal): Promise<Analysis> => {
  const all = await foldAll(bytes, signal)
  const of = (name: CodecName): number =>
    all.filter((it) => it.name === name).map((it) => ratioOf(bytes, it.folded))[0] ?? 0
  const ratios = { gzip: of('gzip'), brotli: of('brotli') }
  const recommended = all.filter((it) => it.folded.length < bytes.length).map((it) => it.name)
  const [best] = recommended
  return {
    size: bytes.length,
    entropy: entropyOf(bytes),
    type: typeOf(bytes),
    ratios,
    recommendation: best ?? 'none',
    recommended,
    estimatedRatio: best === undefined ? 1 : ratios[best],
    sha256: toHex(sha256(bytes)),
  }
}

/** The transforms of one node, some at a time. */
export const createCodecs = (): Codecs => {
  let running = 0
  const bounded = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= RUNNING_MAX) {
      throw new Fault('NODE_BUSY', `${RUNNING_MAX} transforms run, and no more may.`, { retry_after_seconds: 1 })
    }
    running += 1
    try {
      return await work()
    } finally {
      running -= 1
    }
  }
  return {
    analyze: (bytes, signal) => bounded(() => analyze(bytes, signal)),
    fold: (bytes, codec, signal) =>
      bounded(async () => {
        const all = codec === 'auto' ? await foldAll(bytes, signal) : []
        const { name, folded } =
          codec === 'auto' ? (all[0] as Candidate) : { name: codec, folded: await fold(codec, bytes, signal) }
        return {
          compressed: folded,
          codec: name,
          ratio: ratioOf(bytes, folded),
          originalBytes: bytes.length,
          sha256: toHex(sha256(bytes)),
        }
      }),
    unfold: ({ compressed, codec, sha256: expected }, signal) =>
      bounded(async () => {
        const bytes = await unfold(codec, compressed, signal)
        const found = toHex(sha256(bytes))
        if (found !== expected) throw new Fault('DIGEST_MISMATCH', undefined, { expected, found })
        return bytes
      }),
  }
}
