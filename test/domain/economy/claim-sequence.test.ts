/*
 * Goal: whatever is claimed, spent and refused over many days, every asset sums to 0, no day pays twice, and fsck finds
 * a spent day whose leaf is not there. Method: seeded sequences against a plain model; then rows are taken away, added
 * and changed one at a time, as a broken disk would, and fsck is asked.
 */
import assert from 'node:assert/strict'
import { NS_PER_DAY } from '#core/time.ts'
import type { Change } from '#store/database.ts'
import { openDatabase } from '#store/database.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { databaseDirectory } from '#store/lock.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { claimOnce, poorAccount, sumsOf } from '../claiming.ts'
import { type House, openHouse, sealOne } from '../house.ts'

const test = suite('economy: sequences of claims')
const STEPS = 40
/** Claims of one sequence at most: each takes a quarter of a second of work. */
const CLAIMS_MAX = 12
const MS_MAX = 40_000

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (cause: { code?: string; message: string }) => cause.code ?? cause.message,
  )

const play = async (house: House): Promise<void> => {
  const random = seeded()
  const wallets: { free: number; day: bigint; readonly it: Awaited<ReturnType<typeof poorAccount>> }[] = []
  for (let i = 0; i < 3; i++) wallets.push({ free: 3, day: -1n, it: await poorAccount(house) })
  await house.machines.create(wallets[0]!.it.caller, { slug: 'pump', is_public: false })
  let claims = 0
  for (let step = 0; step < STEPS; step++) {
    const wallet = random.pick(wallets)
    const { caller, zid } = wallet.it
    const today = house.clock.now() / NS_PER_DAY
    const kind = random.integer(0, 9)
    if (kind <= 4 && claims < CLAIMS_MAX) {
      const may = wallet.day !== today && wallet.free <= 5
      // Who may not is given no challenge, so that there is nothing to answer.
      const { claim } = await house.economy.credits(caller)
      assert.equal(claim.challenge !== null, may, claim.state)
      if (may) {
        assert.equal(await codeOf(claimOnce(house, caller)), 'done')
        wallet.free += 128
        wallet.day = today
        claims += 1
      }
    } else if (kind <= 7) {
      const credits = random.pick([3, 6, 120])
      const expected = wallet.free >= credits ? 'done' : 'INSUFFICIENT_BALANCE'
      assert.equal(await codeOf(sealOne(house, { caller, credits })), expected)
      if (expected === 'done') wallet.free -= credits
    } else house.clock.advance(NS_PER_DAY / 2n)
    assert.equal(house.store.balance('free', zid), wallet.free)
    assert.deepEqual(Object.values(await sumsOf(house)).filter(Boolean), [])
  }
  if (claims === 0) await claimOnce(house, (await poorAccount(house)).caller)
}

test(
  'sums are 0 after every step, and the directory is whole',
  async () => {
    using dir = tempDir()
    {
      await using house = await openHouse(dir.path)
      await play(house)
    }
    assert.deepEqual((await fsck({ directory: dir.path })).bad, null)
  },
  MS_MAX,
)

test(
  'fsck finds a day that is spent without its ledger leaf, and a leaf without its day',
  async () => {
    using dir = tempDir()
    const directory = dir.path
    let made: Awaited<ReturnType<typeof claimOnce>>
    {
      await using house = await openHouse(directory)
      const { caller } = await poorAccount(house)
      await house.machines.create(caller, { slug: 'pump', is_public: false })
      made = await claimOnce(house, caller)
    }
    const { zid, day } = made
    assert.deepEqual((await fsck({ directory })).bad, null)
    const within = async (changes: readonly Change[]): Promise<void> => {
      await using database = await openDatabase(databaseDirectory(directory), false)
      await database.write(changes)
    }
    const leaf = made.index
    const ofAccount = { machine: 'pump', leaf }
    const cases: readonly (readonly [named: string, broken: Change, whole: Change])[] = [
      [
        'claimByAccount',
        { table: 'claimByAccount', key: `${zid}/2000-01-01`, row: { machine: null, leaf } },
        { table: 'claimByAccount', key: `${zid}/2000-01-01`, row: undefined },
      ],
      [
        'claimByAccount',
        { table: 'claimByAccount', key: `${zid}/${day}`, row: undefined },
        { table: 'claimByAccount', key: `${zid}/${day}`, row: ofAccount },
      ],
      [
        'claimByAccount',
        { table: 'claimByAccount', key: `${zid}/${day}`, row: { machine: null, leaf } },
        { table: 'claimByAccount', key: `${zid}/${day}`, row: ofAccount },
      ],
      [
        'claimByAccount',
        { table: 'claimByAccount', key: `${zid}/${day}`, row: { machine: 'pump', leaf: 0 } },
        { table: 'claimByAccount', key: `${zid}/${day}`, row: ofAccount },
      ],
      [
        'claimByMachine',
        { table: 'claimByMachine', key: `other/${day}`, row: { leaf } },
        { table: 'claimByMachine', key: `other/${day}`, row: undefined },
      ],
      [
        'claimByMachine',
        { table: 'claimByMachine', key: `pump/${day}`, row: undefined },
        { table: 'claimByMachine', key: `pump/${day}`, row: { leaf } },
      ],
      [
        'claimant',
        { table: 'claimant', key: zid, row: { claims: 2, day } },
        { table: 'claimant', key: zid, row: { claims: 1, day } },
      ],
      [
        'claimant',
        { table: 'claimant', key: 'nobody', row: { claims: 1, day } },
        { table: 'claimant', key: 'nobody', row: undefined },
      ],
      [
        'claimDay',
        { table: 'claimDay', key: day, row: { claims: 1, credits: 127 } },
        { table: 'claimDay', key: day, row: { claims: 1, credits: 128 } },
      ],
      [
        'claimDay',
        { table: 'claimDay', key: '2000-01-01', row: { claims: 1, credits: 128 } },
        { table: 'claimDay', key: '2000-01-01', row: undefined },
      ],
    ]
    for (const [named, broken, whole] of cases) {
      await within([broken])
      assert.equal((await fsck({ directory })).bad?.table, named, JSON.stringify(broken))
      await within([whole])
    }
    assert.deepEqual((await fsck({ directory })).bad, null)
  },
  MS_MAX,
)

test.run()
