// Goal: what is proved of expressions holds: a domain has every value that an expression gives, narrowing takes away no
// case that is one, nothing proved to be never true is ever true, and every witness is one. Method: random typed
// expressions and random values, each expression evaluated for real beside what was said of it; small exact cases.
import assert from 'node:assert/strict'
import type { Scalar } from '#core/contract/standing.ts'
import { addExpression, type Names } from '#numerics/contracts/checker/build.ts'
import {
  between,
  BOOLEANS,
  type Domain,
  exactly,
  holds,
  hull,
  NIL,
  NOTHING,
  NUMBERS,
  ONLY_TRUE,
  TEXTS,
} from '#numerics/contracts/checker/domain.ts'
import { newGraph } from '#numerics/contracts/checker/graph.ts'
import { caseOf, narrow } from '#numerics/contracts/checker/narrow.ts'
import { type Answer, readValues, solve } from '#numerics/contracts/checker/solve.ts'
import { compileExpression, NoValue } from '#numerics/contracts/language/evaluate.ts'
import { type ContractExpression, parseExpression, printExpression } from '#numerics/contracts/language/grammar.ts'
import { seeded } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { expressionOf, valuesOf } from '../language/generate.ts'

const test = suite('contracts/checker/solve')

/** Random expressions; TICKMESH_CHECKER_CASES asks for more. */
const CASES = Number(process.env['TICKMESH_CHECKER_CASES'] ?? 3_000)
/** Nodes looked at for one question. */
const STEPS = 20_000

const NULLABLE = hull(NUMBERS, NIL)
const KNOWN: Readonly<Record<string, Domain>> = {
  'context.n': NUMBERS,
  'context.m': NUMBERS,
  'context.z': NUMBERS,
  'context.maybe': NULLABLE,
  'context.on': BOOLEANS,
  'context.off': BOOLEANS,
  'context.mode': TEXTS,
  'event.data.flow': NUMBERS,
  'event.data.extra': NUMBERS,
  'event.data.note': TEXTS,
  'window.avg': NULLABLE,
  'fire.tick': between(0, Number.MAX_SAFE_INTEGER, true),
  state: TEXTS,
  state_ticks: between(0, Number.MAX_SAFE_INTEGER, true),
}

const names = (known: Readonly<Record<string, Domain>> = KNOWN): Names => ({
  nodes: new Map(),
  declared: (name) => ({
    domain: known[name] ?? NOTHING,
    optional: name === 'event.data.extra' || name === 'event.data.note',
  }),
})

const at = (values: unknown, name: string): unknown =>
  name.split('.').reduce<unknown>((of, it) => (of as Record<string, unknown> | undefined)?.[it], values)

/** A graph of one expression, and its leaves held to what some values are. */
const graphOf = (it: ContractExpression, values?: unknown) => {
  const graph = newGraph()
  const root = addExpression(graph, it, names())
  const given = new Map<number, Domain>()
  for (const [name, leaf] of values === undefined ? [] : graph.leaves) {
    const value = at(values, name.replace('?', ''))
    if (name.startsWith('?')) given.set(leaf, exactly(value !== undefined))
    else if (value !== undefined) given.set(leaf, exactly(value as Scalar))
  }
  return { graph, root, given }
}

test('a domain has the value, and narrowing keeps what is so', () => {
  const random = seeded()
  for (let i = 0; i < CASES; i += 1) {
    const it = expressionOf(random, random.pick(['boolean', 'boolean', 'number', 'text'] as const), 4)
    const values = valuesOf(random)
    const value = compileExpression(it)(values)
    if (value instanceof NoValue || typeof value === 'object') continue
    const shown = `${printExpression(it)} of ${JSON.stringify(values)} is ${JSON.stringify(value)}`
    const exact = graphOf(it, values)
    const pinned = caseOf(exact.graph, { given: exact.given, wanted: new Map([[exact.root, exactly(value)]]) })
    assert.ok(narrow(exact.graph, pinned, { left: STEPS }), `proved not to be so: ${shown}`)
    const open = graphOf(it)
    const wide = caseOf(open.graph, { given: new Map(), wanted: new Map([[open.root, exactly(value)]]) })
    assert.ok(narrow(open.graph, wide, { left: STEPS }), `proved to be never so: ${shown}`)
    for (const [name, leaf] of open.graph.leaves) {
      const held = at(values, name)
      if (held === undefined || name.startsWith('?')) continue
      const domain = wide.domains[leaf] ?? NOTHING
      assert.ok(holds(domain, exactly(held as Scalar)), `${name} was taken away in ${shown}`)
    }
  }
}, 60_000)

