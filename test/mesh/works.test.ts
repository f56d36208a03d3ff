/**
 * Goal: a run that another node does is checked and sealed here, and its receipt says by whom and what was checked; a
 * worker that vanishes or refuses costs nothing. Method: nodes with libp2p on clocks of the test, real solvers.
 */
import assert from 'node:assert/strict'
import { verifyBundle } from '#core/verify.ts'
import type { BundledWork } from '#core/work/assurance.ts'
import { terminalIn } from '../cli/terminal.ts'
import { testNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { member, passing } from './token-kit.ts'
import { joining } from './witness-kit.ts'
import { contributing, lyingAtTheEnd, ownerOf, worksOf } from './works-kit.ts'

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

/** Looks whether something is done that goes on beside the ticks. */
const pending = <T>(doing: Promise<T>): (() => Promise<T | undefined>) => {
  let done: T | undefined
  const noted = doing.then((it) => {
    done = it
  })
  return () => Promise.race([noted, Promise.resolve()]).then(() => done)
}

/** What of a bundle says who computed it, each member bent once, with the step that must see it. */
const altered = (bundle: object): readonly (readonly [object, string])[] => {
  const { work: said, ...rest } = bundle as { readonly work: BundledWork }
  const bent = (change: Partial<BundledWork>): object => ({ ...rest, work: { ...said, ...change } })
  const other = '0'.repeat(64)
  const { assurance } = said
  return [
    [bent({ work: { ...said.work, result_digest: other } }), 'worker'],
    [bent({ work: { ...said.work, attempt: 1 } }), 'worker'],
    [bent({ signature: '0'.repeat(128) }), 'worker'],
    [bent({ assurance: { ...assurance, samples: assurance.samples + 1 } }), 'assurance'],
    [bent({ assurance: { ...assurance, audited: !assurance.audited } }), 'assurance'],
    [bent({ assurance: { ...assurance, token_id: '0'.repeat(32) } }), 'assurance'],
    [bent({ assurance_signature: '0'.repeat(128) }), 'assurance'],
    [{ ...rest, work: { ...said, more: 1 } }, 'form'],
  ]
}

test(
  'a stepping and a whole run by another node: sampled, sealed, published, closed, and told to whoever verifies',
  async (signal) => {
    using temporary = tempDir()
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
      for (const [change, failing] of altered(bundle)) {
        const verification = verifyBundle({ bundle: change, trusted: a.node.nodeId })
        assert.equal(verification.failing, failing, JSON.stringify(verification.steps.at(-1)))
      }
      const { work: _, ...without } = bundle
      const bare = verifyBundle({ bundle: without, trusted: a.node.nodeId })
      assert.equal(bare.failing, undefined)
      assert.match(bare.steps.find(({ step }) => step === 'worker')?.detail ?? '', /does not carry its word/)
    }
    const home = temporary.path
    const solve = (...more: readonly string[]) =>
      terminalIn(home).here.run(['solve', 'kalman', 'steps=40', ...more], {
        env: { TICKMESH_URL: a.url, TICKMESH_KEY: ann.key },
      })
    assert.match((await solve('--where', 'mesh')).stderr, /add --consent/)
    assert.equal((await solve('--consent')).code, 2)
    assert.equal((await solve('--where', 'moon')).code, 2)
    const solved = await passing([a, b], pending(solve('--where', 'mesh', '--consent')), signal)
    assert.equal(solved.code, 0, solved.stderr)
    assert.match(solved.stderr, new RegExp(`computed by ${b.node.nodeId}`))
    await passing([a, b], async () => (await worksOf(b)).items.every((it) => it.found !== null), signal)
    const [given, taken] = [await worksOf(a), await worksOf(b)]
    assert.deepEqual(
      given.items.map((it) => [it.role, it.kind, it.state, it.place?.work === it.work]),
      [
        ['requester', 'kalman', 'accepted', true],
        ['requester', 'zeta', 'accepted', true],
        ['requester', 'kalman', 'accepted', true],
      ],
    )
    assert.deepEqual(
      taken.items.map((it) => [it.role, it.state, it.work]),
      given.items.map((it) => ['worker', 'done', it.work]),
    )
    assert.equal(b.node.store.peek('workRecord', 'own')?.done, 3)
  },
  MS,
)

test(
  'what may not leave, whom nobody serves, and a worker that turns away',
  async (signal) => {
    await using a = await testNode({ settings: { 'p2p.enabled': true } })
    const ann = await member(a)
    const offer = (call: object) => ann.client.call('network.contribute-offers', call as never)
    const codeOf = (call: object): Promise<string> =>
      offer(call).then(
        () => 'taken',
        (cause: { readonly code?: string }) => cause.code ?? String(cause),
      )
    const call = { route: 'kalman', input: { steps: 40 } }
    assert.equal(await codeOf(call), 'CONSENT_REQUIRED')
    assert.equal(await codeOf({ ...call, consent: true }), 'NO_WORKER')
    assert.equal(await codeOf({ route: 'compute', input: {}, consent: true }), 'INVALID_INPUT')
    assert.equal(await codeOf({ route: 'nothing', input: {}, consent: true }), 'NOT_FOUND')

    // A preference that nobody follows is none: it is computed here.
    const before = await ann.client.call('economy.credits', {})
    const headers = { Authorization: `Bearer ${ann.key}`, 'Content-Type': 'application/json' }
    const solve = (prefer: string) =>
      fetch(new URL('/api/svc/kalman', a.url), {
        ...{ method: 'POST', headers: { ...headers, Prefer: prefer }, body: JSON.stringify(call.input) },
      })
    assert.equal((await solve('where=mesh')).status, 400)
    const here = await solve('where=mesh; consent')
    const { claim } = (await here.json()) as { readonly claim: { readonly worker: unknown } }
    assert.deepEqual([here.status, claim.worker], [200, null])

    await using b = await joining([a])
    await contributing(b)
    await passing([a, b], async () => a.node.services.works.requester.candidates === 1, signal)
    await b.node.services.contribution.setMode(ownerOf(b), 'experimenting')
    const view = await offered([a, b], ann, { ...call, consent: true }, signal)
    assert.deepEqual([view.state, view.problem?.code], ['failed', 'NO_WORKER'])
    const after = await ann.client.call('economy.credits', {})
    assert.equal(before.free - after.free, 3, 'what nobody did costs nothing')
    assert.deepEqual((await worksOf(b)).items, [])
    assert.match((await worksOf(a)).items[0]?.reason ?? '', /NOT_CONTRIBUTING/)
  },
  MS,
)

test(
  'an outcome that is not the one that was signed is not taken, and costs nothing',
  async (signal) => {
    await using a = await testNode({ settings: { 'p2p.enabled': true } })
    await using b = await joining([a])
    await contributing(b)
    lyingAtTheEnd(b)
    const ann = await member(a)
    await passing([a, b], async () => a.node.services.works.requester.candidates === 1, signal)
    const view = await offered([a, b], ann, { route: 'zeta', input: {}, consent: true }, signal)
    assert.deepEqual([view.state, view.problem?.code], ['failed', 'NO_WORKER'])
    // One in ten runs of a new worker is drawn to be done again whole: then the lie is proven, else it is not taken.
    const [given] = (await worksOf(a)).items
    const how = given?.found?.audit ?? given?.reason?.split(':')[0]
    assert.ok(how === 'wrong' || how === 'REFUSED', `${given?.state}: ${given?.reason}`)
    assert.equal(given?.token_id, null)
  },
  MS,
)

test.run()
