/**
 * Goal: a wrong work that somebody finds is proven wrong at every node, by what each ran itself, and its bond falls
 * everywhere; a right one stays right, whoever says otherwise. Method: five nodes with libp2p on clocks of the test, of
 * which one lies in one state of a run, or one says that another lied.
 */
import assert from 'node:assert/strict'
import { fromBase64 } from '#core/bytes.ts'
import { loadRegistry } from '#domain/compute/load-registry.ts'
import { recheck } from '#numerics/runtime/recheck.ts'
import type { TestNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'
import { member, passing } from './token-kit.ts'
import { disputesAt, disputing, lying, ownerOf, worksOf } from './works-kit.ts'

const test = suite('mesh: disputes')
const MS = 240_000

/** What running a disputed part again without a node says of it, and of what is altered on its way. */
const recheckOf = (view: Awaited<ReturnType<typeof viewAt>>, alter: object = {}) => {
  const blob = (it: typeof view.before) => (it?.base64 == null ? undefined : fromBase64(it.base64))
  const { challenger, worker, challenge, signature, dossier, inputs } = view
  const evidence = { challenger, worker, challenge, signature, dossier, inputs, before: blob(view.before) }
  const registry = loadRegistry()
  const found = recheck({ ...evidence, records: blob(view.records), ...alter }, { registry: () => registry })
  return [found.outcome, found.steps.at(-1)?.step, found.steps.at(-1)?.state]
}

/** A dispute as somebody with an account sees it. */
const viewAt = async (it: TestNode, id: string) => (await member(it)).client.call('network.dispute', { id })

test(
  'a lie in one state is found by an audit, disputed, ruled upon, and costs its bond at every node',
  async (signal) => {
    await using it = await disputing({ 'contribute.auditRate': 1_000_000 }, signal)
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
    const view = await viewAt(last, id)
    assert.deepEqual(recheckOf(view), ['upheld', 'run', 'ok'])
    const { challenge, dossier } = view
    for (const [alter, ended] of [
      [{ challenge: { ...challenge, own: 'b'.repeat(64) } }, ['signatures', 'failed']],
      [{ worker: view.challenger }, ['signatures', 'failed']],
      [{ dossier: null }, ['signatures', 'skipped']],
      [{ dossier: { ...dossier, work: { ...dossier?.work, signature: '0'.repeat(128) } } }, ['signatures', 'failed']],
      [{ inputs: { steps: 41 } }, ['inputs', 'failed']],
      [{ inputs: null }, ['inputs', 'skipped']],
      [{ before: new Uint8Array(8) }, ['state', 'failed']],
      [{ before: undefined }, ['state', 'skipped']],
    ] as const) {
      assert.deepEqual(recheckOf(view, alter), ['unchecked', ...ended], JSON.stringify(alter))
    }
    assert.equal(
      view.rulings.some(({ outcome }) => outcome === 'upheld'),
      true,
    )
    assert.equal(view.before?.sha256, challenge.before?.sha256, 'from whoever has it')
    const strange = await last.client.call('network.dispute', { id })
    assert.equal(strange.before, null, 'for a stranger nobody else is asked')
    assert.equal(b.node.services.contribution.mode, 'idle')
  },
  MS,
)

test(
  'a lie that samples find is disputed in the part that they ran',
  async (signal) => {
    await using it = await disputing({ 'contribute.auditRate': 5_000 }, signal)
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
  'under a policy of three witnesses all of it goes by their cosignatures',
  async (signal) => {
    await using it = await disputing({ witnessed: true, 'contribute.auditRate': 1_000_000 }, signal)
    const { all, a, b } = it
    lying(b, 7)
    assert.equal(await it.offered(40), 'failed')
    assert.equal((await worksOf(a)).items[0]?.state, 'wrong')
    await passing(all, async () => it.isFallen(), signal)
    const { items } = await disputesAt(a)
    assert.deepEqual([items[0]?.verdict, items[0]?.when.mark], ['proven', null])
  },
  MS,
)

test(
  'who says that a right work is wrong is refuted at every node, and no bond falls',
  async (signal) => {
    await using it = await disputing({}, signal)
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
    const id = (await disputesAt(accuser)).items[0]?.id ?? ''
    assert.deepEqual(recheckOf(await viewAt(accuser, id)), ['dismissed', 'run', 'ok'])
    assert.equal(
      all.some(({ node }) => node.store.peek('bond', it.bond)?.fallen != null),
      false,
    )
    assert.equal(b.node.services.contribution.mode, 'contributing')
  },
  MS,
)

test.run()