const answerOf = (it: ContractExpression, known = KNOWN): Answer => {
  const graph = newGraph()
  const root = addExpression(graph, it, names(known))
  const run = compileExpression(it)
  return solve(
    {
      ...{ graph, given: new Map(), wanted: new Map([[root, ONLY_TRUE]]), prefer: () => undefined },
      confirms: (values) => run(readValues(values)) === true,
    },
    { left: STEPS },
  )
}

test('what is proved never true is never true, and a witness is one', () => {
  const random = seeded()
  const count = { never: 0, witness: 0, open: 0 }
  for (let i = 0; i < CASES; i += 1) {
    const it = expressionOf(random, 'boolean', 4)
    const answer = answerOf(it)
    count[answer.kind] += 1
    const run = compileExpression(it)
    if (answer.kind === 'witness') assert.equal(run(readValues(answer.values)), true, printExpression(it))
    for (let k = 0; answer.kind === 'never' && k < 20; k += 1) {
      const values = valuesOf(random)
      assert.notEqual(run(values), true, `${printExpression(it)} of ${JSON.stringify(values)}`)
    }
  }
  assert.ok(count.witness > CASES / 2 && count.never > CASES / 100, JSON.stringify(count))
  console.log(`  ${JSON.stringify(count)}`)
}, 60_000)

const bounded = { ...KNOWN, 'context.n': between(0, 100, true), 'context.mode': { ...NOTHING, texts: ['auto', 'off'] } }
const NEVER = [
  'context.n > 100',
  'context.n > 5 && context.n <= 5',
  'context.m > 5 && !(context.m > 5)',
  'context.m + 1 > 5 && context.m + 1 <= 5',
  'context.m * context.z > context.m + 1 && context.m * context.z <= context.m + 1',
  'context.n > 5 && context.n < 6',
  'context.n % 2 == 2',
  'context.mode == "auto" && context.mode == "off"',
  'context.mode != "auto" && context.mode != "off"',
  'has(event.data.extra) && !has(event.data.extra)',
  'event.data.extra > 3 && !has(event.data.extra)',
  'window.avg == null && window.avg > 3',
  'context.n in [1, 2, 3] && context.n > 3',
  '(context.on ? 1 : 2) > 2',
  'abs(context.m) < 0',
  'exp(context.m) < 0',
  'sqrt(context.m) < 0',
  'context.m > 1 && context.m < 2 && 2 * context.m > 4.1',
  'min(context.n, 3) > 3',
  'context.m / context.m > 0 && context.m == 0',
]
const SOME = [
  'context.n >= 100',
  'context.n > 5 && context.n < 7',
  'context.m > 5 && context.m < 5.0000001',
  'context.m + 1 > 5 && context.m <= 4.001',
  'context.n % 7 == 6 && context.n > 50',
  'window.avg != null && window.avg > 300',
  'context.mode == "off" || context.n > 200',
  '!has(event.data.extra) && event.data.flow > 3',
  'context.maybe == null',
  'context.m * context.m == 2.25',
  'event.data.note == "a" || event.data.note == "b"',
  'context.maybe == null ? context.n > 99 : false',
]

test('small questions have exact answers', () => {
  for (const text of NEVER) assert.equal(answerOf(parseExpression(text), bounded).kind, 'never', text)
  for (const text of SOME) assert.equal(answerOf(parseExpression(text), bounded).kind, 'witness', text)
})

test.run()
