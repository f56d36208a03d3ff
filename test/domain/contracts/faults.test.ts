// Goal: each way in which a call about contracts is wrong has its code and its status, says what it saw, and leaves
// state, chains, secrets and balances as they were. Method: a table of calls over HTTP on one node; everything that
// contracts leave behind is compared before and after each.
import assert from 'node:assert/strict'
import { CONTRACTS_PER_MACHINE_MAX } from '#domain/contracts/rooms.ts'
import { keyOf } from '#store/layout.ts'
import { suite } from '../../kit/suite.ts'
import { until } from '../../kit/until.ts'
import { counter, leftIn, teller } from './contract-kit.ts'
import { counting, stage } from './engine/engine-kit.ts'

const test = suite('domain: contracts, faults')

const NEVER = 1e8
const never = { kind: 'recurring', every_ticks: NEVER }
const guarded = counting(never, {
  events: { go: { data: {} } },
  transitions: [
    {
      ...{ id: 'count', from: 'on', to: 'on', trigger: never, guard: 'context.n > 7 && state_ticks >= 0' },
      actions: [{ kind: 'set', n: { $: 'context.n + 1' } }],
    },
  ],
})
/** It takes a thread some seconds. */
const slow = {
  ...counting(never),
  transitions: [
    {
      ...{ id: 'run', from: 'on', to: 'on', trigger: never },
      actions: [{ kind: 'compute', solver: 'lorenz', inputs: { t_max: 10, batches: 800 }, bind: { n: '/value' } }],
    },
  ],
  context: { n: { type: 'number', initial: 0 } },
}
const inward = {
  ...teller,
  transitions: [{ ...teller.transitions[0], actions: [{ kind: 'notify', url: 'https://10.0.0.1/', body: null }] }],
}

interface Wrong {
  readonly code: string
  readonly status: number
  readonly path: string
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
  /** What the problem says beside its code. */
  readonly says?: (problem: Readonly<Record<string, unknown>>) => void
}

type Ids = Readonly<Record<'idle' | 'guarded' | 'frozen' | 'spent' | 'firing', string>>

const table = ({ idle, guarded: shut, frozen, spent, firing }: Ids): readonly Wrong[] => {
  const of = (id: string, what: string): string => `/api/chain/open/contracts/${id}/${what}`
  const custom = (definition: unknown): Pick<Wrong, 'path' | 'body'> => ({
    path: '/api/chain/open/contracts/custom',
    body: { definition },
  })
  return [
    // First, while it computes.
    { code: 'CONTRACT_FIRING', status: 409, path: of(firing, 'fire-now'), body: {} },
    { code: 'CONTRACT_FIRING', status: 409, path: of(firing, 'transition'), body: { transition: 'run' } },
    {
      ...{ code: 'CONTRACT_INVALID', status: 400, ...custom({ ...counter, states: {}, claims: [{ never: '1 +' }] }) },
      says: ({ faults }) => {
        const paths = (faults as readonly { readonly path: string }[]).map(({ path }) => path)
        assert.ok(paths.includes('/states') && paths.includes('/claims/0/never'), paths.join())
      },
    },
    {
      ...{ code: 'TARGET_REFUSED', status: 400, ...custom(inward) },
      says: ({ path }) => assert.equal(path, '/transitions/0/actions/0/url'),
    },
    {
      ...{ code: 'SECRET_UNKNOWN', status: 400, ...custom(teller) },
      says: ({ names }) => assert.deepEqual(names, ['body_key', 'token']),
    },
    { code: 'NO_TRANSITION', status: 409, path: of(idle, 'transition'), body: { transition: 'none' } },
    { code: 'NO_TRANSITION', status: 409, path: of(idle, 'transition'), body: { event: 'none' } },
    {
      ...{ code: 'GUARD_FALSE', status: 409, path: of(shut, 'fire-now'), body: {} },
      says: ({ seen }) =>
        assert.deepEqual(seen, [
          {
            transition: 'count',
            guard: 'context.n > 7 && state_ticks >= 0',
            values: { 'context.n': 0, state_ticks: 0 },
          },
        ]),
    },
    { code: 'CONTRACT_FROZEN', status: 409, path: of(frozen, 'fire-now'), body: {} },
    { code: 'CONTRACT_FROZEN', status: 409, path: of(frozen, 'resume'), body: {} },
    {
      ...{ code: 'VERSION_CONFLICT', status: 409, path: of(idle, 'rollback'), body: { version: 1 } },
      headers: { 'if-match': '"7"' },
      says: ({ version_no }) => assert.equal(version_no, 1),
    },
    { code: 'NOTHING_TO_SKIP', status: 409, path: of(idle, 'skip-next'), body: {} },
    { code: 'BUDGET_SPENT', status: 409, path: of(spent, 'fire-now'), body: {} },
    { code: 'BUDGET_SPENT', status: 409, path: of(spent, 'transition'), body: { transition: 'count' } },
    { code: 'CAPACITY_EXCEEDED', status: 503, path: '/api/chain/shut/contracts/custom', body: { definition: counter } },
  ]
}

test('each fault has its code, its status and what it saw, and leaves everything as it was', async (signal) => {
  const at = await stage()
  await using it = at.it
  const { owner, key, zid } = at
  const { store } = it.node
  const made = async (definition: object, start: boolean): Promise<string> =>
    (await owner.call('contracts.custom', { slug: 'open', definition, start })).contract.id
  const ids: Ids = {
    idle: await made(counting({ kind: 'event', event: 'go' }, { events: { go: { data: {} } } }), true),
    guarded: await made(guarded, true),
    frozen: await made(counting(never), false),
    spent: await made(counting(never, { budget: { fires_per_day: 1 } }), true),
    firing: await made(slow, false),
  }
  await owner.call('contracts.freeze', { slug: 'open', id: ids.frozen })
  await owner.call('contracts.fire-now', { slug: 'open', id: ids.spent })
  await store.commit((tx) => {
    for (let i = 0; i < CONTRACTS_PER_MACHINE_MAX; i += 1) tx.put('contractOf', keyOf('shut', `c${i}`), ids.idle)
  })
  const running = owner.call('contracts.fire-now', { slug: 'open', id: ids.firing }).catch(() => undefined)
  const isFiring = (): boolean => store.peek('contract', ids.firing)?.firing !== null
  await until(isFiring, signal)

  const left = async (): Promise<string> => `${await leftIn(it)} ${store.balance('credits', zid)}`
  for (const { code, status, path, body, headers = {}, says } of table(ids)) {
    const before = await left()
    const response = await fetch(`${it.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const problem = (await response.json()) as Readonly<Record<string, unknown>>
    assert.deepEqual([problem['code'], response.status], [code, status], `${path}: ${JSON.stringify(problem)}`)
    assert.equal(response.headers.get('content-type')?.split(';')[0], 'application/problem+json')
    says?.(problem)
    if (code === 'CONTRACT_FIRING') assert.ok(isFiring(), 'it came to its end before it was asked')
    assert.equal(await left(), before, `${code} left something at ${path}`)
  }
  await running
})

test.run()
