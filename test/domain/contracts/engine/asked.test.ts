// Goal: whoever may fires a contract by hand, gets the row of it once, and a refused call leaves everything as it was;
// what is only looked at moves nothing. Method: a real node over HTTP, with its store and streams read beside it.
import assert from 'node:assert/strict'
import { suite } from '../../../kit/suite.ts'
import { codeOf, leftIn } from '../contract-kit.ts'
import { counting, firesOf, pass, stage } from './engine-kit.ts'

const test = suite('domain: contracts, asked')

type Stage = Awaited<ReturnType<typeof stage>>
const set = [{ kind: 'set', n: { $: 'context.n + 1' } }]
const every = { kind: 'recurring', every_ticks: 100 }

/** Counts by its clock up to three; an event sets it back. */
const bounded = counting(every, {
  events: { reset: { data: { to: { type: 'integer', min: 0 } } } },
  states: { on: { initial: true }, off: {} },
  transitions: [
    { id: 'count', from: 'on', to: 'on', trigger: every, guard: 'context.n < 3', actions: set },
    {
      ...{ id: 'reset', from: 'on', to: 'on', trigger: { kind: 'event', event: 'reset' } },
      actions: [{ kind: 'set', n: { $: 'event.data.to' } }],
    },
  ],
})

const made = async ({ owner }: Stage, definition: object, slug: string, start = true) =>
  (await owner.call('contracts.custom', { slug, definition, start })).contract

test('a paused contract fires when it is asked to, and one that is over does not', async () => {
  const at = await stage()
  await using it = at.it
  const { id } = await made(at, bounded, 'open', false)
  const which = { slug: 'open', id }
  const { row } = await at.owner.call('contracts.fire-now', which)
  assert.deepEqual([row.outcome, row.no], ['fired', 1])
  const taken = await at.owner.call('contracts.transition', { ...which, event: 'reset', data: { to: 2 } })
  assert.deepEqual((taken.row as unknown as { context: unknown }).context, { n: 2 })
  const named = await at.owner.call('contracts.transition', { ...which, transition: 'count' })
  assert.deepEqual((named.row as unknown as { context: unknown }).context, { n: 3 })
  const before = await leftIn(it)
  const refusal = await at.owner.call('contracts.fire-now', which).catch((cause: unknown) => cause)
  const { code, problem } = refusal as { code: string; problem: { seen: readonly object[] } }
  assert.deepEqual(
    [code, problem.seen],
    ['GUARD_FALSE', [{ transition: 'count', guard: 'context.n < 3', values: { 'context.n': 3 } }]],
  )
  assert.equal(await codeOf(at.owner.call('contracts.transition', { ...which, transition: 'none' })), 'NO_TRANSITION')
  assert.equal(await codeOf(at.owner.call('contracts.transition', which)), 'INVALID_INPUT')
  assert.equal(await leftIn(it), before)
  const misfit = await at.owner.call('contracts.transition', { ...which, event: 'reset', data: { to: -1 } })
  assert.equal(misfit.row.outcome, 'refused')
  await at.owner.call('contracts.freeze', which)
  const frozen = await leftIn(it)
  assert.equal(await codeOf(at.owner.call('contracts.fire-now', which)), 'CONTRACT_FROZEN')
  assert.equal(await leftIn(it), frozen)
})

test('a repeated call gets the row of the first, and another one under its key is refused', async () => {
  const at = await stage()
  await using it = at.it
  const { id } = await made(at, bounded, 'shut')
  const which = { slug: 'shut', id }
  const key = { idempotencyKey: 'once-and-no-more' }
  const first = await at.owner.call('contracts.fire-now', which, key)
  const second = await at.owner.call('contracts.fire-now', which, key)
  assert.deepEqual(second.row, first.row)
  assert.equal((await firesOf(it, id)).length, 1)
  const other = at.owner.call('contracts.fire-now', { ...which, transition: 'count' }, key)
  assert.equal(await codeOf(other), 'IDEMPOTENCY_KEY_REUSED')
})

