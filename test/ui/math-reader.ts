import assert from 'node:assert/strict'
import { type FunctionName, isFunctionName } from '#numerics/operators/arity.ts'
import type { Expression, Sign } from '#numerics/operators/grammar.ts'
import type { MathNode } from '#ui/math/node.ts'

/** An element as it was read from XML. */
interface Element {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
  readonly text: string
  readonly parts: readonly Element[]
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** The XML of a node. */
export const xmlOf = ({ tag, attributes = {}, text = '', parts = [] }: MathNode): string => {
  const given = Object.entries(attributes).map(([name, value]) => ` ${name}="${escaped(value)}"`)
  return `<${tag}${given.join('')}>${escaped(text)}${parts.map(xmlOf).join('')}</${tag}>`
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }
const plain = (text: string): string => {
  assert(!/[<>]|&(?!(?:amp|lt|gt|quot);)/.test(text), text)
  return text.replaceAll(/&(\w+);/g, (_, name: string) => ENTITIES[name] ?? '')
}

/** How many parts an element has in MathML Core; any number when it is not named. */
const PARTS: Readonly<Record<string, number>> = { mfrac: 2, mroot: 2, msub: 2, msup: 2, mover: 2, msubsup: 3, msqrt: 1 }
const LEAVES = ['mi', 'mn', 'mo', 'mtext']

/** Reads one element and nothing after it; anything that is not well formed, or not MathML Core, fails. */
const readXml = (xml: string): Element => {
  let at = 0
  const element = (): Element => {
    const open = /^<([a-z]+)((?: [a-z-]+="[^"<]*")*)>/.exec(xml.slice(at))
    assert(open !== null, `an element at ${at} of ${xml}`)
    const [whole, tag = '', given = ''] = open
    at += whole.length
    const attributes = Object.fromEntries(
      [...given.matchAll(/ ([a-z-]+)="([^"]*)"/g)].map((it) => [it[1], plain(it[2] ?? '')]),
    )
    const next = xml.indexOf('<', at)
    const text = plain(xml.slice(at, next))
    at = next
    const parts: Element[] = []
    while (!xml.startsWith('</', at)) parts.push(element())
    assert(xml.startsWith(`</${tag}>`, at), `the end of ${tag} at ${at} of ${xml}`)
    at += tag.length + 3
    assert.equal(LEAVES.includes(tag), text !== '', `${tag} in ${xml}`)
    assert(parts.length === (PARTS[tag] ?? parts.length), `${tag} in ${xml}`)
    return { tag, attributes, text, parts }
  }
  const found = element()
  assert.equal(at, xml.length)
  return found
}

const INVISIBLE: Readonly<Record<string, string>> = { '\u2061': '', '\u2062': ' ' }

const textOf = ({ tag, text, parts }: Element): string => {
  const [a = '', b = '', c = ''] = parts.map(textOf)
  if (tag === 'mfrac') return `{${a}}/{${b}}`
  if (tag === 'msub') return `${a}_{${b}}`
  if (tag === 'msup') return `${a}^{${b}}`
  if (tag === 'msubsup') return `${a}_{${b}}^{${c}}`
  if (tag === 'msqrt') return `√{${a}}`
  if (tag === 'mroot') return `√{${a},${b}}`
  return `${INVISIBLE[text] ?? text}${parts.map(textOf).join('')}`
}

/** What is seen of MathML, in a line. */
export const seenText = (xml: string): string => textOf(readXml(xml))

const NAMES: Readonly<Record<string, FunctionName>> = {
  arccos: 'acos',
  arcosh: 'acosh',
  arcsin: 'asin',
  arsinh: 'asinh',
  arctan: 'atan',
  artanh: 'atanh',
  Γ: 'tgamma',
}

const functionOf = (it: Element): FunctionName | undefined => {
  const { tag, text } = it
  const [base, index] = it.parts
  if (nameIn(it) !== undefined) return undefined
  if (tag === 'msub' && base?.text === 'log') return index?.text === '2' ? 'log2' : 'log10'
  if (tag !== 'mi') return undefined
  return NAMES[text] ?? (isFunctionName(text) ? text : undefined)
}

const binary = (sign: Sign, left: Expression, right: Expression): Expression => ({ kind: 'binary', sign, left, right })
const numberOf = (text: string): Expression => ({ kind: 'number', text, value: Number(text) })
const bindingOf: Readonly<Record<string, number>> = { '+': 1, '−': 1, '·': 2, '\u2062': 2, '/': 2 }
const SIGNS: Readonly<Record<string, Sign>> = { '+': '+', '−': '-', '·': '*', '\u2062': '*', '/': '/' }

/** Groups that are not seen are taken apart; a symbol of several parts stays whole. */
const line = (it: Element): readonly Element[] =>
  it.tag === 'mrow' && !('data-symbol' in it.attributes) ? it.parts.flatMap(line) : [it]

const nameIn = ({ attributes }: Element): Expression | undefined => {
  if (attributes['data-symbol'] !== undefined) return { kind: 'symbol', name: attributes['data-symbol'] }
  if (attributes['data-constant'] !== undefined) return { kind: 'constant', name: attributes['data-constant'] }
  return attributes['data-unit'] === undefined ? undefined : { kind: 'unit', text: attributes['data-unit'] }
}

/** A number and, where one follows, its power of ten. */
const scientific = (text: string, power: Element | undefined): Expression => {
  if (power === undefined) return numberOf(text)
  const [ten, exponent] = power.parts
  assert(ten?.text === '10' && exponent !== undefined)
  return numberOf(
    `${text}e${line(exponent)
      .map((it) => it.text.replace('−', '-'))
      .join('')}`,
  )
}

const readLine = (items: readonly Element[]): Expression => {
  let next = 0
  const textAt = (at: number): string | undefined => (items[at]?.tag === 'mo' ? items[at]?.text : undefined)
  const expect = (sign: string): void => assert.equal(textAt(next++), sign)

  const call = (name: FunctionName): Expression => {
    expect('\u2061')
    expect('(')
    const args = [expression(0)]
    while (textAt(next) === ',') {
      next++
      args.push(expression(0))
    }
    expect(')')
    return { kind: 'call', name, args }
  }

  const sign = (text: string): Expression => {
    if (text === '−') return { kind: 'negate', of: expression(3) }
    const inner = expression(0)
    if (text === '|') {
      expect('|')
      return { kind: 'call', name: 'abs', args: [inner] }
    }
    assert.equal(text, '(')
    expect(')')
    return inner
  }

  const prefix = (): Expression => {
    const it = items[next++] as Element
    const [first, second, third] = it.parts as [Element, Element, Element]
    const name = nameIn(it)
    if (name !== undefined) {
      const raised = it.tag === 'msubsup' && third.text !== '′'
      return raised ? binary('^', name, readLine(line(third))) : name
    }
    const called = functionOf(it)
    if (it.text === 'ln' && items[next]?.text === 'Γ') {
      next++
      return call('lgamma')
    }
    if (called !== undefined) return call(called)
    if (it.tag === 'mo') return sign(it.text)
    if (it.tag === 'mn') {
      const times = textAt(next) === '×'
      if (times) next += 2
      return scientific(it.text, times ? items[next - 1] : undefined)
    }
    if (it.tag === 'mfrac') return binary('/', readLine(line(first)), readLine(line(second)))
    if (it.tag === 'msqrt') return { kind: 'call', name: 'sqrt', args: [readLine(line(first))] }
    if (it.tag === 'mroot') {
      assert.equal(second.text, '3')
      return { kind: 'call', name: 'cbrt', args: [readLine(line(first))] }
    }
    if (it.tag === 'msup') {
      const raised = functionOf(first)
      const exponent = readLine(line(second))
      return binary('^', raised === undefined ? readLine(line(first)) : call(raised), exponent)
    }
    assert.equal(it.text, 'π', it.tag)
    return { kind: 'pi' }
  }

  const expression = (least: number): Expression => {
    let left = prefix()
    for (;;) {
      const text = textAt(next) ?? ''
      const binding = bindingOf[text] ?? 0
      if (binding <= least) return left
      next++
      left = binary(SIGNS[text] as Sign, left, expression(binding))
    }
  }

  const found = expression(0)
  assert.equal(next, items.length, items.map((it) => it.text).join(' '))
  return found
}

/** The two sides of an equation, by nothing but what is seen of its MathML. */
export const readMath = (xml: string): readonly Expression[] => {
  const math = readXml(xml)
  assert.equal(math.tag, 'math')
  const items = math.parts.flatMap(line)
  const at = items.findIndex((it) => it.tag === 'mo' && it.text === '=')
  return [readLine(items.slice(0, at)), readLine(items.slice(at + 1))]
}
