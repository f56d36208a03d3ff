import type { Json } from '#core/canonical.ts'

/** What a template may be filled into. */
export const fillingTypes = [
  'text/plain',
  'application/json',
  'text/csv',
  'text/html',
  'image/svg+xml',
  'application/xml',
] as const

export type FillingType = (typeof fillingTypes)[number]

/** Bytes of a template, in UTF-8. */
export const TEMPLATE_BYTES_MAX = 16_384
/** Places of a template. */
export const PLACES_MAX = 256
/** Bytes of what a template is filled into, in UTF-8. */
export const FILLED_BYTES_MAX = 262_144
/** Names of a path. */
export const PATH_NAMES_MAX = 32
/** Filters of a place. */
export const FILTERS_MAX = 8

/** Why a template is refused, and where. Both count from 1; a column is a UTF-16 code unit, as editors count. */
export interface PlaceFault {
  readonly line: number
  readonly column: number
  readonly message: string
}

/**
 * Where a place stands, which decides how its value is written: in plain text; as a JSON value, or inside a JSON text;
 * as a whole field of CSV, as all of a quoted field, as one of the first parts of a quoted field, or further on in it;
 * in the text or a quoted attribute of markup; in an attribute that could name an address by `url(…)`.
 */
export type PlaceKind =
  | 'plain'
  | 'json-value'
  | 'json-text'
  | 'csv-field'
  | 'csv-quoted'
  | 'csv-first'
  | 'csv-part'
  | 'markup'
  | 'word'

/** A filter with its argument, read and checked. */
export interface PlaceFilter {
  readonly name: PlaceFilterName
  readonly count: number
  readonly text: string
}

export const filterNames = [
  'fixed',
  'exp',
  'upper',
  'lower',
  'trim',
  'default',
  'json',
  'join',
  'first',
  'iso',
  'unit',
] as const

export type PlaceFilterName = (typeof filterNames)[number]

/** A place of a template. */
export interface FillingPlace {
  readonly path: readonly string[]
  readonly filters: readonly PlaceFilter[]
  readonly kind: PlaceKind
  readonly line: number
  readonly column: number
}

/** A template that was read: its own text around its places, of which there is one piece more. */
export interface PlacedText {
  readonly contentType: FillingType
  readonly texts: readonly string[]
  readonly places: readonly FillingPlace[]
}

/** What a place holds on its way through its filters. */
export type Held =
  | { readonly is: 'absent' }
  | { readonly is: 'value'; readonly value: Json }
  /** A number that a filter wrote: JSON takes it as it stands. */
  | { readonly is: 'numeral'; readonly text: string }
  /** A value that was written as JSON already. */
  | { readonly is: 'json'; readonly text: string }

/** A template that cannot be filled with these values: nothing of it is used. */
export class Unfilled extends Error {
  override readonly name = 'Unfilled'
  /** What the place reads, or undefined where the whole is refused. */
  readonly path: string | undefined
  readonly line: number
  readonly column: number
  /** What else does not fit, in the order of the template. */
  readonly others: readonly Unfilled[]

  constructor(message: string, place?: FillingPlace, others: readonly Unfilled[] = []) {
    super(place === undefined ? message : `${place.path.join('.')}: ${message}`)
    this.others = others
    this.path = place?.path.join('.')
    this.line = place?.line ?? 1
    this.column = place?.column ?? 1
  }
}
