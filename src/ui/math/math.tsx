import { h, type VNode } from 'preact'
import { useMemo } from 'preact/hooks'
import { parseEquation } from '#numerics/operators/grammar.ts'
import { useWide } from '#ui/part/use-wide.ts'
import { mathOfEquation, mathOfSymbol, type Names } from './expression.ts'
import type { MathNode } from './node.ts'

const drawn = ({ tag, attributes, text, parts = [] }: MathNode): VNode =>
  h(tag, attributes ?? null, text, ...parts.map(drawn))

/** An equation that the page cannot read is shown as its text: a newer node may have a newer grammar. */
const tryMath = (equation: string, names: Names): MathNode | undefined => {
  try {
    return mathOfEquation(parseEquation(equation), names)
  } catch {
    return undefined
  }
}

interface Props {
  readonly equation: string
  /** Names of its variables by their symbols. */
  readonly variables: Readonly<Record<string, { readonly name: string }>>
  /** False for a statement that is no equation of the grammar. */
  readonly parsed?: boolean
}

/** An equation as books set it; it scrolls by itself where it is wider than its place. */
export const EquationMath = ({ equation, variables, parsed = true }: Props) => {
  const math = useMemo(() => {
    const names = Object.fromEntries(Object.entries(variables).map(([symbol, { name }]) => [symbol, name]))
    return parsed ? tryMath(equation, names) : undefined
  }, [equation, variables, parsed])
  const { box, wide } = useWide<HTMLDivElement>()
  if (math === undefined) return <p class="equation">{equation}</p>
  const reached = wide ? { tabIndex: 0, role: 'group' as const, 'aria-label': `Equation ${equation}` } : {}
  return (
    <div ref={box} class="math-line" data-equation={equation} {...reached}>
      {drawn({ ...math, attributes: { display: 'block' } })}
    </div>
  )
}

/** A symbol as the equation has it. */
export const SymbolMath = ({ symbol, name }: { readonly symbol: string; readonly name: string }) => {
  const math = useMemo(() => mathOfSymbol(symbol, name), [symbol, name])
  return drawn({ ...math, attributes: { 'data-symbol': symbol } })
}
