import { type Assigned, assign, type Edges } from './assign.ts'
import type { Said } from './said.ts'
import { PURE, type SearchedVariable, type Variables, wordsOf } from './variables.ts'

/** An operator solved for one of its variables, with what the known words give and what they do not. */
export interface Solved {
  readonly wanted: SearchedVariable
  readonly assigned: Assigned
  readonly missing: readonly SearchedVariable[]
}

/** Two operators of which the second is fed by the first. */
export interface Chained {
  readonly first: Solved
  readonly second: Solved
  /** The variable of the second that the first's output goes to. */
  readonly fed: SearchedVariable
  /** How sure it is that both are one thing: 2 by name and symbol, 1 by name, 0 by symbol and a word of the name. */
  readonly likeness: number
}

/** Second operators that are tried, and chains that are kept before they are put in order. */
const SECONDS_MAX = 256
const CHAINS_MAX = 4_096
/** Variables of a second operator that may be missing, the one that is fed included. */
const MISSING_MAX = 4

/** One operator solved for one of its variables. */
export const solvedFor = (wanted: SearchedVariable, { rows, rowOf }: Variables, edges: Edges): Solved => {
  const row = rowOf[wanted.at] ?? -1
  const assigned = assign(edges.get(row), wanted.at)
  const missing = (rows[row]?.places ?? []).filter((it) => it !== wanted && !assigned.by.has(it.at))
  return { wanted, assigned, missing }
}

/**
 * What follows from the known words alone: each variable that is neither known nor wanted, of an operator that has
 * words for all its others.
 */
const derivable = (variables: Variables, wanted: Said, edges: Edges): readonly Solved[] =>
  [...edges]
    .sort(([a], [b]) => a - b)
    .flatMap(([row, own]) => {
      const places = variables.rows[row]?.places ?? []
      const meant = new Set(own.map(({ at }) => at))
      const open = places.filter(({ at }) => !meant.has(at))
      if (open.length > 1) return []
      return (open.length === 1 ? open : places)
        .filter((it) => it.solvable && !wanted.means.has(it.at))
        .map((it) => solvedFor(it, variables, edges))
        .filter(({ missing, assigned }) => missing.length === 0 && assigned.by.size > 0)
    })

/**
 * Whether two variables of one quantity are one thing; undefined where nothing says so. A letter alone says little:
 * their names have a word in common, and of pure numbers it says nothing at all.
 */
const likenessOf = (from: SearchedVariable, to: SearchedVariable): number | undefined => {
  const symbol = from.symbol === to.symbol
  if (from.names.some((name) => to.names.includes(name))) return symbol ? 2 : 1
  if (!symbol || from.quantity === PURE) return undefined
  const words = new Set(wordsOf(to).flat())
  return wordsOf(from).some((it) => it.some((word) => words.has(word))) ? 0 : undefined
}

/**
 * Chains of two operators: the first needs nothing but known words, its output is what the second misses. They have the
 * same quantity and the same name, or the same symbol and a word of the name.
 *
 * @param seconds operators that give what is wanted, best first; {@link SECONDS_MAX} of them are tried.
 */
export const chainsTo = (
  seconds: readonly Solved[],
  variables: Variables,
  { wanted, edges }: { readonly wanted: Said; readonly edges: Edges },
): readonly Chained[] => {
  const firsts = Map.groupBy(derivable(variables, wanted, edges), (it) => it.wanted.quantity)
  const chains: Chained[] = []
  const tried = seconds.filter(({ missing }) => missing.length > 0 && missing.length <= MISSING_MAX)
  for (const second of tried.slice(0, SECONDS_MAX)) {
    for (const fed of second.missing) {
      for (const first of firsts.get(fed.quantity) ?? []) {
        const likeness = likenessOf(first.wanted, fed)
        if (likeness === undefined || first.wanted.operator === second.wanted.operator) continue
        if (chains.length === CHAINS_MAX) return chains
        chains.push({ first, second, fed, likeness })
      }
    }
  }
  return chains
}
