import { MARK, type Skeleton } from './skeleton.ts'

/** What a spreadsheet reads as the beginning of a formula, in the widths that it takes for the same sign. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

/** Whether a field that begins so would be read as a formula. */
export const beginsFormula = (text: string): boolean => FORMULA.test(text)

const BREAK = /[,\r\n]/g
const QUOTES = /"/g

const next = (pattern: RegExp, text: string, from: number): number => {
  pattern.lastIndex = from
  return pattern.exec(text)?.index ?? text.length
}

/** A field without quotes: its place is all of it, for what needs quotes needs them around the whole field. */
const plainField = ({ text, settle, refuse, refuseMarks }: Skeleton, from: number): number => {
  const end = next(BREAK, text, from)
  if (end === from + 1 && text[from] === MARK) settle(from, 'csv-field')
  else refuseMarks(from, end, 'A place that is not the whole field stands between quotes: "…{{place}}…".')
  const quote = next(QUOTES, text, from)
  if (quote < end) refuse(quote, 'A field with a quote in it begins with one, and writes it twice.')
  return end
}

/** Where the content of a quoted field ends: at its closing quote, or at the end of the text. */
const closing = (text: string, from: number): number => {
  let at = next(QUOTES, text, from)
  while (text[at + 1] === '"') at = next(QUOTES, text, at + 2)
  return at
}

const settleQuoted = ({ text, settle, refuseMarks }: Skeleton, from: number, end: number): void => {
  if (end === from + 1 && text[from] === MARK) return settle(from, 'csv-quoted')
  let first = true
  for (let at = from; at < end; at++) {
    const sign = text[at] as string
    if (sign === MARK) settle(at, first ? 'csv-first' : 'csv-part')
    else if (first && sign !== ' ') {
      // What the template itself begins as a formula, no apostrophe of a value can take back.
      if (beginsFormula(sign)) return refuseMarks(at, end, 'A place cannot stand in a formula.')
      first = false
    }
  }
}

const quotedField = (skeleton: Skeleton, quote: number): number => {
  const { text, refuse } = skeleton
  const end = closing(text, quote + 1)
  if (end === text.length) {
    refuse(quote, 'This quote is not closed.')
    return end
  }
  settleQuoted(skeleton, quote + 1, end)
  const after = next(BREAK, text, end)
  if (after !== end + 1) {
    skeleton.refuseMarks(end, after, 'A place cannot stand behind the closing quote of a field.')
    refuse(end + 1, 'Behind the closing quote comes a comma or the end of the line.')
  }
  return after
}

/** The places of a template of CSV (RFC 4180): a whole field each, or a part of a quoted one. */
export const findCsvPlaces = (skeleton: Skeleton): void => {
  let at = 0
  while (at <= skeleton.text.length) {
    at = (skeleton.text[at] === '"' ? quotedField(skeleton, at) : plainField(skeleton, at)) + 1
  }
}
