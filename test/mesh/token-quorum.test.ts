/**
 * Goal: with a quorum of two witnesses in its policy a node takes an arrival for received once both have cosigned, and
 * not before. Method: four whole nodes on loopback: a home, a recipient with a policy, and two witnesses of which one
 * comes later; every clock is moved by hand.
 */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { utf8 } from '#core/bytes.ts'
import { parsePolicy } from '#core/policy.ts'
import { verifyTokenReceipt } from '#core/token/verify.ts'
import { testNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { until } from '../kit/until.ts'
import { enrich, listOf, member, passing, sound } from './token-kit.ts'
import { isJoined, joining, witnessOf } from './witness-kit.ts'

const test = suite('mesh: tokens under a quorum')
const MS = 60_000

const vkeysIn = async (directory: string) => {
  await using it = await testNode({ directory })
  return { ...(await it.client.call('identity.node', {})).vkeys, node: it.node.nodeId }
}

test(
  'an arrival is received once both witnesses have cosigned the leaf that brought it',
  async (signal) => {
    using dirs = new DisposableStack()
    const [aDir, bDir, oneDir, twoDir] = [tempDir(), tempDir(), tempDir(), tempDir()].map((it) => dirs.use(it).path)
    const [home, one, two] = [await vkeysIn(aDir ?? ''), await vkeysIn(oneDir ?? ''), await vkeysIn(twoDir ?? '')]
    const lines = [
      `log ${home.log}`,
      `witness one ${one.witness}`,
      `witness two ${two.witness}`,
      'group both all one two',
      'quorum both',
      '',
    ]
    const policy = join(bDir ?? '', 'policy.txt')
    writeFileSync(policy, lines.join('\n'))
    {
      await using a = await testNode({ directory: aDir ?? '', settings: { 'p2p.enabled': true } })
      await using w1 = await joining([a], { directory: oneDir ?? '' })
      await using b = await joining([a], { directory: bDir ?? '', settings: { 'mesh.policy': policy } })
      for (const it of [w1, b]) await until(() => isJoined(a, it), signal)
      const [ann, bob] = [await member(a), await member(b)]
      const [token = ''] = await enrich(a, ann, 1)
      await ann.client.call('economy.send', { to: bob.zid, token_ids: [token], allow_unknown: true })
      const { size } = a.node.store.log
      const names = async (): Promise<readonly string[]> => {
        const { witnesses = [] } = (await witnessOf(a)).logs[0] ?? {}
        return witnesses.filter((it) => it.size >= size).map((it) => it.name)
      }
      // One of the two has cosigned a checkpoint that holds the leaf, and the token is here.
      await passing(
        [a, w1, b],
        async () => (await names()).includes(`tickmesh.witness/${one.node}`) && (await listOf(bob)).length === 1,
        signal,
      )
      for (let i = 0; i < 24; i += 1) for (const it of [a, w1, b]) await it.advanceTicks(1)
      const [coming] = await listOf(bob)
      assert.deepEqual([coming?.token_id, coming?.arrival, coming?.counted], [token, 'arriving', true])
      assert.ok(!(await names()).includes(`tickmesh.witness/${two.node}`))

      await using w2 = await joining([a], { directory: twoDir ?? '', start: a.node.store.now().instant })
      await until(() => isJoined(a, w2), signal)
      await passing([a, w1, w2, b], async () => (await listOf(bob))[0]?.arrival === 'received', signal)
      assert.ok((await names()).includes(`tickmesh.witness/${two.node}`))
      const { moves } = await bob.client.call('economy.moves', { limit: 1 })
      const { receipt } = await bob.client.call('economy.move', { op_digest: moves[0]?.op_digest ?? '' })
      const found = verifyTokenReceipt(receipt, { policy: parsePolicy(utf8(lines.join('\n'))) })
      assert.deepEqual([found.outcome, found.failing], ['verified', undefined])
      assert.deepEqual(found.steps.find(({ step }) => step === 'quorum')?.state, 'ok')
    }
    for (const it of [aDir, bDir, oneDir, twoDir]) await sound(it ?? '')
  },
  MS,
)

test.run()
