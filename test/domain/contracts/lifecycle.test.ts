// Goal: a contract is authored, read, changed, stopped and ended, its indexes and its audit follow, and a restart keeps
// all of it. Method: a real node over HTTP, with the store read beside it.
import assert from 'node:assert/strict'
import type { FireRow } from '#core/contract/fire-row.ts'
import { keyOf, seqKey, under } from '#store/layout.ts'
import { type TestNode, testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { byTwos, codeOf, counter, elsewhere, indexOf, stageOf, teller } from './contract-kit.ts'

const test = suite('domain: contracts, lifecycle')

const auditOf = async ({ node: { store } }: TestNode, id: string): Promise<readonly FireRow[]> => {
  const rows: FireRow[] = []
  for await (const [, row] of store.range('contractFire', under(id))) rows.push(row)
  return rows
}
const entriesOf = async ({ node: { store } }: TestNode, slug: string, type: string) => {
  const found = []
  for await (const [, { entry }] of store.range('machineEntry', under(slug))) if (entry.type === type) found.push(entry)
  return found
}

test('from its definition to its end, with a row and an entry of each step', async () => {
  await using node = await testNode()
  const { keys, zid } = await stageOf(node)
  const owner = node.as(keys.owner)
  const { contract } = await owner.call('contracts.custom', { slug: 'shut', definition: counter })
  const { id } = contract
  const which = { slug: 'shut', id }
  assert.match(id, /^[0-9a-f]{32}$/)
  assert.deepEqual(
    [contract.status, contract.paused_by, contract.state, contract.version_no, contract.next, contract.created_by],
    ['paused', 'author', 'counting', 1, null, zid],
  )
  assert.deepEqual(contract.context, { n: 0, label: 'none' })
  assert.deepEqual([await indexOf(node, 'contractDue'), await indexOf(node, 'contractWatch')], [[], []])
  await node.advanceTicks(3)

  const live = (await owner.call('contracts.resume', which)).contract
  assert.deepEqual([live.status, live.paused_by, live.entered_tick], ['live', null, live.armed_tick])
  assert.equal(live.armed_tick, contract.armed_tick + 3)
  assert.equal(live.next, Math.floor(live.armed_tick / 10) * 10 + 10)
  assert.deepEqual(await indexOf(node, 'contractDue'), [`${seqKey(live.next ?? 0)}/${id} ${id}`])
  assert.deepEqual(await indexOf(node, 'contractWatch'), [
    `${keyOf('shut', 'bump', id)} ${id}`,
    `${keyOf('shut', 'stop', id)} ${id}`,
  ])
  await node.advanceTicks(1)

  const paused = (await owner.call('contracts.pause', which)).contract
  assert.deepEqual([paused.status, paused.paused_by, paused.next], ['paused', 'hand', null])
  assert.deepEqual([await indexOf(node, 'contractDue'), await indexOf(node, 'contractWatch')], [[], []])
  await node.advanceTicks(35)
  const resumed = (await owner.call('contracts.resume', which)).contract
  assert.equal(resumed.next, Math.floor(resumed.armed_tick / 10) * 10 + 10)

  const done = (await owner.call('contracts.freeze', which)).contract
  assert.deepEqual([done.status, done.next], ['frozen', null])
  assert.deepEqual([await indexOf(node, 'contractDue'), await indexOf(node, 'contractWatch')], [[], []])

  const rows = await auditOf(node, id)
  assert.deepEqual(
    rows.map((it) => ('what' in it ? it.what : it.outcome)),
    ['created', 'started', 'paused', 'missed', 'resumed', 'frozen'],
  )
  const missed = rows.find((it) => it.outcome === 'missed')
  const first = live.next ?? 0
  const count = Math.floor((resumed.armed_tick - live.armed_tick) / 10 + (live.armed_tick % 10) / 10)
  assert.deepEqual(missed?.outcome === 'missed' && [missed.from, missed.to, missed.count, missed.reason], [
    first,
    first + 10 * (count - 1),
    count,
    'paused',
  ])
  assert(count >= 3)
  const entries = [
    ...(await entriesOf(node, 'shut', 'contract_created')),
    ...(await entriesOf(node, 'shut', 'contract_changed')),
  ]
  assert.deepEqual(
    entries.map(({ body }) => (body as { readonly what: string }).what),
    ['created', 'started', 'paused', 'resumed', 'frozen'],
  )
  // The entry says nothing of a private machine's contract but its name in digests.
  assert(!JSON.stringify(entries).includes('Counter') && !JSON.stringify(entries).includes(id))
})

test('a repeat of what holds already changes nothing', async () => {
  await using node = await testNode()
  const { keys } = await stageOf(node)
  const owner = node.as(keys.owner)
  const { contract } = await owner.call('contracts.custom', { slug: 'shut', definition: counter, start: true })
  const which = { slug: 'shut', id: contract.id }
  assert.equal(contract.status, 'live')
  await owner.call('contracts.resume', which)
  await owner.call('contracts.pause', which)
  await owner.call('contracts.pause', which)
  await owner.call('contracts.freeze', which)
  await owner.call('contracts.freeze', which)
  assert.deepEqual(
    (await auditOf(node, contract.id)).map((it) => 'what' in it && it.what),
    ['created', 'paused', 'frozen'],
  )
})

test('versions go on in one line: a patch carries over what fits, a rollback is a new version', async () => {
  await using node = await testNode()
  const { keys } = await stageOf(node)
  const owner = node.as(keys.owner)
  const { contract } = await owner.call('contracts.custom', { slug: 'shut', definition: counter, start: true })
  const which = { slug: 'shut', id: contract.id }
  await node.advanceTicks(2)
  const second = (await owner.call('contracts.patch', { ...which, definition: byTwos })).contract
  assert.deepEqual(second.context, { n: 0, label: 'none', step: 2 })
  assert.deepEqual([second.name, second.version_no, second.state], ['By twos', 2, 'counting'])
  assert.equal(second.entered_tick, contract.entered_tick)

  // What does not fit is named, member by member; saying it settles it.
  const wrong = owner.call('contracts.patch', { ...which, definition: elsewhere })
  const refusal = await wrong.then(
    () => undefined,
    (it: { readonly problem: { readonly faults: readonly { readonly path: string }[] } }) => it.problem,
  )
  const paths = refusal?.faults.map(({ path }) => path)
  assert.deepEqual(paths?.toSorted(), ['/migrate/context/label', '/migrate/context/n', '/migrate/state'])
  const migrate = { state: 'here', context: { n: 7, label: true } }
  const third = (await owner.call('contracts.patch', { ...which, definition: elsewhere, migrate })).contract
  assert.deepEqual([third.version_no, third.state, third.context], [3, 'here', { n: 7, label: true }])
  assert.equal(third.entered_tick, contract.entered_tick + 2)

  const back = await owner.call('contracts.rollback', {
    ...which,
    version: 1,
    migrate: { state: 'counting', context: { label: 'x' } },
  })
  assert.deepEqual(
    [back.contract.version_no, back.contract.version, back.contract.context],
    [4, contract.version, { n: 7, label: 'x' }],
  )
  const page = await owner.call('contracts.versions', { ...which, limit: 3 })
  assert.deepEqual(
    [page.total, page.versions.map(({ no, of }) => [no, of])],
    [
      4,
      [
        [4, 1],
        [3, null],
        [2, null],
      ],
    ],
  )
  const rest = await owner.call('contracts.versions', { ...which, limit: 3, offset: 3 })
  assert.deepEqual(
    rest.versions.map(({ no }) => no),
    [1],
  )
  const { version } = await owner.call('contracts.version', { ...which, n: 3 })
  assert.equal((version.definition as { readonly name: string }).name, 'Elsewhere')
  // The clock of its pattern is pinned by digest.
  assert.deepEqual(Object.keys(version.zones), ['UTC'])
  assert(node.node.store.peek('contractZone', version.zones['UTC'] ?? '') !== undefined)
  await owner.call('machines.settings', { slug: 'shut', is_public: true })
  const integrity = await node.client.call('contracts.integrity', which)
  assert.deepEqual([integrity.equal, integrity.stored, integrity.version_no], [true, contract.version, 4])
})

test('of two patches of the same version one wins, and a patch of another one is refused', async () => {
  await using node = await testNode()
  const { keys } = await stageOf(node)
  const owner = node.as(keys.owner)
  const { contract } = await owner.call('contracts.custom', { slug: 'shut', definition: counter })
  const which = { slug: 'shut', id: contract.id }
  const patch = (name: string, ifMatch: string) =>
    owner.call('contracts.patch', { ...which, definition: { ...byTwos, name } }, { ifMatch })
  const codes = await Promise.all(['a', 'b', 'c', 'd'].map((it) => codeOf(patch(it, `"${contract.version}"`))))
  assert.deepEqual(codes.toSorted(), ['VERSION_CONFLICT', 'VERSION_CONFLICT', 'VERSION_CONFLICT', 'ok'])
  assert.equal(await codeOf(patch('e', contract.version)), 'VERSION_CONFLICT')
  assert.equal(await codeOf(patch('e', '1')), 'VERSION_CONFLICT')
  const { contract: now } = await owner.call('contracts.read', which)
  assert.equal(now.version_no, 2)
  assert.equal(await codeOf(patch('f', '"2"')), 'ok')
  const asked = await owner.ask('contracts.read', which)
  assert.equal(asked.headers.get('etag'), `"${asked.body.contract.version}"`)
  assert.equal(await codeOf(patch('g', asked.headers.get('etag') ?? '')), 'ok')
  const rollback = owner.call('contracts.rollback', { ...which, version: 1 }, { ifMatch: '"2"' })
  assert.equal(await codeOf(rollback), 'VERSION_CONFLICT')
})

test('what makes something makes it once for an Idempotency-Key', async () => {
  await using node = await testNode()
  const { keys } = await stageOf(node)
  const owner = node.as(keys.owner)
  const order = { slug: 'shut', definition: teller, secrets: { token: 'a secret', body_key: 'another' } }
  const once = { idempotencyKey: 'made-once' }
  const first = await owner.ask('contracts.custom', order, once)
  const again = await owner.ask('contracts.custom', order, once)
  assert.equal(again.body.contract.id, first.body.contract.id)
  assert.equal(again.headers.get('idempotency-replayed'), 'true')
  assert.equal((await owner.call('contracts.list', { slug: 'shut' })).total, 1)
  const other = owner.call('contracts.custom', { ...order, secrets: { ...order.secrets, token: 'b' } }, once)
  assert.equal(await codeOf(other), 'IDEMPOTENCY_KEY_REUSED')
  const which = { slug: 'shut', id: first.body.contract.id }
  for (const _ of [1, 2]) await owner.call('contracts.rollback', { ...which, version: 1 }, { idempotencyKey: 'back' })
  assert.equal((await owner.call('contracts.read', which)).contract.version_no, 2)
})

/** The same, whose clock does not come within a test. */
const slowly = ({ transitions, ...rest }: typeof counter | typeof byTwos) => ({
  ...rest,
  transitions: transitions.map((it) =>
    it.trigger.kind === 'recurring' ? { ...it, trigger: { kind: 'recurring', every_ticks: 1_000_000 } } : it,
  ),
})

test('a contract is read as it was', async () => {
  await using node = await testNode()
  const { keys } = await stageOf(node)
  const owner = node.as(keys.owner)
  await node.advanceTicks(5)
  const { contract } = await owner.call('contracts.custom', { slug: 'shut', definition: slowly(counter) })
  const which = { slug: 'shut', id: contract.id }
  await node.advanceTicks(5)
  await owner.call('contracts.resume', which)
  await node.advanceTicks(5)
  await owner.call('contracts.patch', { ...which, definition: slowly(byTwos), migrate: { context: { n: 40 } } })
  await node.advanceTicks(5)
  await owner.call('contracts.freeze', which)
  const at = async (tick: number) => {
    const { contract: it } = await owner.call('contracts.read', { ...which, tick })
    return [it.status, it.state, it.version_no, it.name, it.context['n'], it.context['step']]
  }
  const start = contract.created_tick
  assert.deepEqual(await at(start), ['paused', 'counting', 1, 'Counter', 0, undefined])
  assert.deepEqual(await at(start + 4), ['paused', 'counting', 1, 'Counter', 0, undefined])
  assert.deepEqual(await at(start + 5), ['live', 'counting', 1, 'Counter', 0, undefined])
  assert.deepEqual(await at(start + 14), ['live', 'counting', 2, 'By twos', 40, 2])
  assert.deepEqual(await at(start + 99), ['frozen', 'counting', 2, 'By twos', 40, 2])
  assert.equal(await codeOf(owner.call('contracts.read', { ...which, tick: start - 1 })), 'NOT_FOUND')
})

test('an exported file is imported as a contract that did nothing yet', async () => {
  await using node = await testNode()
  const { keys } = await stageOf(node)
  const owner = node.as(keys.owner)
  const secrets = { token: 'never-shown-1', body_key: 'never-shown-2' }
  const { contract } = await owner.call('contracts.custom', { slug: 'shut', definition: teller, secrets, start: true })
  const { contract: file } = await owner.call('contracts.export', { slug: 'shut', id: contract.id })
  assert.deepEqual(file.secrets, ['body_key', 'token'])
  assert(!JSON.stringify(file).includes('never-shown'))
  const into = (contractFile: unknown, more: object = {}) =>
    owner.call('contracts.import', { slug: 'open', contract: contractFile, ...more })
  assert.equal(await codeOf(into(file)), 'SECRET_UNKNOWN')
  const { contract: copy } = await into(file, { secrets })
  assert.notEqual(copy.id, contract.id)
  assert.notEqual(copy.contract, contract.contract)
  assert.deepEqual([copy.version, copy.status, copy.fire_count, copy.slug], [contract.version, 'paused', 0, 'open'])
  assert.equal(await codeOf(into({ ...file, definition: counter })), 'CONTRACT_INVALID')
  assert.equal(await codeOf(into({ definition: counter })), 'CONTRACT_INVALID')
})

test('secrets are kept sealed, listed by name, changed and forgotten, and never shown', async () => {
  await using node = await testNode()
  const { keys } = await stageOf(node)
  const owner = node.as(keys.owner)
  const secrets = { token: 'never-shown-1', body_key: 'never-shown-2', spare: 'never-shown-3' }
  const { contract } = await owner.call('contracts.custom', { slug: 'open', definition: teller, secrets })
  const which = { slug: 'open', id: contract.id }
  assert.deepEqual(contract.secrets, ['body_key', 'spare', 'token'])
  const changed = await owner.call('contracts.patch', { ...which, secrets: { spare: null, token: 'never-shown-4' } })
  assert.deepEqual([changed.contract.secrets, changed.contract.version_no], [['body_key', 'token'], 1])
  assert.equal(await codeOf(owner.call('contracts.patch', { ...which, secrets: { token: null } })), 'SECRET_UNKNOWN')
  const everything = []
  for await (const [, row] of node.node.store.range('contractSecret')) everything.push(row)
  for (const table of ['contractFire', 'machineEntry', 'contract', 'contractVersion', 'idempotency'] as const) {
    for await (const [, row] of node.node.store.range(table)) everything.push(row)
  }
  assert(!JSON.stringify(everything).includes('never-shown'))
  assert(!JSON.stringify(node.lines).includes('never-shown'))
})

test('the next instant is left out once, and there is none without a clock', async () => {
  await using node = await testNode()
  const { keys } = await stageOf(node)
  const owner = node.as(keys.owner)
  const { contract } = await owner.call('contracts.custom', { slug: 'shut', definition: counter, start: true })
  const which = { slug: 'shut', id: contract.id }
  const before = await owner.call('contracts.next-fires', { ...which, limit: 2 })
  assert.deepEqual(
    before.fires.map(({ due, tick, skipped }) => [due, tick, skipped]),
    [
      [contract.next, contract.next, false],
      [(contract.next ?? 0) + 10, (contract.next ?? 0) + 10, false],
    ],
  )
  const skipped = (await owner.call('contracts.skip-next', which)).contract
  assert.equal(skipped.skip?.due, contract.next)
  const after = await owner.call('contracts.next-fires', { ...which, limit: 2 })
  assert.deepEqual(
    after.fires.map((it) => it.skipped),
    [true, false],
  )
  assert.equal(await codeOf(owner.call('contracts.skip-next', which)), 'NOTHING_TO_SKIP')
  await owner.call('contracts.pause', which)
  assert.equal(await codeOf(owner.call('contracts.skip-next', which)), 'NOTHING_TO_SKIP')
  const still = await owner.call('contracts.next-fires', which)
  assert.deepEqual([still.fires, still.note], [[], 'It is paused: no clock moves it.'])

  const { 0: _, ...events } = counter.transitions
  const byEvents = { ...counter, transitions: Object.values(events).filter((it) => typeof it === 'object') }
  const { contract: deaf } = await owner.call('contracts.custom', { slug: 'shut', definition: byEvents, start: true })
  const none = await owner.call('contracts.next-fires', { slug: 'shut', id: deaf.id })
  assert.equal(none.fires.length, 0)
  assert.match(none.note ?? '', /^Events alone/)
  assert.equal(await codeOf(owner.call('contracts.skip-next', { slug: 'shut', id: deaf.id })), 'NOTHING_TO_SKIP')
})

test('a restart keeps everything', async () => {
  await using directory = tempDir()
  const { keys, id, before } = await (async () => {
    await using node = await testNode({ directory: directory.path })
    const staged = await stageOf(node)
    const owner = node.as(staged.keys.owner)
    const { contract } = await owner.call('contracts.custom', { slug: 'shut', definition: counter, start: true })
    await owner.call('contracts.patch', { slug: 'shut', id: contract.id, definition: byTwos })
    const { contract: now } = await owner.call('contracts.read', { slug: 'shut', id: contract.id })
    return { keys: staged.keys, id: contract.id, before: now }
  })()
  await using node = await testNode({ directory: directory.path })
  const owner = node.as(keys.owner)
  assert.deepEqual((await owner.call('contracts.read', { slug: 'shut', id })).contract, before)
  assert.equal((await owner.call('contracts.versions', { slug: 'shut', id })).total, 2)
  // The order of age goes on.
  const { contract } = await owner.call('contracts.custom', { slug: 'shut', definition: counter })
  assert.deepEqual(
    (await owner.call('contracts.list', { slug: 'shut' })).contracts.map((it) => it.id),
    [contract.id, id],
  )
})

test.run()
