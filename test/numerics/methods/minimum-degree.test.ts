// Goal: the order of elimination is one, and keeps a factor as sparse as minimum degree does. Method: drawn graphs,
// whose elimination is played on sets of neighbours and compared with the exact rule; graphs of known fill.
import assert from 'node:assert/strict'
import { minimumDegree } from '#numerics/methods/linear/minimum-degree.ts'
import type { Pattern } from '#numerics/methods/linear/quotient-graph.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('numerics/minimum-degree')

type Graph = readonly ReadonlySet<number>[]

const graphOf = (n: number, pairs: readonly (readonly [number, number])[]): Graph => {
  const graph = Array.from({ length: n }, () => new Set<number>())
  for (const [i, j] of pairs) {
    if (i === j) continue
    graph[i]?.add(j)
    graph[j]?.add(i)
  }
  return graph
}

/** As a matrix has it: diagonal, both halves, some places twice. */
const patternOf = (graph: Graph): Pattern => {
  const start = Int32Array.of(0, ...graph.map(() => 0))
  const row: number[] = []
  graph.forEach((near, j) => {
    row.push(j, ...near, ...[...near].filter((i) => (i + j) % 3 === 0))
    start[j + 1] = row.length
  })
  return { n: graph.length, start, row: Int32Array.from(row) }
}

/** Elements below the diagonal of the factor, when `next` says who goes. */
const fillOf = (graph: Graph, next: (left: ReadonlyMap<number, Set<number>>) => number): number => {
  const left = new Map(graph.map((near, i) => [i, new Set(near)] as const))
  let fill = 0
  while (left.size > 0) {
    const p = next(left)
    const near = left.get(p) ?? assert.fail('is there')
    left.delete(p)
    fill += near.size
    for (const i of near) {
      const its = left.get(i) ?? assert.fail('is there')
      its.delete(p)
      for (const j of near) if (j !== i) its.add(j)
    }
  }
  return fill
}

const ours = (graph: Graph): number => {
  const order = [...minimumDegree(patternOf(graph))]
  assert.deepEqual(
    order.toSorted((a, b) => a - b),
    graph.map((_, i) => i),
    'every unknown has its turn once',
  )
  let k = 0
  return fillOf(graph, () => order[k++] ?? -1)
}

const exact = (graph: Graph): number =>
  fillOf(graph, (left) => [...left].reduce((least, it) => (it[1].size < least[1].size ? it : least))[0])

test('drawn graphs fill in as under the exact rule, within a percent all together', () => {
  const random = seeded()
  let [mine, theirs] = [0, 0]
  for (let round = 0; round < 150; round++) {
    const n = random.integer(1, 60)
    const edges = Math.floor(n * 5 * random.next())
    const graph = graphOf(
      n,
      Array.from({ length: edges }, () => [random.integer(0, n - 1), random.integer(0, n - 1)] as const),
    )
    const [own, other] = [ours(graph), exact(graph)]
    assert(own <= 1.3 * other + 3, `${n} unknowns, ${edges} pairs: ${own} against ${other}`)
    mine += own
    theirs += other
  }
  assert(mine < 1.02 * theirs, `${mine} against ${theirs}`)
})

test('a tree, a star and a ring fill in as little as they can; a clique is a clique', () => {
  const n = 200
  const all = Array.from({ length: n }, (_, i) => i)
  assert.equal(
    ours(
      graphOf(
        n,
        all.slice(1).map((i) => [i, (i - 1) >> 1]),
      ),
    ),
    n - 1,
  )
  assert.equal(
    ours(
      graphOf(
        n,
        all.map((i) => [0, i]),
      ),
    ),
    n - 1,
  )
  assert.equal(
    ours(
      graphOf(
        n,
        all.map((i) => [i, (i + 1) % n]),
      ),
    ),
    2 * n - 3,
  )
  assert.equal(
    ours(
      graphOf(
        n,
        all.flatMap((i) => all.slice(0, i).map((j) => [i, j] as const)),
      ),
    ),
    (n * (n - 1)) / 2,
  )
  assert.equal(ours(graphOf(n, [])), 0)
  assert.deepEqual([...minimumDegree({ n: 0, start: Int32Array.of(0), row: new Int32Array(0) })], [])
})

test('a mesh of 40 × 40 fills in like n·log n, not like its band', () => {
  const side = 40
  const pairs = Array.from({ length: side * side }, (_, k) => k).flatMap((k) => [
    ...((k + 1) % side === 0 ? [] : [[k, k + 1] as const]),
    ...(k + side < side * side ? [[k, k + side] as const] : []),
  ])
  const fill = ours(graphOf(side * side, pairs))
  assert(fill < 1.2 * side * side * Math.log2(side * side), `${fill}`)
})

test.run()
