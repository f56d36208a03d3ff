import { readFileSync } from 'node:fs'

/** One call that changed something below the recorded directory, or synced it; paths are relative to it. */
export type Call =
  /** A file that was made, or cut to nothing when it was opened. */
  | { readonly kind: 'opened'; readonly path: string; readonly inode: number; readonly made: boolean }
  | { readonly kind: 'written'; readonly inode: number; readonly offset: number; readonly data: Uint8Array }
  | { readonly kind: 'resized'; readonly inode: number; readonly size: number }
  | { readonly kind: 'renamed' | 'linked'; readonly path: string; readonly to: string }
  | { readonly kind: 'unlinked' | 'made-directory'; readonly path: string }
  | { readonly kind: 'synced'; readonly path: string; readonly inode: number; readonly isDirectory: boolean }
  /** What the program said here: an acknowledgement. */
  | { readonly kind: 'note'; readonly text: string }

const HEAD_BYTES = 48
/** Kinds by their number in `recorder.c`. */
const kinds: readonly (Call['kind'] | 'unknown' | undefined)[] = [
  undefined,
  ...(['opened', 'written', 'resized', 'renamed', 'linked', 'unlinked', 'made-directory', 'synced'] as const),
  ...(['unknown', 'note'] as const),
]
const NOTE = kinds.indexOf('note')
/** The first flag of a call: that a file was made, or that a directory was synced. */
const FLAG = 1

/** A record of a note, to be appended to the journal in one write: what is acknowledged from there on. */
export const noteRecord = (text: string): Uint8Array => {
  const data = Buffer.from(text)
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt32LE(NOTE, 0)
  head.writeUInt32LE(data.length, 16)
  return Buffer.concat([head, data])
}

/** A record as it stands in the journal; paths are absolute. */
interface Raw {
  readonly kind: number
  readonly isFlagged: boolean
  readonly path: string
  readonly to: string
  readonly data: Uint8Array
  readonly inode: number
  readonly offset: number
  readonly size: number
}

function* recordsOf(bytes: Buffer): Generator<Raw> {
  const word = (at: number): number => bytes.readUInt32LE(at)
  const long = (at: number): number => Number(bytes.readBigUInt64LE(at))
  for (let at = 0; at < bytes.length; ) {
    const [first, second] = [at + HEAD_BYTES, at + HEAD_BYTES + word(at + 8)]
    const third = second + word(at + 12)
    const end = third + word(at + 16)
    yield {
      ...{ kind: word(at), isFlagged: (word(at + 4) & FLAG) !== 0 },
      ...{ path: bytes.toString('utf8', first, second), to: bytes.toString('utf8', second, third) },
      ...{ data: new Uint8Array(bytes.subarray(third, end)) },
      ...{ inode: long(at + 24), offset: long(at + 32), size: long(at + 40) },
    }
    at = end
  }
}

/** Reads a journal of `recorder.c`. @param below the directory that it tells of. @throws Error for an unknown call. */
export const readJournal = (file: string, below: string): readonly Call[] => {
  const relative = (path: string): string => {
    if (path === below) return ''
    if (path.startsWith(`${below}/`)) return path.slice(below.length + 1)
    throw new Error(`${path} was moved across the edge of ${below}`)
  }
  const callOf = ({ kind: number, isFlagged, inode, offset, data, size, ...raw }: Raw): Call => {
    const kind = kinds[number]
    if (kind === 'note') return { kind, text: Buffer.from(data).toString() }
    if (kind === 'written') return { kind, inode, offset, data }
    if (kind === 'resized') return { kind, inode, size }
    if (kind === undefined || kind === 'unknown') throw new Error(`the model does not know the call ${raw.path}`)
    const path = relative(raw.path)
    if (kind === 'opened') return { kind, path, inode, made: isFlagged }
    if (kind === 'synced') return { kind, path, inode, isDirectory: isFlagged }
    if (kind === 'renamed' || kind === 'linked') return { kind, path, to: relative(raw.to) }
    return { kind, path }
  }
  return [...recordsOf(readFileSync(file))].map(callOf)
}
