/**
 * Goal: a run that another node does is checked and sealed here, and its receipt says by whom and what was checked; a
 * worker that vanishes or refuses costs nothing. Method: nodes with libp2p on clocks of the test, real solvers.
 */
import assert from 'node:assert/strict'
import { verifyBundle } from '#core/verify.ts'
import { testNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'
import { member, passing } from './token-kit.ts'
import { joining } from './witness-kit.ts'
import { contributing, worksOf } from './works-kit.ts'

const test = suite('mesh: works')
const MS = 180_000

type Node = Awaited<ReturnType<typeof testNode>>

/** Offers a run and waits for its envelope, or for what ended it. */
const offered = async (
  nodes: readonly Node[],
  who: Awaited<ReturnType<typeof member>>,
  call: object,
  signal: AbortSignal,
) => {
  const job = (await who.client.call('network.contribute-offers', call as never)) as unknown as { id: string }
  return passing(
    nodes,
    async () => {
      const view = await who.client.call('compute.job', { id: job.id })
      return view.state === 'queued' || view.state === 'running' ? undefined : view
    },
    signal,
  )
}

test(
  'a stepping and a whole run by another node: sampled, sealed, published, closed, and told to whoever verifies',
  async (signal) => {
    await using a = await testNode({ settings: { 'p2p.enabled': true } })
    await using b = await joining([a])
    await contributing(b)
    const ann = await member(a)
    await passing([a, b], async () => a.node.services.works.requester.candidates === 1, signal)

    for (const call of [
      { route: 'kalman', input: { steps: 40 }, consent: true },
      { route: 'zeta', input: {}, consent: true },
    ]) {
      const view = await offered([a, b], ann, call, signal)
      assert.equal(view.state, 'done', JSON.stringify(view.problem))
      const token = view.token_id ?? ''
      await passing([a, b], async () => (await worksOf(b)).items.every((it) => it.found !== null), signal)
      const bundle = await ann.client.call('compute.bundle', { token_id: token })
      assert.equal(bundle.envelope.claim.worker?.node, b.node.nodeId)
      const { steps } = verifyBundle({ bundle, trusted: a.node.nodeId })
      const of = (name: string) => steps.find((it) => it.step === name)
      assert.deepEqual([of('worker')?.state, of('assurance')?.state], ['ok', 'ok'], JSON.stringify(steps))
    }
    const [given, taken] = [await worksOf(a), await worksOf(b)]
    assert.deepEqual(
      given.items.map((it) => [it.role, it.kind, it.state, it.place?.work === it.work]),
      [
        ['requester', 'zeta', 'accepted', true],
        ['requester', 'kalman', 'accepted', true],
      ],
    )
    assert.deepEqual(
      taken.items.map((it) => [it.role, it.state, it.work]),
      given.items.map((it) => ['worker', 'done', it.work]),
    )
    assert.equal(b.node.store.peek('workRecord', 'own')?.done, 2)
  },
  MS,
)

test.run()
