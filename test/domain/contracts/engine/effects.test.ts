// Goal: what a fire does beyond its contract happens once and with it: the machine's token moves, a receiver is told, a
// url is read, and what cannot be done refuses the fire whole. Method: a real node, and a server of HTTP on loopback.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite } from '../../../kit/suite.ts'
import { until } from '../../../kit/until.ts'
import { counting, entriesOf, firesOf, pass, stage } from './engine-kit.ts'

const test = suite('domain: contracts, effects')

const events = { use: { data: { units: { type: 'integer' } } } }
const started = async ({ owner }: Pick<Awaited<ReturnType<typeof stage>>, 'owner'>, definition: object) =>
  (await owner.call('contracts.custom', { slug: 'open', definition, start: true })).contract

test('a transfer moves the token in the batch of its fire, and one that is not covered refuses it whole', async () => {
  const at = await stage()
  await using it = at.it
  const { owner } = at
  const other = (await it.client.call('identity.sign-up', {})).zid
  const bill = await started(
    at,
    counting(
      {},
      {
        events,
        transitions: [
          {
            ...{ id: 'bill', from: 'on', to: 'on', trigger: { kind: 'event', event: 'use' } },
            actions: [
              { kind: 'set', n: { $: 'context.n + event.data.units' } },
              { kind: 'transfer', to: other, amount: { $: 'event.data.units' } },
            ],
          },
        ],
      },
    ),
  )
  const use = async (units: number) => {
    await owner.call('machines.event', { slug: 'open', type: 'use', data: { units } })
    await it.node.services.contracts.idle()
    return (await firesOf(it, bill.id)).at(-1)
  }
  const early = await use(1)
  assert.deepEqual([early?.outcome, early?.problem?.reason, early?.context], ['refused', 'transfer', { n: 0 }])
  await owner.call('machines.token-genesis', { slug: 'open', name: 'Use', symbol: 'USE', max_supply: 100, initial: 10 })
  const { id_hash } = it.node.store.peek('machine', 'open') ?? { id_hash: '' }
  const asset = `tally:${id_hash.slice(0, 16)}`
  const balances = () => [at.zid, other].map((zid) => it.node.store.balance(asset, zid))
  assert.deepEqual([(await use(7))?.outcome, balances()], ['fired', [3, 7]])
  const beyond = await use(4)
  assert.deepEqual([beyond?.outcome, beyond?.problem?.reason, beyond?.context], ['refused', 'transfer', { n: 7 }])
  assert.deepEqual([(await use(3))?.outcome, balances()], ['fired', [0, 10]])
  assert.equal((await entriesOf(it, 'open', 'tally_transfer')).length, 2)
  assert.equal((await owner.call('contracts.verify', { slug: 'open', id: bill.id })).differs, null)
})

test('a receiver is told of each fire, and a url is read before it is decided', async (signal) => {
  const told: { readonly id: string | undefined; readonly body: unknown }[] = []
  let price = 4
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ now: { price } }))
      return
    }
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      told.push({ id: request.headers['webhook-id'] as string, body: JSON.parse(Buffer.concat(chunks).toString()) })
      response.end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  try {
    const at = await stage({ settings: { 'contracts.targets': [`127.0.0.1:${port}`] } })
    await using it = at.it
    const { id } = await started(
      at,
      counting(
        {},
        {
          context: { n: { type: 'integer', initial: 0 }, price: { type: 'number', initial: 0 } },
          oracles: { price: { from: { kind: 'url', url, pointer: '/now/price' }, type: 'number', max_age: 60 } },
          transitions: [
            {
              ...{ id: 'look', from: 'on', to: 'on', trigger: { kind: 'recurring', every_ticks: 5 } },
              actions: [
                { kind: 'set', n: { $: 'context.n + 1' }, price: { $: 'oracle.price' } },
                { kind: 'notify', url, body: { price: { $: 'context.price' } }, headers: {} },
              ],
            },
          ],
        },
      ),
    )
    const after = async (fires: number) => {
      await until(async () => {
        await pass(it, 1)
        return told.length >= fires
      }, signal)
    }
    await after(1)
    price = 6.5
    await after(3)
    const rows = await firesOf(it, id)
    assert.deepEqual(
      told.map(({ id: name }) => name).slice(0, 2),
      rows.slice(0, 2).map(({ fire }) => `${fire}.0`),
    )
    assert.deepEqual([told[0]?.body, told.at(-1)?.body], [{ price: 4 }, { price: 6.5 }])
    const [reading] = rows[0]?.readings ?? []
    assert.deepEqual([reading?.oracle, reading?.value, reading?.basis], ['price', 4, 'node'])
    assert.equal((await at.owner.call('contracts.verify', { slug: 'open', id })).differs, null)
  } finally {
    server.close()
    server.closeAllConnections()
  }
}, 60_000)

test.run()
