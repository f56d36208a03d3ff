import { MARK, type Skeleton } from './skeleton.ts'

/** Levels of lists and objects in a template. */
const DEPTH_MAX = 64

/** What may come next: a value; a value or the end of a list; a name or the end of an object; and so on. */
type Awaited = 'value' | 'value-or-end' | 'name' | 'name-or-end' | 'colon' | 'comma-or-end' | 'nothing'

const SPACE = /[ \t\r\n]*/y
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
/** Text up to what ends it, means something else in it, or may not stand in it. */
const PLAIN = /[^"\\\p{Cc}]*/uy
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

const EXPECTED: Readonly<Record<Awaited, string>> = {
  value: 'a value',
  'value-or-end': 'a value or “]”',
  name: 'a name between quotes',
  'name-or-end': 'a name between quotes or “}”',
  colon: '“:”',
  'comma-or-end': '“,” or the closing bracket',
  nothing: 'the end',
}

interface Walk {
  readonly skeleton: Skeleton
  at: number
  awaited: Awaited
  /** Brackets that are open. */
  readonly open: ('{' | '[')[]
  /** A text without end or with a false escape was met, and refused there: nothing behind it can be told. */
  broken: boolean
}

const skip = (walk: Walk, pattern: RegExp): number => {
  pattern.lastIndex = walk.at
  const length = pattern.exec(walk.skeleton.text)?.[0].length ?? 0
  walk.at += length
  return length
}

const takeText = (walk: Walk): void => {
  const { text, settle, refuse } = walk.skeleton
  const start = walk.at++
  for (;;) {
    skip(walk, PLAIN)
    const sign = text[walk.at]
    if (sign === MARK) settle(walk.at++, 'json-text')
    else if (sign === '"') {
      walk.at++
      return
    } else if (skip(walk, ESCAPE) === 0) {
      walk.broken = true
      const why =
        sign === '\\' ? 'There is no such escape in JSON.' : 'A text of JSON has no line break or tab: write \\n, \\t.'
      return sign === undefined ? refuse(start, 'This text is not closed.') : refuse(walk.at, why)
    }
  }
}

const afterValue = (walk: Walk): void => {
  walk.awaited = walk.open.length === 0 ? 'nothing' : 'comma-or-end'
}

const takesValue = ({ awaited }: Walk): boolean => awaited === 'value' || awaited === 'value-or-end'

/** Takes an opening bracket; false where none may stand. */
const takeOpening = (walk: Walk, sign: '{' | '['): boolean => {
  if (!takesValue(walk) || walk.open.length >= DEPTH_MAX) return false
  walk.open.push(sign)
  walk.awaited = sign === '{' ? 'name-or-end' : 'value-or-end'
  walk.at++
  return true
}

const takeClosing = (walk: Walk, sign: '}' | ']'): boolean => {
  const empty = sign === '}' ? 'name-or-end' : 'value-or-end'
  const fits = walk.open.at(-1) === (sign === '}' ? '{' : '[')
  if (!fits || (walk.awaited !== empty && walk.awaited !== 'comma-or-end')) return false
  walk.open.pop()
  walk.at++
  afterValue(walk)
  return true
}

const takeQuoted = (walk: Walk): boolean => {
  const isName = walk.awaited === 'name' || walk.awaited === 'name-or-end'
  if (!isName && !takesValue(walk)) return false
  takeText(walk)
  if (isName) walk.awaited = 'colon'
  else afterValue(walk)
  return true
}

const takeScalar = (walk: Walk): boolean => {
  if (!takesValue(walk)) return false
  if (walk.skeleton.text[walk.at] === MARK) walk.skeleton.settle(walk.at++, 'json-value')
  else if (skip(walk, SCALAR) === 0) return false
  afterValue(walk)
  return true
}

const takeSeparator = (walk: Walk, sign: ':' | ','): boolean => {
  if (walk.awaited !== (sign === ':' ? 'colon' : 'comma-or-end')) return false
  walk.awaited = sign === ':' || walk.open.at(-1) === '[' ? 'value' : 'name'
  walk.at++
  return true
}

const takeOne = (walk: Walk, sign: string): boolean => {
  if (sign === '{' || sign === '[') return takeOpening(walk, sign)
  if (sign === '}' || sign === ']') return takeClosing(walk, sign)
  if (sign === ':' || sign === ',') return takeSeparator(walk, sign)
  return sign === '"' ? takeQuoted(walk) : takeScalar(walk)
}

/**
 * The places of a template of JSON: each is a value of its own or stands inside a text, so that the filled text is JSON
 * whatever the values are. A place beside a digit, as the name of a member without quotes, or behind a lone backslash
 * is refused, and so is whatever would not be JSON with values in the places.
 */
export const findJsonPlaces = (skeleton: Skeleton): void => {
  const walk: Walk = { skeleton, at: 0, awaited: 'value', open: [], broken: false }
  for (;;) {
    skip(walk, SPACE)
    const before = walk.at
    const sign = skeleton.text[before]
    if (sign === undefined) break
    if (takeOne(walk, sign)) {
      if (walk.broken) return
      continue
    }
    const deep = walk.open.length >= DEPTH_MAX && takesValue(walk)
    const what = deep ? `lists and objects nest ${DEPTH_MAX} deep at most` : `${EXPECTED[walk.awaited]} is expected`
    return skeleton.refuse(before, `This is no JSON: here ${what}.`)
  }
  if (walk.awaited !== 'nothing') {
    skeleton.refuse(skeleton.text.length, `This is no JSON: it ends where ${EXPECTED[walk.awaited]} is expected.`)
  }
}
