import { measured } from '#numerics/operators/measured.ts'
import { folded } from '#numerics/operators/names.ts'
import type { Variable } from '#numerics/operators/operator.ts'
import { KERNEL_ID, type Operator, type OperatorRegistry } from '#numerics/operators/registry.ts'
import { stemsOf } from '#numerics/operators/spelling.ts'

/** A variable of an evaluable row, as it is looked for. */
export interface SearchedVariable {
  /** Its number among all. */
  readonly at: number
  readonly operator: Operator
  readonly symbol: string
  readonly variable: Variable
  /** What it measures: {@link measured} by its unit, a difference of temperatures apart from a temperature. */
  readonly quantity: string
  /** Its name and aliases, folded. */
  readonly names: readonly string[]
  readonly solvable: boolean
}

/** An evaluable row with its places, in the order of the registry. */
export interface Rowed {
  readonly operator: Operator
  readonly places: readonly SearchedVariable[]
}

/** The variables of all evaluable rows but the kernel's by what they go by. Lists are in the order of the registry. */
export interface Variables {
  readonly rows: readonly Rowed[]
  readonly places: readonly SearchedVariable[]
  /** Number of the row that a place belongs to. */
  readonly rowOf: readonly number[]
  readonly bySymbol: ReadonlyMap<string, readonly SearchedVariable[]>
  readonly byName: ReadonlyMap<string, readonly SearchedVariable[]>
  readonly byStem: ReadonlyMap<string, readonly SearchedVariable[]>
  readonly byQuantity: ReadonlyMap<string, readonly SearchedVariable[]>
}

/** Words of a variable's name and of its aliases, each by itself. */
export const wordsOf = ({ variable }: SearchedVariable): readonly (readonly string[])[] =>
  [variable.name, ...(variable.aliases ?? [])].map(stemsOf)

/** The key of pure numbers, of which a symbol alone says nothing. */
export const PURE = measured('1')

const push = (lists: Map<string, SearchedVariable[]>, key: string, it: SearchedVariable): void => {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [it])
  else if (list.at(-1) !== it) list.push(it)
}

const placesOf = (operator: Operator, first: number): readonly SearchedVariable[] => {
  const { variables, solves_for } = operator.row
  return Object.entries(variables).map(([symbol, variable], i) => {
    const names = variable.aliases === undefined ? [variable.name] : [variable.name, ...variable.aliases]
    return {
      at: first + i,
      operator,
      symbol,
      variable,
      quantity: `${measured(variable.unit)}${variable.difference ? ' difference' : ''}`,
      names: names.map(folded),
      solvable: solves_for.includes(symbol),
    }
  })
}

/** Whether a call may name the operator as what it wants: the kernel comes by itself and computes nothing alone. */
const isOrdered = ({ row }: Operator): boolean => row.refused === undefined && row.id !== KERNEL_ID

const variablesOf = (registry: OperatorRegistry): Variables => {
  const rows: Rowed[] = []
  const places: SearchedVariable[] = []
  const rowOf: number[] = []
  const [bySymbol, byName, byStem, byQuantity] = Array.from(
    { length: 4 },
    () => new Map<string, SearchedVariable[]>(),
  ) as [
    Map<string, SearchedVariable[]>,
    Map<string, SearchedVariable[]>,
    Map<string, SearchedVariable[]>,
    Map<string, SearchedVariable[]>,
  ]
  for (const operator of registry.operators.filter(isOrdered)) {
    const own = placesOf(operator, places.length)
    for (const it of own) {
      places.push(it)
      rowOf.push(rows.length)
      push(bySymbol, it.symbol, it)
      push(byQuantity, it.quantity, it)
      for (const name of it.names) push(byName, name, it)
      for (const stem of wordsOf(it).flat()) push(byStem, stem, it)
    }
    rows.push({ operator, places: own })
  }
  return { rows, places, rowOf, bySymbol, byName, byStem, byQuantity }
}

const indexes = new WeakMap<OperatorRegistry, Variables>()

/** The variables of a registry, read at first use. @throws Fault INVALID_INPUT for a row with an unknown unit. */
export const variablesIn = (registry: OperatorRegistry): Variables => {
  const known = indexes.get(registry)
  if (known !== undefined) return known
  const fresh = variablesOf(registry)
  indexes.set(registry, fresh)
  return fresh
}
