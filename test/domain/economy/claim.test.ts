/*
 * Goal: the daily claim pays 128 free credits to whoever is nearly out, once per UTC day for the account and its
 * machine, and what does not fit changes nothing. Method: a real store on a clock that the test moves; nonces are
 * searched as a client does; the ledger, the log and the rows are read afterwards.
 */
import assert from 'node:assert/strict'
import { fromUtf8 } from '#core/bytes.ts'
import { CHALLENGE_TICKS } from '#core/proof-of-work.ts'
import { NS_PER_DAY, NS_PER_MS } from '#core/time.ts'
import { hourPeriod } from '#domain/economy/calendar.ts'
import { quotaKey } from '#domain/economy/quota.ts'
import { LADDER_MAX } from '#domain/identity/proof-of-work.ts'
import { solved, unsolved } from '../../kit/claiming.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { challengeFor, claimOnce, poorAccount, sumsOf } from '../claiming.ts'
import { callerOf, type House, newAccount, openHouse, ownerCaller, refusal, sealOne } from '../house.ts'

const test = suite('economy: the daily claim')
const MS_MAX = 20_000

/** Nanoseconds to the next UTC midnight. */
const toMidnight = ({ clock }: House): bigint => NS_PER_DAY - (clock.now() % NS_PER_DAY)

/** All that a refused claim must leave as it was. */
const standOf = async ({ store }: House) => {
  const rows: unknown[] = []
  for (const table of [
    'issue',
    'balance',
    'claimByAccount',
    'claimByMachine',
    'claimant',
    'claimDay',
    'quota',
  ] as const) {
    for await (const row of store.range(table)) rows.push([table, ...row])
  }
  return rows
}

test(
  'states: closed while there are credits, open when nearly out, and closed for the rest of the day',
  async () => {
    using dir = tempDir()
    await using house = await openHouse(dir.path)
    const { caller, zid } = await newAccount(house)
    const claimOf = async () => (await house.economy.credits(caller)).claim
    const rich = await claimOf()
    assert.deepEqual(
      [rich.state, rich.eligible, rich.open, rich.challenge, rich.unlocks_at, rich.balance_max, rich.machine],
      ['unlocks when nearly out', false, true, null, null, 5, null],
    )
    // Exactly one too many, then exactly as many as may be.
    await sealOne(house, { caller, credits: 1_281 })
    assert.equal((await claimOf()).state, 'unlocks when nearly out')
    await sealOne(house, { caller, credits: 1 })
    const open = await claimOf()
    assert.deepEqual([open.state, open.eligible, open.nearly_out, open.challenge?.bits], ['claimable', true, true, 18])
    assert.deepEqual(open.ladder, { claims_this_hour: 0, claims_max: 64, bits: 18 })
    const paid = await claimOnce(house, caller)
    assert.deepEqual([paid.credits, paid.free, paid.paid, paid.claims, paid.machine], [128, 133, 0, 1, null])
    const spent = await claimOf()
    assert.deepEqual([spent.state, spent.open, spent.challenge], ['already claimed today', false, null])
    assert.equal(spent.unlocks_at, paid.unlocks_at)
    assert.match(paid.unlocks_at, /T00:00:00\.000Z$/)
    assert.deepEqual([spent.prior_claims, spent.last_claim_day], [1, paid.day])
    // Nearly out again changes nothing on this day.
    await sealOne(house, { caller, credits: 133 })
    assert.equal((await claimOf()).state, 'already claimed today')
    house.clock.advance(toMidnight(house))
    const next = await claimOf()
    assert.deepEqual([next.state, next.day], ['claimable', paid.unlocks_at.slice(0, 10)])
    assert.equal((await claimOnce(house, caller)).claims, 2)
    assert.equal(house.store.balance('free', zid), 128)
  },
  MS_MAX,
)

test(
  'what is paid stands in a signed leaf with day and machine, and in the public sums of its day',
  async () => {
    using dir = tempDir()
    await using house = await openHouse(dir.path)
    const { caller, zid } = await poorAccount(house)
    await house.machines.create(caller, { slug: 'pump', is_public: false })
    const paid = await claimOnce(house, caller)
    const leaf = await house.store.log.leaf(paid.index)
    const { entry } = JSON.parse(fromUtf8(leaf!).split('\n')[1]!) as { entry: Record<string, unknown> }
    const { kind, asset, to, amount, ref } = entry
    assert.deepEqual(
      { kind, asset, to, amount, ref },
      { kind: 'claim', asset: 'free', to: zid, amount: 128, ref: `${paid.day} pump` },
    )
    const { assets, claims, lines } = await house.economy.transparency({ limit: 1 })
    assert.deepEqual(claims, [{ day: paid.day, claims: 1, credits: 128 }])
    assert.deepEqual([lines[0]?.kind, lines[0]?.amount], ['claim', 128])
    const free = assets.find((it) => it.asset === 'free')
    assert.deepEqual(
      free?.sources.find((it) => it.source === 'claim'),
      { source: 'claim', amount: 128, leaves: 1 },
    )
    assert.deepEqual(await sumsOf(house), { coin: 0, free: 0 })
  },
  MS_MAX,
)

