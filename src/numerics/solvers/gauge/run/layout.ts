/** A link by direction (0 along a row, 1 across rows), row y and column x of its site: its number in the field. */
export const linkAt = (direction: number, y: number, x: number, L: number): number =>
  direction * L * L + ((y + L) % L) * L + ((x + L) % L)

/** Offsets of a table entry: the link, the six around it, and one unused. */
export const ENTRY_OFFSETS = 8
const LINK_BYTES = 16

/** The six links around one: a, b, c, d, e, f with S = a·conj(b·c) + conj(d·e)·f. */
const around = (direction: number, y: number, x: number, L: number): readonly number[] => {
  if (direction === 0) {
    return [
      linkAt(1, y, x + 1, L),
      linkAt(0, y + 1, x, L),
      linkAt(1, y, x, L),
      linkAt(1, y - 1, x + 1, L),
      linkAt(0, y - 1, x, L),
      linkAt(1, y - 1, x, L),
    ]
  }
  return [
    linkAt(0, y + 1, x, L),
    linkAt(1, y, x + 1, L),
    linkAt(0, y, x, L),
    linkAt(0, y + 1, x - 1, L),
    linkAt(1, y, x - 1, L),
    linkAt(0, y, x - 1, L),
  ]
}

/**
 * Byte offsets of all links and their neighbours in the order of a sweep: links along even rows, along odd rows, across
 * in even columns, across in odd columns, each by row and column. No two of a class touch a common plaquette.
 */
export const tableOf = (L: number): Uint32Array => {
  const table = new Uint32Array(2 * L * L * ENTRY_OFFSETS)
  let at = 0
  const enter = (direction: number, y: number, x: number): void => {
    table[at] = LINK_BYTES * linkAt(direction, y, x, L)
    for (const [k, other] of around(direction, y, x, L).entries()) table[at + 1 + k] = LINK_BYTES * other
    at += ENTRY_OFFSETS
  }
  for (const direction of [0, 1]) {
    for (const parity of [0, 1]) {
      for (let y = 0; y < L; y++) {
        for (let x = 0; x < L; x++) if ((direction === 0 ? y : x) % 2 === parity) enter(direction, y, x)
      }
    }
  }
  return table
}
