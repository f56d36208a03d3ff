import { Fault } from '#core/fault.ts'
import { parseUnit } from '#core/units.ts'
import { ARITY, type FunctionName, isFunctionName } from './arity.ts'

/** An expression, parsed. A number keeps its text, which names it exactly. */
export type Expression =
  | { readonly kind: 'number'; readonly text: string; readonly value: number }
  | { readonly kind: 'pi' }
  | { readonly kind: 'symbol'; readonly name: string }
  | { readonly kind: 'constant'; readonly name: string }
  /** One of a unit, as a quantity: what an empirical formula divides by. */
  | { readonly kind: 'unit'; readonly text: string }
  | { readonly kind: 'negate'; readonly of: Expression }
  | { readonly kind: 'binary'; readonly sign: Sign; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'call'; readonly name: FunctionName; readonly args: readonly Expression[] }

export type Sign = '+' | '-' | '*' | '/' | '^'

export interface Equation {
  readonly left: Expression
  readonly right: Expression
}

/** How the two sides of a condition stand to each other. */
export type Comparison = '<' | '<=' | '>' | '>=' | '!='

export interface Comparing extends Equation {
  readonly sign: Comparison
}

/** Characters of an expression. */
export const LENGTH_MAX = 2_000
/** Expressions within expressions. */
export const DEPTH_MAX = 64
/** Nodes of one expression. */
export const NODES_MAX = 512
/** Characters of a name. */
const NAME_MAX = 32

/** Binding powers; `^` binds to the right and tighter than a sign before it: −x^2 is −(x^2). */
const BINDING: Readonly<Record<Sign, number>> = { '+': 1, '-': 1, '*': 2, '/': 2, '^': 4 }
const NEGATE_BINDING = 3

interface Token {
  readonly kind: 'number' | 'name' | 'constant' | 'unit' | 'sign' | 'end'
  readonly text: string
  readonly at: number
}

const TOKEN =
  /\s*(?:(\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?)|([A-Za-z]\w*)|@([A-Za-z]\w*)|\[([^[\]]*)\]|([<>]=?|!=|[-+*/^(),=]))/y

/** The kinds of tokens in the order of the pattern's groups. */
const KINDS = ['number', 'name', 'constant', 'unit', 'sign'] as const

const refuse = (position: number, why: string): never => {
  throw new Fault('INVALID_INPUT', `Expression, character ${position + 1}: ${why}`, { position })
}

const tokensOf = (text: string): readonly Token[] => {
  if (text.length > LENGTH_MAX) refuse(LENGTH_MAX, `longer than ${LENGTH_MAX} characters.`)
  const found: Token[] = []
  const pattern = new RegExp(TOKEN.source, 'y')
  const end = text.trimEnd().length
  while (pattern.lastIndex < end) {
    const start = pattern.lastIndex
    const parts = pattern.exec(text)
    if (parts === null) {
      const at = start + (text.slice(start).length - text.slice(start).trimStart().length)
      return refuse(at, `“${String.fromCodePoint(text.codePointAt(at) ?? 0)}” has no place here.`)
    }
    const [whole, number, name, constant, unit, sign] = parts
    const part = number ?? name ?? constant ?? unit ?? sign ?? ''
    const at = start + whole.length - whole.trimStart().length
    if ((name ?? constant ?? '').length > NAME_MAX) refuse(at, `a name has at most ${NAME_MAX} characters.`)
    const kind = KINDS[parts.slice(1).findIndex((it) => it !== undefined)] ?? 'sign'
    found.push({ kind, text: part, at })
  }
  found.push({ kind: 'end', text: '', at: end })
  return found
}

