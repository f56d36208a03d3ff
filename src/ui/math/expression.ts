import type { Equation, Expression } from '#numerics/operators/grammar.ts'
import { unitText } from '#numerics/plot/figures.ts'
import { APPLY, fenced, leaf, type MathNode, MINUS, of, row, TALL, TIMES } from './node.ts'
import { constantSymbol, type SetSymbol, symbolOf } from './symbol.ts'

/** Names of an equation's variables by their symbols, which help to set these. */
export type Names = Readonly<Record<string, string>>

/** How tightly a part holds together as it looks: the bar of a fraction brackets, a line of signs does not. */
const SUM = 1
const PRODUCT = 2
const SIGNED = 3
/** Stands as a factor without brackets, but takes no exponent. */
const FACTOR = 4
const ATOM = 5

type Binary = Extract<Expression, { kind: 'binary' }>

interface Part {
  readonly node: MathNode
  readonly holds: number
}

/** Functions that go by another name in books. */
const CALLED: Readonly<Record<string, string>> = {
  log: 'ln',
  acos: 'arccos',
  acosh: 'arcosh',
  asin: 'arcsin',
  asinh: 'arsinh',
  atan: 'arctan',
  atanh: 'artanh',
  expm1: 'exp',
  tgamma: 'Γ',
}
/** Functions whose whole powers stand at their names. */
const RAISED = new Set(['sin', 'cos', 'tan', 'sinh', 'cosh', 'tanh'])

const atom = (node: MathNode): Part => ({ node, holds: ATOM })
const factor = (node: MathNode): Part => ({ node, holds: FACTOR })

const numberPart = (text: string): Part => {
  const [mantissa = '', exponent] = text.toLowerCase().split('e')
  if (exponent === undefined) return atom(leaf('mn', mantissa))
  const digits = leaf('mn', exponent.replace(/^[+-]/, ''))
  const power = of('msup', [leaf('mn', '10'), exponent.startsWith('-') ? row(leaf('mo', MINUS), digits) : digits])
  return factor(Number(mantissa) === 1 ? power : row(leaf('mn', mantissa), leaf('mo', '×'), power))
}

/** Halves and thirds in the exponents of a unit. */
const unitPart = (text: string): Part => {
  const shown = unitText(
    text.replaceAll(/\^\((-?\d+)\/(\d+)\)/g, (_, a: string, b: string) => `^${Number(a) / Number(b)}`),
  )
  const node = leaf('mtext', shown, { class: 'unit-sign', 'data-unit': text })
  return /^\p{L}+$/u.test(shown) ? atom(node) : factor(node)
}

const within = (it: Expression, least: number, names: Names): MathNode => {
  const { node, holds } = part(it, names)
  return holds < least ? fenced(node) : node
}

/** The same after an operator, beside which no sign stands bare. */
const unsignedPart = (it: Expression, least: number, names: Names): MathNode => {
  const { node, holds } = part(it, names)
  return holds < least || firstOf(node).text === MINUS ? fenced(node) : node
}

const listed = (args: readonly Expression[], names: Names): MathNode =>
  row(...args.flatMap((it, at) => (at === 0 ? [whole(it, names)] : [leaf('mo', ','), whole(it, names)])))

const call = ({ name, args }: Extract<Expression, { kind: 'call' }>, names: Names): Part => {
  const list = listed(args, names)
  if (name === 'sqrt') return factor(of('msqrt', [list]))
  if (name === 'cbrt') return factor(of('mroot', [list, leaf('mn', '3')]))
  if (name === 'abs') return atom(fenced(list, '|', '|'))
  // Both keep digits that the plain form would lose, and say the same.
  if (name === 'log1p') return factor(row(leaf('mi', 'ln'), APPLY, fenced(row(leaf('mn', '1'), leaf('mo', '+'), list))))
  const called = factor(row(...functionName(name), APPLY, fenced(list)))
  return name === 'expm1' ? { node: row(called.node, leaf('mo', MINUS), leaf('mn', '1')), holds: SUM } : called
}

/** A fraction of whole numbers stands in a line where there is little room. */
const exponentOf = (it: Expression, names: Names): MathNode => {
  const { inner, signs } =
    it.kind === 'negate' ? { inner: it.of, signs: [leaf('mo', MINUS, { form: 'prefix' })] } : { inner: it, signs: [] }
  if (inner.kind !== 'binary' || inner.sign !== '/') return whole(it, names)
  const { left, right } = inner
  if (left.kind !== 'number' || right.kind !== 'number') return whole(it, names)
  const slash = leaf('mo', '/', { lspace: '0', rspace: '0' })
  return row(...signs, whole(left, names), slash, whole(right, names))
}

