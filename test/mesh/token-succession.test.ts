/**
 * Goal: a home whose key was succeeded goes on being the home of what it minted: its tokens are sent, arrive and are
 * verified under the new key, and those who live there are found. Method: three whole nodes on loopback; the home is
 * stopped, its key rotated, and started again.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { successionsOf } from '#core/succession.ts'
import { verifyTokenReceipt } from '#core/token/verify.ts'
import { rotateIdentity } from '#domain/identity/succession.ts'
import { nodeOfZid } from '#domain/network/succession.ts'
import { type TestNode, testNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { until } from '../kit/until.ts'
import { acquainted, again, enrich, listOf, type Member, member, passing, sound } from './token-kit.ts'
import { after, isJoined, joining } from './witness-kit.ts'

const test = suite('mesh: tokens of a home that was succeeded')
const MS = 90_000

const rotate = (directory: string, start: bigint, signal: AbortSignal) => {
  let now = start
  return rotateIdentity({
    ...{ directory, reason: 'planned', signal, clock: { now: () => now } },
    sleep: async (ms) => {
      now += BigInt(Math.ceil(ms)) * 1_000_000n
    },
  })
}

/** The newest move of somebody, with the receipt that goes with it. */
const newest = async ({ client }: Member) => {
  const { moves } = await client.call('economy.moves', { limit: 1 })
  return (await client.call('economy.move', { op_digest: moves[0]?.op_digest ?? '' })).receipt
}

const arrived = async (who: Member, token: string): Promise<boolean> =>
  (await listOf(who)).some((it) => it.token_id === token && it.arrival === 'received')

test(
  'tokens of the old key are sent on, come back, and verify under the new one; its people are found, its owner too',
  async (signal) => {
    using dirs = new DisposableStack()
    const [aDir, bDir, cDir] = [dirs.use(tempDir()), dirs.use(tempDir()), dirs.use(tempDir())]
    const p2p = { 'p2p.enabled': true }
    let [ann, bob, cat] = [{} as Member, {} as Member, {} as Member]
    let tokens: string[] = []
    let [ownerZid, ownerKey, old] = ['', '', '']
    {
      await using a = await testNode({ directory: aDir.path, settings: p2p })
      await using b = await joining([a], { directory: bDir.path })
      await using c = await joining([b], { directory: cDir.path })
      ;[ann, bob, cat] = [await member(a), await member(b), await member(c)]
      await acquainted([a, b], [ann, bob], signal)
      await until(() => isJoined(c, b), signal)
      ownerZid = a.node.services.identity.ownerZid
      ownerKey = readFileSync(join(aDir.path, 'owner.key'), 'utf8').trim()
      old = a.node.nodeId
      tokens = await enrich(a, ann, 3)
      await ann.client.call('economy.send', { to: bob.zid, token_ids: tokens.slice(0, 2) })
      const both = async () => (await arrived(bob, tokens[0] ?? '')) && arrived(bob, tokens[1] ?? '')
      await passing([a, b, c], both, signal)
    }
    const [one = '', two = '', three = ''] = tokens
    const { succession } = await rotate(aDir.path, after(500), signal)
    assert.equal(succession.old_node, old)
    {
      await using b = await testNode({ directory: bDir.path, settings: p2p, start: after(1_000) })
      await using c = await joining([b], { directory: cDir.path, start: after(1_000) })
      await using a = await joining([b], { directory: aDir.path, start: after(1_000) })
      const all: readonly TestNode[] = [a, b, c]
      const [anns, bobs, cats] = [again(a, ann), again(b, bob), again(c, cat)]
      const heir = a.node.nodeId
      assert.equal(heir, succession.new_node)
      const knows = ({ node: { store } }: TestNode): boolean =>
        [ann.zid, ownerZid].every((zid) => nodeOfZid({ get: store.peek }, zid) === heir) &&
        [bob.zid, cat.zid].every((zid) => nodeOfZid({ get: store.peek }, zid) !== undefined)
      await passing(all, async () => all.every(knows) && all.every(({ node }) => node.store.held === undefined), signal)
      const { place } = await c.client.call('identity.node', { zid: ann.zid })
      assert.deepEqual(place, { zid: ann.zid, known: true, node: heir, here: false })

      // From its recipient to a third, who knows the home by the succession alone.
      await bobs.client.call('economy.send', { to: cat.zid, token_ids: [one] })
      await passing(all, () => arrived(cats, one), signal)
      const receipt = await newest(cats)
      assert.deepEqual(
        [receipt.receipt.home.includes(old), receipt.receipt.log.includes(heir)],
        [true, true],
        'the home stays what it is, and the new key signs',
      )
      const successions = successionsOf(JSON.parse(JSON.stringify(await a.client.call('identity.node', {}))))
      const shown = verifyTokenReceipt(receipt, { trusted: heir, successions })
      assert.deepEqual([shown.outcome, shown.failing], ['verified', undefined])
      assert.equal(verifyTokenReceipt(receipt, { trusted: heir }).failing, 'home')

      // What stayed at home, minted by the old key, goes out now.
      await anns.client.call('economy.send', { to: bob.zid, token_ids: [three] })
      await passing(all, () => arrived(bobs, three), signal)
      // To the owner of the home, whose ZID follows from the old key.
      await bobs.client.call('economy.send', { to: ownerZid, token_ids: [two] })
      const owners = await a.as(ownerKey).call('economy.envelopes', { zid: ownerZid, limit: 10, offset: 0 })
      assert.ok(owners.envelopes.some((it) => it.token_id === two && it.where === 'here'))

      // And what another node minted finds those who named the old key's node.
      const [foreign = ''] = await enrich(b, bobs, 1)
      await bobs.client.call('economy.send', { to: ann.zid, token_ids: [foreign] })
      await passing(all, () => arrived(anns, foreign), signal)
      await anns.client.call('economy.send', { to: cat.zid, token_ids: [foreign] })
      await passing(all, () => arrived(cats, foreign), signal)
    }
    for (const it of [aDir, bDir, cDir]) await sound(it.path)
  },
  MS,
)

test.run()
