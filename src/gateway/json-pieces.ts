import { concat, utf8 } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { refuseInput } from '#core/input.ts'
import { parseObject } from './json.ts'

/** Bytes of a list that are parsed at once: a millisecond's work. */
const BLOCK_BYTES = 65_536
/** Bytes of one element, and of all that stands beside the list. */
const APART_BYTES_MAX = 1_048_576

const BLANKS: ReadonlySet<number> = new Set(utf8(' \t\n\r'))
const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d]

const [BEFORE_BLOCK, BEHIND_BLOCK] = [utf8('{"":['), utf8(']}')]

const malformed = (why: string): never => {
  throw new Fault('MALFORMED_JSON', why)
}

/** Bytes that belong together and came in parts. */
const gather = () => {
  let parts: Uint8Array[] = []
  let size = 0
  return {
    add: (bytes: Uint8Array): number => {
      if (bytes.length > 0) parts.push(bytes)
      size += bytes.length
      return size
    },
    take: (): Uint8Array => {
      const all = concat(...parts)
      parts = []
      size = 0
      return all
    },
    get size() {
      return size
    },
  }
}

/** Follows JSON byte by byte, so far as to know where strings, objects and lists begin and end. */
const walker = () => {
  let depth = 0
  let inString = false
  let escaped = false
  return {
    get depth() {
      return depth
    },
    get ended() {
      return depth === 0 && !inString
    },
    /** @returns whether the byte stands outside of strings. */
    step: (byte: number): boolean => {
      if (inString) {
        if (escaped) escaped = false
        else if (byte === BACKSLASH) escaped = true
        else if (byte === QUOTE) inString = false
        return false
      }
      if (byte === QUOTE) inString = true
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) depth -= 1
      return byte !== QUOTE
    },
  }
}

/** Whether bytes end with `"name" :`, so that what comes next is the value of that member. */
const endsWithName = (bytes: Uint8Array, name: Uint8Array): boolean => {
  let at = bytes.length - 1
  const skip = (): void => {
    while (BLANKS.has(bytes[at] ?? 0)) at -= 1
  }
  skip()
  if (bytes[at] !== COLON) return false
  at -= 1
  skip()
  const from = at + 1 - name.length
  // A quote behind a backslash is one inside of a string.
  return from > 0 && name.every((byte, i) => bytes[from + i] === byte) && bytes[from - 1] !== BACKSLASH
}

/** The last bytes of what came in parts. */
const tailOf = (bytesMax: number) => {
  let tail = new Uint8Array(0)
  return {
    add: (bytes: Uint8Array): void => {
      tail = concat(tail, bytes.subarray(-bytesMax)).slice(-bytesMax)
    },
    get bytes() {
      return tail
    },
  }
}

/** Bytes before a list in which its name is looked for. */
const NAME_BYTES = 256

/** How much is parsed at once, and how large an element, or all that stands beside the list, may be, in bytes. */
interface PieceBounds {
  readonly blockBytes: number
  readonly apartBytesMax: number
}

/** A JSON object as it comes in, one list of which is handed over in parts and never held as text. */
export interface ObjectInPieces {
  /** @throws Fault MALFORMED_JSON, INVALID_INPUT; what `onElements` throws */
  take(bytes: Uint8Array): void
  /** The object, in which the list is empty. @throws Fault MALFORMED_JSON, INVALID_INPUT */
  end(): Readonly<Record<string, unknown>>
}

/**
 * Reads an object by cutting it up: blocks of elements and what stands beside the list, each of which is JSON that
 * `parseObject` reads. So it takes what that takes and refuses what that refuses, but for elements and rests that are
 * larger than its bound. Memory is one block, the rest, and what `onElements` keeps.
 *
 * @param list name of a member of the object. Where it is spelt with escapes, it is part of the rest.
 */
export const objectInPieces = (
  list: string,
  onElements: (elements: readonly unknown[]) => void,
  { blockBytes, apartBytesMax }: PieceBounds = { blockBytes: BLOCK_BYTES, apartBytesMax: APART_BYTES_MAX },
): ObjectInPieces => {
  const name = utf8(JSON.stringify(list))
  const walk = walker()
  const [rest, block, tail] = [gather(), gather(), tailOf(NAME_BYTES)]
  let begun = false
  let inList = false
  let cut = false

  const toRest = (bytes: Uint8Array): void => {
    tail.add(bytes)
    if (rest.add(bytes) > apartBytesMax) {
      refuseInput([{ path: '', message: `has more than ${apartBytesMax} bytes beside ${list}` }])
    }
  }
  const toBlock = (bytes: Uint8Array): void => {
    if (block.add(bytes) > apartBytesMax + blockBytes) {
      refuseInput([{ path: `/${list}`, message: `has an element of more than ${apartBytesMax} bytes` }])
    }
  }
  /** Hands the block over. @param more whether a comma stands behind it. */
  const flush = (more: boolean): void => {
    const { '': elements } = parseObject(concat(BEFORE_BLOCK, block.take(), BEHIND_BLOCK))
    const some = elements as readonly unknown[]
    if (some.length === 0 && (more || cut)) malformed('An element is missing between two commas.')
    cut = more
    onElements(some)
  }
  const opensList = (before: Uint8Array): boolean => {
    if (walk.depth !== 2) return false
    return endsWithName(before.length >= NAME_BYTES ? before : concat(tail.bytes, before), name)
  }

  return {
    take: (bytes) => {
      let from = 0
      for (let at = 0; at < bytes.length; at += 1) {
        const byte = bytes[at] as number
        if (!begun && !BLANKS.has(byte)) {
          if (byte !== OPEN_OBJECT) malformed('The body is not an object.')
          begun = true
        }
        if (!walk.step(byte)) continue
        if (!inList && byte === OPEN_LIST && opensList(bytes.subarray(Math.max(from, at - NAME_BYTES), at))) {
          toRest(bytes.slice(from, at + 1))
          from = at + 1
          inList = true
        } else if (inList && walk.depth === 1) {
          if (byte !== CLOSE_LIST) malformed('A list is closed by a brace.')
          toBlock(bytes.slice(from, at))
          flush(false)
          from = at
          inList = false
        } else if (inList && walk.depth === 2 && byte === COMMA && block.size + at - from >= blockBytes) {
          toBlock(bytes.slice(from, at))
          flush(true)
          from = at + 1
        }
      }
      if (inList) toBlock(bytes.slice(from))
      else toRest(bytes.slice(from))
    },
    end: () => {
      if (!walk.ended) malformed('The body ends before its object does.')
      return parseObject(rest.take())
    },
  }
}
