// Goal: whenever the process dies, what it acknowledged is there, nothing half is, and the next start goes on; also
// when the last write reached the disk in part. Method: the directory is copied after every single durable write of a
// node's life, which is what kill −9 leaves there; each copy, and each with its last record cut at several places, is
// started again and put before fsck.
import assert from 'node:assert/strict'
import { cpSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { keyFiles, readSecretFile } from '#domain/identity/node-keys.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { StoreRefused } from '#store/open.ts'
import { callerOf, newAccount, openRooms, ownerCaller, sealOne } from '../domain/house.ts'
import { fixedClock, START } from '../kit/clock.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'

const test = suite('store: crash')
const random = seeded()

/** Cuts of each last record. */
const CUTS = 3

/** The directory as it was after one write, and what had been acknowledged before that write began. */
interface Moment {
  readonly directory: string
  readonly tokens: readonly string[]
  readonly keys: readonly string[]
  readonly ticks: number
}

/** The write-ahead log, newest last. */
const writeAheadLog = (directory: string): string => {
  const files = readdirSync(join(directory, 'db')).filter((name) => name.endsWith('.log'))
  return join(directory, 'db', files.sort().at(-1) ?? '')
}

/** A node's life on a clock that is moved, with a copy of its directory for every write. */
const live = async (at: string): Promise<readonly Moment[]> => {
  const home = join(at, 'home')
  const moments: Moment[] = []
  const tokens: string[] = []
  const keys: string[] = []
  const clock = fixedClock(START - 1n)
  let ticks = 0
  const copy = (): void => {
    const directory = join(at, `copy-${moments.length}`)
    cpSync(home, directory, { recursive: true })
    // The one who held it is dead.
    rmSync(join(directory, 'node.lock'))
    moments.push({ directory, tokens: [...tokens], keys: [...keys], ticks })
  }
  await using house = await openRooms(home, clock, copy)
  const owner = ownerCaller(house)
  for (let round = 0; round < 3; round++) {
    const { caller, api_key, zid } = await newAccount(house, `192.0.2.${round}`)
    keys.push(api_key)
    await house.economy.grant(owner, { zid, credits: 100 })
    const sealed = await Promise.all([1, 2, 3].map(() => sealOne(house, { caller })))
    for (const { token_id: token } of sealed) tokens.push(token)
    ticks += 1 + round
    clock.advanceTicks(1 + round)
    await house.store.closeTick()
  }
  return moments
}

/** Starts a directory again, and looks for what was promised. */
const assertWhole = async ({ directory, tokens, keys, ticks }: Moment, what: string): Promise<void> => {
  const before = await fsck({ directory }).catch((cause: unknown) => {
    // The very first write may be the one that was cut.
    if (cause instanceof StoreRefused && keys.length === 0) return { bad: null }
    throw cause
  })
  assert.deepEqual(before.bad, null, what)
  const clock = fixedClock(START - 1n)
  clock.advanceTicks(ticks)
  {
    await using house = await openRooms(directory, clock)
    const owner = ownerCaller(house)
    for (const token of tokens) assert.equal((await house.economy.envelopeRow(token, owner)).token_id, token, what)
    for (const key of keys) assert.equal(callerOf(house, key).kind, 'account', what)
    const own = readSecretFile(join(directory, keyFiles.owner)) ?? ''
    assert.equal(callerOf(house, own).kind, 'owner', what)
    // It goes on: what was left open is ended and signed, and more can be sealed.
    const { caller } = await newAccount(house, '198.51.100.7')
    await sealOne(house, { caller })
    clock.advanceTicks(2)
    await house.store.closeTick()
    const { log } = house.store
    assert.equal(log.checkpoint?.size, log.size, what)
  }
  assert.deepEqual((await fsck({ directory })).bad, null, `${what}, after it went on`)
}

test('after every write, and with every write cut short, all that was acknowledged is there', async () => {
  using dir = tempDir()
  const moments = await live(dir.path)
  assert.ok(moments.length >= 12, `${moments.length} writes`)
  let before = 0
  for (const [i, moment] of moments.entries()) {
    const size = statSync(writeAheadLog(moment.directory)).size
    for (let cut = 0; cut < CUTS; cut++) {
      const directory = `${moment.directory}-${cut}`
      cpSync(moment.directory, directory, { recursive: true })
      const at = random.integer(before, size - 1)
      truncateSync(writeAheadLog(directory), at)
      await assertWhole({ ...moment, directory }, `write ${i} of ${moments.length}, cut to ${at} of ${size} bytes`)
    }
    await assertWhole(moment, `write ${i} of ${moments.length}`)
    before = size
  }
}, 120_000)

test.run()
