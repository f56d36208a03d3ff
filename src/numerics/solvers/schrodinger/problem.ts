import { Fault } from '#core/fault.ts'
import { exp, PI, sqrt } from '#numerics/math.ts'
import { constantOf } from '#numerics/operators/constants.ts'
import { evaluate } from '#numerics/operators/evaluate.ts'
import { type Expression, parseExpression, walk } from '#numerics/operators/grammar.ts'
import type { SchrodingerInput } from './schema.ts'

export const HBAR = constantOf('hbar').value

/**
 * The problem in its own units: −ψ″ + v(ξ)·ψ = ε·ψ with ξ = x/length and ε = E/energy, energy = ħ²/(2·m·length²).
 */
export interface Problem {
  readonly length: number
  readonly energy: number
  readonly v: (xi: number) => number
  /** Of a potential without jumps. */
  readonly representation: 'sinc' | 'sine' | 'laguerre'
}

const CHARGE = constantOf('e').value
const EPSILON_0 = constantOf('epsilon_0').value

/** Bohr radius of a nucleus of charge Z and a particle of this mass, in metres. */
const bohrRadius = (mass: number, Z: number): number =>
  (4 * PI * EPSILON_0 * HBAR * HBAR) / (mass * CHARGE * CHARGE * Z)

/** An own potential, parsed. @throws Fault INVALID_INPUT for bad grammar or a symbol other than x. */
export const parsePotential = (text: string): Expression => {
  const parsed = parseExpression(text)
  walk(parsed, (part) => {
    if (part.kind === 'symbol' && part.name !== 'x') {
      throw new Fault('INVALID_INPUT', `/expression/V: ${part.name} is unknown; x is the only symbol.`, {
        path: '/expression/V',
      })
    }
  })
  return parsed
}

/** The same expression with every part that x is not in worked out: units and constants are looked up once. */
const folded = (it: Expression): Expression => {
  let constant = true
  walk(it, (part) => {
    if (part.kind === 'symbol') constant = false
  })
  if (constant) return { kind: 'number', text: '', value: evaluate(it, new Map()) }
  switch (it.kind) {
    case 'negate':
      return { ...it, of: folded(it.of) }
    case 'binary':
      return { ...it, left: folded(it.left), right: folded(it.right) }
    case 'call':
      return { ...it, args: it.args.map(folded) }
    default:
      return it
  }
}

/** V(x) of an own potential, x in metres, in joules. */
export const potentialOf = (text: string): ((x: number) => number) => {
  const parsed = folded(parsePotential(text))
  const values = new Map([['x', 0]])
  return (x) => evaluate(parsed, values.set('x', x))
}

/** Shares of the box: how near a place without a value is looked at, and how equal its sides must be there. */
const BESIDE = 1e-9
const SAME = 1e-6

/**
 * V(x) of an own potential in its box. Where it has no value but one on either side that stays, as x/abs(x) at 0, it is
 * half of both.
 */
export const potentialIn = ({ V: text, from, to }: SchrodingerInput['expression']): ((x: number) => number) => {
  const V = potentialOf(text)
  const step = BESIDE * (to - from)
  const besides = (x: number): number => {
    const [left, right] = [V(x - step), V(x + step)]
    const stays = SAME * Math.max(Math.abs(left), Math.abs(right))
    const holds = Math.abs(V(x - 2 * step) - left) <= stays && Math.abs(V(x + 2 * step) - right) <= stays
    return holds ? (left + right) / 2 : Number.NaN
  }
  return (x) => {
    const value = V(x)
    return Number.isFinite(value) ? value : besides(x)
  }
}

/** Places at which a potential is looked at for jumps; they lie off round shares of the box. */
const LOOKS = 4_000
const LOOKS_FROM = 0.382
/** Jumps that elements are laid between, at most. */
export const BREAKS_MAX = 15
/** Part of the whole range of V that a jump has, and how many times the change beside it. */
const JUMP_SHARE = 1e-6
const JUMP_TIMES = 4

/**
 * Where an own potential jumps, in metres: a change that stays as its interval is halved until doubles end. A steep
 * slope is none, and its grid must resolve it.
 */
