import { type Dimension, printDimension } from '#core/dimension.ts'
import type { Expression } from '#numerics/operators/grammar.ts'
import type { Operator } from '#numerics/operators/registry.ts'
import type { Relation } from '#numerics/operators/relation.ts'

/** Rows whose relation reads the same once every symbol is only its dimension. */
export interface Alike {
  readonly shape: string
  readonly ids: readonly string[]
}

const shown = (dimension: Dimension, angle: number): string => `‹${printDimension(dimension)}${angle ? ' rad' : ''}›`

/** The terms or factors of a chain of one sign; what is subtracted or divided by carries its sign. */
const chainOf = (it: Expression, plus: '+' | '*', minus: '-' | '/'): readonly (readonly [boolean, Expression])[] => {
  if (it.kind !== 'binary' || (it.sign !== plus && it.sign !== minus)) return [[false, it]]
  const right = chainOf(it.right, plus, minus).map(([inverse, of]) => [inverse !== (it.sign === minus), of] as const)
  return [...chainOf(it.left, plus, minus), ...right]
}

const shapeOf = (it: Expression, { quantities }: Relation): string => {
  const shape = (part: Expression): string => {
    if (part.kind === 'number') return String(part.value)
    if (part.kind === 'pi') return 'pi'
    if (part.kind === 'unit') return `[${part.text}]`
    if (part.kind === 'constant') return `@${part.name}`
    if (part.kind === 'negate') return `-${shape(part.of)}`
    if (part.kind === 'call') return `${part.name}(${part.args.map(shape).join()})`
    if (part.kind === 'symbol') {
      const of = quantities.get(part.name)?.of
      return of === undefined ? part.name : shown(of.dimension, of.angle)
    }
    if (part.sign === '^') return `${shape(part.left)}^${shape(part.right)}`
    const [plus, minus] = part.sign === '+' || part.sign === '-' ? (['+', '-'] as const) : (['*', '/'] as const)
    const parts = chainOf(part, plus, minus).map(([inverse, of]) => `${inverse ? minus : plus}${shape(of)}`)
    return `(${parts.sort().join('')})`
  }
  return shape(it)
}

/**
 * Rows that are one relation in other letters, or look it: after sums and products are sorted and each symbol is only
 * its dimension, their equations are the same text. Laws of one form do exist (springs, membranes): a reader decides.
 */
export const alikeRows = (operators: readonly Operator[]): readonly Alike[] => {
  const byShape = new Map<string, string[]>()
  for (const { row, relation } of operators) {
    const it = relation()
    const shape = [it.equation.left, it.equation.right]
      .map((side) => shapeOf(side, it))
      .sort()
      .join(' = ')
    byShape.set(shape, [...(byShape.get(shape) ?? []), row.id])
  }
  return [...byShape].flatMap(([shape, ids]) => (ids.length > 1 ? [{ shape, ids }] : []))
}
