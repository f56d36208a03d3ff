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

const lengthOf = (input: SchrodingerInput): number => {
  switch (input.potential) {
    case 'harmonic':
      return sqrt(HBAR / (input.mass * input.harmonic.omega))
    case 'well':
      return input.well.width
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
      const V = potentialOf(input.expression.V)
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

/** The problem of an input, in its own units. */
export const problemOf = (input: SchrodingerInput): Problem => {
  const length = lengthOf(input)
  const energy = (HBAR * HBAR) / (2 * input.mass * length * length)
  const walled = input.potential === 'well' || (input.potential === 'expression' && input.expression.edges === 'wall')
  const representation = input.potential === 'hydrogen' ? 'laguerre' : walled ? 'sine' : 'sinc'
  return { length, energy, v: shapeOf(input, length, energy), representation }
}
