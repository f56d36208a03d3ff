// Goal: the reactor's interface over HTTP: `{}` is the documented default and seals, both methods of a path answer
// alike, streams are resumed without a gap, a job's answer is that of its call, and a node that is killed in the middle
// of a step goes on from a whole one. Method: real nodes over HTTP; a node as a process that is ended with SIGKILL.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { fsck } from '#store/fsck/fsck.ts'
import { openComputeHouse } from '../../domain/compute/house.ts'
import { LINE, statesByHand } from '../../domain/compute/reactor-kit.ts'
import { type TestNode, testNode } from '../../kit/node.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'

const test = suite('api: reactor')

interface Answered {
  readonly status: number
  readonly replayed: boolean
  readonly body: Record<string, unknown>
}

const signedUp = async (it: TestNode): Promise<string> => (await it.client.call('identity.sign-up', {})).api_key

const ask = async (
  { url }: TestNode,
  [method, path]: readonly ['GET' | 'POST', string],
  { key, body, headers = {} }: { key: string; body?: object; headers?: Record<string, string> },
): Promise<Answered> => {
  const query = method === 'GET' && body !== undefined ? `?${new URLSearchParams(body as Record<string, string>)}` : ''
  const content = method === 'POST' ? { 'Content-Type': 'application/json' } : {}
  const response = await fetch(`${url}/api/svc/reactor${path}${query}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, ...content, ...headers },
    ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
  })
  const replayed = response.headers.get('idempotency-replayed') === 'true'
  return { status: response.status, replayed, body: (await response.json()) as Record<string, unknown> }
}

const reactorOf = ({ body }: Answered) =>
  body['reactor'] as { id: string; solver: string; step: number; status: string }

test('with {} everywhere: a reactor, ten sealed steps, one a tick, its state, trajectory and telemetry', async () => {
  await using it = await testNode()
  const key = await signedUp(it)
  const made = await ask(it, ['POST', ''], { key })
  assert.equal(made.status, 200)
  assert.match(reactorOf(made).solver, /^lotka@/)
  const first = await ask(it, ['POST', '/step'], { key })
  assert.equal(first.status, 200)
  const { id, step, errorSum } = first.body['reactor'] as { id: string; step: number; errorSum: number }
  assert.deepEqual([id, step], [reactorOf(made).id, 1])
  assert.ok(first.body['envelope'] !== null && errorSum > 0)
  for (let i = 0; i < 9; i++) {
    await it.advanceTicks(1)
    const seen = await ask(it, ['POST', '/observe'], { key })
    assert.deepEqual([seen.status, seen.body['next_after']], [200, i + 2])
  }
  for (const method of ['GET', 'POST'] as const) {
    const state = await ask(it, [method, '/state'], { key })
    assert.deepEqual([state.status, reactorOf(state).status, state.body['step']], [200, 'complete', 10])
    const trajectory = await ask(it, [method, '/trajectory'], { key })
    assert.partialDeepStrictEqual(trajectory.body['verified'], { valid: true, count: 11, entries: 11 })
    const telemetry = await ask(it, [method, '/telemetry'], { key })
    assert.deepEqual([telemetry.body['sealed'], telemetry.body['credits']], [10, 30])
    const next = await ask(it, [method, '/next'], { key, body: { after: 9, wait: 0 } })
    assert.partialDeepStrictEqual(next.body, { moved: true, step: { step: 10 } })
  }
  const over = await ask(it, ['POST', '/step'], { key })
  assert.deepEqual([over.status, over.body['code']], [409, 'REACTOR_ENDED'])
  const nobody = await fetch(`${it.url}/api/svc/reactor/step`, { method: 'POST' })
  assert.equal(nobody.status, 401)
}, 60_000)

test('an observation is a stream of steps, each by its number, and goes on after Last-Event-ID', async (signal) => {
  await using it = await testNode({ realTime: true })
  const key = await signedUp(it)
  const client = it.as(key)
  const { reactor } = await client.call('compute.reactor', { steps: 4 })
  const seen: (readonly [string | undefined, string])[] = []
  for await (const { id, event } of client.stream(
    'compute.reactor-watch',
    { reactor: reactor.id, steps: 2 },
    { signal },
  )) {
    seen.push([id, event])
    if (event === 'end') break
  }
  for await (const { id, event } of client.stream('compute.reactor-watch', {}, { lastEventId: '1', signal })) {
    seen.push([id, event])
    if (event === 'end') break
  }
  assert.equal(seen.join(), '1,step,2,step,2,end,2,step,3,step,4,step,4,end')
}, 60_000)

test('a step that became a job answers as the call would have; what is wrong is refused by code', async (signal) => {
  await using it = await testNode()
  const key = await signedUp(it)
  await ask(it, ['POST', ''], { key })
  const begun = await ask(it, ['POST', '/step'], { key, headers: { Prefer: 'respond-async' } })
  assert.equal(begun.status, 202)
  const client = it.as(key)
  for await (const { data } of client.stream('compute.job-events', { id: begun.body['id'] as string }, { signal })) {
    if ((data as { state: string }).state === 'done') break
  }
  const { answer } = await client.call('compute.job', { id: begun.body['id'] as string })
  assert.partialDeepStrictEqual((answer as Record<string, unknown>)['reactor'], { step: 1, status: 'ready' })
  const cases = [
    [['POST', ''], { solver: 'sat' }, 400, 'NOT_STEPPABLE'],
    [['POST', ''], { solver: 'heat', steps: 0 }, 400, 'INVALID_INPUT'],
    [['POST', ''], { steps: 4097 }, 400, 'INVALID_INPUT'],
    [['POST', ''], { more: 1 }, 400, 'INVALID_INPUT'],
    [['POST', '/step'], { reactor: 'x' }, 400, 'INVALID_INPUT'],
    [['POST', '/step'], { reactor: '0'.repeat(32) }, 404, 'NOT_FOUND'],
    [['POST', '/step'], { step: 9 }, 409, 'STEP_TAKEN'],
    [['POST', '/observe'], { of: 'value' }, 400, 'INVALID_INPUT'],
    [['GET', '/trajectory'], { limit: '51', proofs: 'true' }, 400, 'INVALID_INPUT'],
    [['GET', '/next'], { wait: '61' }, 400, 'INVALID_INPUT'],
    [['GET', '/next'], { after: '-1' }, 400, 'INVALID_INPUT'],
  ] as const
  for (const [place, body, status, code] of cases) {
    const found = await ask(it, place, { key, body })
    assert.deepEqual([found.status, found.body['code']], [status, code], JSON.stringify([place, body]))
  }
}, 60_000)

/** Lets a child step its reactor until it told of some steps, and kills it some turns of the loop later. */
const stepAndKill = async (directory: string, acks: number, turns: number) => {
  const script = fileURLToPath(new URL('./reactor-child.ts', import.meta.url))
  const child = spawn(process.execPath, [script, directory], { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = new Promise<NodeJS.Signals | null>((resolve) => child.once('close', (_, signal) => resolve(signal)))
  const acknowledged: (readonly [number, string])[] = []
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const [step = '', state = ''] = line.split(' ')
      if (/^[0-9a-f]{64}$/.test(state)) acknowledged.push([Number(step), state])
      if (acknowledged.length !== acks) continue
      for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve))
      child.kill('SIGKILL')
    }
  } finally {
    child.kill('SIGKILL')
  }
  assert.equal(await closed, 'SIGKILL')
  return acknowledged
}

test('a node killed in the middle of a step has taken it whole or not at all, and goes on', async () => {
  using dir = tempDir()
  const random = seeded()
  const acknowledged = new Map<number, string>()
  let contract = ''
  for (let round = 0; round < 3; round++) {
    for (const [step, state] of await stepAndKill(dir.path, random.integer(2, 4), random.integer(0, 3_000))) {
      assert.ok(!acknowledged.has(step), `step ${step} was taken twice`)
      acknowledged.set(step, state)
    }
    assert.equal((await fsck({ directory: dir.path })).bad, null)
    await using house = await openComputeHouse(dir.path)
    for await (const [, row] of house.store.range('reactor')) contract = row.contract
    const rows = new Map<number, string>()
    for await (const [, row] of house.store.range('reactorStep')) rows.set(row.step, row.state)
    for (const [step, state] of acknowledged) assert.equal(rows.get(step), state, `step ${step} was acknowledged`)
    assert.ok(rows.size - 1 - acknowledged.size <= round + 1, 'at most the step in hand was not told of')
    for (const [step, state] of rows) if (step > 0) acknowledged.set(step, state)
    const envelopes: string[] = []
    for await (const [token] of house.store.range('envelope')) envelopes.push(token)
    assert.equal(envelopes.length, rows.size - 1, 'one envelope a step, and no step without')
  }
  const steps = [...acknowledged.keys()].sort((a, b) => a - b)
  assert.deepEqual(
    steps,
    Array.from({ length: steps.length }, (_, i) => i + 1),
  )
  const { states } = statesByHand(contract, LINE, steps.length)
  assert.deepEqual(
    steps.map((step) => acknowledged.get(step)),
    states.slice(1),
    'as if it had never been killed',
  )
}, 120_000)

test.run()
