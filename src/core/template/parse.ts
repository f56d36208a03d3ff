import { utf8 } from '#core/bytes.ts'
import { findCsvPlaces } from './csv-places.ts'
import { findJsonPlaces } from './json-places.ts'
import { findMarkupPlaces } from './markup-places.ts'
import { type FillingType, PLACES_MAX, type PlacedText, type PlaceFault, TEMPLATE_BYTES_MAX } from './place.ts'
import { readPlace } from './read-place.ts'
import { type FaultList, faultList, MARK, type Skeleton, skeletonOf } from './skeleton.ts'

/** Controls have no business in a template, and one of them marks the places while it is read. */
const CONTROL = /(?![\t\n\r])\p{Cc}/gu

/** A place between two pieces of the template's own text. */
interface Found {
  readonly at: number
  readonly end: number
  readonly read: ReturnType<typeof readPlace>['place']
}

const placesOf = (text: string, add: FaultList['add']): readonly Found[] => {
  const found: Found[] = []
  for (let at = text.indexOf('{{'); at >= 0; at = text.indexOf('{{', found.at(-1)?.end)) {
    const { place, fault, end } = readPlace(text, at + 2)
    if (fault !== undefined) add(fault.at, fault.message)
    found.push({ at, end, read: place })
    if (found.length <= PLACES_MAX) continue
    add(at, `A template has ${PLACES_MAX} places at most.`)
    break
  }
  return found
}

/** The text of the template itself, cut at its places. */
const textsAround = (text: string, found: readonly Found[]): readonly string[] => [
  ...found.map(({ at }, i) => text.slice(i === 0 ? 0 : found[i - 1]?.end, at)),
  text.slice(found.at(-1)?.end ?? 0),
]

/** Where an offset of the text with marks lies in the template. */
const sourcePlaces = (found: readonly Found[]): ((at: number) => number) => {
  const starts: number[] = []
  let shrunk = 0
  for (const { at, end } of found) {
    starts.push(at - shrunk)
    shrunk += end - at - 1
  }
  return (at) => {
    let shift = 0
    for (let i = 0; i < found.length && (starts[i] as number) < at; i++) {
      shift += (found[i] as Found).end - (found[i] as Found).at - 1
    }
    return at + shift
  }
}

const settle = (skeleton: Skeleton, contentType: FillingType): void => {
  switch (contentType) {
    case 'text/plain':
      for (let at = 0; at < skeleton.text.length; at++) skeleton.settle(at, 'plain')
      return
    case 'application/json':
      return findJsonPlaces(skeleton)
    case 'text/csv':
      return findCsvPlaces(skeleton)
    case 'text/html':
      return findMarkupPlaces(skeleton, 'html')
    case 'image/svg+xml':
      return findMarkupPlaces(skeleton, 'svg')
    case 'application/xml':
      return findMarkupPlaces(skeleton, 'xml')
  }
}

const lineOf = (text: string, offset: number): { readonly line: number; readonly column: number } => {
  const before = text.slice(0, offset).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

/**
 * Reads a template: `{{ path | filter:argument }}` in a text of one of the types, each place with the way in which a
 * value is written there. No place is left open: where no escape is safe, or where it cannot be told, it is refused.
 *
 * @returns the template, or every fault of it with line and column, in the order of the text (at most 100).
 */
export const parsePlaced = (
  text: string,
  contentType: FillingType,
): { readonly parsed: PlacedText } | { readonly faults: readonly PlaceFault[] } => {
  if (text.length > TEMPLATE_BYTES_MAX || utf8(text).length > TEMPLATE_BYTES_MAX) {
    return { faults: [{ line: 1, column: 1, message: `A template has ${TEMPLATE_BYTES_MAX} bytes at most.` }] }
  }
  const { add, list } = faultList(text)
  for (const { index } of text.matchAll(CONTROL)) add(index, 'A control character cannot stand in a template.')
  if (!text.isWellFormed()) add(0, 'The template holds half of a character.')
  const found = placesOf(text, add)
  const texts = textsAround(text, found)
  // With a mark of another origin in it the text could not be told from its places.
  if (text.includes(MARK)) return { faults: list() }
  const skeleton = skeletonOf(texts.join(MARK), found.length, { sourceOf: sourcePlaces(found), add })
  settle(skeleton, contentType)
  const faults = list()
  if (faults.length > 0) return { faults }
  const places = found.flatMap(({ at, read }, i) => {
    const kind = skeleton.kinds[i]
    return read === undefined || kind === undefined ? [] : [{ ...read, kind, ...lineOf(text, at) }]
  })
  // A place that nothing was said about is refused as well: this is what makes a gap in a scanner safe.
  if (places.length < found.length) {
    const open = found.filter((_, i) => skeleton.kinds[i] === undefined)
    return { faults: open.map(({ at }) => ({ ...lineOf(text, at), message: 'A place cannot stand here.' })) }
  }
  return { parsed: { contentType, texts, places } }
}
