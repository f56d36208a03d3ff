// Goal: proposals go from draft to promotion or rejection by the rules of trust.md, every refusal has its code and
// changes nothing, and stakes come back. Method: a real node over HTTP on a clock of the test.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { WINDOW_TICKS_DEFAULT, WINDOW_TICKS_MIN } from '#core/vote/documents.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { type TestNode, testNode } from '../../kit/node.ts'
import { proposed } from '../../kit/proposal.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { until } from '../../kit/until.ts'
import { FACE, wealthyAccount } from '../../kit/wealth.ts'

const test = suite('api/votes')
const MS_MAX = 60_000

const { row } = proposed
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

/** Lets a tick end, so that locks are under a checkpoint, and waits for the stakes that are signed then. */
const settle = async (it: TestNode, id: string, signal: AbortSignal): Promise<void> => {
  await it.advanceTicks(1)
  await until(async () => {
    // What comes round with a tick is not awaited by it.
    await it.node.beat()
    const { stakes } = await it.client.call('network.proposal', { id })
    return stakes.every(({ counting }) => counting !== 'pending')
  }, signal)
}

test(
  'from draft to promotion: stakes count, are locked, come back, and the row is let through in person',
  async (signal) => {
    await using folder = tempDir()
    {
      await using it = await testNode({ directory: folder.path })
      const { stakers, id, closes } = await withVote(it, [10, 10, 3])
      const [one, two, three] = stakers as [(typeof stakers)[0], (typeof stakers)[0], (typeof stakers)[0]]
      const made = await one.client.call('network.stake', { id, side: 'yes', token_ids: one.movable })
      assert.equal(made.stake.counting, 'pending')
      assert.equal(made.stake.why, 'lock_pending')
      await two.client.call('network.stake', { id, side: 'yes', token_ids: two.movable })
      await three.client.call('network.stake', { id, side: 'no', token_ids: three.movable })
      await settle(it, id, signal)
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

test('a proposal that is not good is refused, each way with its code, and nothing is kept', async () => {
  await using it = await testNode()
  const { api_key } = await it.client.call('identity.sign-up', {})
  const client = it.as(api_key)
  const propose = (order: object) => client.call('network.propose', { row, cases, ...order } as never)
  await assertRefused(propose({ cases: cases.slice(1) }), { status: 400, code: 'INVALID_INPUT', cases: 2 })
  const wrong = [cases[0], { ...cases[1], value: 0.0501 }, cases[2]]
  const off = await refused(propose({ cases: wrong }))
  assert.deepEqual([off['status'], off['code'], off['case']], [422, 'PRECISION_NOT_MET', 2])
  assert(Math.abs(Number(off['measured']) - (100 * 0.0001) / 0.0501) < 1e-9, `measured ${off['measured']}`)
  const near = [cases[0], { ...cases[1], value: 0.05004 }, cases[2]]
  const { cases: kept, measured } = await propose({ cases: near })
  assert.equal(kept.length, 3)
  assert((measured?.[1] ?? 0) > 0.05 && (measured?.[1] ?? 1) < 0.1)
  await assertRefused(propose({ row: { ...row, equation: 'E =\n  m*$v^2/2' } }), {
    ...{ status: 400, code: 'INVALID_INPUT', line: 2, column: 5 },
  })
  await assertRefused(propose({ row: { ...row, equation: 'E = m*v' } }), { status: 400, code: 'DIMENSION_MISMATCH' })
  await assertRefused(propose({ row: { ...row, id: 'GR37' } }), { status: 400, operator: 'GR37' })
  await assertRefused(propose({ row: { ...row, source: '' } }), { status: 400, code: 'INVALID_INPUT' })
  await assertRefused(propose({ cases: [...cases.slice(1), { ...cases[0], unit: 'N' }] }), {
    ...{ status: 400, code: 'DIMENSION_MISMATCH', case: 3 },
  })
  const long = { ...cases[0], source: 'x'.repeat(2_000) }
  await assertRefused(propose({ cases: Array.from({ length: 32 }, () => long) }), { status: 400, limit: 49_152 })
  await assertRefused(propose({ cases: Array.from({ length: 33 }, () => cases[0]) }), { status: 400, cases: 33 })
  await assertRefused(propose({ window_ticks: WINDOW_TICKS_MIN - 1 }), { status: 400, code: 'INVALID_INPUT' })
  const demo = await it.client.call('economy.mint-demo-key', {})
  await assertRefused(it.as(demo.key).call('network.propose', { row, cases }), { status: 403, code: 'SCOPE_REQUIRED' })
  await assertRefused(it.client.call('network.propose', { row, cases }), { status: 401 })
  assert.equal(await it.node.store.get('voteCount', 'proposals'), 1, 'the one that is good')
})

test('a draft is in no list, and its author alone opens its vote, once', async () => {
  await using it = await testNode()
  const author = it.as((await it.client.call('identity.sign-up', {})).api_key)
  const stranger = it.as((await it.client.call('identity.sign-up', {})).api_key)
  const draft = await author.call('network.propose', { row, cases })
  const { id } = draft
  assert.deepEqual([draft.state, draft.window_ticks, draft.closes], ['draft', WINDOW_TICKS_DEFAULT, null])
  assert.equal((await it.client.call('network.proposals', {})).total, 0)
  await assertRefused(stranger.call('network.open-vote', { id }), { status: 404, code: 'NOT_FOUND' })
  await assertRefused(stranger.call('network.stake', { id, side: 'yes', count: 1 }), { code: 'VOTE_CLOSED' })
  await assertRefused(stranger.call('network.resolve', { id }), { status: 409, code: 'VOTE_CLOSED', state: 'draft' })
  const open = await author.call('network.open-vote', { id })
  assert.deepEqual([open.state, open.closes], ['voting', (open.opened ?? 0) + WINDOW_TICKS_DEFAULT])
  await assertRefused(author.call('network.open-vote', { id }), { status: 409, code: 'VOTE_CLOSED', state: 'voting' })
  for (const call of ['network.proposal', 'network.resolve'] as const) {
    await assertRefused(author.call(call, { id: STRANGE }), { status: 404, code: 'NOT_FOUND' })
  }
  await assertRefused(author.call('network.stake', { id: STRANGE, side: 'no', count: 1 }), { status: 404 })
  await assertRefused(author.call('network.open-vote', { id: STRANGE }), { status: 404 })
})

test(
  'a stake that may not be is refused, each way with its code, and locks nothing',
  async (signal) => {
    await using it = await testNode()
    const { stakers, id, closes, author } = await withVote(it, [6, 4])
    const [one, two] = stakers as [(typeof stakers)[0], (typeof stakers)[0]]
    const stake = (order: object, of = one) => of.client.call('network.stake', { id, side: 'yes', ...order } as never)
    await assertRefused(stake({ token_ids: [two.movable[0]] }), { status: 404, code: 'NOT_FOUND' })
    await assertRefused(stake({ token_ids: [one.movable[0], one.movable[0]] }), { code: 'INVALID_INPUT' })
    await assertRefused(stake({}), { status: 400, code: 'INVALID_INPUT' })
    await assertRefused(stake({ count: 1, token_ids: [one.movable[0]] }), { code: 'INVALID_INPUT' })
    await assertRefused(stake({ side: 'maybe', count: 1 }), { status: 400, code: 'INVALID_INPUT' })
    await assertRefused(stake({ count: 1_000 }), { status: 409, code: 'TOO_FEW' })
    assert.equal(await it.node.store.get('voteCount', 'ops'), undefined)

    const tokens = [one.movable[0] as string]
    await stake({ token_ids: tokens })
    await assertRefused(stake({ token_ids: tokens }), { status: 409, code: 'ENVELOPE_LOCKED', kind: 'vote', ref: id })
    await assertRefused(stake({ side: 'no', count: 1 }), { status: 409, code: 'SIDE_FIXED', side: 'yes' })
    await settle(it, id, signal)
    await assertRefused(stake({ side: 'no', count: 1 }), { status: 409, code: 'SIDE_FIXED', side: 'yes' })
    await assertRefused(author.call('network.resolve', { id }), { status: 409, code: 'VOTE_CLOSED', closes })

    const { mesh_tick, last_tick } = await it.client.call('network.proposal', { id })
    await it.advanceTicks((last_tick ?? 0) - mesh_tick + 1)
    await assertRefused(stake({ count: 1 }), { status: 409, code: 'TOO_LATE', last_tick, closes })
    await it.advanceTicks(closes - (last_tick ?? 0))
    await assertRefused(stake({ count: 1 }), { status: 409, code: 'VOTE_CLOSED', closes })
    assert.equal(await it.node.store.get('voteCount', 'ops'), 1)
    const free = await one.client.call('economy.envelope', { token_id: one.movable[1] as string })
    assert.equal(free.lock, null)
  },
  MS_MAX,
)

test(
  'without a pass nothing is let through, and no key is a person',
  async (signal) => {
    await using it = await testNode()
    const { stakers, id, closes, author } = await withVote(it, [5])
    await author.call('network.stake', { id, side: 'no', token_ids: stakers[0]!.movable })
    await settle(it, id, signal)
    const { mesh_tick } = await it.client.call('network.proposal', { id })
    await it.advanceTicks(closes - mesh_tick + 1)

    const owner = it.as(readFileSync(join(it.directory, 'owner.key'), 'utf8').trim())
    const { identity, votes } = it.node.services
    const session = identity.openSession(identity.ownerLink()).token
    const person = identity.callerOf({ session, bucket: '127.0.0.1' })
    const { api_key: key } = await (async () => {
      await author.call('machines.create', { slug: 'pump', is_public: false })
      return author.call('identity.machine-make-key', { slug: 'pump', name: 'key', scope: 'admin' })
    })()
    for (const client of [author, owner, it.as(key)]) {
      await assertRefused(client.call('network.promote', { id, confirm: true }), {
        ...{ status: 403, code: 'SCOPE_REQUIRED', scope: 'person' },
      })
    }
    await assertRefused(owner.call('network.promote', { id, confirm: false } as never), { status: 400 })
    const early = await refused(
      votes.promote(person, id).catch((cause) => Promise.reject({ ...cause, problem: cause })),
    )
    assert.equal(early['code'], 'VOTE_CLOSED', 'it was not counted')
    const counted = await stakers[0]!.client.call('network.resolve', { id })
    assert.deepEqual([counted.state, counted.tally.passed], ['rejected', false])
    assert.deepEqual(counted.tally.missing, ['zids', 'weight', 'majority'])
    await assert.rejects(votes.promote(person, id), { code: 'VOTE_CLOSED' })
    assert.equal((await it.client.call('network.proposal', { id })).promoted, null)
    it.passTicks(1_200)
    await assert.rejects(votes.promote(person, id), { code: 'SCOPE_REQUIRED' }, 'a quarter of an hour is over')
  },
  MS_MAX,
)

test('a repeat under one key is one stake, and stakes return by the clock though nobody counts', async (signal) => {
  await using folder = tempDir()
  let id = ''
  let [voidAt, tokens]: [number, readonly string[]] = [0, []]
  let key = ''
  {
    await using it = await testNode({ directory: folder.path })
    const vote = await withVote(it, [4])
    id = vote.id
    const { client, movable, api_key } = vote.stakers[0]!
    key = api_key
    tokens = movable
    const order = { id, side: 'yes', count: 3 } as const
    const first = await client.call('network.stake', order, { idempotencyKey: 'once' })
    const again = await client.call('network.stake', order, { idempotencyKey: 'once' })
    assert.equal(again.op_digest, first.op_digest)
    assert.equal(await it.node.store.get('voteCount', 'ops'), 1)
    await settle(it, id, signal)
    const shown = await client.call('network.stake', order, { idempotencyKey: 'once' })
    assert.equal(shown.stake.counting, 'unwitnessed')
    voidAt = shown.stake.locked_until ?? 0
    assert.equal(voidAt, vote.closes + 1_287)
    const { mesh_tick } = await it.client.call('network.proposal', { id })
    await it.advanceTicks(voidAt - mesh_tick)
    for (const token_id of tokens) assert.equal((await client.call('economy.envelope', { token_id })).lock, null)
    await until(async () => {
      await it.node.beat()
      return (await it.node.store.get('stakeOp', first.op_digest))?.state === 'returned'
    }, signal)
    await it.as(key).call('economy.send', { to: (await it.client.call('identity.sign-up', {})).zid, count: 4 })
  }
  assert.equal((await fsck({ directory: folder.path })).bad, null)
})

test.run()
