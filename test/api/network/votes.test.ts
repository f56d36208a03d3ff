// Goal: proposals go from draft to promotion or rejection by the rules of trust.md, every refusal has its code and
// changes nothing, and stakes come back. Method: a real node over HTTP on a clock of the test.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { WINDOW_TICKS_DEFAULT, WINDOW_TICKS_MIN } from '#core/vote/documents.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { type TestNode, testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { FACE, wealthyAccount } from '../../kit/wealth.ts'

const test = suite('api/votes')
const MS_MAX = 60_000

const row = {
  ...{ id: 'XP1', name: 'Kinetic energy of a body', domain: 'mechanics', equation: 'E = m*v^2/2' },
  variables: {
    E: { name: 'energy', unit: 'J' },
    m: { name: 'mass', unit: 'kg', positive: true },
    v: { name: 'speed', unit: 'm/s' },
  },
  ...{ solves_for: ['E', 'm'], source: 'A textbook, section 7.2' },
  example: { inputs: { m: 2, v: 3 }, output: 'E', value: 9, unit: 'J' },
}
const cases = [
  { inputs: { m: 2, v: 3 }, output: 'E', value: 9, unit: 'J' },
  { inputs: { m: '1 kg', v: '36 km/h' }, output: 'E', value: 0.05, unit: 'kJ' },
  { inputs: { E: 8, v: 4 }, output: 'm', value: 1, unit: 'kg' },
]
const STRANGE = 'f'.repeat(64)

/** What a call is refused with. */
const refused = async (work: Promise<unknown>): Promise<Readonly<Record<string, unknown>>> => {
  try {
    await work
  } catch (cause) {
    const { status, problem } = cause as { status: number; problem: object }
    if (problem === undefined) throw cause
    return { status, ...problem }
  }
  throw new Error('it was not refused')
}
const assertRefused = async (work: Promise<unknown>, expected: Readonly<Record<string, unknown>>): Promise<void> => {
  const found = await refused(work)
  const shown = Object.fromEntries(Object.keys(expected).map((name) => [name, found[name]]))
  assert.deepEqual(shown, expected)
}

/** A node whose owner has opened a vote, with stakers that have so many envelopes of face 5. */
const withVote = async (it: TestNode, envelopes: readonly number[]) => {
  const stakers = []
  for (const movable of envelopes) stakers.push(await wealthyAccount(it, { movable }))
  const author = stakers[0]!.client
  const { id } = await author.call('network.propose', { row, cases, window_ticks: WINDOW_TICKS_MIN })
  const { closes } = await author.call('network.open-vote', { id })
  return { stakers, id, closes: closes as number, author }
}

/** Two ticks: the lock is under a checkpoint, then its stake is signed. */
const settle = async (it: TestNode): Promise<void> => {
  for (let tick = 0; tick < 3; tick += 1) {
    await it.advanceTicks(1)
    // What comes round with a tick is not awaited by it.
    await it.node.store.commit(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
}

test(
  'from draft to promotion: stakes count, are locked, come back, and the row is let through in person',
  async () => {
    await using folder = tempDir()
    {
      await using it = await testNode({ directory: folder.path })
      const { stakers, id, closes } = await withVote(it, [10, 10, 3])
      const [one, two, three] = stakers as [(typeof stakers)[0], (typeof stakers)[0], (typeof stakers)[0]]
      const made = await one.client.call('network.stake', { id, side: 'yes', count: 10 })
      assert.equal(made.stake.counting, 'pending')
      assert.equal(made.stake.why, 'lock_pending')
      await two.client.call('network.stake', { id, side: 'yes', token_ids: two.movable })
      await three.client.call('network.stake', { id, side: 'no', token_ids: three.movable })
      await settle(it)
      const open = await it.client.call('network.proposal', { id })
      assert.equal(open.state, 'voting')
      assert.deepEqual(
        open.stakes.map(({ counting }) => counting),
        ['unwitnessed', 'unwitnessed', 'unwitnessed'],
      )
      const { tally } = open
      assert.deepEqual([tally.yes, tally.no, tally.zids], [20 * FACE, 3 * FACE, 3])
      assert.deepEqual(
        tally.homes.map(({ yes, no, zids }) => ({ yes, no, zids })),
        [{ yes: 20 * FACE, no: 3 * FACE, zids: 3 }],
      )
      assert.deepEqual([tally.passed, tally.indicative, tally.missing], [true, true, []])
      const locked = await one.client.call('economy.envelope', { token_id: one.movable[0]! })
      assert.deepEqual([locked.locked_for_vote, locked.lock?.ref], [true, id])

      await it.advanceTicks(closes - open.mesh_tick + 1)
      const counted = await one.client.call('network.resolve', { id })
      assert.equal(counted.state, 'resolved')
      assert.equal(counted.settled, true, 'a node without peers settles at once')
      assert.equal(counted.returned, 23)
      const free = await one.client.call('economy.envelope', { token_id: one.movable[0]! })
      assert.deepEqual([free.lock, free.movable], [null, true])
      const again = await two.client.call('network.resolve', { id })
      assert.equal(again.tally.root, counted.tally.root)
      assert.equal(again.returned, 0)

      const { identity, votes } = it.node.services
      const session = identity.openSession(identity.ownerLink()).token
      const person = identity.callerOf({ session, bucket: '127.0.0.1' })
      const through = await votes.promote(person, id)
      assert.equal(through.state, 'promoted')
      assert.equal(through.promoted?.root, counted.tally.root)
      assert.equal(through.resolutions.length, 1)
      const { proposals, total } = await it.client.call('network.proposals', {})
      assert.deepEqual([proposals.map((one) => one.id), total], [[id], 1])
    }
    const report = await fsck({ directory: folder.path })
    assert.deepEqual(report.bad, null)
  },
  MS_MAX,
)

test.run()