/** A Pratt parser over the tokens of one text. */
const parser = (text: string) => {
  const tokens = tokensOf(text)
  let next = 0
  let nodes = 0
  const last: Token = { kind: 'end', text: '', at: text.length }
  const peek = (): Token => tokens[next] ?? last
  const take = (): Token => {
    const token = peek()
    next += 1
    return token
  }

  const made = <E extends Expression>(node: E, at: number): E => {
    nodes += 1
    if (nodes > NODES_MAX) refuse(at, `more than ${NODES_MAX} parts.`)
    return node
  }

  const expect = (sign: string): void => {
    const token = take()
    if (token.text !== sign) refuse(token.at, `“${sign}” is wanted${token.kind === 'end' ? ' at the end' : ''}.`)
  }

  const call = (name: Token, depth: number): Expression => {
    if (!isFunctionName(name.text)) return refuse(name.at, `${name.text} is not a function.`)
    expect('(')
    const args = [expression(0, depth + 1)]
    while (peek().text === ',') {
      take()
      args.push(expression(0, depth + 1))
      if (args.length > ARITY[name.text].most) refuse(name.at, `${name.text} takes fewer arguments.`)
    }
    expect(')')
    if (args.length < ARITY[name.text].least) refuse(name.at, `${name.text} takes more arguments.`)
    return made({ kind: 'call', name: name.text, args }, name.at)
  }

  const unitLiteral = (token: Token): Expression => {
    const scale = parseUnit(token.text).offset.num !== 0n
    if (scale) refuse(token.at, 'a scale with an offset is no quantity; write [K].')
    return made({ kind: 'unit', text: token.text }, token.at)
  }

  const prefix = (depth: number): Expression => {
    const token = take()
    if (token.kind === 'number') {
      const value = Number(token.text)
      if (!Number.isFinite(value)) refuse(token.at, 'the number is beyond the range of a double.')
      return made({ kind: 'number', text: token.text, value }, token.at)
    }
    if (token.kind === 'constant') return made({ kind: 'constant', name: token.text }, token.at)
    if (token.kind === 'unit') return unitLiteral(token)
    if (token.kind === 'name') {
      if (peek().text === '(' || isFunctionName(token.text)) return call(token, depth)
      return made(token.text === 'pi' ? { kind: 'pi' } : { kind: 'symbol', name: token.text }, token.at)
    }
    if (token.text === '-') return made({ kind: 'negate', of: expression(NEGATE_BINDING, depth + 1) }, token.at)
    if (token.text === '(') {
      const inner = expression(0, depth + 1)
      expect(')')
      return inner
    }
    return refuse(token.at, token.kind === 'end' ? 'it ends where a value is wanted.' : `“${token.text}” is no value.`)
  }

  const expression = (least: number, depth: number): Expression => {
    if (depth > DEPTH_MAX) refuse(peek().at, `nested deeper than ${DEPTH_MAX}.`)
    let left = prefix(depth)
    for (;;) {
      const token = peek()
      const binding = token.kind === 'sign' && token.text in BINDING ? BINDING[token.text as Sign] : 0
      if (binding === 0 || binding <= least) return left
      take()
      const sign = token.text as Sign
      const right = expression(sign === '^' ? binding - 1 : binding, depth + 1)
      left = made({ kind: 'binary', sign, left, right }, token.at)
    }
  }

  return { expression: () => expression(0, 0), peek, take, expect }
}

/** @throws Fault INVALID_INPUT with the position, also beyond the bounds on length, depth and parts. */
export const parseExpression = (text: string): Expression => {
  const it = parser(text)
  const whole = it.expression()
  const token = it.peek()
  return token.kind === 'end' ? whole : refuse(token.at, `“${token.text}” is left over.`)
}

/** `left = right`, with exactly one sign of equality. @throws Fault INVALID_INPUT as {@link parseExpression}. */
export const parseEquation = (text: string): Equation => {
  const it = parser(text)
  const left = it.expression()
  it.expect('=')
  const right = it.expression()
  const token = it.peek()
  return token.kind === 'end' ? { left, right } : refuse(token.at, `“${token.text}” is left over.`)
}

const COMPARISONS: readonly string[] = ['<', '<=', '>', '>=', '!=']

/** `left < right`, with exactly one sign of comparison. @throws Fault INVALID_INPUT as {@link parseExpression}. */
export const parseComparison = (text: string): Comparing => {
  const it = parser(text)
  const left = it.expression()
  const sign = it.take()
  if (!COMPARISONS.includes(sign.text)) refuse(sign.at, 'one of < <= > >= != is wanted.')
  const right = it.expression()
  const token = it.peek()
  return token.kind === 'end'
    ? { left, sign: sign.text as Comparison, right }
    : refuse(token.at, `“${token.text}” is left over.`)
}

const ATOM_BINDING = 5
const bindingOf = (it: Expression): number =>
  it.kind === 'binary' ? BINDING[it.sign] : it.kind === 'negate' ? NEGATE_BINDING : ATOM_BINDING

const within = (it: Expression, least: number): string =>
  bindingOf(it) < least ? `(${printExpression(it)})` : printExpression(it)

/** The text of an expression with the fewest brackets; parsing it gives the expression back. */
export const printExpression = (it: Expression): string => {
  switch (it.kind) {
    case 'number':
      return it.text
    case 'pi':
      return 'pi'
    case 'symbol':
      return it.name
    case 'constant':
      return `@${it.name}`
    case 'unit':
      return `[${it.text}]`
    case 'negate':
      return `-${within(it.of, NEGATE_BINDING)}`
    case 'call':
      return `${it.name}(${it.args.map(printExpression).join(', ')})`
    case 'binary': {
      if (it.sign === '^') {
        const power = it.right.kind === 'negate' ? printExpression(it.right) : within(it.right, BINDING['^'])
        return `${within(it.left, ATOM_BINDING)}^${power}`
      }
      const own = BINDING[it.sign]
      const space = own === 1 ? ' ' : ''
      return `${within(it.left, own)}${space}${it.sign}${space}${within(it.right, own + 1)}`
    }
  }
}

/** Calls `visit` for every part, outer parts first. */
export const walk = (it: Expression, visit: (part: Expression) => void): void => {
  visit(it)
  if (it.kind === 'negate') walk(it.of, visit)
  else if (it.kind === 'call') for (const arg of it.args) walk(arg, visit)
  else if (it.kind === 'binary') {
    walk(it.left, visit)
    walk(it.right, visit)
  }
}

/** How often a symbol stands in an expression. */
export const countSymbol = (it: Expression, name: string): number => {
  let count = 0
  walk(it, (part) => {
    if (part.kind === 'symbol' && part.name === name) count += 1
  })
  return count
}
