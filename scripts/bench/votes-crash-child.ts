import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { SIGN_UP_CREDITS } from '#domain/identity/sign-up.ts'
import { callerOf, ownerCaller, sealOne } from '../../test/domain/house.ts'
import { FAST_TICK_MS, openVoting, shortVote } from './votes-rooms.ts'

/*
 * The part of a node that votes: opens votes that close soon, stakes on both sides, counts each when it is over, and
 * says what it acknowledged, until it is killed. Words: data directory, file of API keys, first instant of its clock.
 */

const ACCOUNTS = 6
const ENVELOPES_EACH = 24
const STAKED_EACH = 8
const FACE = 5
/** Mesh ticks for which a vote of the load is open, and those before its end at which nothing is taken. */
const OPEN_TICKS = 10

const [directory = '', keysFile = '', start = '0'] = process.argv.slice(2)
const rooms = await openVoting(directory, BigInt(start))
const { store, economy, identity, votes } = rooms

const prepare = async (): Promise<readonly string[]> => {
  const keys: string[] = []
  for (let n = 0; n < ACCOUNTS; n += 1) {
    const { api_key, zid } = await identity.signUp({ bucket: `bench-${n}` })
    const caller = callerOf(rooms, api_key)
    await sealOne(rooms, { caller, credits: SIGN_UP_CREDITS })
    await economy.grant(ownerCaller(rooms), { zid, credits: FACE * ENVELOPES_EACH })
    for (let made = 0; made < ENVELOPES_EACH; made += 1) await sealOne(rooms, { caller, credits: FACE })
    keys.push(api_key)
  }
  writeFileSync(keysFile, JSON.stringify(keys))
  return keys
}
const keys = existsSync(keysFile) ? (JSON.parse(readFileSync(keysFile, 'utf8')) as readonly string[]) : await prepare()
const callers = keys.map((key) => callerOf(rooms, key))

const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, FAST_TICK_MS))
setInterval(() => void store.closeTick().then(votes.beat), FAST_TICK_MS)

/** One vote after another, for ever: stakes of everybody, at once and again, and the count. */
const drive = async (): Promise<never> => {
  for (;;) {
    const { id, closes } = await shortVote(rooms, { nonce: randomBytes(16).toString('hex'), ticks: OPEN_TICKS })
    await Promise.all(
      callers.map(async (caller, n) => {
        const side = n % 3 === 0 ? 'no' : 'yes'
        try {
          const { op_digest } = await votes.stake(caller, { id, side, count: STAKED_EACH })
          console.log(`staked ${op_digest}`)
        } catch (cause) {
          // Two votes at once may want the same envelopes.
          if (!['SUPERSEDED', 'ENVELOPE_LOCKED', 'TOO_FEW', 'TOO_LATE'].includes((cause as { code: string }).code))
            throw cause
        }
      }),
    )
    while (store.now().meshTick <= closes) await tick()
    const { tally, returned } = await votes.resolve(id)
    console.log(`resolved ${id} ${tally.root} ${returned}`)
  }
}

console.log('begins')
await Promise.all([drive(), drive()])
