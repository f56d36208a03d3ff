import { Fault } from '#core/fault.ts'
import { computeOperators } from '#numerics/operators/compute.ts'
import { type OperatorRegistry, rowsOfText } from '#numerics/operators/registry.ts'
import { checkComputation } from '#numerics/operators/sealed.ts'

/** One case of an operator as a reader wrote it who had not seen the row's ranges. */
export interface OperatorCase {
  readonly id: string
  /** The symbol asked for. */
  readonly out: string
  readonly inputs: Readonly<Record<string, number | string>>
  /** What the numbers are of. */
  readonly note?: string
}

/** The cases of JSON-lines text. */
export const casesOf = (text: string): readonly OperatorCase[] => rowsOfText(text) as readonly OperatorCase[]

/** `computed`, or the code of a refusal and what it says. What the gate would not seal counts as refused. */
export const outcomeOf = (registry: OperatorRegistry, { id, out, inputs }: OperatorCase) => {
  try {
    const { computation } = checkComputation(computeOperators(registry, { operators: [id], inputs, solve_for: out }))
    return { code: 'computed', why: '', value: computation.value }
  } catch (thrown) {
    if (thrown instanceof Fault) return { code: thrown.code, why: thrown.message, value: Number.NaN }
    throw thrown
  }
}
