import type { ContractExpression } from '#numerics/contracts/language/grammar.ts'
import type { Random } from '../../../kit/random.ts'

/** Random expressions that are typed against one scope, and random values for what they read. */

type Kind = 'number' | 'boolean' | 'text'

const at = 0
const NUMBERS = ['0', '1', '2', '3.5', '10', '0.25', '100', '7', '1e3', '1e300', '2.5e-3']
export const TEXTS = ['', 'on', 'off', 'Grün', 'a"b', "it's", '\ud83d\ude00', 'constructor', '__proto__']

const name = (root: string): ContractExpression => ({ kind: 'name', name: root, at })
const member = (of: ContractExpression, it: string): ContractExpression => ({ kind: 'member', of, name: it, at })
const READS: Readonly<Record<Kind, readonly ContractExpression[]>> = {
  number: [
    ...['n', 'm', 'z', 'maybe'].map((it) => member(name('context'), it)),
    ...['flow', 'extra'].map((it) => member(member(name('event'), 'data'), it)),
    member(name('window'), 'avg'),
    member(name('fire'), 'tick'),
    name('state_ticks'),
  ],
  boolean: ['on', 'off'].map((it) => member(name('context'), it)),
  text: [member(name('context'), 'mode'), member(member(name('event'), 'data'), 'note'), name('state')],
}
const MAYBE: readonly ContractExpression[] = [
  member(member(name('event'), 'data'), 'extra'),
  member(member(name('event'), 'data'), 'note'),
  member(name('context'), 'n'),
]
const NULLABLE = [member(name('context'), 'maybe'), member(name('window'), 'avg')]
const ONE = ['abs', 'floor', 'ceil', 'round', 'sqrt', 'exp', 'sin', 'log', 'cbrt', 'tanh'] as const
const TWO = ['min', 'max', 'pow', 'hypot', 'atan2'] as const

/** A random expression of a kind. @param fuel how many levels it may have */
export const expressionOf = (random: Random, kind: Kind, fuel: number): ContractExpression => {
  const of = (other: Kind): ContractExpression => expressionOf(random, other, fuel - 1)
  const binary = (sign: string, a: ContractExpression, b: ContractExpression): ContractExpression =>
    ({ kind: 'binary', sign, left: a, right: b, at }) as ContractExpression
  const list = (other: Kind): ContractExpression => ({
    kind: 'list',
    items: Array.from({ length: random.integer(1, 4) }, () => of(other)),
    at,
  })
  if (fuel <= 0 || random.integer(0, 9) < 2) {
    if (random.integer(0, 2) > 0) return random.pick(READS[kind])
    if (kind === 'boolean') return { kind: 'literal', value: random.integer(0, 1) === 1, at }
    if (kind === 'text') return { kind: 'literal', value: random.pick(TEXTS), at }
    const text = random.pick(NUMBERS)
    return { kind: 'number', text, value: Number(text), at }
  }
  if (random.integer(0, 9) === 0) return { kind: 'choose', test: of('boolean'), yes: of(kind), no: of(kind), at }
  if (kind === 'text') {
    const items = list('text')
    const index = { kind: 'number', text: String(random.integer(0, 4)), value: 0, at } as const
    return random.integer(0, 3) > 0
      ? random.pick(READS.text)
      : { kind: 'index', of: items, index: { ...index, value: Number(index.text) }, at }
  }
  if (kind === 'number') {
    const which = random.integer(0, 9)
    if (which < 6) return binary(random.pick(['+', '-', '*', '/', '%']), of('number'), of('number'))
    if (which === 6) return { kind: 'negate', of: of('number'), at }
    if (which === 7) return { kind: 'call', name: random.pick(ONE), args: [of('number')], at }
    if (which === 8) return { kind: 'call', name: random.pick(TWO), args: [of('number'), of('number')], at }
    return { kind: 'size', of: random.integer(0, 1) === 0 ? of('text') : list('number'), at }
  }
  switch (random.integer(0, 8)) {
    case 0:
      return { kind: 'not', of: of('boolean'), at }
    case 1:
      return { kind: 'has', of: random.pick(MAYBE), at }
    case 2:
      return binary(random.pick(['==', '!=']), random.pick(NULLABLE), { kind: 'literal', value: null, at })
    case 3: {
      const other = random.pick(['number', 'text'] as const)
      return binary('in', of(other), list(other))
    }
    case 4: {
      const other = random.pick(['number', 'text', 'boolean'] as const)
      return binary(random.pick(['==', '!=']), of(other), of(other))
    }
    case 5:
    case 6:
      return binary(random.pick(['&&', '||']), of('boolean'), of('boolean'))
    default:
      return binary(random.pick(['<', '<=', '>', '>=']), of('number'), of('number'))
  }
}

/** ReadValues for what the expressions read. Members that need not be there are now and then not; some are null. */
export const valuesOf = (random: Random) => {
  const number = (): number => random.pick([0, 1, -1, 2, 3.5, 10, -0.25, 100, 1e300, random.integer(-50, 50)])
  const orNull = (): number | null => (random.integer(0, 2) === 0 ? null : number())
  const rare = <T>(it: string, value: T) => (random.integer(0, 2) === 0 ? {} : { [it]: value })
  return {
    context: {
      ...{ n: number(), m: number(), z: number(), maybe: orNull() },
      ...{ on: true, off: false, mode: random.pick(TEXTS) },
    },
    event: { data: { flow: number(), ...rare('extra', number()), ...rare('note', random.pick(TEXTS)) } },
    window: { avg: orNull() },
    fire: { tick: random.integer(0, 1e9) },
    state: random.pick(TEXTS),
    state_ticks: random.integer(0, 1_000),
  }
}
