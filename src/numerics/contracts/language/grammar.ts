import { cursorOver, refuseAt, type Token, type TokenCursor, tokensOf } from '#numerics/operators/tokens.ts'
import { ARITY, isFunctionName, type LanguageFunction } from './functions.ts'

/** Items of a list. */
const ITEMS_MAX = 64

/** How two values are put together. */
export type ContractSign = '||' | '&&' | '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | '+' | '-' | '*' | '/' | '%'

/** An expression, parsed: the surface of CEL. `at` counts the characters before what names it. */
export type ContractExpression = { readonly at: number } & (
  | { readonly kind: 'number'; readonly text: string; readonly value: number }
  | { readonly kind: 'literal'; readonly value: string | boolean | null }
  | { readonly kind: 'list'; readonly items: readonly ContractExpression[] }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'member'; readonly of: ContractExpression; readonly name: string }
  | { readonly kind: 'index'; readonly of: ContractExpression; readonly index: ContractExpression }
  | { readonly kind: 'has' | 'size'; readonly of: ContractExpression }
  | { readonly kind: 'not' | 'negate'; readonly of: ContractExpression }
  | {
      readonly kind: 'binary'
      readonly sign: ContractSign
      readonly left: ContractExpression
      readonly right: ContractExpression
    }
  | {
      readonly kind: 'choose'
      readonly test: ContractExpression
      readonly yes: ContractExpression
      readonly no: ContractExpression
    }
  | { readonly kind: 'call'; readonly name: LanguageFunction; readonly args: readonly ContractExpression[] }
)

/** An expression of one kind. */
export type Of<K extends ContractExpression['kind']> = Extract<ContractExpression, { readonly kind: K }>

const CHOOSE = 1
const BINDING: Readonly<Record<ContractSign, number>> = {
  '||': 2,
  '&&': 3,
  '==': 4,
  '!=': 4,
  '<': 4,
  '<=': 4,
  '>': 4,
  '>=': 4,
  in: 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
  '%': 6,
}
const UNARY = 7
const ATOM = 8

type Kind = 'number' | 'name' | 'text' | 'sign'

/** A number, a name, a text in quotes and a sign, in the order of the kinds. */
const TOKEN = new RegExp(
  `\\s*(?:${[
    /(\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?)/,
    /([A-Za-z_]\w*)/,
    /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/,
    /(\|\||&&|[<>=!]=|[-+*/%<>!?:.,()[\]])/,
  ]
    .map(({ source }) => source)
    .join('|')})`,
  'y',
)
const KINDS: readonly Kind[] = ['number', 'name', 'text', 'sign']

const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
])

/** Words that are no names: neither of a member nor of anything else. */
export const isWord = (name: string): boolean => name === 'in' || WORDS.has(name)

const ESCAPED: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ['\\', '\\'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])

/** What a text in quotes says. */
const unquoted = ({ text, at }: Token<Kind>): string => {
  const whole = text.slice(1, -1).replace(/\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g, (all, hex?: string, sign = '') => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
    return ESCAPED.get(sign) ?? refuseAt(at, `${all} is no escape; those are \\" \\' \\\\ \\b \\f \\n \\r \\t \\u0000.`)
  })
  return whole.isWellFormed() ? whole : refuseAt(at, 'a text holds half of a character.')
}

/** A number as it is written. Whole ones that a double would bend are refused: nobody would see it. */
const numberOf = ({ text, at }: Token<Kind>): number => {
  const value = Number(text)
  if (!Number.isFinite(value)) return refuseAt(at, 'the number is beyond the range of a double.')
  const bent = /^\d+$/.test(text) && !Number.isSafeInteger(value) && BigInt(value) !== BigInt(text)
  return bent ? refuseAt(at, 'a whole number this large cannot be held exactly; write an exponent.') : value
}

const isSign = (text: string): text is ContractSign => Object.hasOwn(BINDING, text)

type Inner = (least: number, depth: number) => ContractExpression

/** What stands between brackets. */
const bracketed = ({ peek, take, expect, made }: TokenCursor<Kind>, expression: Inner) => {
  /** Expressions with commas between them, up to a closing sign. */
  const several = (close: string, most: number, depth: number): ContractExpression[] => {
    const found: ContractExpression[] = []
    const { at } = peek()
    while (peek().text !== close) {
      if (found.length > 0) expect(',')
      found.push(expression(0, depth + 1))
      if (found.length > most) refuseAt(at, `more than ${most} stand between the brackets.`)
    }
    take()
    return found
  }

  const call = ({ text: name, at }: Token<Kind>, depth: number): ContractExpression => {
    take()
    if (name === 'has' || name === 'size') {
      const of = expression(0, depth + 1)
      if (name === 'has' && of.kind !== 'member') refuseAt(of.at, 'has asks for a member: has(event.data.flow).')
      expect(')')
      return made({ kind: name, of, at }, at)
    }
    if (!isFunctionName(name)) return refuseAt(at, `${name} is not a function.`)
    const { least, most } = ARITY[name]
    const args = several(')', most, depth)
    return args.length < least
      ? refuseAt(at, `${name} takes ${least} values${most > least ? ' or more' : ''}.`)
      : made({ kind: 'call', name, args, at }, at)
  }
  return { several, call }
}

