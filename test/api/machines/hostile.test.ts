// Goal: a refused write changes nothing in a machine's chain, and what an honest reader is given can be checked with
// nothing but the node's published key. Method: wrong inputs by the owner over HTTP; core's verifier on the answers.
import assert from 'node:assert/strict'
import { entryProofFault, machineIdHash } from '#core/machine.ts'
import { parseVkey } from '#core/note.ts'
import { testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('api: hostile to machines')

test('a refused write leaves the chain as it was', async () => {
  await using node = await testNode()
  const mine = node.as((await node.client.call('identity.sign-up', {})).api_key)
  await mine.call('machines.create', { slug: 'pump' })
  const before = await mine.call('machines.state', { slug: 'pump' })
  const deep = Array.from({ length: 40 }).reduce<unknown>((inner) => [inner], 1)
  const bad = [
    ['machines.event', { payload: 1, hash: '0'.repeat(64) }],
    ['machines.event', { payload: deep }],
    ['machines.event', { type: '' }],
    ['machines.record-state', { state_hash: 'AB' }],
    ['machines.file', { hash: '0'.repeat(64), bytes: -1 }],
    ['machines.connection', { direction: 'sideways' }],
    ['machines.status', { status: 'gone' }],
    ['identity.machine-make-key', { name: 'x', expires_at: '2001-01-01T00:00:00Z' }],
    ['identity.machine-make-key', { name: 'x', expires_at: 'tomorrow' }],
  ] as const
  for (const [id, members] of bad) {
    const refused = mine.call(id, { slug: 'pump', ...members } as never)
    await assert.rejects(refused, (it: { status: number }) => it.status === 400, `${id} ${JSON.stringify(members)}`)
  }
  assert.deepEqual(await mine.call('machines.state', { slug: 'pump' }), before)
})

test('what a stranger reads of a public machine can be checked with the published key alone', async () => {
  await using node = await testNode()
  const mine = node.as((await node.client.call('identity.sign-up', {})).api_key)
  await mine.call('machines.create', { slug: 'pump', is_public: true })
  const { tickNumber: tick } = await mine.call('machines.event', { slug: 'pump', payload: { bar: 7 } })
  const early = await node.client.call('machines.block', { slug: 'pump', tick })
  assert.equal(early.proof, null)
  await node.advanceTicks(1)
  const { entry, proof } = await node.client.call('machines.block', { slug: 'pump', tick })
  const { vkeys } = await node.client.call('identity.node', {})
  assert.equal(entryProofFault(entry as never, proof as never, parseVkey(vkeys.log)), undefined)
  const seal = await node.client.call('explorer.seal', {})
  assert.deepEqual([seal.vkey, seal.seals[0]?.note], [vkeys.log, proof?.checkpoint])
  const anchor = await node.client.call('machines.verify-anchor', { slug: 'pump' })
  assert.equal(anchor.id_hash, machineIdHash('pump', anchor.genesis_hash))
  assert.equal(anchor.id_hash, proof?.head.id_hash)
  const at = await node.client.call('machines.at', { slug: 'pump', tick: tick + 5 })
  assert.equal(at.snapshot.seq, entry.seq)
})

test('entries that share a tick are each shown and proved by their number; a number elsewhere is none', async () => {
  await using node = await testNode()
  const mine = node.as((await node.client.call('identity.sign-up', {})).api_key)
  await mine.call('machines.create', { slug: 'pump', is_public: true })
  const { seq, tickNumber: tick } = await mine.call('machines.event', { slug: 'pump', payload: 1 })
  await mine.call('machines.record-state', { slug: 'pump', state_hash: 'a'.repeat(64) })
  await node.advanceTicks(1)
  const { vkeys } = await node.client.call('identity.node', {})
  for (const number of [seq, seq + 1]) {
    const { entry, proof } = await node.client.call('machines.block', { slug: 'pump', seq: number })
    assert.deepEqual([entry.seq, entry.tick], [number, tick])
    assert.equal(entryProofFault(entry as never, proof as never, parseVkey(vkeys.log)), undefined)
    assert.deepEqual(await node.client.call('machines.block', { slug: 'pump', seq: number, tick }), {
      ...(await node.client.call('machines.block', { slug: 'pump', seq: number })),
    })
    const { snapshot } = await node.client.call('machines.at', { slug: 'pump', seq: number })
    assert.deepEqual([snapshot.size, snapshot.state_hash], [number + 1, number === seq ? null : 'a'.repeat(64)])
  }
  const codeOf = (input: object): Promise<string> =>
    node.client.call('machines.at', { slug: 'pump', ...input } as never).then(
      () => 'none',
      (it: { code: string }) => it.code,
    )
  assert.equal(await codeOf({}), 'INVALID_INPUT')
  assert.equal(await codeOf({ seq: 3 }), 'NO_BLOCK_AT_TICK')
  assert.equal(await codeOf({ seq, tick: tick + 1 }), 'NO_BLOCK_AT_TICK')
})

test.run()
