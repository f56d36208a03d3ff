// Goal: contracts that set each other off in circles end, with an outcome for each level, and a storm that the node
// itself enters does not use up what callers may enter. Method: a real node; contracts that call themselves, that call
// and tell each other; outcomes against the chain, and the quota of callers asked afterwards.
import assert from 'node:assert/strict'
import { WRITES_PER_MINUTE } from '#domain/machines/chain.ts'
import { suite } from '../../../kit/suite.ts'
import { codeOf } from '../contract-kit.ts'
import { counting, entriesOf, firesOf, pass, stage } from './engine-kit.ts'

const test = suite('domain: contracts, circles')

const DEPTH = 8
const set = { kind: 'set', n: { $: 'context.n + 1' } }
const events = { ping: { data: {} }, pong: { data: {} }, hit: { data: {} }, echo: { data: {} } }

/** Hears an event, counts, and does something more. */
const hearing = (event: string, action: object) =>
  counting(
    { kind: 'event', event },
    {
      ...{ events, budget: { failures_in_row: 100 } },
      transitions: [
        {
          ...{ id: 'hear', from: 'on', to: 'on', trigger: { kind: 'event', event, overlap: { queue: 100 } } },
          actions: [set, action],
        },
      ],
    },
  )

const emitting = (event: string, told: string) => hearing(event, { kind: 'emit', event: told, data: {} })
const calling = (event: string, contract: string) => hearing(event, { kind: 'call', contract, event, data: {} })

type Stage = Awaited<ReturnType<typeof stage>>
const made = async ({ owner }: Stage, definition: object, slug = 'open'): Promise<string> =>
  (await owner.call('contracts.custom', { slug, definition, start: true })).contract.id

const saidOf = async ({ it }: Stage, id: string): Promise<readonly string[]> =>
  (await firesOf(it, id)).map(({ outcome, problem }) => problem?.reason ?? outcome)

const fired = (count: number): readonly string[] => Array.from({ length: count }, () => 'fired')

test('a contract that calls itself, and two that call each other, end eight levels deep', async () => {
  const at = await stage()
  await using it = at.it
  const self = await made(at, counting({ kind: 'event', event: 'ping' }, { events }))
  await at.owner.call('contracts.patch', { slug: 'open', id: self, definition: calling('ping', self) })
  const first = await made(at, counting({ kind: 'event', event: 'pong' }, { events }))
  const second = await made(at, calling('pong', first), 'shut')
  await at.owner.call('contracts.patch', { slug: 'open', id: first, definition: calling('pong', second) })
  for (const type of ['ping', 'pong']) await at.owner.call('machines.event', { slug: 'open', type, data: {} })
  await pass(it, 1)
  assert.deepEqual(await saidOf(at, self), [...fired(DEPTH), 'chain'])
  // The one that was asked has the even levels, 0 to 8.
  assert.deepEqual(await saidOf(at, first), [...fired(DEPTH / 2), 'chain'])
  assert.deepEqual(await saidOf(at, second), fired(DEPTH / 2))
  assert.equal(it.node.store.peek('contract', self)?.standing.context['n'], DEPTH)
  for await (const [key] of it.node.store.range('contractCall')) assert.fail(`${key} is left`)
  // It is not worn out: the next event is heard from level 0 on.
  await at.owner.call('machines.event', { slug: 'open', type: 'ping', data: {} })
  await pass(it, 1)
  assert.equal((await saidOf(at, self)).length, 2 * (DEPTH + 1))
})

test('two contracts that tell each other by events end eight levels deep', async () => {
  const at = await stage()
  await using it = at.it
  const first = await made(at, emitting('ping', 'pong'))
  const second = await made(at, emitting('pong', 'ping'))
  await at.owner.call('machines.event', { slug: 'open', type: 'ping', data: {} })
  await pass(it, 1)
  assert.deepEqual(await saidOf(at, first), [...fired(DEPTH / 2), 'chain'])
  assert.deepEqual(await saidOf(at, second), fired(DEPTH / 2))
  const bodies = (await entriesOf(it, 'open', 'event')).map(({ body }) => body as { event: string; depth?: number })
  assert.deepEqual(
    bodies.map(({ event, depth = 0 }) => [event, depth]),
    Array.from({ length: DEPTH + 1 }, (_, level) => [level % 2 === 0 ? 'ping' : 'pong', level]),
  )
})

test('what contracts enter does not use up what callers may, and no event of a storm is lost or doubled', async () => {
  const at = await stage({ settings: { 'limits.keyCallsPerMinute': 1_000_000 } })
  await using it = at.it
  const LISTENERS = 30
  const HITS = 12
  const ids: string[] = []
  for (let i = 0; i < LISTENERS; i += 1) ids.push(await made(at, emitting('hit', 'echo')))
  const entered = it.node.store.peek('machineHead', 'open')?.size ?? 0
  const enter = (type: string) => codeOf(at.owner.call('machines.event', { slug: 'open', type, data: {} }))
  const all = (type: string, count: number) => Promise.all(Array.from({ length: count }, () => enter(type)))
  assert.deepEqual(new Set(await all('hit', HITS)), new Set(['ok']))
  await it.node.services.contracts.idle()
  const node = (it.node.store.peek('machineHead', 'open')?.size ?? 0) - entered - HITS
  assert.equal(node, 2 * LISTENERS * HITS)
  assert.ok(node > WRITES_PER_MINUTE)
  for (const id of ids) assert.deepEqual(await saidOf(at, id), fired(HITS))
  // Callers have all that is left of theirs, and not one more.
  const codes: string[] = []
  while (!codes.some((code) => code !== 'ok')) codes.push(...(await all('other', 30)))
  const accepted = codes.filter((code) => code === 'ok').length
  const changes = (await entriesOf(it, 'open', 'contract_created')).length
  assert.ok(accepted <= WRITES_PER_MINUTE - HITS, String(accepted))
  assert.ok(accepted >= WRITES_PER_MINUTE - HITS - 2 * changes - 1, String(accepted))
  assert.deepEqual(new Set(codes.slice(accepted)), new Set(['RATE_LIMITED']))
}, 20_000)

test.run()