test('a spent budget refuses a call, and an owner’s alone are audit, preview and verify', async () => {
  const at = await stage()
  await using it = at.it
  const { id } = await made(at, { ...bounded, budget: { fires_per_day: 1 } }, 'shut')
  const which = { slug: 'shut', id }
  await at.owner.call('contracts.fire-now', which)
  const before = await leftIn(it)
  assert.equal(await codeOf(at.owner.call('contracts.fire-now', which)), 'BUDGET_SPENT')
  assert.equal(await leftIn(it), before)
  const key = (await at.owner.call('identity.machine-make-key', { slug: 'shut', name: 'a', scope: 'admin' })).api_key
  const machine = it.as(key)
  assert.equal(
    await codeOf(machine.call('contracts.transition', { ...which, event: 'reset', data: { to: 0 } })),
    'BUDGET_SPENT',
  )
  for (const call of ['contracts.audit', 'contracts.preview', 'contracts.verify'] as const) {
    assert.equal(await codeOf(machine.call(call, which)), 'SCOPE_REQUIRED')
    assert.equal(await codeOf(at.owner.call(call, which)), 'ok')
  }
  const stranger = it.as((await it.client.call('identity.sign-up', {})).api_key)
  assert.equal(await codeOf(stranger.call('contracts.fire-now', which)), 'NOT_FOUND')
})

test('what would happen is told and does not', async () => {
  const at = await stage()
  await using it = at.it
  const { id } = await made(at, bounded, 'open')
  const which = { slug: 'open', id }
  const before = await leftIn(it)
  const dry = await at.owner.call('contracts.dry-run', which)
  assert.deepEqual([dry.would, dry.context, dry.steps], ['fired', { n: 1 }, ['count']])
  const full = await at.owner.call('contracts.dry-run', { ...which, context: { n: 3 } })
  assert.deepEqual([full.would, full.seen.length], ['none', 1])
  const reset = await at.owner.call('contracts.dry-run', { ...which, event: 'reset', data: { to: 1.5 } })
  assert.deepEqual([reset.would, reset.problem?.reason], ['refused', 'data'])
  assert.equal(await codeOf(at.owner.call('contracts.dry-run', { ...which, state: 'nowhere' })), 'INVALID_INPUT')
  const preview = await at.owner.call('contracts.preview', which)
  assert.deepEqual(
    preview.transitions.map(({ transition, would, waits }) => [transition, would?.would, waits.kind]),
    [
      ['count', 'fired', 'recurring'],
      ['reset', undefined, 'event'],
    ],
  )
  const next = await it.client.call('contracts.public-superposition', { id })
  const due = it.node.store.peek('contract', id)?.next
  assert.deepEqual(
    next.states.map(({ to, waits }) => [to, waits.tick, waits.event]),
    [
      ['on', due, null],
      ['on', null, 'reset'],
    ],
  )
  assert.equal(await codeOf(it.client.call('contracts.public-superposition', { id: 'none' })), 'NOT_FOUND')
  assert.equal(await leftIn(it), before)
})

test('a stream tells every transition once, through a reconnection', async () => {
  const at = await stage()
  await using it = at.it
  const trigger = { kind: 'recurring', every_ticks: 1 }
  const { id } = await made(
    at,
    counting(trigger, { transitions: [{ id: 'count', from: 'on', to: 'on', trigger, actions: set }] }),
    'shut',
  )
  const read = async (count: number, lastEventId?: string) => {
    const stop = new AbortController()
    const headers = { authorization: `Bearer ${at.key}`, accept: 'text/event-stream' }
    const response = await fetch(`${it.url}/api/chain/shut/contracts/${id}/transitions/stream`, {
      headers: lastEventId === undefined ? headers : { ...headers, 'last-event-id': `t${lastEventId}` },
      signal: stop.signal,
    })
    const ids: string[] = []
    let text = ''
    const decoder = new TextDecoder()
    const pulling = (async () => {
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk, { stream: true })
        ids.splice(0, ids.length, ...[...text.matchAll(/^id: t(\d+)\nevent: transition$/gm)].map(([, no]) => no ?? ''))
        if (ids.length >= count) return
      }
    })()
    const subscribers = it.node.services.contracts
    return { ids, pulling, stop, subscribers }
  }
  const first = await read(3)
  await pass(it, 3)
  await first.pulling
  first.stop.abort()
  await pass(it, 4)
  const second = await read(6, first.ids.at(-1))
  await pass(it, 2)
  await second.pulling
  second.stop.abort()
  const fired = (await firesOf(it, id)).map(({ no }) => String(no))
  assert.deepEqual([...first.ids, ...second.ids], fired)
})

test.run()
