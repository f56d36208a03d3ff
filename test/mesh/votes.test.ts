/**
 * Goal: nodes that hold the same events count the same, whoever staked where and whenever they learnt of it; a stake of
 * envelopes whose home is another node goes by that home, and comes back. Method: two nodes with libp2p, on clocks of
 * the test, and a third that joins when the vote is over.
 */
import assert from 'node:assert/strict'
import { WINDOW_TICKS_MIN } from '#core/vote/documents.ts'
import { testNode } from '../kit/node.ts'
import { proposed } from '../kit/proposal.ts'
import { suite } from '../kit/suite.ts'
import { until } from '../kit/until.ts'
import { acquainted, enrich, listOf, member, passing } from './token-kit.ts'
import { joining } from './witness-kit.ts'

const test = suite('mesh: votes')
const MS = 120_000

const { row, cases } = proposed

type Node = Awaited<ReturnType<typeof testNode>>
const viewAt = (it: Node, id: string) => it.client.call('network.proposal', { id })
const knows = async (it: Node, id: string, stakes: number): Promise<boolean> => {
  if (it.node.store.peek('proposal', id) === undefined) return false
  const { stakes: shown } = await viewAt(it, id)
  return shown.length === stakes && shown.every(({ counting }) => counting === 'unwitnessed')
}

test(
  'a vote over two nodes: the same count at both, a stake by way of another home, and all of it back',
  async (signal) => {
    await using a = await testNode({ settings: { 'p2p.enabled': true } })
    await using b = await joining([a])
    const [ann, bob] = [await member(a), await member(b)]
    await acquainted([a, b], [ann, bob], signal)
    const [sent = '', kept = ''] = await enrich(a, ann, 2)
    const own = await enrich(b, bob, 1)
    await ann.client.call('economy.send', { to: bob.zid, token_ids: [sent] })
    await passing(
      [a, b],
      async () => (await listOf(bob)).find((it) => it.token_id === sent)?.arrival === 'received',
      signal,
    )

    const { id } = await ann.client.call('network.propose', { row, cases, window_ticks: WINDOW_TICKS_MIN })
    await ann.client.call('network.open-vote', { id })
    await passing([a, b], async () => b.node.store.peek('proposal', id) !== undefined, signal)
    await ann.client.call('network.stake', { id, side: 'no', token_ids: [kept] })
    await bob.client.call('network.stake', { id, side: 'yes', token_ids: own })
    await bob.client.call('network.stake', { id, side: 'yes', token_ids: [sent] })
    await passing([a, b], async () => (await knows(a, id, 3)) && (await knows(b, id, 3)), signal)

    const [here, there] = [await viewAt(a, id), await viewAt(b, id)]
    assert.deepEqual(there.tally, here.tally)
    assert.deepEqual([here.tally.zids, here.tally.homes.length, here.measured?.length], [2, 2, 3])
    const away = (await listOf(bob)).find((it) => it.token_id === sent)
    assert.equal(a.node.store.peek('envelope', sent)?.lock?.ref, id, 'its home holds the lock')
    assert.equal(away?.home, a.node.store.log.origin)

    const { mesh_tick, closes } = here
    for (const it of [a, b]) await it.advanceTicks((closes ?? 0) - mesh_tick + 1)
    const counted = await bob.client.call('network.resolve', { id })
    assert.equal(counted.settled, false, 'others may know of more')
    assert.equal(counted.tally.root, here.tally.root)
    await passing([a, b], async () => (await viewAt(a, id)).resolutions.length === 1, signal)
    assert.equal((await viewAt(a, id)).state, 'resolved')
    const isFree = async (): Promise<boolean> => {
      const rows = [sent, kept].map((token) => a.node.store.peek('envelope', token)?.lock ?? null)
      return rows.every((lock) => lock === null) && b.node.store.peek('envelope', own[0] ?? '')?.lock === null
    }
    await passing([a, b], isFree, signal)

    await using late = await joining([a, b])
    await until(async () => {
      for (const it of [a, b, late]) await it.advanceTicks(1)
      return knows(late, id, 3)
    }, signal)
    assert.deepEqual((await viewAt(late, id)).tally, here.tally)
  },
  MS,
)

test.run()
