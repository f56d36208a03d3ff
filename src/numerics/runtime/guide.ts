/** An input of which only what differs from the defaults is named. */
type Named<T> = T extends readonly unknown[] ? T : T extends object ? { readonly [K in keyof T]?: Named<T[K]> } : T

/** The path to a member: its name, then names or places within it, e.g. `junction.peakField`, `exponents.0`. */
type PathIn<T> = (keyof T & string) | `${keyof T & string}.${string}`

/** A real problem of the field, by the name that the field has for it; it runs as it stands. */
export interface WorkedProblem<I> {
  /** A few words: what is computed, e.g. `Steel bar, quenched`. */
  readonly name: string
  /** One sentence, of a line of the source: what the numbers are, and what to look at. */
  readonly about: string
  /** What differs from the defaults. */
  readonly input: Named<I>
}

/** A figure that a practitioner reads first. Where a mode leaves it out (null), it is not shown. */
export interface HeadlineFigure<O> {
  /** Where it stands in the output; its unit is that of the schema. */
  readonly member: PathIn<O>
  /** What it is called, e.g. `Peak of the infectious`. */
  readonly label: string
}

/** What a stranger needs of a solver beside its schemas: where to begin, what to look at, what to leave alone. */
export interface Guide<I, O> {
  /** Three to five. */
  readonly presets: readonly WorkedProblem<I>[]
  /** One to five, the most telling first. */
  readonly headline: readonly HeadlineFigure<O>[]
  /** Inputs that have a good default and matter to few: folded on a page. A whole nested object may be named. */
  readonly advanced: readonly PathIn<I>[]
}
