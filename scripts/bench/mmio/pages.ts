import { putRegister, registerOf } from '#core/mmio/page.ts'
import { LAYOUT_VERSION, PAGE_BYTES, pageRegisters, registerIn } from '#core/mmio/table.ts'
import { meshTickStart, TICK_NS } from '#core/tick.ts'
import { layoutDigest } from '#domain/network/mmio/layout.ts'

// Pages whose values follow from their tick, so that a page of two writes says so itself: reader.c and reader.py look.

const GENESIS_TICK = 2_310_004_284
const WORDS = 8

const named = (name: string) => registerIn(pageRegisters, name)
const [tickAt, meshTickAt, sealsAt, requestsAt, monotonicAt] = [
  named('tick'),
  named('mesh_tick'),
  named('seals'),
  named('requests'),
  named('monotonic_ns'),
]
const rows = ['log_root', 'last_seal', 'last_result'].map((name) => named(name).offset)

/** A number of 32 bits in which every bit of the tick and of the place counts (MurmurHash3's finish). */
const mixed = (tick: number, place: number): number => {
  let h = tick ^ Math.imul(place, 0x9e3779b9)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** A page with what is the same in all of them. */
export const emptyPage = (): Uint8Array => {
  const page = new Uint8Array(PAGE_BYTES)
  const values = {
    ...{ layout_version: LAYOUT_VERSION, magic: named('magic').reset as string, layout_digest: layoutDigest() },
    ...{ genesis_ns: meshTickStart(GENESIS_TICK), genesis_tick: GENESIS_TICK, tick_ns: TICK_NS },
  }
  for (const [name, value] of Object.entries(values)) putRegister(page, named(name), value)
  return page
}

/** Puts the values of a tick into a page. @param monotonicNs the machine's clock. */
export const fillPage = (page: Uint8Array, tick: number, monotonicNs: bigint): void => {
  putRegister(page, tickAt, tick)
  putRegister(page, meshTickAt, GENESIS_TICK + tick)
  putRegister(page, sealsAt, tick * 7)
  putRegister(page, requestsAt, tick * 3)
  putRegister(page, monotonicAt, monotonicNs)
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength)
  for (const [row, offset] of rows.entries()) {
    for (let i = 0; i < WORDS; i++) view.setUint32(offset + 4 * i, mixed(tick, row * WORDS + i), true)
  }
}

/** The tick of a page; undefined when its values are not all those of its tick. */
export const tickOf = (page: Uint8Array): number | undefined => {
  const tick = Number(registerOf(page, tickAt))
  const due = emptyPage()
  fillPage(due, tick, registerOf(page, monotonicAt) as bigint)
  const behind = 16
  return Buffer.compare(page.subarray(behind), due.subarray(behind)) === 0 ? tick : undefined
}
