import { parseUnit } from '#core/units.ts'
import { ARITY, type FunctionName, isFunctionName } from './arity.ts'
import { cursorOver, refuseAt, type Token, tokensOf } from './tokens.ts'

export { DEPTH_MAX, LENGTH_MAX, NODES_MAX } from './tokens.ts'

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

/** Binding powers; `^` binds to the right and tighter than a sign before it: −x^2 is −(x^2). */
const BINDING: Readonly<Record<Sign, number>> = { '+': 1, '-': 1, '*': 2, '/': 2, '^': 4 }
const NEGATE_BINDING = 3

type Kind = 'number' | 'name' | 'constant' | 'unit' | 'sign'

const TOKEN =
  /\s*(?:(\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?)|([A-Za-z]\w*)|@([A-Za-z]\w*)|\[([^[\]]*)\]|([<>]=?|!=|[-+*/^(),=]))/y

/** The kinds of tokens in the order of the pattern's groups. */
const KINDS: readonly Kind[] = ['number', 'name', 'constant', 'unit', 'sign']

/** A Pratt parser over the tokens of one text. */
const parser = (text: string) => {
  const cursor = cursorOver(text, tokensOf(text, TOKEN, KINDS))
  const { peek, take, expect, made, deep } = cursor

  const call = (name: Token<Kind>, depth: number): Expression => {
    if (!isFunctionName(name.text)) return refuseAt(name.at, `${name.text} is not a function.`)
    expect('(')
    const args = [expression(0, depth + 1)]
    while (peek().text === ',') {
      take()
      args.push(expression(0, depth + 1))
      if (args.length > ARITY[name.text].most) refuseAt(name.at, `${name.text} takes fewer arguments.`)
    }
    expect(')')
    if (args.length < ARITY[name.text].least) refuseAt(name.at, `${name.text} takes more arguments.`)
    return made({ kind: 'call', name: name.text, args }, name.at)
  }

  const unitLiteral = (token: Token<Kind>): Expression => {
    const scale = parseUnit(token.text).offset.num !== 0n
    if (scale) refuseAt(token.at, 'a scale with an offset is no quantity; write [K].')
    return made({ kind: 'unit', text: token.text }, token.at)
  }

  const prefix = (depth: number): Expression => {
    const token = take()
    if (token.kind === 'number') {
      const value = Number(token.text)
      if (!Number.isFinite(value)) refuseAt(token.at, 'the number is beyond the range of a double.')
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
    return refuseAt(
      token.at,
      token.kind === 'end' ? 'it ends where a value is wanted.' : `“${token.text}” is no value.`,
    )
  }

  const expression = (least: number, depth: number): Expression => {
    deep(depth)
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

  return { ...cursor, expression: () => expression(0, 0) }
}

/** @throws Fault INVALID_INPUT with the position, also beyond the bounds on length, depth and parts. */
export const parseExpression = (text: string): Expression => {
  const it = parser(text)
  return it.finish(it.expression())
}

/** `left = right`, with exactly one sign of equality. @throws Fault INVALID_INPUT as {@link parseExpression}. */
export const parseEquation = (text: string): Equation => {
  const it = parser(text)
  const left = it.expression()
  it.expect('=')
  const right = it.expression()
  return it.finish({ left, right })
}

const COMPARISONS: readonly string[] = ['<', '<=', '>', '>=', '!=']

/** `left < right`, with exactly one sign of comparison. @throws Fault INVALID_INPUT as {@link parseExpression}. */
export const parseComparison = (text: string): Comparing => {
  const it = parser(text)
  const left = it.expression()
  const sign = it.take()
  if (!COMPARISONS.includes(sign.text)) refuseAt(sign.at, 'one of < <= > >= != is wanted.')
  const right = it.expression()
  return it.finish({ left, sign: sign.text as Comparison, right })
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
