import { randomBytes } from '#crypto'
import { assert } from './assert.ts'

const DRAW_BYTES = 4
const DRAWS = 0x1_0000_0000

/** Random numbers that are asked for at once. */
const DRAWN_AT_ONCE = 1_024

/** Draws whole numbers below a bound, every one as likely: what would favour some is drawn again. */
export const createDraws = (): ((bound: number) => number) => {
  let bytes = new DataView<ArrayBufferLike>(new ArrayBuffer(0))
  let at = 0
  const next = (): number => {
    if (at === bytes.byteLength) {
      const drawn = randomBytes(DRAWN_AT_ONCE * DRAW_BYTES)
      bytes = new DataView(drawn.buffer, drawn.byteOffset, drawn.byteLength)
      at = 0
    }
    at += DRAW_BYTES
    return bytes.getUint32(at - DRAW_BYTES)
  }
  return (bound) => {
    assert(bound >= 1 && bound <= DRAWS, 'a bound of a draw')
    const fair = DRAWS - (DRAWS % bound)
    for (;;) {
      const drawn = next()
      if (drawn < fair) return drawn % bound
    }
  }
}
