import { createReadStream } from 'node:fs'

/** The name that stands for stdin. */
export const STDIN = '-'

/** A file, or `-` for stdin, whole; undefined when it is longer than the bound. @throws the system's error. */
export const readBounded = async (file: string, bytesMax: number): Promise<Uint8Array | undefined> => {
  const parts: Uint8Array[] = []
  let total = 0
  for await (const part of file === STDIN ? process.stdin : createReadStream(file)) {
    total += (part as Buffer).length
    if (total > bytesMax) return undefined
    parts.push(part as Buffer)
  }
  return new Uint8Array(Buffer.concat(parts))
}
