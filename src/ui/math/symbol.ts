import { letterOf, markOf } from './letters.ts'
import { leaf, type MathNode, of, row } from './node.ts'

/** A symbol as it is set, and whether an exponent can stand at it without brackets. */
export interface SetSymbol {
  readonly node: MathNode
  readonly simple: boolean
}

type Look = 'variable' | 'constant'

/** Letters of rates that stand in the equations in Latin. */
const DOTTED: Readonly<Record<string, string>> = { gdot: 'γ', edot: 'ε' }

const DIFFERENCE = /difference|change|drop|rise|increase|increment|shift|deviation|error|spread|excess|step|mismatch/i
const SQUARED = /squared|determination/i

/** A name in one piece: a letter slants, a word and a constant of nature stand upright. */
const name = (text: string, look: Look): MathNode =>
  leaf('mi', text, look === 'constant' ? { mathvariant: 'normal' } : undefined)

const word = (text: string, look: Look): MathNode => name(letterOf(text) ?? text, look)

/** What stands below: numbers, letters, words, with commas between. */
const below = (text: string): MathNode => {
  const parts = text.split('_').map((it) => {
    const mark = markOf(it)
    if (mark !== undefined) return leaf('mo', mark)
    return /^\d+$/.test(it) ? leaf('mn', it) : word(it, 'variable')
  })
  return row(...parts.flatMap((it, at) => (at === 0 ? [it] : [leaf('mo', ','), it])))
}

const simple = (node: MathNode): SetSymbol => ({ node, simple: true })
const composed = (...parts: readonly MathNode[]): SetSymbol => ({ node: of('mrow', parts), simple: false })

/** `dB_dt`: a derivative. */
const derivative = (symbol: string): SetSymbol | undefined => {
  const [, above, under] = /^d([A-Za-z]\w*)_d([A-Za-z]\w*)$/.exec(symbol) ?? []
  if (above === undefined || under === undefined) return undefined
  const part = (it: string): MathNode => row(leaf('mi', 'd', { mathvariant: 'normal' }), plain(it).node)
  return { node: of('mfrac', [part(above), part(under)]), simple: false }
}

/** `tan_delta`, `lnL`: a function of one letter, named as a whole. */
const named = (symbol: string): SetSymbol | undefined => {
  const [, called, rest = ''] = /^(ln|log|sin|cos|tan|cot)_?([A-Za-z]+)$/.exec(symbol) ?? []
  const letter = letterOf(rest)
  if (called === undefined || letter === undefined) return undefined
  return composed(leaf('mi', called), leaf('mi', letter))
}

/** `mdot`, `m_dot`: a rate. */
const dotted = (symbol: string): SetSymbol | undefined => {
  const [, letter] = /^([A-Za-z])_?dot$/.exec(symbol) ?? []
  if (letter === undefined) return undefined
  return simple(of('mover', [name(DOTTED[symbol] ?? letter, 'variable'), leaf('mo', '˙')], { accent: 'true' }))
}

/** `dT`, `Dnu`, `dT_lm`: a difference, or the small part of a quantity. */
const difference = (symbol: string, about: string): SetSymbol | undefined => {
  const [, d, rest = ''] = /^([dD])_?([A-Za-z]\w*)$/.exec(symbol) ?? []
  const [head = ''] = rest.split(/_|\d/, 1)
  if (d === undefined || letterOf(head) === undefined) return undefined
  const differs = d === 'D' || DIFFERENCE.test(about)
  if (d === 'D' && head.length === 1) return undefined
  if (symbol[1] === '_' && !differs) return undefined
  const sign = differs ? leaf('mi', 'Δ', { mathvariant: 'normal' }) : leaf('mi', 'd', { mathvariant: 'normal' })
  return composed(sign, plain(rest).node)
}

/** `rho1`, `K0p`, `PhiE`, `k_B`, `chi2`: a letter or word with what stands below or above it. */
const plain = (symbol: string, about = '', look: Look = 'variable'): SetSymbol => {
  const [head = '', ...rest] = symbol.split('_')
  const [, letters = head, digits, prime] = /^([A-Za-z]*?[A-Za-z])(\d+)(p?)$/.exec(head) ?? []
  const sub = [...(digits === undefined ? [] : [digits]), ...rest].join('_')
  const base = word(letters, look)
  if (digits !== undefined && rest.length === 0 && prime === '' && SQUARED.test(about)) {
    return { node: of('msup', [base, leaf('mn', digits)]), simple: false }
  }
  if (prime === 'p') return { node: of('msubsup', [base, below(sub), leaf('mo', '′')]), simple: false }
  if (rest.length === 1 && markOf(sub) !== undefined && '+−∗'.includes(markOf(sub) ?? '')) {
    return { node: of('msup', [base, below(sub)]), simple: false }
  }
  return simple(sub === '' ? base : of('msub', [base, below(sub)]))
}

/**
 * The symbol of a variable as books set it: `rho1` is ρ with a 1 below.
 *
 * @param about the variable's name, which tells a difference and a square from an index.
 */
export const symbolOf = (symbol: string, about = ''): SetSymbol =>
  derivative(symbol) ?? dotted(symbol) ?? named(symbol) ?? difference(symbol, about) ?? plain(symbol, about)

/** The symbol of a constant of nature, upright. */
export const constantSymbol = (key: string): SetSymbol => plain(key, '', 'constant')
