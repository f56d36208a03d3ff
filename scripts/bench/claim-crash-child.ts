import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { toHex } from '#core/bytes.ts'
import type { Caller } from '#core/caller.ts'
import { publicKeyOfSeed, zidOf } from '#core/keys.ts'
import { searchWork } from '#core/proof-of-work.ts'
import { randomBytes } from '#crypto'
import { dayOf } from '#domain/economy/calendar.ts'
import type { ClaimOrder } from '#domain/economy/economy.ts'
import { createEconomy } from '#domain/economy/service.ts'
import { createCustody } from '#domain/identity/custody.ts'
import { openNodeKeys } from '#domain/identity/node-keys.ts'
import { createProofOfWork } from '#domain/identity/proof-of-work.ts'
import { nodeClock } from '#node/clock.ts'
import { openStore } from '#store/open.ts'

/*
 * The part of a node that pays claims: sends those of the round before again, then begins those of its own, some at a
 * time, and says whom it paid, until it is killed. Words: data directory, file of orders.
 */

/** Claims of a round, and of them at once. */
const CLAIMS = 400
const AT_ONCE = 16
/** Work that takes nothing: what is tried here is what happens to it. */
const BITS = 4
const TRIES = 4_096
const CREDITS = 128

interface Sent {
  readonly zid: string
  readonly order: ClaimOrder
}

const [directory = '', file = ''] = process.argv.slice(2)
const keys = openNodeKeys(directory)
const store = await openStore({ directory, clock: nodeClock(), signer: keys.signer })
const workSecret = keys.secret('proof-of-work')
const work = createProofOfWork(workSecret)
const economy = createEconomy({
  ...{ store, signer: keys.signer, workSecret, custody: createCustody(keys), bundlePath: () => '' },
  keyless: { workMax: 1, workPerDay: 1, bucketsMax: 1 },
})

/** Each has an address of its own, so that no ladder ends the round. */
const callerOf = (zid: string): Caller => ({
  ...{ kind: 'account', bucket: zid, zid, keyId: '', account: zid, shared: false },
})

const solved = (challenge: string): string => searchWork({ challenge, bits: BITS }, 0).go(TRIES) ?? '0'

/** Accounts without credits, as they are when all is spent, and a claim for each. */
const prepare = (): Promise<readonly Sent[]> =>
  store.commit((tx) => {
    const day = dayOf(store.now().instant)
    return Array.from({ length: CLAIMS }, () => {
      const publicKey = publicKeyOfSeed(randomBytes(32))
      const zid = zidOf(publicKey)
      const self = { custody: 'self', sealed_seed: null, owner: false, publish_default: false } as const
      tx.put('account', zid, { zid, public_key: toHex(publicKey), created_tick: tx.tick, ...self })
      const { challenge } = work.challenge({ account: zid, bucket: zid, day }, BITS, tx.meshTick)
      return { zid, order: { challenge, nonce: solved(challenge) } }
    })
  })

/** Sends a claim again: it is paid now, or was. @returns whether it is paid once */
const again = async ({ zid, order }: Sent): Promise<boolean> => {
  await economy.claim(callerOf(zid), order).catch((error: { code?: string }) => {
    if (error.code !== 'CHALLENGE_SPENT') throw error
  })
  return store.balance('free', zid) === CREDITS && store.peek('claimant', zid)?.claims === 1
}

const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as readonly Sent[]) : []
const wrong = (await Promise.all(before.map(again))).filter((once) => !once).length
const own = await prepare()
writeFileSync(file, JSON.stringify(own))
console.log(`begins ${wrong}`)
const waiting = own.values()
const lane = async (): Promise<void> => {
  for (const { zid, order } of waiting) {
    await economy.claim(callerOf(zid), order)
    console.log(zid)
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, lane))
// Whoever comes this far waits for the end all the same.
setInterval(() => undefined, 1_000)
