import type { PlaceFault, PlaceKind } from './place.ts'

/** What stands for a place while the text around it is looked at; no template may hold it. */
export const MARK = '\0'

/** Faults that are told of one template. */
const FAULTS_MAX = 100

/** The text of a template with a mark for each place, and what is found about the places. */
export interface Skeleton {
  readonly text: string
  /** Says of the mark at this offset what kind of place it is. */
  readonly settle: (at: number, kind: PlaceKind) => void
  /** Refuses what stands at this offset. */
  readonly refuse: (at: number, message: string) => void
  /** Refuses every place from one offset up to another. */
  readonly refuseMarks: (from: number, to: number, message: string) => void
  readonly kinds: readonly (PlaceKind | undefined)[]
}

/** Faults by their place in the text, each with line and column. */
export interface FaultList {
  readonly add: (offset: number, message: string) => void
  /** In the order of the text. */
  readonly list: () => readonly PlaceFault[]
}

/** The faults of a text, told by offset and read by line and column. */
export const faultList = (source: string): FaultList => {
  const found: { readonly offset: number; readonly message: string }[] = []
  return {
    add: (offset, message) => {
      if (found.length < FAULTS_MAX) found.push({ offset, message })
    },
    list: () => {
      let [line, start, at] = [1, 0, 0]
      return found
        .toSorted((a, b) => a.offset - b.offset)
        .map(({ offset, message }) => {
          for (; at < offset; at++) {
            if (source[at] !== '\n') continue
            line++
            start = at + 1
          }
          return { line, column: offset - start + 1, message }
        })
    },
  }
}

/**
 * @param text the template with a mark for each place.
 * @param sourceOf where an offset of that text lies in the template.
 * @param count how many places there are.
 */
export const skeletonOf = (
  text: string,
  count: number,
  { sourceOf, add }: { readonly sourceOf: (at: number) => number; readonly add: FaultList['add'] },
): Skeleton => {
  const kinds = new Array<PlaceKind | undefined>(count).fill(undefined)
  const order = new Map<number, number>()
  for (let at = text.indexOf(MARK); at >= 0; at = text.indexOf(MARK, at + 1)) order.set(at, order.size)
  const refuse = (at: number, message: string): void => add(sourceOf(at), message)
  return {
    text,
    kinds,
    refuse,
    settle: (at, kind) => {
      const place = order.get(at)
      if (place !== undefined) kinds[place] = kind
    },
    refuseMarks: (from, to, message) => {
      for (let at = from; at < to; at++) if (text[at] === MARK) refuse(at, message)
    },
  }
}
