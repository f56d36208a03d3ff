import { type DegreeLists, degreeLists } from './degree-lists.ts'

/** Which unknowns of a symmetric matrix meet: row numbers column by column, both halves, any place several times. */
export interface Pattern {
  readonly n: number
  readonly start: Int32Array
  readonly row: Int32Array
}

/**
 * What is left of a graph while its unknowns are eliminated. What an elimination joins is kept as one element, a list
 * of unknowns, instead of all their pairs; it is numbered as the unknown whose elimination made it.
 */
export interface QuotientGraph {
  readonly n: number
  readonly lists: DegreeLists
  /**
   * All lists; i's begins at `begin[i]` and has `length[i]` entries: of an unknown `elements[i]` elements, then
   * unknowns that it met before any elimination; of an element its unknowns. Those of unknowns never grow: a new
   * element takes the place of what it ends. New elements stand at the end, which is `used`.
   */
  pool: Int32Array
  used: number
  readonly begin: Int32Array
  readonly length: Int32Array
  readonly elements: Int32Array
  /** Neighbours of an unknown, a bound from above; unknowns of an element. */
  readonly degree: Int32Array
  /** Unknowns that one stands for; 0 when another stands for it, below zero while it is in the newest element. */
  readonly weight: Int32Array
  /** Whether an element is still of use. */
  readonly live: Uint8Array
  /** Who stands for an unknown, or itself. */
  readonly leader: Int32Array
  eliminated: number
  /** Above `mark`: what an element has outside of the newest one. At it: what is stamped. */
  readonly outside: Float64Array
  mark: number
  /** Unknowns of the newest element by a sum over their lists. */
  readonly bucket: Int32Array
  readonly sameHash: Int32Array
  readonly hash: Int32Array
}

/** Neighbours of each unknown, each once: unknown i's in `list` from `begin[i]` on, `length[i]` of them. */
const neighboursOf = ({ n, start, row }: Pattern) => {
  const list = new Int32Array(Math.max(1, row.length))
  const [begin, length] = [new Int32Array(n), new Int32Array(n)]
  const stamp = new Int32Array(n).fill(-1)
  let end = 0
  for (let j = 0; j < n; j++) {
    begin[j] = end
    stamp[j] = j
    for (let at = start[j]; at < start[j + 1]; at++) {
      const i = row[at]
      if (stamp[i] === j) continue
      stamp[i] = j
      list[end++] = i
    }
    length[j] = end - begin[j]
  }
  return { list, begin, length, end }
}

/** A graph of which nothing is eliminated. */
export const quotientGraphOf = (pattern: Pattern): QuotientGraph => {
  const { n } = pattern
  const { list, begin, length, end } = neighboursOf(pattern)
  const lists = degreeLists(n)
  for (let i = n - 1; i >= 0; i--) lists.enter(i, length[i])
  return {
    n,
    lists,
    pool: list,
    used: end,
    begin,
    length,
    elements: new Int32Array(n),
    degree: length.slice(),
    weight: new Int32Array(n).fill(1),
    live: new Uint8Array(n),
    leader: Int32Array.from({ length: n }, (_, i) => i),
    eliminated: 0,
    outside: new Float64Array(n),
    mark: 1,
    bucket: new Int32Array(n).fill(-1),
    sameHash: new Int32Array(n),
    hash: new Int32Array(n),
  }
}

/** Room at the end of the pool. */
const reserve = (graph: QuotientGraph, room: number): void => {
  if (graph.used + room <= graph.pool.length) return
  const larger = new Int32Array(2 * (graph.used + room))
  larger.set(graph.pool.subarray(0, graph.used))
  graph.pool = larger
}

