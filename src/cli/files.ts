import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

/** The name that stands for stdin. */
export const STDIN = '-'

const partsOf = (file: string): AsyncIterable<Buffer> =>
  (file === STDIN ? process.stdin : createReadStream(file)) as AsyncIterable<Buffer>

/** A file, or `-` for stdin, whole; undefined when it is longer than the bound. @throws the system's error. */
export const readBounded = async (file: string, bytesMax: number): Promise<Uint8Array | undefined> => {
  const parts: Uint8Array[] = []
  let total = 0
  for await (const part of partsOf(file)) {
    total += part.length
    if (total > bytesMax) return undefined
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts))
}

/** SHA-256 (hex) and length of a file, or of stdin, of any size: only a piece of it is held. @throws the system's error. */
export const digestFile = async (file: string): Promise<{ readonly hash: string; readonly bytes: number }> => {
  const digest = createHash('sha256')
  let bytes = 0
  for await (const part of partsOf(file)) {
    bytes += part.length
    digest.update(part)
  }
  return { hash: digest.digest('hex'), bytes }
}
