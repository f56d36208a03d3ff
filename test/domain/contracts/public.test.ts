// Goal: everyone reads of contracts of public machines what their chains show, page by page, and nothing of private
// ones. Method: a real node over HTTP without a key.
import assert from 'node:assert/strict'
import type { ResultOf } from '#api/result-of.ts'
import { testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'
import { codeOf, counter, stageOf, teller } from './contract-kit.ts'

const test = suite('domain: contracts, public')

test('lists are paged newest first, filtered, and leave private machines out', async () => {
  await using node = await testNode()
  const { keys } = await stageOf(node)
  const owner = node.as(keys.owner)
  const ids: string[] = []
  for (let i = 0; i < 5; i += 1) {
    const definition = { ...counter, name: `Counter ${i}` }
    const { contract } = await owner.call('contracts.custom', { slug: 'open', definition, start: i % 2 === 0 })
    ids.unshift(contract.id)
    await owner.call('contracts.custom', { slug: 'shut', definition })
  }
  const pages: string[][] = []
  let after: number | null = null
  do {
    const page: ResultOf<'contracts.public'> = await node.client.call('contracts.public', {
      limit: 2,
      ...(after === null ? {} : { after }),
    })
    pages.push(page.contracts.map((it) => it.id))
    after = page.next_after
  } while (after !== null)
  assert.deepEqual(pages.flat(), ids)
  assert(pages.every((it) => it.length <= 2))
  const named = await node.client.call('contracts.public', { q: 'COUNTER 3' })
  assert.deepEqual(
    named.contracts.map(({ name, slug }) => [name, slug]),
    [['Counter 3', 'open']],
  )
  assert.equal((await node.client.call('contracts.public', { status: 'live' })).contracts.length, 3)
  assert.equal((await node.client.call('contracts.public', { slug: 'shut' })).contracts.length, 0)
  await owner.call('machines.settings', { slug: 'open', is_public: false })
  assert.equal((await node.client.call('contracts.public', {})).contracts.length, 0)
  assert.equal(await codeOf(node.client.call('contracts.public-audit', { id: ids[0] ?? '' })), 'NOT_FOUND')
})

test('one is read whole but for its secrets, with what comes next and what the chain says of it', async () => {
  await using node = await testNode()
  const { keys, zid } = await stageOf(node)
  const owner = node.as(keys.owner)
  const secrets = { token: 'never-shown-1', body_key: 'never-shown-2' }
  const order = { slug: 'open', definition: teller, secrets, start: true }
  const { contract } = await owner.call('contracts.custom', order)
  const { id } = contract
  await owner.call('contracts.pause', { slug: 'open', id })
  await owner.call('contracts.resume', { slug: 'open', id })
  const { contract: shown } = await node.client.call('contracts.public-read', { id })
  assert.deepEqual([shown.name, shown.version, shown.state], ['Teller', contract.version, 'on'])
  const fires = await node.client.call('contracts.public-next-fires', { id })
  assert.equal(fires.fires.length, 10)
  assert.deepEqual(await node.client.call('contracts.public-subscribers', { id }), { ok: true, id, subscribers: 0 })
  const audit = await node.client.call('contracts.public-audit', { id, limit: 2 })
  assert.deepEqual(
    audit.rows.map(({ no, outcome }) => [no, outcome]),
    [
      [2, 'changed'],
      [1, 'changed'],
    ],
  )
  assert.equal(audit.next_after, 1)
  assert.deepEqual(
    audit.rows.map(({ entry }) => (entry as { readonly what: string }).what),
    ['resumed', 'paused'],
  )
  const rest = await node.client.call('contracts.public-audit', { id, limit: 2, after: 1 })
  assert.deepEqual([rest.rows.map(({ no }) => no), rest.next_after], [[0], null])
  const everything = JSON.stringify([shown, fires, audit, rest])
  assert(!everything.includes('never-shown') && !everything.includes(zid))
  const integrity = await node.client.call('contracts.integrity', { slug: 'open', id })
  assert.deepEqual([integrity.equal, integrity.live], [true, contract.version])
})

test.run()
