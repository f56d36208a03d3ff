import { accessSync, constants, createReadStream, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { addAbortSignal, type Readable } from 'node:stream'
import { exits } from './exit.ts'
import { CliError } from './problem.ts'

/** The name that stands for stdin. */
export const STDIN = '-'

/** Pieces of a file or of stdin, until the signal aborts: a terminal may never say anything. @throws its reason. */
async function* partsOf(file: string, signal: AbortSignal | undefined): AsyncGenerator<Buffer> {
  const stream: Readable = file === STDIN ? process.stdin : createReadStream(file)
  if (signal !== undefined) addAbortSignal(signal, stream)
  try {
    yield* stream as AsyncIterable<Buffer>
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  }
}

/** A file, or `-` for stdin, whole; undefined when it is longer than the bound. @throws the system's error. */
export const readBounded = async (
  file: string,
  bytesMax: number,
  signal?: AbortSignal,
): Promise<Uint8Array | undefined> => {
  const parts: Uint8Array[] = []
  let total = 0
  for await (const part of partsOf(file, signal)) {
    total += part.length
    if (total > bytesMax) return undefined
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts))
}

/** SHA-256 (hex) and length of a file or of stdin, of any size: a piece of it is held. @throws the system's error. */
export const digestFile = async (
  file: string,
  signal: AbortSignal,
): Promise<{ readonly hash: string; readonly bytes: number }> => {
  const { createHash } = await import('node:crypto')
  const digest = createHash('sha256')
  let bytes = 0
  for await (const part of partsOf(file, signal)) {
    bytes += part.length
    digest.update(part)
  }
  return { hash: digest.digest('hex'), bytes }
}

/** Whether a file could be written, before anything is spent on what is to stand in it. @throws when it could not. */
export const assertWritable = (file: string): void => {
  accessSync(dirname(file), constants.W_OK)
  if (!(statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false)) return
  throw new CliError(exits.usage, `${file} is a directory`, { code: 'USAGE' })
}

/** Writes a file whole or not at all: an interruption leaves the old one. @throws the system's error. */
export const writeWhole = (file: string, text: string | Uint8Array): void => {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === false) {
    writeFileSync(file, text) // A pipe or a device is written to as it is.
    return
  }
  const aside = `${file}.${process.pid}.part`
  try {
    writeFileSync(aside, text)
    renameSync(aside, file)
  } finally {
    rmSync(aside, { force: true })
  }
}
