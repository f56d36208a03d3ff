// Goal: a leaf is found by index, hash, token and tick, page by page; and what it holds is told to whom it belongs, or
// who owns the node, or to everyone where it was published: a stranger learns place, hash and tick, by whatever way he
// asks, and a token that is not his answers as one that was never made. Method: a real node with two accounts, a demo
// visitor and the owner; every look-up by every caller, held against the leaves in the store.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toHex } from '#core/bytes.ts'
import { purposes } from '#core/digest.ts'
import { tokenIdOf } from '#core/ids.ts'
import { leafHash } from '#core/merkle.ts'
import { NodeRefusal } from '#gateway/client.ts'
import { kindOf } from '#store/merkle-log.ts'
import { tickOf } from '#store/ticks.ts'
import { type TestNode, testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('api: log leaves')

const settings = { 'limits.anonymousCallsPerMinute': 100_000, 'limits.keyCallsPerMinute': 100_000 }
const GR37 = { operators: ['GR37'], inputs: { mass: 1.98892e30 } }

interface Made {
  readonly token: string
  readonly index: number
  readonly hash: string
  readonly tick: number
}

type Client = TestNode['client']

const compute = async (it: TestNode, client: Client, publish = false): Promise<Made> => {
  const answer = await client.call('compute.compute', { ...GR37, publish })
  const envelope = answer.envelope as { token_id: string; index: number; hash: string; tick: number }
  await it.advanceTicks(1)
  return { token: envelope.token_id, index: envelope.index, hash: envelope.hash, tick: envelope.tick }
}

const stage = async (it: TestNode) => {
  const ada = it.as((await it.client.call('identity.sign-up', {})).api_key)
  const ben = it.as((await it.client.call('identity.sign-up', {})).api_key)
  const demo = it.as((await it.node.services.identity.mintDemoKey('10.0.0.9')).key)
  const shared = it.as((await it.client.call('economy.demo-key', {})).key)
  const owner = it.as(readFileSync(join(it.directory, 'owner.key'), 'utf8').trim())
  await it.advanceTicks(1)
  const hers = await compute(it, ada)
  const published = await compute(it, ada, true)
  const visitors = await compute(it, demo)
  const nobodys = await compute(it, shared)
  return { ada, ben, demo, shared, owner, hers, published, visitors, nobodys }
}

/** Every way to one leaf. */
const lookUps = ({ token, index, hash, tick }: Made) => [{ index }, { hash }, { token }, { tick }, {}]

const seenBy = async (client: Client, made: Made) =>
  Promise.all(
    lookUps(made).map(async (query) => {
      const { leaves } = await client.call('explorer.log-leaves', { log: 'seal', ...query })
      const leaf = leaves.find((it) => it.index === made.index)
      return leaf === undefined ? 'nothing' : [leaf.hash, leaf.tick, leaf.type, leaf.kind, leaf.token_id]
    }),
  )

test('what is private shows index, hash and tick, whoever asks in whatever way, but to whom it belongs', async () => {
  await using it = await testNode({ settings })
  const { ada, ben, demo, shared, owner, hers, published, visitors, nobodys } = await stage(it)
  const all = [
    ['a stranger', it.client],
    ['ada', ada],
    ['ben', ben],
    ['a visitor', demo],
    ['the shared key', shared],
    ['the owner', owner],
  ] as const
  const mayAll = ['the owner']
  const rows: readonly [Made, readonly string[]][] = [
    [hers, ['ada', ...mayAll]],
    [visitors, ['a visitor', ...mayAll]],
    [nobodys, mayAll],
    [published, all.map(([name]) => name)],
  ]
  for (const [made, may] of rows) {
    for (const [name, client] of all) {
      const told = [made.hash, made.tick, 'envelope', 'compute', made.token]
      const untold = [made.hash, made.tick, null, null, null]
      const expected = may.includes(name) ? [told, told, told, told, told] : [untold, untold, 'nothing', untold, untold]
      assert.deepEqual(await seenBy(client, made), expected, name)
    }
  }
})

test('a token that is not the caller’s answers exactly as one that was never made', async () => {
  await using it = await testNode({ settings })
  const { ben, demo, hers, visitors } = await stage(it)
  const never = ['0'.repeat(32), tokenIdOf(it.node.store.log.origin, 1), tokenIdOf(it.node.store.log.origin, 99_999)]
  for (const client of [it.client, ben]) {
    const answers = await Promise.all(
      [...never, hers.token, visitors.token].map((token) => client.call('explorer.log-leaves', { log: 'seal', token })),
    )
    for (const answer of answers) assert.deepEqual(answer, answers[0])
    assert.deepEqual(answers[0]!.leaves, [])
  }
  assert.deepEqual((await demo.call('explorer.log-leaves', { log: 'seal', token: hers.token })).leaves, [])
  // Nor does a private leaf look unlike another one of the same tree: a machine's head, an envelope of somebody.
  const { leaves } = await it.client.call('explorer.log-leaves', { log: 'seal' })
  for (const { index, type, kind, token_id } of leaves) {
    const what = kindOf((await it.node.store.log.leaf(index))!)
    const open = [purposes.tick, purposes.ledger].includes(what as never)
    const published = token_id !== null
    assert.equal(type, open ? what.split('/')[1] : published ? 'envelope' : null)
    assert.equal(kind, published ? 'compute' : null)
  }
})

test('pages have every signed leaf once, newest first, and each tick those that its tick leaf ends', async () => {
  await using it = await testNode({ settings })
  await stage(it)
  await it.client.call('identity.sign-up', {})
  const { log } = it.node.store
  const signed = log.checkpoint!.size
  assert(log.size > signed)
  const seen: number[] = []
  for (let before: number | undefined; ; ) {
    const page = await it.client.call('explorer.log-leaves', { log: 'seal', limit: 4, ...(before && { before }) })
    assert.deepEqual([page.log, page.era, page.size], [log.origin, 0, signed])
    for (const { index, hash } of page.leaves) {
      seen.push(index)
      assert.equal(hash, toHex(leafHash((await log.leaf(index))!)))
    }
    if (page.next === null) break
    before = page.next
  }
  assert.deepEqual(
    seen,
    Array.from({ length: signed }, (_, i) => signed - 1 - i),
  )
  let from = 0
  const ticks: number[] = []
  for (let index = 0; index < signed; index++) {
    const data = (await log.leaf(index))!
    if (kindOf(data) !== purposes.tick) continue
    const tick = tickOf(data)
    ticks.push(tick)
    const { leaves, next } = await it.client.call('explorer.log-leaves', { log: 'seal', tick })
    assert.deepEqual(
      leaves.map((leaf) => [leaf.index, leaf.tick]),
      Array.from({ length: index + 1 - from }, (_, i) => [index - i, tick]),
    )
    assert.equal(next, null)
    from = index + 1
  }
  for (let tick = 0; tick <= ticks.at(-1)! + 2; tick++) {
    if (ticks.includes(tick)) continue
    assert.deepEqual((await it.client.call('explorer.log-leaves', { log: 'seal', tick })).leaves, [])
  }
  // Pages go through the leaves of a tick as well.
  const many = ticks[0]!
  const first = await it.client.call('explorer.log-leaves', { log: 'seal', tick: many, limit: 1 })
  const rest = await it.client.call('explorer.log-leaves', { log: 'seal', tick: many, before: first.next! })
  const whole = await it.client.call('explorer.log-leaves', { log: 'seal', tick: many })
  assert.deepEqual([...first.leaves, ...rest.leaves], whole.leaves)
  assert(whole.leaves.length > 1)
})

test('checkpoints come page by page, each with the note as it was signed', async () => {
  await using it = await testNode({ settings })
  await stage(it)
  const all = (await it.client.call('explorer.log-checkpoints', { log: 'seal' })).checkpoints
  const pages: (typeof all)[number][] = []
  for (let before: number | undefined; ; ) {
    const page = await it.client.call('explorer.log-checkpoints', { log: 'seal', limit: 2, ...(before && { before }) })
    pages.push(...page.checkpoints)
    if (page.next === null) break
    before = page.next
  }
  assert.deepEqual(pages, all)
  assert(all.length >= 5)
  for (const { size, note, root } of all) {
    assert.equal(toHex(await it.node.store.log.rootAt(size)), root)
    assert.equal(note, (await it.node.store.log.checkpointAt(size))!.note)
  }
})

test('of the event log everyone sees everything; and what names no leaf is refused, or answers with none', async () => {
  await using it = await testNode({ settings })
  const { ada } = await stage(it)
  const { leaves } = await it.client.call('explorer.log-leaves', { log: 'events' })
  assert(leaves.some(({ type, kind }) => type === 'event' && kind === 'identity.assert'))
  assert(leaves.every(({ type, kind }) => type === 'tick' || (type === 'event' && kind !== null)))
  for (const query of [{ index: 10 ** 9 }, { hash: 'f'.repeat(64) }, { tick: 10 ** 9 }, { before: 0 }]) {
    const { leaves: none, next } = await ada.call('explorer.log-leaves', { log: 'seal', ...query })
    assert.deepEqual([none, next], [[], null])
  }
  const refused = async (query: object): Promise<string> => {
    try {
      await ada.call('explorer.log-leaves', { log: 'seal', ...query })
      return 'ok'
    } catch (error) {
      return error instanceof NodeRefusal ? error.code : String(error)
    }
  }
  assert.equal(await refused({ index: 1, tick: 1 }), 'INVALID_INPUT')
  assert.equal(await refused({ index: -1 }), 'INVALID_INPUT')
  assert.equal(await refused({ hash: 'xyz' }), 'INVALID_INPUT')
  assert.equal(await refused({ limit: 10_000 }), 'INVALID_INPUT')
  assert.equal(await refused({ log: 'neither' }), 'NOT_FOUND')
})

test.run()
