import type { Operator } from './registry.ts'
import type { Quantity } from './relation.ts'

/** A variable of one operator of a chain. */
export interface Target {
  readonly operator: Operator
  readonly quantity: Quantity
}

const GREEK: Readonly<Record<string, string>> = {
  α: 'alpha',
  β: 'beta',
  γ: 'gamma',
  δ: 'delta',
  ε: 'epsilon',
  ζ: 'zeta',
  η: 'eta',
  θ: 'theta',
  κ: 'kappa',
  λ: 'lambda',
  μ: 'mu',
  ν: 'nu',
  ξ: 'xi',
  π: 'pi',
  ρ: 'rho',
  σ: 'sigma',
  τ: 'tau',
  φ: 'phi',
  χ: 'chi',
  ψ: 'psi',
  ω: 'omega',
  Γ: 'Gamma',
  Δ: 'Delta',
  Θ: 'Theta',
  Λ: 'Lambda',
  Σ: 'Sigma',
  Φ: 'Phi',
  Ψ: 'Psi',
  Ω: 'Omega',
}

/** Greek letters by their names. */
export const spelled = (name: string): string =>
  name.replaceAll('\u00b5', 'μ').replace(/[α-ωΑ-Ω]/gu, (letter) => GREEK[letter] ?? letter)

/**
 * The form in which names of two characters or more are compared: case, spaces, `_` and `-` do not count. One character
 * stays as it is: m and M are two quantities.
 */
export const folded = (name: string): string => {
  const plain = spelled(name.trim())
  return [...plain].length === 1 ? plain : plain.toLowerCase().replace(/[\s_-]+/g, '')
}

const foldedNames = new WeakMap<Operator, ReadonlyMap<string, readonly Quantity[]>>()

/** The variables of an operator by each of their names, folded; made once. */
const byFolded = (operator: Operator): ReadonlyMap<string, readonly Quantity[]> => {
  const known = foldedNames.get(operator)
  if (known !== undefined) return known
  const made = new Map<string, Quantity[]>()
  for (const it of operator.relation().quantities.values()) {
    const names = [it.name, ...(it.aliases ?? []), ...(it.symbol.length > 1 ? [it.symbol] : [])]
    for (const name of new Set(names.map(folded))) made.set(name, [...(made.get(name) ?? []), it])
  }
  foldedNames.set(operator, made)
  return made
}

/** The variables of one operator that a name means: its symbol as written, else symbols, names and aliases, folded. */
const within = (operator: Operator, name: string): readonly Target[] => {
  const { quantities } = operator.relation()
  const exact = quantities.get(name) ?? quantities.get(spelled(name))
  if (exact !== undefined) return [{ operator, quantity: exact }]
  return (byFolded(operator).get(folded(name)) ?? []).map((quantity) => ({ operator, quantity }))
}

/** The variables of a chain that a name means; `ID.name` keeps to one operator. */
export const targetsOf = (operators: readonly Operator[], name: string): readonly Target[] => {
  const owner = operators.find(({ row }) => name.toUpperCase().startsWith(`${row.id}.`))
  if (owner !== undefined) return within(owner, name.slice(owner.row.id.length + 1))
  return operators.flatMap((operator) => within(operator, name))
}

/** Every name a chain's variables go by, for suggestions. */
export const namesOf = (operators: readonly Operator[]): readonly string[] =>
  operators.flatMap((operator) =>
    [...operator.relation().quantities.values()].flatMap((it) => [it.symbol, it.name, ...(it.aliases ?? [])]),
  )
