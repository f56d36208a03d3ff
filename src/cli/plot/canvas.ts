/** Dots of a character of braille, across and down. */
export const DOTS_ACROSS = 2
export const DOTS_DOWN = 4

/** The first pattern of Unicode's block; each dot adds its bit (Unicode 15, Braille Patterns). */
const BRAILLE = 0x2800
/** Bits of the dots of a character, by row and column. */
const BITS = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
] as const

/** A drawing of dots in the characters of a terminal; places are dots from the upper left. */
export interface Canvas {
  readonly columns: number
  readonly rows: number
  /** Sets a dot, of the thing of this number; outside it does nothing. */
  dot(x: number, y: number, thing: number): void
  /** A line between two places, its ends included; every n-th run of dots is left out where it is dashed. */
  line(from: Place, to: Place, stroke: Stroke): void
  /** Stands in place of the dots of a character. */
  letter(column: number, row: number, text: string): void
  /** The rows as characters, each with the number of the last thing drawn there. */
  cells(): readonly (readonly Cell[])[]
}

export interface Place {
  readonly x: number
  readonly y: number
}

/** How a line is drawn. */
export interface Stroke {
  readonly thing: number
  readonly dashed: boolean
}

/** One character of a drawing; an empty one is of no thing. */
export interface Cell {
  readonly text: string
  readonly thing: number | undefined
}

/** Dots of a dash, and of the gap behind it. */
const DASH = 3

/** Far more steps than a line within any terminal has: one that begins far outside is cut. */
const STEPS_MAX = 20_000

/** An empty canvas. @param plain whether the terminal has no braille: a character with dots is then a `*` */
export const canvasOf = (columns: number, rows: number, plain: boolean): Canvas => {
  const bits = new Uint8Array(columns * rows)
  const things = new Int16Array(columns * rows).fill(-1)
  const letters = new Map<number, string>()

  const dot = (x: number, y: number, thing: number): void => {
    const [column, row] = [Math.floor(x / DOTS_ACROSS), Math.floor(y / DOTS_DOWN)]
    if (!(column >= 0 && column < columns && row >= 0 && row < rows)) return
    const at = row * columns + column
    const bit = BITS[Math.floor(y) % DOTS_DOWN]?.[Math.floor(x) % DOTS_ACROSS] ?? 0
    bits[at] = (bits[at] ?? 0) | bit
    things[at] = thing
  }

  const line = (from: Place, to: Place, { thing, dashed }: Stroke): void => {
    const [dx, dy] = [to.x - from.x, to.y - from.y]
    const steps = Math.min(STEPS_MAX, Math.max(1, Math.ceil(Math.max(Math.abs(dx), Math.abs(dy)))))
    for (let i = 0; i <= steps; i++) {
      if (dashed && Math.floor((from.x + (dx * i) / steps) / DASH) % 2 === 1) continue
      dot(from.x + (dx * i) / steps, from.y + (dy * i) / steps, thing)
    }
  }

  const cellAt = (at: number): Cell => {
    const thing = things[at] ?? -1
    const drawn = bits[at] ?? 0
    const text = letters.get(at) ?? (drawn === 0 ? ' ' : plain ? '*' : String.fromCodePoint(BRAILLE + drawn))
    return { text, thing: thing < 0 ? undefined : thing }
  }

  return {
    columns,
    rows,
    dot,
    line,
    letter(column, row, text) {
      if (column >= 0 && column < columns && row >= 0 && row < rows) letters.set(row * columns + column, text)
    },
    cells: () =>
      Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, (__, i) => cellAt(row * columns + i))),
  }
}
