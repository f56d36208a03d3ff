// Goal: a fire that transitions mints in its own batch, and what it mints is there for its transfers; a fire that is
// refused mints nothing; ticks mint beside it on a running node. Method: a real node with a contract that bills; the
// chain is added up again by whoever looks.
import assert from 'node:assert/strict'
import { suite } from '../../../kit/suite.ts'
import { counting, entriesOf, firesOf, pass, stage } from './engine-kit.ts'

const test = suite('domain: contracts, minting')

test('each fire mints what its transfer takes, and one that is refused mints nothing', async () => {
  const { it, owner, zid } = await stage()
  await using node = it
  const other = (await node.client.call('identity.sign-up', {})).zid
  const bill = counting(
    {},
    {
      events: { use: { data: { units: { type: 'integer' } } } },
      transitions: [
        {
          ...{ id: 'bill', from: 'on', to: 'on', trigger: { kind: 'event', event: 'use' } },
          actions: [{ kind: 'transfer', to: other, amount: { $: 'event.data.units' } }],
        },
      ],
    },
  )
  await owner.call('machines.token-genesis', { slug: 'open', name: 'Use', symbol: 'USE', max_supply: 20, initial: 0 })
  await owner.call('machines.set-mint-rate', { slug: 'open', amount: 6, per: 'transition', every: 1 })
  const { id } = (await owner.call('contracts.custom', { slug: 'open', definition: bill, start: true })).contract
  const use = async (units: number) => {
    await owner.call('machines.event', { slug: 'open', type: 'use', data: { units } })
    await node.node.services.contracts.idle()
    return (await firesOf(node, id)).at(-1)?.outcome
  }
  const { store } = node.node
  const asset = `tally:${store.peek('machine', 'open')!.id_hash.slice(0, 16)}`
  const balances = () => [zid, other].map((who) => store.balance(asset, who))
  assert.deepEqual([await use(6), balances()], ['fired', [0, 6]])
  assert.deepEqual([await use(7), balances()], ['refused', [0, 6]])
  assert.deepEqual([await use(1), balances()], ['fired', [5, 7]])
  assert.deepEqual([await use(1), balances()], ['fired', [10, 8]])
  assert.equal((await owner.call('machines.mint-rate', { slug: 'open' })).state, 'ceiling')
  assert.deepEqual([await use(1), balances()], ['fired', [9, 9]])
  assert.equal((await entriesOf(node, 'open', 'tally_mint')).length, 3)
  const found = await node.client.call('machines.tally-verify', { slug: 'open' })
  assert.deepEqual([found.valid, found.ledger, found.message], [true, 'equal', null])
  assert.equal((await owner.call('contracts.verify', { slug: 'open', id })).differs, null)
})

test('ticks of a running node mint', async () => {
  const { it, owner } = await stage()
  await using node = it
  await owner.call('machines.token-genesis', { slug: 'shut', name: 'Time', symbol: 'T', max_supply: 99, initial: 0 })
  await owner.call('machines.set-mint-rate', { slug: 'shut', amount: 2, per: 'ticks', every: 1 })
  await pass(node, 5)
  await node.node.services.machines.beat()
  const { issued } = await owner.call('machines.token-supply', { slug: 'shut' })
  assert.equal(issued, 10)
  const found = await owner.call('machines.tally-verify-posted', { slug: 'shut' })
  assert.deepEqual([found.valid, found.ledger, found.issued], [true, 'equal', 10])
})

test.run()