test('only accounts claim: keys of demo and machines are told so, and have no challenge', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { caller } = await poorAccount(house)
  const { api_key } = await house.machines.create(caller, { slug: 'pump', is_public: false })
  const demo = callerOf(house, (await house.identity.mintDemoKey('192.0.2.1')).key)
  const shared = callerOf(house, house.identity.sharedDemoKey().key)
  const anonymous = { kind: 'anonymous', bucket: '192.0.2.1' } as const
  const { challenge } = await challengeFor(house, caller)
  for (const other of [callerOf(house, api_key), demo, shared, anonymous]) {
    const { claim } = await house.economy.credits(other, 'pump')
    assert.deepEqual([claim.state, claim.eligible, claim.challenge], ['for accounts only', false, null])
    assert.equal((await refusal(() => house.economy.claim(other, { challenge, nonce: '1' }))).code, 'SCOPE_REQUIRED')
  }
})

test(
  "a machine's day is spent once, whoever claims; without a name it is that of the oldest active one",
  async () => {
    using dir = tempDir()
    await using house = await openHouse(dir.path)
    const { economy, machines, clock } = house
    const [first, second] = [await poorAccount(house), await poorAccount(house)]
    const make = async (slug: string): Promise<void> => {
      await machines.create(first.caller, { slug, is_public: false })
      clock.advanceTicks(1)
    }
    for (const slug of ['zz', 'mm', 'aa']) await make(slug)
    const machineOf = async () => (await economy.credits(first.caller)).claim.machine
    assert.equal(await machineOf(), 'zz')
    await machines.setStatus({ caller: first.caller, slug: 'zz' }, 'paused')
    assert.equal(await machineOf(), 'mm')
    const asOther = (slug: string) => refusal(() => economy.credits(second.caller, slug))
    assert.equal((await asOther('mm')).code, 'NOT_FOUND')
    await machines.addAdmin({ caller: first.caller, slug: 'mm' }, second.zid, 'viewer')
    assert.equal((await asOther('mm')).code, 'SCOPE_REQUIRED')
    assert.equal((await refusal(() => economy.credits(first.caller, 'zz'))).code, 'MACHINE_NOT_ACTIVE')
    await machines.changeAdmin({ caller: first.caller, slug: 'mm' }, second.zid, 'operator')
    const work = await challengeFor(house, second.caller, 'mm')
    assert.equal((await claimOnce(house, first.caller)).machine, 'mm')
    const taken = (await economy.credits(second.caller, 'mm')).claim
    assert.deepEqual([taken.state, taken.challenge], ['already claimed today', null])
    const order = { challenge: work.challenge, nonce: solved(work), machine: 'mm' }
    const { code, details } = await refusal(() => economy.claim(second.caller, order))
    assert.deepEqual([code, details['unlocks_at']], ['NOT_ELIGIBLE', taken.unlocks_at])
    assert.equal(house.store.balance('free', second.zid), 3)
    // The account's own day is not spent by that.
    assert.equal((await claimOnce(house, second.caller)).machine, null)
  },
  MS_MAX,
)

test(
  'what does not fit is refused by name and changes nothing',
  async () => {
    using dir = tempDir()
    await using house = await openHouse(dir.path)
    const { economy } = house
    const { caller, api_key } = await poorAccount(house)
    const other = await poorAccount(house)
    await house.machines.create(caller, { slug: 'pump', is_public: false })
    const work = await challengeFor(house, caller)
    const order = { challenge: work.challenge, nonce: solved(work) }
    const { nonce, given } = unsolved(work)
    const before = await standOf(house)
    const refused = (by: typeof caller, it: typeof order & { machine?: string }) => refusal(() => economy.claim(by, it))
    const elsewhere = callerOf(house, api_key, '198.51.100.7')
    const [body = '', mac = ''] = work.challenge.split('.')
    const all = [
      await refused(other.caller, order),
      await refused(elsewhere, order),
      await refused(caller, { ...order, machine: 'other' }),
      await refused(caller, { ...order, challenge: `${body.slice(0, -1)}A.${mac}` }),
      await refused(caller, { ...order, challenge: body }),
      await refused(caller, { ...order, nonce: `0${order.nonce}` }),
      await refused(caller, { ...order, nonce }),
    ]
    assert.deepEqual(
      all.map((it) => it.code),
      all.map(() => 'INVALID_INPUT'),
    )
    assert.deepEqual(all.at(-1)?.details, { bits: 18, given })
    house.clock.advanceTicks(CHALLENGE_TICKS + 1)
    assert.deepEqual(await refused(caller, order), {
      code: 'INVALID_INPUT',
      details: { expires_mesh_tick: work.expires_mesh_tick },
    })
    assert.deepEqual(await standOf(house), before)
  },
  MS_MAX,
)

