// Goal: a channel reads contracts and machines of this node as oracles, anew for each tick and as far as its owner may
// read; where an oracle gives nothing the tick is refused with its code, and nothing moves or is charged. Method: a
// real node; events and fires move what oracles read, and values are compared with those of the operator's own route.
import assert from 'node:assert/strict'
import type { Json } from '#core/canonical.ts'
import type { Client } from '#gateway/client.ts'
import { type TestNode, testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { accountOf, codeOf, entriesOf, RADIUS, soundStore, tickBy } from './channel-kit.ts'

const test = suite('domain: oracles of channels')

type Oracles = Readonly<Record<string, Json>>

/** The mass that events of a machine say. */
const ofMachine = (slug: string, more: object = {}): Oracles => ({
  mass: { from: { kind: 'machine', slug, event: 'weighed', field: 'mass' }, type: 'number', max_age: 10, ...more },
})

/** Ticks until an event is older than that. */
const PAST_AGE = 11

const make = async (
  client: Client,
  oracles: Oracles,
  more: { slug?: string; autotick?: boolean; mass?: string } = {},
) => {
  const { mass = 'oracle.mass', ...order } = more
  const inputs = { mass: { $: mass } }
  const { stream } = await client.call('compute.stream-create', {
    ...{ operators: [...RADIUS.operators], inputs, oracles, ...order },
  })
  return stream.id
}

const weigh = (client: Client, slug: string, data: Readonly<Record<string, Json>>) =>
  client.call('machines.event', { slug, type: 'weighed', data })

/** The radius of a mass, as it is computed without a channel. */
const radiusOf = async (client: Client, mass: number) =>
  (await client.call('compute.compute', { operators: [...RADIUS.operators], inputs: { mass } })).value

/** Where a channel and the credits of its owner stand. */
const standing = async (client: Client, id: string) => {
  const { free, paid } = await client.call('economy.credits', {})
  const { stream } = await client.call('compute.stream', { id })
  return { credits: free + paid, ...stream }
}

const tickOf = async (client: Client, id: string) => (await client.call('compute.stream-tick', { id })).value

/** An account with a private machine of its own. */
const withMachine = async (it: TestNode, slug: string) => {
  const account = await accountOf(it)
  await account.client.call('machines.create', { slug })
  return account
}

test('events of a machine are read anew for each tick; one that is too old refuses it, and costs nothing', async () => {
  using dir = tempDir()
  {
    await using it = await testNode({ directory: dir.path })
    const { client } = await withMachine(it, 'scales')
    assert.equal(await codeOf(make(client, ofMachine('scales'))), 'INVALID_INPUT', 'there is no event yet')
    await weigh(client, 'scales', { mass: 1e30 })
    const id = await make(client, ofMachine('scales'))
    const one = await tickOf(client, id)
    await weigh(client, 'scales', { mass: 2e30 })
    await client.call('machines.event', { slug: 'scales', type: 'other', data: { mass: 9e30 } })
    const two = await tickOf(client, id)
    assert.deepEqual([one, two], [await radiusOf(client, 1e30), await radiusOf(client, 2e30)])

    await it.advanceTicks(PAST_AGE)
    const before = await standing(client, id)
    assert.equal(await codeOf(tickOf(client, id)), 'INVALID_INPUT')
    const after = await standing(client, id)
    assert.deepEqual([after.credits, after.head, after.count], [before.credits, before.head, 2])
    assert.partialDeepStrictEqual(after, { status: 'open', refusals: 1, last_fault: { code: 'INVALID_INPUT' } })
    assert.match(after.last_fault?.detail ?? '', /^\/inputs\/mass/)
    assert.equal((await entriesOf(it, 'stream_tick')).length, 2)
    // Of another type it is none either.
    await weigh(client, 'scales', { mass: 'heavy' })
    assert.equal(await codeOf(tickOf(client, id)), 'INVALID_INPUT')
    await weigh(client, 'scales', { mass: 1e30 })
    assert.equal(await tickOf(client, id), one)
    assert.partialDeepStrictEqual(await standing(client, id), { count: 3, refusals: 0 })
  }
  await soundStore(dir.path)
})

test('one that may be old, and one that is asked for, refuse nothing', async () => {
  await using it = await testNode()
  const { client } = await withMachine(it, 'scales')
  const asks = { mass: 'has(oracle.mass) ? oracle.mass : 5e30' }
  const careful = await make(client, ofMachine('scales'), asks)
  assert.equal(await tickOf(client, careful), await radiusOf(client, 5e30))
  await weigh(client, 'scales', { mass: 2e30 })
  const last = await make(client, ofMachine('scales', { on_stale: 'last' }))
  await it.advanceTicks(PAST_AGE)
  assert.deepEqual(
    [await tickOf(client, last), await tickOf(client, careful)],
    [await radiusOf(client, 2e30), await radiusOf(client, 5e30)],
  )
})

test('due ticks whose oracle gives nothing are refused, and five of them stop the channel at no cost', async () => {
  using dir = tempDir()
  {
    await using it = await testNode({ directory: dir.path })
    const { client } = await withMachine(it, 'scales')
    await weigh(client, 'scales', { mass: 1e30 })
    const id = await make(client, ofMachine('scales'), { slug: 'scales', autotick: true })
    const made = await standing(client, id)
    await tickBy(it, PAST_AGE + 6)
    const stopped = await standing(client, id)
    assert.partialDeepStrictEqual(stopped, { status: 'stopped', refusals: 5, last_fault: { code: 'INVALID_INPUT' } })
    // Ten ticks long the event is not too old, and it was the tick before that it came.
    assert.equal(stopped.count, PAST_AGE - 1)
    assert.equal(made.credits - stopped.credits, stopped.count * stopped.price)
    await weigh(client, 'scales', { mass: 1e30 })
    await client.call('compute.stream-patch', { id, status: 'open' })
    await tickBy(it, 1)
    assert.equal((await standing(client, id)).count, stopped.count + 1)
    const [refused] = await entriesOf(it, 'stream_gap')
    assert.partialDeepStrictEqual(refused, { missed: 5, reason: 'refused' })
  }
  await soundStore(dir.path)
})

test('a member of a contract is read as it stands', async () => {
  await using it = await testNode()
  const { client } = await withMachine(it, 'scales')
  const definition = {
    ...{ v: 1, name: 'Grows', states: { on: { initial: true } } },
    context: { mass: { type: 'number', initial: 1e30 }, name: { type: 'text', initial: 'sun', chars: 9 } },
    events: { more: { data: {} } },
    transitions: [
      {
        ...{ id: 'grow', from: 'on', to: 'on', trigger: { kind: 'event', event: 'more' } },
        actions: [{ kind: 'set', mass: { $: 'context.mass + 1e30' } }],
      },
    ],
  }
  const { contract } = await client.call('contracts.custom', { slug: 'scales', definition, start: true })
  const of = (member: string): Oracles => ({
    mass: { from: { kind: 'contract', id: contract.id, member }, type: 'number', max_age: 10 },
  })
  const id = await make(client, of('mass'))
  const values = [await tickOf(client, id)]
  await client.call('machines.event', { slug: 'scales', type: 'more', data: {} })
  await it.advanceTicks(1)
  await it.node.services.contracts.idle()
  values.push(await tickOf(client, id))
  assert.deepEqual(values, [await radiusOf(client, 1e30), await radiusOf(client, 2e30)])
  for (const member of ['name', 'nothing'])
    assert.equal(await codeOf(make(client, of(member))), 'INVALID_INPUT', member)
})

test('a channel reads what its owner may read, whoever’s machine its entries are in', async () => {
  await using it = await testNode()
  const house = await withMachine(it, 'shared')
  await house.client.call('machines.create', { slug: 'secret' })
  await weigh(house.client, 'secret', { mass: 1e30 })
  const guest = await withMachine(it, 'guests')
  await weigh(guest.client, 'guests', { mass: 2e30 })
  const { zid } = guest
  await house.client.call('identity.machine-add-admin', { slug: 'shared', zid, role: 'operator' })
  // The owner of the chain may read the one, and the owner of the channel the other.
  assert.equal(await codeOf(make(guest.client, ofMachine('secret'), { slug: 'shared' })), 'INVALID_INPUT')
  assert.equal(await codeOf(make(guest.client, ofMachine('secret'))), 'INVALID_INPUT')
  const own = await make(guest.client, ofMachine('guests'), { slug: 'shared' })
  assert.equal(await tickOf(guest.client, own), await radiusOf(guest.client, 2e30))

  await house.client.call('identity.machine-add-admin', { slug: 'secret', zid, role: 'viewer' })
  const seen = await make(guest.client, ofMachine('secret'))
  assert.equal(await tickOf(guest.client, seen), await radiusOf(guest.client, 1e30))
  await house.client.call('identity.machine-remove-admin', { slug: 'secret', zid })
  assert.equal(await codeOf(tickOf(guest.client, seen)), 'INVALID_INPUT')
})

test.run()
