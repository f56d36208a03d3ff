import { ApiProblem } from '#ui/server/api.ts'
import { valueText, withUnit } from '#ui/text/numbers.ts'
import { bracketOf } from './order.ts'

interface Props {
  readonly problem: Error
  readonly unit: string | undefined
  readonly onRoot: (bracket: readonly [number, number]) => void
}

/** Several values solve the relation: one of them is taken by saying between which values it lies. */
export const RootActions = ({ problem, unit, onRoot }: Props) => {
  if (!(problem instanceof ApiProblem) || problem.code !== 'AMBIGUOUS_INPUT') return null
  const { roots } = problem.members
  if (!Array.isArray(roots) || roots.length < 2) return null
  const numbers = roots.filter((it): it is number => typeof it === 'number')
  return (
    <>
      {numbers.map((root) => (
        <button key={root} type="button" onClick={() => onRoot(bracketOf(numbers, root))}>
          Take {withUnit(valueText(root), unit)}
        </button>
      ))}
    </>
  )
}
