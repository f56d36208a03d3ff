// Goal: questions of every day are answered rightly or asked about; what is asked for is never an input, a counted noun
// gives no coefficient, an input that the chosen case does not read is none, and choices beside a refusal can be run.
// Method: the questions of four writers who had not seen the router, less those that are sealed; four that were once
// sealed wrong; questions generated from the worked examples of the rows, and from the cases of the solvers.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { computeCalls } from '#api/told-routes.ts'
import { Fault } from '#core/fault.ts'
import type { Order } from '#numerics/operators/computation.ts'
import { computeOperators } from '#numerics/operators/compute.ts'
import { solvers } from '#numerics/solvers/index.ts'
import type { Choice } from '#routing/choices.ts'
import { leavesOf, unreadBy } from '#routing/leaves.ts'
import { routeQuestion } from '#routing/route.ts'
import { type Everyday, isSealed, put } from '../../scripts/everyday.ts'
import { placesHere } from '../../scripts/routing.ts'
import { suite } from '../kit/suite.ts'

const test = suite('routing: everyday')
const MS_MAX = 120_000

const places = placesHere()
const read = (query: string) => routeQuestion(places, { query, constants: {}, calls: computeCalls })
const tried = (query: string) => {
  try {
    return read(query)
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
}

const all = readFileSync('protocols/routing/everyday.jsonl', 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Everyday)

test(
  'questions of four hands: none answered wrongly, and what is asked back has the answer among its choices',
  () => {
    assert(all.length >= 600)
    assert(new Set(all.map(({ field }) => field.toLowerCase())).size >= 30)
    assert(all.filter(isSealed).length >= 200)
    const open = all.filter((it) => !isSealed(it))
    const came = open.map((it) => ({ q: it.q, ...put(places, it) }))
    assert.deepEqual(
      came.filter((it) => it.came === 'wrong').map(({ q, said }) => `${q}: ${said}`),
      [],
    )
    const answerable = open.filter(({ answer }) => answer.kind === 'value').length
    const [right = 0, chosen = 0] = (['right', 'chosen'] as const).map(
      (of) => came.filter((it) => it.came === of).length,
    )
    assert(right >= 0.2 * answerable, `${right} of ${answerable} at once`)
    assert(right + chosen >= 0.48 * answerable, `${right + chosen} of ${answerable} after one choice`)
  },
  MS_MAX,
)

test('four questions that were sealed wrong: the right answer, or a question', () => {
  const cases: readonly (readonly [query: string, value: number])[] = [
    ['focal length of a lens if the object is 30 cm away and the image 15 cm', 0.1],
    ['capacitance of two parallel plates of 100 cm2 area 1 mm apart', 8.8541878188e-11],
    ['ground state energy of an electron in a 1 nm box', 6.02466739403659e-20],
    ['each infected person infects 3 others, what fraction needs vaccination', 2 / 3],
  ]
  let answered = 0
  for (const [query, due] of cases) {
    const routed = tried(query)
    if (routed instanceof Fault) continue
    assert.equal(routed.kind, 'operators', query)
    if (routed.kind !== 'operators') continue
    const { value } = computeOperators(places.registry, routed.order)
    assert(Math.abs((value ?? 0) - due) < 1e-6 * due, `${query}: ${value}`)
    answered += 1
  }
  assert(answered >= 2)
})

/** Rows of which one in this many is asked for by its own names. */
const ONE_IN = 8

test(
  'a row asked for by the names of its quantities: what is asked for is no input, and no other law answers',
  () => {
    const rows = places.registry.operators
      .map(({ row }) => row)
      .filter((row) => row.refused === undefined && row.example !== undefined && row.id !== 'KO42')
    let right = 0
    const asked = rows.filter((_, i) => i % ONE_IN === 0)
    for (const { id, name: law, variables, example } of asked) {
      assert(example !== undefined)
      const given = Object.entries(example.inputs).map(([symbol, value]) => {
        const { name = '', unit = '1' } = variables[symbol] ?? {}
        return `${name} of ${typeof value === 'string' || unit === '1' ? value : `${value} ${unit}`}`
      })
      const query = `What is the ${variables[example.output]?.name} if we have ${given.join(', ')}? (${law})`
      const routed = tried(query)
      if (routed instanceof Fault || routed.kind === 'solver') continue
      assert(!Object.hasOwn(routed.order.inputs ?? {}, example.output) || routed.order.operators[0] !== id, query)
      const { value } = computeOperators(places.registry, routed.order)
      const off = Math.abs((value ?? 0) - example.value)
      assert(off <= 1e-4 * Math.abs(example.value), `${query}: ${value} by ${routed.order.operators}`)
      right += 1
    }
    assert(right >= 0.5 * asked.length, `${right} of ${asked.length}`)
  },
  MS_MAX,
)

test('a number word before the noun that it counts is no coefficient', () => {
  const one = read('capacitance of parallel plates with an area of 100 cm2, 1 mm apart')
  for (const count of ['two', 'three', 'seven']) {
    const routed = tried(`capacitance of ${count} parallel plates with an area of 100 cm2, 1 mm apart`)
    if (routed instanceof Fault) continue
    assert.deepEqual(routed.reading.input, one.reading.input, count)
  }
})

test('inputs of a case that is not chosen are none', () => {
  let groups = 0
  for (const { name, input } of solvers) {
    const leaves = leavesOf(input)
    const chosen = (path: string): unknown => leaves.find((it) => it.path === path)?.initial
    const unread = unreadBy(leaves, chosen)
    for (const path of unread) {
      const group = path.slice(0, path.indexOf('.')).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
      const by = leaves.find(({ values }) => values.includes(group))
      assert(by !== undefined && by.initial !== group, `${name} ${path}`)
      groups += 1
    }
  }
  assert(groups > 10)
})

test('choices: three at most, each ready one computes, and the reading is said in words', () => {
  const open = all.filter((it) => !isSealed(it)).slice(0, 120)
  let ready = 0
  for (const { q } of open) {
    const fault = tried(q)
    if (!(fault instanceof Fault)) continue
    const choices = (fault.details['choices'] ?? []) as readonly Choice[]
    assert(choices.length <= 3, q)
    for (const { input, missing, reads } of choices) {
      assert(reads.includes(' by '), reads)
      if (missing.length > 0) continue
      ready += 1
      try {
        computeOperators(places.registry, input as unknown as Order)
      } catch (error) {
        // A number that the choice leaves out may have kept it within its range.
        assert(error instanceof Fault, q)
      }
    }
  }
  assert(ready > 20)
})

test.run()
