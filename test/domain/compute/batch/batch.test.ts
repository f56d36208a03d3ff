/*
 * Goal: a batch answers in order, each call with its own envelope, charged alone; its opening is in the log before the
 * first run and its closing after the last; what is refused costs nothing and runs nothing. Method: a real node, over
 * HTTP, with bodies of all three forms; every root, count and place is worked out anew from the lines that were read.
 */
import assert from 'node:assert/strict'
import { callsRoot, countsOf, outcomesRoot, verifyClosing, verifyOpening } from '#core/batch/forms.ts'
import type { Json } from '#core/canonical.ts'
import { testNode } from '../../../kit/node.ts'
import { suite } from '../../../kit/suite.ts'
import { type AnswerLine, ask, form, forms, type Read } from './asking.ts'

const test = suite('domain/compute: batch')

const account = async (it: Awaited<ReturnType<typeof testNode>>) => {
  const { api_key: key } = await it.client.call('identity.sign-up', {})
  return { url: it.url, key, client: it.as(key) }
}

const stated = (line: AnswerLine) =>
  line.outcome === 'sealed'
    ? ({ outcome: 'sealed', token_id: line.answer!.claim.token_id } as const)
    : ({ outcome: line.outcome, code: line.problem!.code } as const)

/** Works out from the lines all that the two documents say. */
const assertWhole = ({ opening: first, answers, closing: last }: Read): void => {
  const { opening } = first
  const { closing } = last
  assert(verifyOpening(first) && verifyClosing(last), 'the node signed both')
  assert.deepEqual(
    answers.map(({ index }) => index),
    [...answers.keys()],
  )
  assert.equal(opening.calls, answers.length)
  const calls = answers.map((it) => ({ ...it, input: it.input as Json }))
  assert.equal(opening.root, callsRoot(calls), 'the root is that of the calls')
  assert.equal(closing.outcomes, outcomesRoot(answers.map(stated)), 'the other root is that of the outcomes')
  const { sealed, refused, failed, calls: count } = closing
  assert.deepEqual({ sealed, refused, failed }, countsOf(answers))
  assert.equal(sealed + refused + failed, count)
  for (const { answer, inputs_digest } of answers) {
    if (answer === undefined) continue
    assert.equal(answer.claim.inputs_digest, inputs_digest, 'an envelope is of the inputs that were opened')
    assert(answer.claim.index > opening.index && answer.claim.index < closing.index, 'it stands between the two')
  }
}

test('operators and solvers are answered in order, each with its envelope, and charged one by one', async () => {
  await using it = await testNode({ keptRuns: true })
  const me = await account(it)
  const before = await me.client.call('economy.credits', {})
  const calls = [
    form(1e30),
    { route: 'POST /api/svc/lotka', input: { t_max: 5 } },
    form('2 kg'),
    { route: 'lotka', input: { t_max: 6 } },
  ]
  const read = await ask({ calls }, me)
  assert.equal(read.status, 200)
  assert.match(read.headers.get('content-type') ?? '', /^application\/x-ndjson/)
  assertWhole(read)
  assert.deepEqual(
    read.answers.map(({ outcome, route }) => [outcome, route]),
    [
      ['sealed', 'POST /api/svc/compute'],
      ['sealed', 'POST /api/svc/lotka'],
      ['sealed', 'POST /api/svc/compute'],
      ['sealed', 'POST /api/svc/lotka'],
    ],
  )
  const prices = read.answers.map(({ answer }) => answer!.claim.price)
  const after = await me.client.call('economy.credits', {})
  assert.equal(
    before.available - after.available,
    prices.reduce((sum, one) => sum + one, 0),
  )
  assert.equal(
    read.opening.opening.price,
    prices.reduce((sum, one) => sum + one, 0),
  )
  assert.equal(after.held, 0, 'nothing is kept back any more')
  const tokens = new Set(read.answers.map(({ answer }) => answer!.envelope.token_id))
  assert.equal(tokens.size, 4)
  const alone = await me.client.call('compute.lotka', { t_max: 5 })
  assert.equal(read.answers[1]!.answer!.value, alone.value, 'a call of a batch is what it is alone')
})

