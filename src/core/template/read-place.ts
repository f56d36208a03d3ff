import { FILTERS_MAX, filterNames, PATH_NAMES_MAX, type PlaceFilter, type PlaceFilterName } from './place.ts'

/** What stands between the braces, read. */
interface ReadPlace {
  readonly path: readonly string[]
  readonly filters: readonly PlaceFilter[]
}

/** Why it cannot be read; `at` counts from the first character behind the opening braces. */
interface Misread {
  readonly at: number
  readonly message: string
}

/** Digits behind the point of a number. */
const DIGITS_MAX = 20
/** Characters or items that are kept. */
const KEPT_MAX = 65_536

/** The lowest and highest argument of filters that take a number. */
const counted: Partial<Record<PlaceFilterName, readonly [low: number, high: number]>> = {
  fixed: [0, DIGITS_MAX],
  exp: [0, DIGITS_MAX],
  trim: [0, KEPT_MAX],
  first: [0, KEPT_MAX],
}

/** Filters whose argument is a text. */
const worded: readonly PlaceFilterName[] = ['default', 'join']

const SPACE = /[ \t\r\n]*/y
/** A name: anything but what has a meaning in a place. */
const NAME = /[^\s.|:{}"'\0]+/y
const WORD = /[a-z]+/y
/** An argument without quotes ends where the next begins. */
const BARE = /[^|:{}"'\0]*/y
const QUOTED = /"(?:[^"\\\0]|\\["'\\nt])*"|'(?:[^'\\\0]|\\["'\\nt])*'/y

class Unreadable extends Error {
  readonly at: number

  constructor(at: number, message: string) {
    super(message)
    this.at = at
  }
}

const fail = (at: number, message: string): never => {
  throw new Unreadable(at, message)
}

/** A text that is read from its start to its end. */
interface Reader {
  readonly text: string
  at: number
}

const take = (reader: Reader, pattern: RegExp): string | undefined => {
  pattern.lastIndex = reader.at
  const found = pattern.exec(reader.text)?.[0]
  reader.at += found?.length ?? 0
  return found
}

const takeSign = (reader: Reader, sign: string): boolean => {
  take(reader, SPACE)
  const here = reader.text.startsWith(sign, reader.at)
  if (here) reader.at += sign.length
  return here
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t' }

const unquoted = (text: string): string =>
  text.slice(1, -1).replace(/\\(.)/g, (_, sign: string) => ESCAPED[sign] ?? sign)

const argumentOf = (reader: Reader): string => {
  take(reader, SPACE)
  const quoted = take(reader, QUOTED)
  if (quoted !== undefined) return unquoted(quoted)
  if (/["']/.test(reader.text[reader.at] ?? ''))
    return fail(reader.at, 'A quote is not closed, or an escape is unknown.')
  return (take(reader, BARE) ?? '').trimEnd()
}

const NUMBER = /^\d{1,5}$/

const filterOf = (reader: Reader): PlaceFilter => {
  take(reader, SPACE)
  const start = reader.at
  const word = take(reader, WORD) ?? ''
  const name = filterNames.find((it) => it === word)
  if (name === undefined)
    return fail(start, `There is no filter ${word || 'here'}; there are ${filterNames.join(', ')}.`)
  const given: string[] = []
  while (takeSign(reader, ':')) given.push(argumentOf(reader))
  const [text = ''] = given
  const bounds = counted[name]
  const wanted = bounds !== undefined || worded.includes(name) ? 1 : 0
  if (given.length !== wanted) return fail(start, `${name} takes ${wanted === 1 ? 'one argument' : 'no argument'}.`)
  if (bounds === undefined) return { name, count: 0, text }
  const [low, high] = bounds
  const count = NUMBER.test(text) ? Number(text) : -1
  if (count < low || count > high) return fail(start, `${name} takes a whole number from ${low} to ${high}.`)
  return { name, count, text: '' }
}

const pathOf = (reader: Reader): readonly string[] => {
  const path: string[] = []
  do {
    take(reader, SPACE)
    const name = take(reader, NAME) ?? fail(reader.at, 'The name of a value is missing.')
    if (path.push(name) > PATH_NAMES_MAX) return fail(reader.at, `A path has ${PATH_NAMES_MAX} names at most.`)
  } while (takeSign(reader, '.'))
  return path
}

/**
 * Reads the place that begins behind `{{` at `from`.
 *
 * @returns the place and where the text goes on behind its `}}`; or why it is none, and where to go on all the same.
 */
export const readPlace = (
  text: string,
  from: number,
): { readonly place?: ReadPlace; readonly fault?: Misread; readonly end: number } => {
  const reader: Reader = { text, at: from }
  try {
    const path = pathOf(reader)
    const filters: PlaceFilter[] = []
    while (takeSign(reader, '|')) {
      if (filters.push(filterOf(reader)) > FILTERS_MAX) fail(reader.at, `A place has ${FILTERS_MAX} filters at most.`)
    }
    if (!takeSign(reader, '}}')) fail(reader.at, 'Here “|”, “:”, “.” or the closing “}}” is expected.')
    return { place: { path, filters }, end: reader.at }
  } catch (cause) {
    if (!(cause instanceof Unreadable)) throw cause
    const close = text.indexOf('}}', cause.at)
    return { fault: { at: cause.at, message: cause.message }, end: close < 0 ? text.length : close + 2 }
  }
}