export const jumpsOf = ({ V: text, from, to }: SchrodingerInput['expression']): readonly number[] => {
  const V = potentialOf(text)
  const xs = Float64Array.from({ length: LOOKS }, (_, i) => from + ((i + LOOKS_FROM) / LOOKS) * (to - from))
  const values = xs.map(V)
  const [least, most] = values.reduce(([low, high], it) => [Math.min(low, it), Math.max(high, it)], [
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ] as [number, number])
  if (!Number.isFinite(most - least)) return []
  const change = (i: number): number => (i < 0 || i + 1 >= LOOKS ? 0 : Math.abs(values[i + 1] - values[i]))
  const found: number[] = []
  for (let i = 0; i + 1 < LOOKS; i++) {
    const seen = change(i)
    if (!(seen > JUMP_SHARE * (most - least) && seen > JUMP_TIMES * (change(i - 1) + change(i + 1)))) continue
    let [low, high] = [xs[i] as number, xs[i + 1] as number]
    for (let middle = (low + high) / 2; middle > low && middle < high; middle = (low + high) / 2) {
      const [left, here, right] = [V(low), V(middle), V(high)]
      // Without a value it is the very place.
      if (!Number.isFinite(here)) [low, high] = [middle, middle]
      else if (Math.abs(here - left) > Math.abs(right - here)) high = middle
      else low = middle
    }
    const across = BESIDE * (xs[1] - xs[0])
    if (Math.abs(V(high + across) - V(low - across)) > seen / 2) found.push((low + high) / 2)
  }
  return found.length > BREAKS_MAX ? [] : found
}

const lengthOf = (input: SchrodingerInput): number => {
  switch (input.potential) {
    case 'harmonic':
      return sqrt(HBAR / (input.mass * input.harmonic.omega))
    case 'well':
      return input.well.width
    case 'finite-well':
      return input.finiteWell.width
    case 'morse':
      return 1 / input.morse.a
    case 'hydrogen':
      return bohrRadius(input.mass, input.hydrogen.Z)
    case 'double-well':
      return input.doubleWell.distance
    case 'expression':
      return input.expression.to - input.expression.from
  }
}

const shapeOf = (input: SchrodingerInput, length: number, energy: number): ((xi: number) => number) => {
  switch (input.potential) {
    case 'harmonic':
      return (xi) => xi * xi
    case 'well':
      return () => 0
    case 'finite-well': {
      const depth = input.finiteWell.depth / energy
      return (xi) => (Math.abs(xi) < 0.5 ? -depth : Math.abs(xi) === 0.5 ? -depth / 2 : 0)
    }
    case 'morse': {
      const depth = input.morse.depth / energy
      return (xi) => {
        const fall = exp(-xi)
        return depth * fall * (fall - 2)
      }
    }
    case 'hydrogen': {
      const { l } = input.hydrogen
      return (xi) => (l * (l + 1)) / (xi * xi) - 2 / xi
    }
    case 'double-well': {
      const barrier = input.doubleWell.barrier / energy
      return (xi) => barrier * (xi * xi - 1) * (xi * xi - 1)
    }
    case 'expression': {
      const V = potentialIn(input.expression)
      const origin = originOf(input)
      return (xi) => V(origin + xi * length) / energy
    }
  }
}

/** Where ξ = 0 lies, in metres. */
export const originOf = (input: SchrodingerInput): number => {
  if (input.potential === 'morse') return input.morse.centre
  if (input.potential !== 'expression') return 0
  // In the middle of the box, so that what is even about it is so on the grid.
  return (input.expression.from + input.expression.to) / 2
}

/** Places ξ in the box at which v jumps, rising. An own potential is looked at for them: not before any work. */
export const breaksOf = (input: SchrodingerInput, { length }: Problem): readonly number[] => {
  if (input.potential === 'finite-well') return [-0.5, 0.5]
  if (input.potential !== 'expression') return []
  return jumpsOf(input.expression).map((x) => (x - originOf(input)) / length)
}

/** The problem of an input, in its own units. */
export const problemOf = (input: SchrodingerInput): Problem => {
  const length = lengthOf(input)
  const energy = (HBAR * HBAR) / (2 * input.mass * length * length)
  const walled = input.potential === 'well' || (input.potential === 'expression' && input.expression.edges === 'wall')
  const representation = input.potential === 'hydrogen' ? 'laguerre' : walled ? 'sine' : 'sinc'
  return { length, energy, v: shapeOf(input, length, energy), representation }
}