test('a list alone and lines are the same batch as an object with calls', async () => {
  await using it = await testNode()
  const me = await account(it)
  const calls = forms(3)
  const roots: string[] = []
  const lines = `${calls.map((one) => JSON.stringify(one)).join('\r\n')}\n\n`
  for (const [body, type] of [
    [{ calls }, 'application/json'],
    [calls, 'application/json'],
    [lines, 'application/x-ndjson'],
    [lines, 'application/jsonl; charset=utf-8'],
  ] as const) {
    const read = await ask(body, { ...me, type })
    assert.equal(read.status, 200, JSON.stringify(read.problem))
    assertWhole(read)
    roots.push(read.opening.opening.root)
  }
  assert.equal(new Set(roots).size, 1)
})

test('a sweep stands for every pair of its values, the ends as they were said', async () => {
  await using it = await testNode()
  const me = await account(it)
  const base = { route: 'compute', input: { operators: ['GR37'], inputs: {} } }
  const varied = async (...vary: object[]): Promise<unknown[]> => {
    const read = await ask({ sweep: { ...base, vary } }, me)
    assert.equal(read.status, 200, JSON.stringify(read.problem))
    assertWhole(read)
    return read.answers.map(({ input }) => (input as { inputs: { mass: unknown } }).inputs.mass)
  }
  const name = 'inputs.mass'
  assert.deepEqual(await varied({ name, from: 32, to: 512, points: 5 }), [32, 152, 272, 392, 512])
  assert.deepEqual(await varied({ name, from: 512, to: 32, points: 5, scale: 'log' }), [512, 256, 128, 64, 32])
  assert.deepEqual(await varied({ name, values: [3, '4 kg'] }), [3, '4 kg'])
  assert.deepEqual(await varied({ name, from: 0.1, to: 0.1, points: 1 }), [0.1])
  const pairs = await ask(
    {
      sweep: {
        route: 'lotka',
        vary: [
          { name: 't_max', values: [4, 5] },
          { name: 'alpha', from: 1, to: 1.5, points: 2 },
        ],
      },
    },
    me,
  )
  assert.deepEqual(
    pairs.answers.map(({ input }) => [input['t_max'], input['alpha']]),
    [
      [4, 1],
      [4, 1.5],
      [5, 1],
      [5, 1.5],
    ],
  )
})

test('what the gate refuses has its problem in its place, costs nothing, and is counted', async () => {
  await using it = await testNode()
  const me = await account(it)
  const before = await me.client.call('economy.credits', {})
  const read = await ask({ calls: [form(1e30), REFUSED_LATE, form(2e30)] }, me)
  assert.equal(read.status, 200, JSON.stringify(read.problem))
  assertWhole(read)
  assert.deepEqual(
    read.answers.map(({ outcome }) => outcome),
    ['sealed', 'refused', 'sealed'],
  )
  const refused = read.answers[1]!.problem!
  assert.equal(refused.status, 422)
  const after = await me.client.call('economy.credits', {})
  const paid = read.answers.reduce((sum, { answer }) => sum + (answer?.claim.price ?? 0), 0)
  assert.equal(before.available - after.available, paid)
})

/** Steps so coarse that the check measures more than the bound: known once it has run. */
const REFUSED_LATE = { route: 'action', input: { stepsPerPeriod: 40 } }

test('the whole batch counts as one call against the limit of a minute, whatever its size', async () => {
  await using it = await testNode()
  const me = await account(it)
  const remaining = ({ headers }: Read): number => Number(headers.get('ratelimit-remaining'))
  const small = remaining(await ask({ calls: forms(1) }, me))
  const padded = { calls: forms(40).map((one) => ({ ...one, input: { ...one.input, solve_for: null } })) }
  const long = JSON.stringify(padded).replace('{"calls"', `${' '.repeat(300_000)}{"calls"`)
  const large = remaining(await ask(long, me))
  assert.equal(small - large, 1)
})

test.run()
