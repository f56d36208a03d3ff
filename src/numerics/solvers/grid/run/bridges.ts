import { across, type Line, linesAt, type Network } from '#numerics/solvers/grid/problem.ts'

/**
 * Lines whose outage cuts an island in two, by depth-first search (Tarjan, Inf. Process. Lett. 2 (1974) 160): those
 * that no other way leads around. Parallel lines are ways around each other.
 *
 * @returns 1 at the number of each bridge.
 */
export const bridgesOf = (network: Network): Uint8Array => {
  const { buses, lines } = network
  const at = linesAt(network)
  const bridges = new Uint8Array(lines.length)
  const seen = new Int32Array(buses).fill(-1)
  const low = new Int32Array(buses)
  const next = new Int32Array(buses)
  const by = new Int32Array(buses).fill(-1)
  let count = 0
  for (let root = 0; root < buses; root++) {
    if (seen[root] >= 0) continue
    const path = [root]
    seen[root] = count
    low[root] = count++
    while (path.length > 0) {
      const bus = path[path.length - 1] as number
      const number = at[bus]?.[next[bus]++]
      if (number === undefined) {
        path.pop()
        const before = path[path.length - 1]
        if (before === undefined) continue
        low[before] = Math.min(low[before], low[bus])
        if (low[bus] > seen[before]) bridges[by[bus]] = 1
        continue
      }
      if (number === by[bus]) continue
      const there = across(lines[number] as Line, bus)
      if (seen[there] >= 0) {
        low[bus] = Math.min(low[bus], seen[there])
        continue
      }
      seen[there] = count
      low[there] = count++
      by[there] = number
      path.push(there)
    }
  }
  return bridges
}
