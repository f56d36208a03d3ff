/** One axis of a plot. Logarithmic axes show positive numbers alone. */
export interface PlotAxis {
  readonly name: string
  readonly unit: string
  readonly scale?: 'linear' | 'log'
}

/** Numbers of one curve: places and values of one length; a value that is not finite is a gap. */
export interface Curve {
  readonly name: string
  readonly x: ArrayLike<number>
  readonly y: ArrayLike<number>
  /** `line` unless said. `marks` has a dot at each point; `stems` stand on y = 0; `segments` join 2i and 2i + 1. */
  readonly style?: 'line' | 'dashes' | 'marks' | 'points' | 'stems' | 'segments'
  /** A number per point (per segment for segments) that colours it. */
  readonly shade?: { readonly name: string; readonly unit: string; readonly values: ArrayLike<number> }
}

/** The part of a plot that is looked at, from least to greatest, in the units of its axes. */
export interface Seen {
  readonly x: readonly [number, number]
  readonly y: readonly [number, number]
}

/** Curves over two axes: series, spectra, phase portraits, paths, networks, clouds of points. */
export interface CurvesPlot {
  readonly kind: 'curves'
  readonly title: string
  readonly x: PlotAxis
  readonly y: PlotAxis
  readonly curves: readonly Curve[]
  /** Whether one unit is as long on both axes: places in a plane. */
  readonly equal?: boolean
  /** All of it unless said. */
  readonly seen?: Seen
}

/** A field over a rectangle. */
export interface MapPlot {
  readonly kind: 'map'
  readonly title: string
  /** What the colours say. */
  readonly name: string
  readonly unit: string
  /** Row-major `rows × columns`; the first row is the lower edge. */
  readonly values: ArrayLike<number>
  readonly rows: number
  readonly columns: number
  /** Places of the first and the last column, and of the first and the last row. */
  readonly x: PlotAxis & { readonly low: number; readonly high: number }
  readonly y: PlotAxis & { readonly low: number; readonly high: number }
  /** `diverging` for signed fields: its middle colour is zero. `sequential` unless said. */
  readonly palette?: 'sequential' | 'diverging'
  /** Size of a value from which on colours do not change: a few far larger ones would wash the rest out. */
  readonly clip?: number
  /** Least and greatest value that the colours are for: those of the field unless said. */
  readonly range?: readonly [number, number]
  /** Whether colours go over into each other between nodes. */
  readonly smooth?: boolean
  /** All of it unless said; whole cells are drawn. */
  readonly seen?: Seen
  /** Drawn over the field: crack paths, streamlines, electrodes. */
  readonly over?: readonly Curve[]
}

/** Labelled amounts. */
export interface BarsPlot {
  readonly kind: 'bars'
  readonly title: string
  readonly name: string
  readonly unit: string
  readonly about: string
  readonly labels: readonly string[]
  readonly values: readonly number[]
}

/** What a solver says is worth seeing of its answer; whoever draws it adds nothing of its own. */
export type Plot = CurvesPlot | MapPlot | BarsPlot
