/** What the process of several test files says beside their output: a file begins, a file has ended. */
export type Mark =
  | { readonly begins: string }
  /** `seconds` of processor, those of ended children included. */
  | { readonly ends: string; readonly code: number; readonly seconds: number }

/** Stands in no output of a test: a record separator. */
const SIGN = '\u001e'

/** A mark as it stands in the output. */
export const markLine = (mark: Mark): string => `${SIGN}${JSON.stringify(mark)}${SIGN}`

/**
 * Parts a stream's output from its marks.
 * @returns what takes a piece of the stream; a mark may come in several
 */
export const parted = (onText: (text: string) => void, onMark: (mark: Mark) => void): ((piece: string) => void) => {
  let open: string | undefined
  return (piece) => {
    const [first = '', ...rest] = piece.split(SIGN)
    const add = (text: string): void => {
      if (open === undefined) onText(text)
      else open += text
    }
    add(first)
    for (const text of rest) {
      if (open === undefined) open = text
      else {
        onMark(JSON.parse(open) as Mark)
        open = undefined
        onText(text)
      }
    }
  }
}
