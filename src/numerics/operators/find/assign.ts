import type { Said } from './said.ts'
import type { Variables } from './variables.ts'

/** A known word that may mean a variable. */
interface Edge {
  readonly word: number
  readonly at: number
  readonly grade: number
}

/** The words that may mean a variable, by the number of its row; surer ones first. */
export type Edges = ReadonlyMap<number, readonly Edge[]>

/** Which known word gives which variable of a row, and what all of it is worth. */
export interface Assigned {
  /** Number of the known word by the number of the variable. */
  readonly by: ReadonlyMap<number, number>
  /** Sum of the grades. */
  readonly grade: number
}

const bySureness = (a: Edge, b: Edge): number => b.grade - a.grade || a.word - b.word || a.at - b.at

/** What the known words may mean in each row. */
export const edgesOf = ({ rowOf }: Variables, known: readonly Said[]): Edges => {
  const edges = new Map<number, Edge[]>()
  for (const [word, { means }] of known.entries()) {
    for (const [at, grade] of means) {
      const row = rowOf[at] ?? -1
      const own = edges.get(row)
      if (own === undefined) edges.set(row, [{ word, at, grade }])
      else own.push({ word, at, grade })
    }
  }
  for (const own of edges.values()) own.sort(bySureness)
  return edges
}

const NONE: Assigned = { by: new Map(), grade: 0 }

/**
 * Gives as many variables of a row a known word as can have one, each word to one variable at most: a maximum matching
 * by augmenting paths, surer words first. Work is at most (words)² × (variables), 12² × 24.
 *
 * @param wanted number of the variable that is to be computed and takes no word.
 */
export const assign = (edges: readonly Edge[] | undefined, wanted: number): Assigned => {
  if (edges === undefined) return NONE
  const byPlace = new Map<number, Edge>()
  const settle = (word: number, tried: Set<number>): boolean => {
    for (const edge of edges) {
      if (edge.word !== word || edge.at === wanted || tried.has(edge.at)) continue
      tried.add(edge.at)
      const holder = byPlace.get(edge.at)
      if (holder === undefined || settle(holder.word, tried)) {
        byPlace.set(edge.at, edge)
        return true
      }
    }
    return false
  }
  for (const word of new Set(edges.map((it) => it.word))) settle(word, new Set())
  const all = [...byPlace.values()]
  return { by: new Map(all.map((it) => [it.at, it.word])), grade: all.reduce((sum, it) => sum + it.grade, 0) }
}
