import { type Breach, breach, type Source, withoutKernels } from './source.ts'
import { targetOf } from './tree.ts'

type Graph = ReadonlyMap<string, readonly string[]>

/** Each file with those that it imports, types and re-exports counted. A program that it only opens is not imported. */
const graphOf = (sources: readonly Source[]): Graph => {
  const known = new Set(sources.map(({ file }) => file))
  const named = ({ file, imports }: Source): readonly string[] =>
    imports.flatMap(({ from, opened }) => (opened ? [] : (targetOf(file, from, known) ?? [])))
  return new Map(withoutKernels(sources).map((it) => [it.file, [...new Set(named(it))]]))
}

/** The shortest way from a file back to itself, or undefined: a search in breadth. */
const circleFrom = (start: string, graph: Graph): readonly string[] | undefined => {
  const cameFrom = new Map<string, string>()
  const queue = [start]
  for (let i = 0; i < queue.length; i++) {
    const file = queue[i] as string
    for (const next of graph.get(file) ?? []) {
      if (next === start) return wayTo(file, start, cameFrom)
      if (cameFrom.has(next)) continue
      cameFrom.set(next, file)
      queue.push(next)
    }
  }
  return undefined
}

const wayTo = (last: string, start: string, cameFrom: ReadonlyMap<string, string>): readonly string[] => {
  const way: string[] = []
  for (let file: string | undefined = last; file !== undefined && file !== start; file = cameFrom.get(file)) {
    way.unshift(file)
  }
  return [start, ...way]
}

/**
 * No file imports itself by way of others, types counted: two files that need each other's types are one thing cut at
 * the wrong place. Each circle is named once, at its first file.
 */
export const circleBreaches = (sources: readonly Source[]): readonly Breach[] => {
  const graph = graphOf(sources)
  const told = new Set<string>()
  return [...graph.keys()].sort().flatMap((file) => {
    if (told.has(file)) return []
    const circle = circleFrom(file, graph)
    if (circle === undefined) return []
    for (const it of circle) told.add(it)
    return [breach(file, `imports itself: ${[...circle, file].join(' → ')}`)]
  })
}
