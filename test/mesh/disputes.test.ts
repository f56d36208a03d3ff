/**
 * Goal: a wrong work that somebody finds is proven wrong at every node, by what each ran itself, and its bond falls
 * everywhere; a right one stays right. Method: five nodes with libp2p on clocks of the test, of which one lies in one
 * state of a run.
 */
import assert from 'node:assert/strict'
import { type TestNode, testNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'
import { member, passing } from './token-kit.ts'
import { joining } from './witness-kit.ts'
import { bonded, contributing, lying, worksOf } from './works-kit.ts'

const test = suite('mesh: disputes')
const MS = 240_000

const disputesAt = ({ node }: TestNode) => node.services.disputes.list({ limit: 10, offset: 0 })

test(
  'a lie in one state is found by an audit, disputed, ruled upon, and costs its bond at every node',
  async (signal) => {
    const settings = { 'contribute.poolTicks': 0, 'contribute.auditRate': 1_000_000 }
    await using a = await testNode({ settings: { 'p2p.enabled': true, ...settings } })
    await using b = await joining([a], { settings })
    await using c = await joining([a, b], { settings })
    await using d = await joining([a, b, c], { settings })
    await using e = await joining([a, b, c, d], { settings })
    const all = [a, b, c, d, e]
    const bond = await contributing(b)
    for (const it of [c, d, e]) await bonded(it)
    lying(b, 7)
    const ann = await member(a)
    const bonds = async (it: TestNode): Promise<number> => {
      let count = 0
      for await (const _ of it.node.store.range('bond')) count += 1
      return count
    }
    await passing(all, async () => (await Promise.all(all.map(bonds))).every((it) => it === 4), signal)
    await passing(all, async () => a.node.services.works.requester.candidates === 1, signal)

    const call = { route: 'kalman', input: { steps: 40 }, consent: true }
    const job = (await ann.client.call('network.contribute-offers', call)) as unknown as { id: string }
    await passing(all, async () => (await ann.client.call('compute.job', { id: job.id })).state === 'failed', signal)
    const [given] = (await worksOf(a)).items
    assert.deepEqual([given?.state, given?.at_risk, given?.found?.audit], ['wrong', true, 'wrong'], given?.reason ?? '')

    const isFallen = async (): Promise<boolean> =>
      all.every(({ node }) => node.store.peek('bond', bond)?.fallen != null)
    await passing(all, isFallen, signal)
    for (const it of all) {
      const { total, items } = await disputesAt(it)
      assert.deepEqual([total, items[0]?.segment, items[0]?.verdict], [1, 6, 'proven'])
    }
    const id = (await disputesAt(e)).items[0]?.id ?? ''
    const view = await e.client.call('network.dispute', { id })
    assert.equal(
      view.rulings.some(({ outcome }) => outcome === 'upheld'),
      true,
    )
    assert.equal(b.node.services.contribution.mode, 'idle')
  },
  MS,
)

test.run()