test(
  'a balance that grows after the challenge is no longer nearly out',
  async () => {
    using dir = tempDir()
    await using house = await openHouse(dir.path)
    const { caller, zid } = await poorAccount(house)
    const work = await challengeFor(house, caller)
    await house.economy.grant(ownerCaller(house), { zid, credits: 3 })
    const before = await standOf(house)
    const order = { challenge: work.challenge, nonce: solved(work) }
    const { code, details } = await refusal(() => house.economy.claim(caller, order))
    assert.deepEqual([code, details['unlocks_at'], details['balance_max']], ['NOT_ELIGIBLE', null, 5])
    assert.deepEqual(await standOf(house), before)
    // The challenge was not spent: nearly out again, it is paid.
    await sealOne(house, { caller, credits: 3 })
    assert.equal((await house.economy.claim(caller, order)).free, 128)
  },
  MS_MAX,
)

test(
  'given at 23:59:59.9 and answered after midnight it is of another day; before it, it pays for its own',
  async () => {
    using dir = tempDir()
    await using house = await openHouse(dir.path)
    const { clock, economy, store } = house
    const [late, early] = [await poorAccount(house), await poorAccount(house)]
    clock.advance(toMidnight(house) - 100n * NS_PER_MS)
    const [lateWork, earlyWork] = [await challengeFor(house, late.caller), await challengeFor(house, early.caller)]
    const [lateNonce, earlyNonce] = [solved(lateWork), solved(earlyWork)]
    clock.advance(99n * NS_PER_MS)
    const paid = await economy.claim(early.caller, { challenge: earlyWork.challenge, nonce: earlyNonce })
    clock.advance(2n * NS_PER_MS)
    const before = await standOf(house)
    const order = { challenge: lateWork.challenge, nonce: lateNonce }
    const { code, details } = await refusal(() => economy.claim(late.caller, order))
    assert.deepEqual([code, details], ['INVALID_INPUT', { day: paid.day }])
    assert.deepEqual(await standOf(house), before)
    const next = (await economy.credits(early.caller)).claim
    assert.deepEqual([next.claimed_today, next.state], [false, 'unlocks when nearly out'])
    const anew = await claimOnce(house, late.caller)
    assert.equal(anew.day, paid.unlocks_at.slice(0, 10))
    assert.equal(store.balance('free', late.zid), 131)
  },
  MS_MAX,
)

test(
  'a clock that jumps over a day between challenge and answer: the day is that of the commit',
  async () => {
    using dir = tempDir()
    await using house = await openHouse(dir.path)
    const { caller } = await poorAccount(house)
    const work = await challengeFor(house, caller)
    const before = await standOf(house)
    house.clock.advance(2n * NS_PER_DAY)
    const order = { challenge: work.challenge, nonce: solved(work) }
    assert.equal((await refusal(() => house.economy.claim(caller, order))).code, 'INVALID_INPUT')
    assert.deepEqual(await standOf(house), before)
    assert.equal((await claimOnce(house, caller)).claims, 1)
  },
  MS_MAX,
)

