// Goal: a reactor of one node is followed on another that shares its machine: the long-poll there answers with the step
// and what proves it, and with nothing that was not proved or not to be seen. Method: two real nodes on loopback with
// clocks that stand until moved; a third party that answers what it likes.
import assert from 'node:assert/strict'
import { canonicalBytes, type Json } from '#core/canonical.ts'
import { soundKeyOf } from '#core/keys.ts'
import { type EntryProof, entryProofFault } from '#core/machine.ts'
import { verifierOf } from '#core/note.ts'
import { sleep } from '#core/wait.ts'
import { createFarNext } from '#domain/compute/reactor/away.ts'
import { reactorWaits } from '#domain/compute/reactor/types.ts'
import { createWaits } from '#domain/waits.ts'
import { asking, stranger } from '../domain/compute/house.ts'
import { refusal } from '../domain/house.ts'
import { type TestNode, testNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'
import { until } from '../kit/until.ts'

const test = suite('mesh: reactors of another node')

const LINE = { solver: 'heat', inputs: { dim: 1, nx: 128, steps: 2 } } as const

/** Two nodes that are connected, an account on each, and a reactor on the first. */
const pair = async (stack: AsyncDisposableStack, signal: AbortSignal, is_public: boolean) => {
  const a = stack.use(await testNode({ settings: { 'p2p.enabled': true } }))
  const [address = ''] = a.node.mesh?.addresses() ?? []
  const b = stack.use(await testNode({ settings: { 'p2p.enabled': true, bootstrap: address } }))
  await until(() => b.node.mesh?.peers().includes(a.node.nodeId), signal)
  const keyOf = async (it: TestNode) => it.as((await it.client.call('identity.sign-up', {})).api_key)
  const [owner, other] = [await keyOf(a), await keyOf(b)]
  await owner.call('machines.create', { slug: 'plate', is_public })
  const { reactor } = await owner.call('compute.reactor', { ...LINE, machine: 'plate' })
  const next = (more: object) =>
    other.call('compute.reactor-next', { reactor: reactor.id, node: a.node.nodeId, ...more })
  return { a, b, owner, next, id: reactor.id }
}

test('the long-poll on one node answers with the step taken on the other, and its proof holds', async (signal) => {
  await using stack = new AsyncDisposableStack()
  const { a, owner, next, id } = await pair(stack, signal, true)
  const none = await next({ after: 0, wait: 0 })
  assert.deepEqual([none.moved, none.step, none.node], [false, null, a.node.nodeId])
  const waiting = next({ after: 0, wait: 60 })
  await until(() => a.node.services.compute.reactors.load().waiting > 0, signal)
  const taken = await owner.call('compute.reactor-step', { reactor: id })
  await a.advanceTicks(1)
  const view = await waiting
  assert.deepEqual([view.moved, view.step?.step, view.step?.state], [true, 1, taken.reactor?.state])
  assert.equal(view.step?.token_id, taken.envelope?.token_id)
  assert.deepEqual([view.step?.value, view.step?.result_digest], [null, null], 'results stay at home')
  const { entry, proof } = view.entry as { entry: Parameters<typeof entryProofFault>[0]; proof: EntryProof }
  const origin = proof.checkpoint.split('\n')[0] ?? ''
  assert.equal(entryProofFault(entry, proof, verifierOf(origin, soundKeyOf(a.node.nodeId))), undefined)
  assert.equal((await next({ after: 0, wait: 60 })).step?.step, 1, 'a step that is there is told at once')
  assert.equal((await next({ wait: 0 })).moved, false, 'without a place to begin, what comes next is meant')
}, 60_000)

test('a private machine is followed with its share, and is not there without', async (signal) => {
  await using stack = new AsyncDisposableStack()
  const { a, owner, next, id } = await pair(stack, signal, false)
  await owner.call('compute.reactor-step', { reactor: id })
  await a.advanceTicks(1)
  const { share_token: share } = await owner.call('machines.share', { slug: 'plate' })
  assert.equal((await next({ after: 0, wait: 0, share })).step?.step, 1)
  for (const more of [{}, { share: 'x'.repeat(43) }, { share, reactor: '0'.repeat(32) }]) {
    assert.equal((await refusal(() => next({ after: 0, wait: 0, ...more }))).code, 'NOT_FOUND')
  }
  await owner.call('machines.unshare', { slug: 'plate' })
  assert.equal((await refusal(() => next({ after: 0, wait: 0, share }))).code, 'NOT_FOUND')
  const nobody = '12D3KooWQYhTNQdmr3ArTeUHRYzFg94BKyTkoWBDWez9kSCVe2Xo'
  assert.equal((await refusal(() => next({ node: nobody, wait: 0 }))).code, 'NODE_UNREACHABLE')
  assert.equal((await refusal(() => next({ node: 'hello', wait: 0 }))).code, 'INVALID_INPUT')
}, 60_000)

test('an answer that proves nothing is refused, whatever it says', async (signal) => {
  await using stack = new AsyncDisposableStack()
  const { a, b, owner, next, id } = await pair(stack, signal, true)
  for (let i = 0; i < 2; i++) await owner.call('compute.reactor-step', { reactor: id })
  await a.advanceTicks(1)
  const good = (await next({ after: 0, wait: 0 })).entry
  const second = (await next({ after: 1, wait: 0 })).entry
  assert.ok(good?.proof != null && second?.proof != null)
  const { slug, genesis_hash, entry, proof } = good
  const said = (more: object) => ({ slug, genesis_hash, entry, proof, ...more })
  const body = entry.body as Record<string, Json>
  const head = proof.head
  const lies: readonly (readonly [string, object])[] = [
    ['no document', { v: 1 }],
    ['a step without its entry', { v: 1, status: 'step', newest: 1, found: null }],
    ['another state', said({ entry: { ...entry, body: { ...body, state: '0'.repeat(64) } } })],
    ['another error', said({ entry: { ...entry, body: { ...body, errorSum: 0 } } })],
    ['another machine', said({ slug: 'other' })],
    ['another root', said({ proof: { ...proof, head: { ...head, root: '0'.repeat(64) } } })],
    ['another step', { ...second }],
    ['a note that nobody signed', said({ proof: { ...proof, checkpoint: proof.checkpoint.replace(/^— .*\n/gm, '') } })],
    [
      'a log of another node',
      said({ proof: { ...proof, checkpoint: proof.checkpoint.replace(a.node.nodeId, b.node.nodeId) } }),
    ],
  ]
  for (const [what, found] of lies) {
    const { hash: _, ...part } = found as { hash?: string }
    const document = 'v' in found ? found : { v: 1, status: 'step', newest: 1, found: part }
    const far = createFarNext(
      { waits: createWaits(sleep, reactorWaits) },
      () => async () => canonicalBytes(document as Json),
    )
    const asked = far({ reactor: id, node: a.node.nodeId, after: 0, wait: 0 }, asking(stranger))
    const outcome = await asked.then(
      () => 'not refused',
      (error: { code?: string }) => error.code,
    )
    assert.equal(outcome, 'BAD_SIGNATURE', what)
  }
  const honest = { v: 1, status: 'step', newest: 1, found: said({}) } as unknown as Json
  const far = createFarNext({ waits: createWaits(sleep, reactorWaits) }, () => async () => canonicalBytes(honest))
  assert.equal((await far({ reactor: id, node: a.node.nodeId, after: 0, wait: 0 }, asking(stranger))).step?.step, 1)
}, 60_000)

test('what another node asks is read with care', async () => {
  await using it = await testNode()
  const { reactors } = it.node.services.compute
  const say = (value: Json) => reactors.answer('somebody', canonicalBytes(value))
  const question = { v: 1, reactor: '0'.repeat(32), after: 0, share: null, hold_ms: 0 }
  for (const value of [
    {},
    [],
    7,
    { ...question, v: 2 },
    { ...question, after: -1 },
    { ...question, more: 1 },
    question,
  ]) {
    const answer = JSON.parse(new TextDecoder().decode(await say(value as Json))) as { status: string }
    assert.equal(answer.status, 'absent')
  }
  assert.equal((await refusal(() => reactors.answer('somebody', new Uint8Array([123])))).code, 'NOT_CANONICAL')
})

test.run()