/** Joins all that unknown p meets to element p; elements among it end. */
export const join = (graph: QuotientGraph, p: number): void => {
  const { n, lists, begin, length, elements, degree, weight, live } = graph
  reserve(graph, n)
  const { pool } = graph
  const [from, own, to] = [begin[p], begin[p] + elements[p], begin[p] + length[p]]
  let [put, size] = [graph.used, 0]
  // The unknowns of its own list, then its elements one by one.
  for (let at = from - 1; at < own; at++) {
    const e = at < from ? -1 : pool[at]
    const [first, last] = e >= 0 ? [begin[e], begin[e] + length[e]] : [own, to]
    for (let q = first; q < last; q++) {
      const i = pool[q]
      if (weight[i] <= 0) continue
      size += weight[i]
      weight[i] = -weight[i]
      lists.leave(i)
      pool[put++] = i
    }
    if (e >= 0) live[e] = 0
  }
  begin[p] = graph.used
  length[p] = put - graph.used
  degree[p] = size
  live[p] = 1
  graph.used = put
}

/** Counts what each element that touches p has outside of it. */
export const measure = (
  { pool, begin, length, elements, degree, weight, live, outside, mark }: QuotientGraph,
  p: number,
): void => {
  for (let q = begin[p]; q < begin[p] + length[p]; q++) {
    const i = pool[q]
    for (let at = begin[i]; at < begin[i] + elements[i]; at++) {
      const e = pool[at]
      if (live[e] === 0) continue
      if (outside[e] < mark) outside[e] = mark + degree[e]
      outside[e] += weight[i]
    }
  }
}

/**
 * Puts p into the list of an unknown of it, in the place of what p ends or contains.
 *
 * @returns a bound on the unknowns that it meets outside of p.
 */
export const renew = (graph: QuotientGraph, i: number, p: number): number => {
  const { n, pool, begin, length, elements, weight, live, outside, mark } = graph
  const [from, own, to] = [begin[i], begin[i] + elements[i], begin[i] + length[i]]
  let [put, sum, hash] = [from, 0, p]
  for (let at = from; at < own; at++) {
    const e = pool[at]
    if (live[e] === 0) continue
    const rest = outside[e] - mark
    if (rest === 0) {
      live[e] = 0
      continue
    }
    sum += rest
    hash += e
    pool[put++] = e
  }
  const kept = put
  for (let at = own; at < to; at++) {
    const j = pool[at]
    if (weight[j] <= 0) continue
    sum += weight[j]
    hash += j
    pool[put++] = j
  }
  // p goes first, what stood there to the end of the elements, the unknown there to the end of the list.
  pool[put] = pool[kept]
  pool[kept] = pool[from]
  pool[from] = p
  elements[i] = kept - from + 1
  length[i] = put - from + 1
  graph.hash[i] = hash % n
  graph.sameHash[i] = graph.bucket[graph.hash[i]]
  graph.bucket[graph.hash[i]] = i
  return sum
}

/** Whether unknown j meets what i meets, whose list is stamped; p is the first of both lists. */
const alike = ({ pool, begin, length, elements, outside, mark }: QuotientGraph, i: number, j: number): boolean => {
  if (length[i] !== length[j] || elements[i] !== elements[j]) return false
  for (let at = begin[j] + 1; at < begin[j] + length[j]; at++) if (outside[pool[at]] !== mark) return false
  return true
}

/** Has unknown i stand for those after it in its bucket that meet the same. */
const mergeAfter = (graph: QuotientGraph, i: number): void => {
  const { pool, begin, length, weight, leader, outside, sameHash } = graph
  const mark = ++graph.mark
  for (let at = begin[i] + 1; at < begin[i] + length[i]; at++) outside[pool[at]] = mark
  let before = i
  for (let j = sameHash[i]; j >= 0; j = sameHash[j]) {
    if (!alike(graph, i, j)) {
      before = j
      continue
    }
    weight[i] += weight[j]
    weight[j] = 0
    leader[j] = i
    sameHash[before] = sameHash[j]
  }
}

/** Has one unknown of p stand for all others that meet the same. */
export const merge = (graph: QuotientGraph, p: number): void => {
  const { n, pool, begin, length, weight, bucket, sameHash, hash } = graph
  // Above all that was counted.
  graph.mark += n
  for (let q = begin[p]; q < begin[p] + length[p]; q++) {
    if (weight[pool[q]] === 0) continue
    const at = hash[pool[q]]
    let i = bucket[at]
    bucket[at] = -1
    for (; i >= 0 && sameHash[i] >= 0; i = sameHash[i]) mergeAfter(graph, i)
  }
  graph.mark++
}
