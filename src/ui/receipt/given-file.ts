import { isHex64, isNodeId } from '#core/ids.ts'
import { parseVkey } from '#core/note.ts'

/** Something that a visitor gave to be verified: chosen, dropped or pasted. */
export interface Given {
  /** A number of its own, so that the same file given again is another one. */
  readonly id: number
  readonly name: string
  readonly blob: Blob
}

/** Files that are taken at a time; what lies beyond is named. */
export const FILES_MAX = 50

/** Bytes of a file that may hold a key; the rest of its lines are comments. */
const KEY_BYTES_MAX = 65_536

const isKey = (line: string): boolean => {
  if (isHex64(line) || isNodeId(line)) return true
  if (!line.includes('+')) return false
  try {
    parseVkey(line)
    return true
  } catch {
    return false
  }
}

/** The trusted key that a text is about: its first line that is no comment. Undefined for anything else. */
export const keyIn = (text: string): string | undefined => {
  const line = text
    .split('\n')
    .map((it) => it.trim())
    .find((it) => it !== '' && !it.startsWith('#'))
  return line !== undefined && isKey(line) ? line : undefined
}

/** Key successions in a text, as `keys successions` prints them; whether they prove themselves is judged later. */
const pastIn = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text)
    const isPast = (it: unknown): boolean => typeof it === 'object' && it !== null && 'succession' in it
    return Array.isArray(value) && value.length > 0 && value.every(isPast) ? value : undefined
  } catch {
    return undefined
  }
}

/** What somebody gave: what is to be verified, and what it is to be verified by. */
export interface Sorted {
  readonly evidence: readonly File[]
  readonly key?: string
  readonly past?: unknown
}

/** Tells a key and key successions from what is to be verified; of several the last one counts. */
export const sorted = async (files: readonly File[]): Promise<Sorted> => {
  const evidence: File[] = []
  let trust: Omit<Sorted, 'evidence'> = {}
  for (const file of files) {
    const text = file.size > KEY_BYTES_MAX ? '' : await file.text()
    const [key, past] = [keyIn(text), pastIn(text)]
    if (key !== undefined) trust = { ...trust, key }
    else if (past !== undefined) trust = { ...trust, past }
    else evidence.push(file)
  }
  return { evidence, ...trust }
}