/** ReadValues, before any sign binds them: literals, names, calls, lists, members and places. */
const values = (cursor: TokenCursor<Kind>, expression: Inner) => {
  const { peek, take, expect, made, deep } = cursor
  const { several, call } = bracketed(cursor, expression)

  const word = (token: Token<Kind>, depth: number): ContractExpression => {
    const { text: name, at } = token
    const value = WORDS.get(name)
    if (value !== undefined) return made({ kind: 'literal', value, at }, at)
    if (name === 'in') return refuseAt(at, '“in” is no value.')
    return peek().text === '(' ? call(token, depth) : made({ kind: 'name', name, at }, at)
  }

  const atom = (depth: number): ContractExpression => {
    const token = take()
    const { at } = token
    if (token.kind === 'number') return made({ kind: 'number', text: token.text, value: numberOf(token), at }, at)
    if (token.kind === 'text') return made({ kind: 'literal', value: unquoted(token), at }, at)
    if (token.kind === 'name') return word(token, depth)
    if (token.text === '[') return made({ kind: 'list', items: several(']', ITEMS_MAX, depth), at }, at)
    if (token.text === '(') {
      const inner = expression(0, depth + 1)
      expect(')')
      return inner
    }
    return refuseAt(at, token.kind === 'end' ? 'it ends where a value is wanted.' : `“${token.text}” is no value.`)
  }

  /** A value with its members and places in lists. */
  const reached = (depth: number): ContractExpression => {
    let of = atom(depth)
    for (;;) {
      const { text: sign, at } = peek()
      if (sign === '.') {
        take()
        const name = take()
        if (name.kind !== 'name' || isWord(name.text)) refuseAt(name.at, 'the name of a member is wanted.')
        of = made({ kind: 'member', of, name: name.text, at: name.at }, name.at)
      } else if (sign === '[') {
        take()
        const index = expression(0, depth + 1)
        expect(']')
        of = made({ kind: 'index', of, index, at }, at)
      } else return of
    }
  }

  const prefix = (depth: number): ContractExpression => {
    const { text: sign, at } = peek()
    if (sign !== '-' && sign !== '!') return reached(depth)
    take()
    deep(depth + 1)
    return made({ kind: sign === '-' ? 'negate' : 'not', of: prefix(depth + 1), at }, at)
  }

  return { prefix }
}

/** A Pratt parser over the tokens of one text. */
const parser = (text: string) => {
  const cursor = cursorOver(text, tokensOf(text, TOKEN, KINDS))
  const { peek, take, expect, made, deep, finish } = cursor

  const choose = (test: ContractExpression, depth: number): ContractExpression => {
    const { at } = take()
    const yes = expression(CHOOSE, depth + 1)
    expect(':')
    return made({ kind: 'choose', test, yes, no: expression(0, depth + 1), at }, at)
  }

  const expression: Inner = (least, depth) => {
    deep(depth)
    let left = prefix(depth)
    for (;;) {
      const { text: sign, at } = peek()
      if (sign === '?' && least < CHOOSE) return choose(left, depth)
      const binding = isSign(sign) ? BINDING[sign] : 0
      if (binding <= least) return left
      take()
      left = made({ kind: 'binary', sign: sign as ContractSign, left, right: expression(binding, depth + 1), at }, at)
    }
  }

  const { prefix } = values(cursor, expression)
  return { whole: () => finish(expression(0, 0)) }
}

/**
 * Reads an expression.
 *
 * @throws Fault INVALID_INPUT with the position, also beyond the bounds on length, depth, nodes and items.
 */
export const parseExpression = (text: string): ContractExpression => parser(text).whole()

const bindingOf = (it: ContractExpression): number => {
  if (it.kind === 'choose') return CHOOSE
  if (it.kind === 'binary') return BINDING[it.sign]
  return it.kind === 'negate' || it.kind === 'not' ? UNARY : ATOM
}

const within = (it: ContractExpression, least: number): string =>
  bindingOf(it) < least ? `(${printExpression(it)})` : printExpression(it)

const listed = (items: readonly ContractExpression[]): string => items.map(printExpression).join(', ')

/** The text of an expression with the fewest brackets; parsing it gives the expression back, its places apart. */
export const printExpression = (it: ContractExpression): string => {
  switch (it.kind) {
    case 'number':
      return it.text
    case 'literal':
      return JSON.stringify(it.value)
    case 'list':
      return `[${listed(it.items)}]`
    case 'name':
      return it.name
    case 'member':
      return `${within(it.of, ATOM)}.${it.name}`
    case 'index':
      return `${within(it.of, ATOM)}[${printExpression(it.index)}]`
    case 'has':
    case 'size':
      return `${it.kind}(${printExpression(it.of)})`
    case 'not':
      return `!${within(it.of, UNARY)}`
    case 'negate':
      return `-${within(it.of, UNARY)}`
    case 'call':
      return `${it.name}(${listed(it.args)})`
    case 'choose':
      return `${within(it.test, CHOOSE + 1)} ? ${within(it.yes, CHOOSE + 1)} : ${printExpression(it.no)}`
    case 'binary': {
      const own = BINDING[it.sign]
      return `${within(it.left, own)} ${it.sign} ${within(it.right, own + 1)}`
    }
  }
}
