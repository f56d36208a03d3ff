import { join, measure, merge, type Pattern, type QuotientGraph, quotientGraphOf, renew } from './quotient-graph.ts'

/** Eliminates unknown p, with all that meet nothing but what it meets. */
const eliminate = (graph: QuotientGraph, p: number): void => {
  const { begin, length, weight, degree, leader, n } = graph
  graph.eliminated += weight[p]
  weight[p] = 0
  join(graph, p)
  measure(graph, p)
  const [from, to] = [begin[p], begin[p] + length[p]]
  for (let q = from; q < to; q++) {
    const i = graph.pool[q]
    const sum = renew(graph, i, p)
    degree[i] = Math.min(degree[i], sum)
  }
  merge(graph, p)
  // What meets nothing else goes with p; after merging, so that buckets hold only what stays or goes as one.
  for (let q = from; q < to; q++) {
    const i = graph.pool[q]
    if (weight[i] === 0 || degree[i] > 0) continue
    graph.eliminated -= weight[i]
    degree[p] += weight[i]
    weight[i] = 0
    leader[i] = p
  }
  let put = from
  for (let q = from; q < to; q++) {
    const i = graph.pool[q]
    if (weight[i] === 0) continue
    weight[i] = -weight[i]
    degree[i] = Math.min(degree[i] + degree[p], n - graph.eliminated) - weight[i]
    graph.lists.enter(i, degree[i])
    graph.pool[put++] = i
  }
  length[p] = put - from
  graph.used = put
}

/** Unknowns by the turn of who stands for them, of one turn by number. */
const byTurns = (leader: Int32Array, turn: Int32Array): Int32Array => {
  const n = leader.length
  const begin = new Int32Array(n + 1)
  const turns = Int32Array.from(leader, (it) => {
    let i = it
    while (leader[i] !== i) i = leader[i]
    return turn[i]
  })
  for (const it of turns) begin[it + 1]++
  for (let k = 0; k < n; k++) begin[k + 1] += begin[k]
  const order = new Int32Array(n)
  for (let i = 0; i < n; i++) order[begin[turns[i]]++] = i
  return order
}

/**
 * An order of elimination that keeps a factor sparse: approximate minimum degree (Amestoy, Davis, Duff, SIAM J. Matrix
 * Anal. Appl. 17 (1996) 886). Elements that a newer one contains are dropped, unknowns with the same neighbours are
 * taken as one, and degrees are bounds from above. Of equal degrees the one renewed last goes first; unknowns taken as
 * one follow each other by number.
 *
 * @returns the unknowns in their order.
 */
export const minimumDegree = (pattern: Pattern): Int32Array => {
  const graph = quotientGraphOf(pattern)
  const turn = new Int32Array(pattern.n)
  for (let k = 0; graph.eliminated < pattern.n; k++) {
    const p = graph.lists.take()
    turn[p] = k
    eliminate(graph, p)
  }
  return byTurns(graph.leader, turn)
}