const power = ({ left: base, right: exponent }: Binary, names: Names): Part => {
  const raised = exponentOf(exponent, names)
  if (base.kind === 'call' && RAISED.has(base.name) && exponent.kind === 'number' && /^[2-9]$/.test(exponent.text)) {
    return factor(row(of('msup', [leaf('mi', base.name), raised]), APPLY, fenced(listed(base.args, names))))
  }
  const { node, holds } = part(base, names)
  if ((base.kind === 'symbol' || base.kind === 'constant') && node.tag === 'msub' && node.parts !== undefined) {
    return factor(of('msubsup', [...node.parts, raised], node.attributes))
  }
  return factor(of('msup', [holds < ATOM ? fenced(node) : node, raised]))
}

const product = ({ left, right }: Binary, names: Names): Part => {
  // a·(b·c) is read as it is computed but for the last bit: brackets would be in the way.
  const least = right.kind === 'binary' && right.sign === '*' ? PRODUCT : FACTOR
  const after = unsignedPart(right, least, names)
  const sign = firstOf(after).tag === 'mn' ? leaf('mo', '·') : TIMES
  return { node: row(within(left, PRODUCT, names), sign, after), holds: PRODUCT }
}

/** A product without the sign that its first factor has. */
const unsigned = (it: Expression): Expression | undefined => {
  if (it.kind === 'negate') return it.of
  if (it.kind !== 'binary' || (it.sign !== '*' && it.sign !== '/')) return undefined
  const left = unsigned(it.left)
  return left === undefined ? undefined : { ...it, left }
}

/** A sign stands before a fraction, not in it. */
const fraction = ({ left, right }: Binary, names: Names): Part => {
  const above = unsigned(left)
  if (above === undefined) return factor(of('mfrac', [whole(left, names), whole(right, names)]))
  const bar = of('mfrac', [whole(above, names), whole(right, names)])
  return { node: row(leaf('mo', MINUS, { form: 'prefix' }), bar), holds: SIGNED }
}

const binary = (it: Binary, names: Names): Part => {
  const { sign, left, right } = it
  if (sign === '^') return power(it, names)
  if (sign === '*') return product(it, names)
  if (sign === '/') return fraction(it, names)
  const operator = leaf('mo', sign === '-' ? MINUS : '+')
  return { node: row(within(left, SUM, names), operator, unsignedPart(right, PRODUCT, names)), holds: SUM }
}

const symbolPart = ({ node, simple }: SetSymbol, attribute: string, name: string): Part => ({
  node: { ...node, attributes: { ...node.attributes, [attribute]: name } },
  holds: simple ? ATOM : FACTOR,
})

const part = (it: Expression, names: Names): Part => {
  switch (it.kind) {
    case 'number':
      return numberPart(it.text)
    case 'pi':
      return atom(leaf('mi', 'π', { mathvariant: 'normal' }))
    case 'symbol':
      return symbolPart(symbolOf(it.name, names[it.name]), 'data-symbol', it.name)
    case 'constant':
      return symbolPart(constantSymbol(it.name), 'data-constant', it.name)
    case 'unit':
      return unitPart(it.text)
    case 'negate':
      return { node: row(leaf('mo', MINUS, { form: 'prefix' }), within(it.of, PRODUCT, names)), holds: SIGNED }
    case 'call':
      return call(it, names)
    case 'binary':
      return binary(it, names)
  }
}

const whole = (it: Expression, names: Names): MathNode => part(it, names).node

const functionName = (name: string): readonly MathNode[] => {
  if (name === 'log10' || name === 'log2') return [of('msub', [leaf('mi', 'log'), leaf('mn', name.slice(3))])]
  if (name === 'lgamma') return [leaf('mi', 'ln'), leaf('mi', 'Γ', { mathvariant: 'normal' })]
  return [leaf('mi', CALLED[name] ?? name, { mathvariant: 'normal' })]
}

/** What is seen first of a part, where it stands in a line with what is before it. */
const firstOf = (it: MathNode): MathNode => {
  const [first] = it.parts ?? []
  return first === undefined || TALL.includes(it.tag) ? it : firstOf(first)
}

/** An equation of the registry in MathML. */
export const mathOfEquation = ({ left, right }: Equation, names: Names = {}): MathNode => {
  return of('math', [of('mrow', [whole(left, names), leaf('mo', '='), whole(right, names)])])
}

/** A symbol alone in MathML. */
export const mathOfSymbol = (symbol: string, about?: string): MathNode => of('math', [symbolOf(symbol, about).node])
