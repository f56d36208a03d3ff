/** Longest line of an answer in bytes: a header of a few digits, a status, or the sentence of an error. */
const LINE_BYTES_MAX = 1_024
/** Largest string that is read; gossip's largest message is a sixteenth of it, and refused by the network itself. */
export const STRING_BYTES_MAX = 1_048_576
const LF = 0x0a
/** What ends a string after its last byte. */
const END_BYTES = 2

/** What of a stream is no answer of a Redis to us: another protocol, or a string beyond all bounds. */
export type FramingFault = 'protocol' | 'oversized'

/**
 * Follows the bytes of RESP2 before the client's own reader gets them: that one collects whatever length is announced,
 * and arrays within arrays. What we ask for is answered by a line, a string, or a flat array of at most three.
 */
export interface Framing {
  /** Takes the next bytes. @returns what is wrong with them; call it no more after that. */
  take(chunk: Uint8Array): FramingFault | undefined
}

const HEADER = /^(?:[+-].*|:-?\d{1,19}|\$(-1|\d{1,19})|\*(?:-1|[0-3]))\r$/s

/** At the begin of a connection. */
export const createFraming = (): Framing => {
  let line = ''
  /** Bytes of a string, with what ends it, that are still to come. */
  let passing = 0
  let inArray = false

  const read = (): FramingFault | undefined => {
    const found = HEADER.exec(line)
    const isArray = line.startsWith('*')
    line = ''
    if (found === null || (isArray && inArray)) return 'protocol'
    inArray = isArray
    const size = Number(found[1] ?? -1)
    if (size > STRING_BYTES_MAX) return 'oversized'
    passing = size < 0 ? 0 : size + END_BYTES
    return undefined
  }

  return {
    take: (chunk) => {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      for (let i = 0; i < bytes.length; ) {
        const passed = Math.min(passing, bytes.length - i)
        passing -= passed
        i += passed
        if (passed > 0) continue
        const end = bytes.indexOf(LF, i)
        const until = end === -1 ? bytes.length : end
        if (line.length + until - i > LINE_BYTES_MAX) return 'protocol'
        line += bytes.toString('latin1', i, until)
        i = until + 1
        if (line !== '' && !'+-:$*'.includes(line.charAt(0))) return 'protocol'
        const fault = end === -1 ? undefined : read()
        if (fault !== undefined) return fault
      }
      return undefined
    },
  }
}
