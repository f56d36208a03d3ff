/**
 * Goal: a wrong work that somebody finds is proven wrong at every node, by what each ran itself, and its bond falls
 * everywhere; a right one stays right, whoever says otherwise. Method: five nodes with libp2p on clocks of the test, of
 * which one lies in one state of a run, or one says that another lied.
 */
import assert from 'node:assert/strict'
import { type TestNode, testNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'
import { member, passing } from './token-kit.ts'
import { joining } from './witness-kit.ts'
import { bonded, contributing, lying, ownerOf, worksOf } from './works-kit.ts'

const test = suite('mesh: disputes')
const MS = 240_000

const disputesAt = ({ node }: TestNode) => node.services.disputes.list({ limit: 10, offset: 0 })

const bondsAt = async ({ node }: TestNode): Promise<number> => {
  let count = 0
  for await (const _ of node.store.range('bond')) count += 1
  return count
}

/** A requester, a worker with a bond, and three nodes of which pools are made. All know each other's bonds. */
const five = async (more: Readonly<Record<string, unknown>>, signal: AbortSignal) => {
  await using opened = new AsyncDisposableStack()
  const settings = { 'contribute.poolTicks': 0, ...more }
  const all: TestNode[] = []
  while (all.length < 5) {
    const join =
      all.length === 0 ? testNode({ settings: { 'p2p.enabled': true, ...settings } }) : joining(all, { settings })
    all.push(opened.use(await join))
  }
  const [a, b, ...pool] = all as [TestNode, TestNode, ...TestNode[]]
  const bond = await contributing(b)
  for (const it of pool) await bonded(it)
  const ann = await member(a)
  await passing(all, async () => (await Promise.all(all.map(bondsAt))).every((it) => it === 4), signal)
  await passing(all, async () => a.node.services.works.requester.candidates === 1, signal)
  const isFallen = (): boolean => all.every(({ node }) => node.store.peek('bond', bond)?.fallen != null)
  /** Offers a run, and waits until it has ended. */
  const offered = async (steps: number) => {
    const call = { route: 'kalman', input: { steps }, consent: true }
    const { id } = (await ann.client.call('network.contribute-offers', call)) as unknown as { readonly id: string }
    const ended = async () => {
      const view = await ann.client.call('compute.job', { id })
      return view.state === 'done' || view.state === 'failed' ? view.state : undefined
    }
    return passing(all, ended, signal)
  }
  const resources = opened.move()
  return { ...{ all, a, b, pool, bond, ann, offered, isFallen }, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

test(
  'a lie in one state is found by an audit, disputed, ruled upon, and costs its bond at every node',
  async (signal) => {
    await using it = await five({ 'contribute.auditRate': 1_000_000 }, signal)
    const { all, a, b, pool } = it
    lying(b, 7)
    assert.equal(await it.offered(40), 'failed')
    const [given] = (await worksOf(a)).items
    const found = [given?.state, given?.at_risk, given?.found?.audit]
    assert.deepEqual(found, ['wrong', true, 'wrong'], given?.reason ?? '')

    await passing(all, async () => it.isFallen(), signal)
    for (const one of all) {
      const { total, items } = await disputesAt(one)
      assert.deepEqual([total, items[0]?.segment, items[0]?.verdict], [1, 6, 'proven'])
    }
    const last = pool[2] as TestNode
    const id = (await disputesAt(last)).items[0]?.id ?? ''
    const view = await last.client.call('network.dispute', { id })
    assert.equal(
      view.rulings.some(({ outcome }) => outcome === 'upheld'),
      true,
    )
    assert.equal(view.before, null, 'for a stranger nobody else is asked')
    const known = await (await member(last)).client.call('network.dispute', { id })
    assert.equal(known.before?.sha256, known.challenge.before?.sha256)
    assert.ok((known.before?.size ?? 0) > 0, 'the state that both agree on, from whoever has it')
    assert.equal(b.node.services.contribution.mode, 'idle')
  },
  MS,
)

test(
  'a lie that samples find is disputed in the part that they ran',
  async (signal) => {
    await using it = await five({ 'contribute.auditRate': 5_000 }, signal)
    // The first state: every requester makes it itself, so that nothing hangs on what is drawn.
    lying(it.b, 0)
    assert.equal(await it.offered(40), 'failed')
    const [given] = (await worksOf(it.a)).items
    assert.equal(given?.state, 'wrong', given?.reason ?? '')
    await passing(it.all, async () => it.isFallen(), signal)
  },
  MS,
)

test(
  'who says that a right work is wrong is refuted at every node, and no bond falls',
  async (signal) => {
    await using it = await five({}, signal)
    const { all, b, pool } = it
    const ended = await it.offered(40)
    assert.equal(ended, 'done', (await worksOf(it.a)).items[0]?.reason ?? '')
    // Said by its requester, and believed once the event that holds it is there.
    const place = await passing(all, async () => (await worksOf(b)).items[0]?.place ?? undefined, signal)
    const accuser = pool[0] as TestNode
    const { disputes } = accuser.node.services
    const own = { work: place.work, place }
    await passing(all, async () => accuser.node.store.peek('disputed', `work/${place.event}/${place.event}`), signal)
    await assert.rejects(disputes.open(ownerOf(accuser), own, signal), /comes out the same/)
    // The state that this segment begins with is one that workers keep, so whoever checks can have it.
    await disputes.accuse({ place: { ...place, path: [...place.path] }, segment: 7, own: 'a'.repeat(64) })
    const isRefuted = async (): Promise<boolean> => {
      const lists = await Promise.all(all.map(disputesAt))
      return lists.every(({ items }) => items[0]?.phase === 'ended' && items[0].verdict === 'refuted')
    }
    await passing(all, isRefuted, signal)
    assert.equal(
      all.some(({ node }) => node.store.peek('bond', it.bond)?.fallen != null),
      false,
    )
    assert.equal(b.node.services.contribution.mode, 'contributing')
  },
  MS,
)

test.run()
