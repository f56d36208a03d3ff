import { curveHex } from './colours.ts'

/** One thing of a drawing, in pixels from the upper left. */
export type Mark =
  | {
      readonly kind: 'path'
      /** x, y of each point. */
      readonly points: Float64Array
      readonly ink: string
      readonly width: number
      readonly dashed?: boolean
    }
  /** Lines between points 2i and 2i + 1. */
  | { readonly kind: 'segments'; readonly points: Float64Array; readonly ink: string; readonly width: number }
  | { readonly kind: 'dots'; readonly points: Float64Array; readonly ink: string; readonly radius: number }
  | { readonly kind: 'rect'; readonly box: Box; readonly fill?: string; readonly stroke?: string }
  | { readonly kind: 'map'; readonly box: Box; readonly image: Pixels; readonly smooth?: boolean }
  | TextMark

export interface TextMark {
  readonly kind: 'text'
  readonly x: number
  readonly y: number
  readonly text: string
  readonly size: number
  readonly ink: string
  readonly anchor: 'start' | 'middle' | 'end'
  readonly bold?: boolean
  /** Whether it reads from below to above. */
  readonly turned?: boolean
}

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Red, green, blue and opacity of each node, upper row first. */
export interface Pixels {
  readonly columns: number
  readonly rows: number
  readonly data: Uint8ClampedArray<ArrayBuffer>
}

/** A drawing that stands by itself. */
export interface Scene {
  readonly width: number
  readonly height: number
  readonly title: string
  readonly marks: readonly Mark[]
  /** Where the values are: for whoever reads off what lies under a pointer. */
  readonly box: Box
}

/** What a drawing is drawn with. */
export interface Inks {
  readonly ink: string
  readonly edge: string
  readonly grid: string
  /** The colour of the n-th curve. */
  curve(n: number): string
  /** Null for a drawing on whatever is below it. */
  readonly paper: string | null
}

/** Black on white paper. */
export const paperInks: Inks = { ink: '#14201f', edge: '#51605f', grid: '#d3dcda', curve: curveHex, paper: '#ffffff' }

/** What stands above a drawing, beside the plot's own title. */
export interface Caption {
  /** Whose plot it is. */
  readonly about: string
  /** A line of evidence: token, measured error. */
  readonly note: string
}

/** How a plot is drawn. */
export interface Style {
  readonly inks: Inks
  /** Nothing is written above a drawing without one. */
  readonly caption?: Caption
  /** Pixels that the box of the values may be wide. */
  readonly widthMax: number
  /** Pixels that it may be high; those of a page of paper unless said. */
  readonly heightMax?: number
  /** Legend and colour scale stand below the values and not beside them: where there is little room across. */
  readonly below?: boolean
}

export const TEXT_PX = 12

/** Words in a drawing. */
export const text = (
  inks: Pick<Inks, 'ink'>,
  at: Pick<TextMark, 'x' | 'y' | 'text'> & Partial<TextMark>,
): TextMark => ({
  kind: 'text',
  size: TEXT_PX,
  anchor: 'middle',
  ink: inks.ink,
  ...at,
})

/** One line through some points. */
export const stroke = (points: readonly number[], ink: string, width = 1): Mark => ({
  kind: 'path',
  points: Float64Array.from(points),
  ink,
  width,
})
