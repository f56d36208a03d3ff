import { crc32c } from '#core/crc32c.ts'
import { CorruptRow } from './corrupt-row.ts'

/** LevelDB's logs, which its manifests are too, read without LevelDB (doc/log_format.md). */

/** LevelDB stores sums turned and shifted, so that a sum of sums is nothing special. */
export const masked = (crc: number): number => ((((crc >>> 15) | (crc << 17)) >>> 0) + 0xa282ead8) >>> 0

/** A place in a file that is not what LevelDB wrote. */
export const damaged = (file: string, offset: number, what: string): CorruptRow =>
  new CorruptRow('file', file, `${what} at byte ${offset}`)

const BLOCK_BYTES = 32_768
const HEADER_BYTES = 7
const [FULL, FIRST, MIDDLE, LAST] = [1, 2, 3, 4]

interface Fragment {
  readonly type: number
  readonly data: Uint8Array
  readonly offset: number
  readonly sound: boolean
  /** Whether a part of the file before it was never written. */
  readonly afterGap: boolean
}

/** The fragments of a log file in order, damaged ones too; a tail that a crash cut off ends them. */
function* fragments(bytes: Uint8Array): Generator<Fragment> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  let offset = 0
  let afterGap = false
  while (offset + HEADER_BYTES <= bytes.length) {
    const left = BLOCK_BYTES - (offset % BLOCK_BYTES)
    if (left < HEADER_BYTES) {
      offset += left
      continue
    }
    const length = view.getUint16(offset + 4, true)
    const type = bytes[offset + 6] as number
    if (type === 0 && length === 0) {
      offset += left // The rest of the block was never written.
      afterGap = true
      continue
    }
    const room = Math.min(left, bytes.length - offset)
    const end = offset + HEADER_BYTES + length
    const cut = HEADER_BYTES + length > room
    const to = cut ? offset + room : end
    const fits = masked(crc32c(bytes, offset + 6, to)) === view.getUint32(offset, true)
    // A crash leaves a cut record at the end. If what is there has the sum, the length itself was changed.
    if (cut && !fits && offset + room === bytes.length) return
    yield { type, data: bytes.subarray(offset + HEADER_BYTES, to), offset, sound: fits && !cut, afterGap }
    offset = to
    afterGap = false
  }
}

/** Records of a log file, put together from their fragments. @throws CorruptRow naming what is damaged. */
export function* records(file: string, bytes: Uint8Array, name: (data: Uint8Array) => CorruptRow | undefined) {
  let parts: Fragment[] = []
  for (const fragment of fragments(bytes)) {
    parts.push(fragment)
    const whole = (): Uint8Array => new Uint8Array(Buffer.concat(parts.map((it) => it.data)))
    if (!fragment.sound) throw name(whole()) ?? damaged(file, fragment.offset, 'a damaged record')
    const [first] = parts
    const begins = first?.type === FULL || first?.type === FIRST
    if (!begins || fragment.type > LAST) throw damaged(file, fragment.offset, 'a record out of order')
    if (parts.length > 1 && (fragment.type === FULL || fragment.type === FIRST)) {
      throw damaged(file, fragment.offset, 'a record that never ends')
    }
    if (fragment.type === FIRST || fragment.type === MIDDLE) continue
    yield whole()
    parts = []
  }
}

/** Whether a fragment begins a record. */
const begins = ({ type, sound }: Fragment): boolean => sound && (type === FULL || type === FIRST)

/** What a disk writes whole or not at all. */
const SECTOR_BYTES = 512

/** Whether a part of a fragment, as far as sectors go, is nothing but zeros: it was not written. */
const hasUnwritten = (bytes: Uint8Array, { offset, data }: Fragment): boolean => {
  const to = offset + HEADER_BYTES + data.length
  for (let at = offset; at < to; ) {
    const end = Math.min(to, (Math.floor(at / SECTOR_BYTES) + 1) * SECTOR_BYTES)
    if (bytes.subarray(at, end).every((byte) => byte === 0)) return true
    at = end
  }
  return false
}

/** The first fragment that is damaged, out of order or behind a gap, and whether no other record follows. */
export interface Breach {
  readonly fragment: Fragment
  readonly isLast: boolean
  /** Where the record begins that it belongs to. */
  readonly recordAt: number
}

/**
 * Each batch is synced before it is acknowledged and before the next begins, so what a power cut breaks off is the last
 * one: parts of it may be there, in any order, and LevelDB leaves it out.
 */
export const breachIn = (bytes: Uint8Array): Breach | undefined => {
  const all = [...fragments(bytes)]
  const last = all.findLastIndex(begins)
  let isOpen = false
  let recordAt = 0
  for (const [i, fragment] of all.entries()) {
    if (!isOpen) recordAt = fragment.offset
    const fits = fragment.sound && fragment.type <= LAST && !fragment.afterGap && isOpen !== begins(fragment)
    if (!fits) return { fragment, isLast: i > last, recordAt }
    isOpen = fragment.type === FIRST || fragment.type === MIDDLE
  }
  return undefined
}

/** Whether it is what a power cut leaves. Other bytes where none are missing are not: they may have been synced. */
export const isCut = (bytes: Uint8Array, { fragment, isLast }: Breach): boolean =>
  isLast && (fragment.afterGap || hasUnwritten(bytes, fragment))
