import { combine, evaluate } from '#numerics/operators/evaluate.ts'
import { FUNCTIONS } from '#numerics/operators/functions.ts'
import type { Expression } from '#numerics/operators/grammar.ts'

/** An expression over numbered places: the same bits as `evaluate`, without looking names up. */
export type Compiled = (at: Float64Array) => number

const NO_VALUES = new Map<string, number>()

/** The name a constant has once it stands as a symbol: no symbol of the grammar begins so. */
export const symbolOfConstant = (key: string): string => `@${key}`

/** An expression in which constants are symbols, so that what is uncertain about them moves like an input. */
export const freeConstants = (it: Expression): Expression => {
  switch (it.kind) {
    case 'constant':
      return { kind: 'symbol', name: symbolOfConstant(it.name) }
    case 'negate':
      return { kind: 'negate', of: freeConstants(it.of) }
    case 'binary':
      return { kind: 'binary', sign: it.sign, left: freeConstants(it.left), right: freeConstants(it.right) }
    case 'call':
      return { kind: 'call', name: it.name, args: it.args.map(freeConstants) }
    default:
      return it
  }
}

/** A function of the places of some symbols. @param places where each symbol's value stands. */
export const compile = (it: Expression, places: ReadonlyMap<string, number>): Compiled => {
  switch (it.kind) {
    case 'symbol': {
      const place = places.get(it.name) ?? -1
      return (at) => at[place] ?? Number.NaN
    }
    case 'negate': {
      const of = compile(it.of, places)
      return (at) => -of(at)
    }
    case 'binary': {
      const { sign } = it
      const left = compile(it.left, places)
      const right = compile(it.right, places)
      return (at) => combine(sign, left(at), right(at))
    }
    case 'call': {
      const args = it.args.map((arg) => compile(arg, places))
      const { double } = FUNCTIONS[it.name]
      const [one, two] = args
      if (args.length === 1 && one !== undefined) return (at) => double(one(at))
      if (args.length === 2 && one !== undefined && two !== undefined) return (at) => double(one(at), two(at))
      return (at) => double(...args.map((arg) => arg(at)))
    }
    default: {
      const value = evaluate(it, NO_VALUES)
      return () => value
    }
  }
}