test(
  'two at once: one challenge pays once, one account once, one machine once',
  async () => {
    using dir = tempDir()
    await using house = await openHouse(dir.path)
    const { economy, store } = house
    const outcomes = async (calls: readonly Promise<unknown>[]) =>
      (await Promise.allSettled(calls)).map((it) => (it.status === 'fulfilled' ? 'paid' : it.reason.code))
    const one = await poorAccount(house)
    const work = await challengeFor(house, one.caller)
    const order = { challenge: work.challenge, nonce: solved(work) }
    const same = [economy.claim(one.caller, order), economy.claim(one.caller, order)]
    assert.deepEqual(await outcomes(same), ['paid', 'CHALLENGE_SPENT'])
    assert.equal(store.balance('free', one.zid), 131)
    const two = await poorAccount(house)
    const works = [await challengeFor(house, two.caller), await challengeFor(house, two.caller)]
    const orders = works.map((it) => ({ challenge: it.challenge, nonce: solved(it) }))
    assert.deepEqual(await outcomes(orders.map((it) => economy.claim(two.caller, it))), ['paid', 'NOT_ELIGIBLE'])
    assert.equal(store.balance('free', two.zid), 131)
    const [owner, guest] = [await poorAccount(house), await poorAccount(house, '192.0.2.2')]
    await house.machines.create(owner.caller, { slug: 'pump', is_public: false })
    await house.machines.addAdmin({ caller: owner.caller, slug: 'pump' }, guest.zid, 'operator')
    const pair = await Promise.all(
      [owner, guest].map(async ({ caller }) => ({ caller, work: await challengeFor(house, caller, 'pump') })),
    )
    const answers = pair.map((it) => ({ ...it, nonce: solved(it.work) }))
    const both = answers.map(({ caller, work: { challenge }, nonce }) => economy.claim(caller, { challenge, nonce }))
    assert.deepEqual(await outcomes(both), ['paid', 'NOT_ELIGIBLE'])
    assert.deepEqual([store.balance('free', owner.zid), store.balance('free', guest.zid)], [131, 3])
  },
  MS_MAX,
)

test(
  'the ladder climbs by paid claims of a bucket and hour; its bits are those of the challenge; the 65th waits',
  async () => {
    using dir = tempDir()
    await using house = await openHouse(dir.path)
    const { store, economy, clock } = house
    const [first, second] = [await poorAccount(house), await poorAccount(house, '192.0.2.2')]
    const third = callerOf(house, second.api_key)
    const claimsSoFar = (n: number): Promise<void> =>
      store.commit((tx) => tx.put('quota', quotaKey('claim', hourPeriod(clock.now()), '192.0.2.1'), n))
    const ladderOf = async (caller = first.caller) => (await economy.credits(caller)).claim
    const table = [
      [0, 18],
      [31, 18],
      [32, 19],
      [36, 20],
      [63, 26],
    ] as const
    const early = await challengeFor(house, first.caller)
    const other = await challengeFor(house, third)
    for (const [before, bits] of table) {
      await claimsSoFar(before)
      const { ladder, challenge } = await ladderOf()
      assert.deepEqual([ladder, challenge?.bits], [{ claims_this_hour: before, claims_max: 64, bits }, bits])
    }
    // At another address nothing was claimed.
    assert.equal((await economy.credits(second.caller)).claim.ladder?.bits, 18)
    // The 64th is paid for the bits of its challenge, which were asked before the ladder climbed.
    assert.equal((await economy.claim(first.caller, { ...early, nonce: solved(early) })).credits, 128)
    const full = await ladderOf(third)
    assert.deepEqual([full.state, full.challenge, full.ladder?.bits], ['claimable', null, null])
    const before = await standOf(house)
    const { code, details } = await refusal(() => economy.claim(third, { ...other, nonce: solved(other) }))
    const { end, secondsLeft } = hourPeriod(clock.now())
    assert.deepEqual([code, details], ['RATE_LIMITED', { limit: LADDER_MAX, retry_after_seconds: secondsLeft }])
    assert.deepEqual(
      [full.unlocks_in_seconds, Date.parse(full.unlocks_at ?? '')],
      [secondsLeft, Number(end / NS_PER_MS)],
    )
    assert.deepEqual(await standOf(house), before)
    clock.advance(BigInt(secondsLeft) * 1_000n * NS_PER_MS)
    assert.equal((await claimOnce(house, third)).credits, 128)
  },
  MS_MAX,
)

test(
  'under an Idempotency-Key the answer of the claim is given again, and no other claim',
  async () => {
    using dir = tempDir()
    await using house = await openHouse(dir.path)
    const { caller, zid } = await poorAccount(house)
    const work = await challengeFor(house, caller)
    const order = { challenge: work.challenge, nonce: solved(work) }
    const repeat = { scope: 'economy.claim', key: 'once', input: order }
    const { replayed, ...first } = await house.economy.claim(caller, order, repeat)
    assert.equal(replayed, false)
    assert.deepEqual(await house.economy.claim(caller, order, repeat), { ...first, replayed: true })
    const other = await refusal(() => house.economy.claim(caller, { ...order, nonce: '1' }, repeat))
    assert.equal(other.code, 'IDEMPOTENCY_KEY_REUSED')
    assert.equal(house.store.balance('free', zid), 131)
  },
  MS_MAX,
)

test.run()
