import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { toHex } from '#core/bytes.ts'
import { publicKeyOfSeed, zidOf } from '#core/keys.ts'
import { searchWork } from '#core/proof-of-work.ts'
import { randomBytes } from '#crypto'
import { freshKey, storeKey } from '#domain/credentials/keys.ts'
import { openNodeKeys } from '#domain/identity/node-keys.ts'
import { createClient } from '#gateway/client.ts'
import { nodeClock } from '#node/clock.ts'
import { openDatabase } from '#store/database.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { under } from '#store/layout.ts'
import { databaseDirectory } from '#store/lock.ts'
import { openStore } from '#store/open.ts'
import { bench, wholeOr } from './bench.ts'
import { type ChildNode, startChildNode } from './child-node.ts'

/** Accounts that claim at once in a round. */
const CLAIMANTS = 6
/** The kill falls at random within this time after the claims were sent, or after the first one was answered. */
const MS_SPAN = { sent: 300, answered: 20 }
/** Rounds on one directory: what they claim from one address is paid for the least of bits. */
const ROUNDS_EACH = 5
/** Where the launcher keeps what was compiled, so that many nodes start quickly. */
const COMPILED = fileURLToPath(new URL('../../.build/compiled', import.meta.url))
const CREDITS = 128
/** Nonces that are tried at once. */
const TRIES = 65_536

/** An account of a round: its claim as it is sent, again after the crash. */
interface Claimant {
  readonly zid: string
  readonly key: string
  readonly order: { readonly challenge: string; readonly nonce: string }
}

type Accounts = readonly Omit<Claimant, 'order'>[]

/** Writes accounts without credits, as they are when all is spent. */
const makeAccounts = async (directory: string, count: number): Promise<Accounts> => {
  const keys = openNodeKeys(directory)
  await using store = await openStore({ directory, clock: nodeClock(), signer: keys.signer })
  return store.commit((tx) =>
    Array.from({ length: count }, () => {
      const publicKey = publicKeyOfSeed(randomBytes(32))
      const zid = zidOf(publicKey)
      const self = { custody: 'self', sealed_seed: null, owner: false, publish_default: false } as const
      tx.put('account', zid, { zid, public_key: toHex(publicKey), created_tick: tx.tick, ...self })
      const { key, hash, id } = freshKey('account')
      const about = { kind: 'account', name: 'bench', created_tick: tx.tick } as const
      storeKey(tx, hash, { id, zid, ...about, expires_mesh_tick: null, revoked_tick: null })
      return { zid, key }
    }),
  )
}

const solved = (challenge: string, bits: number): string => {
  const search = searchWork({ challenge, bits }, 0)
  for (;;) {
    const nonce = search.go(TRIES)
    if (nonce !== undefined) return nonce
  }
}

const clientOf = ({ url }: ChildNode, key: string) => createClient({ url, key, retriesMax: 0 })

/** Everyone makes a machine, asks and works, so that the claims can be sent at once. */
const prepare = (node: ChildNode, accounts: Accounts): Promise<readonly Claimant[]> =>
  Promise.all(
    accounts.map(async (it, i) => {
      const client = clientOf(node, it.key)
      if (i % 2 === 0) await client.call('machines.create', { is_public: false })
      const { challenge } = (await client.call('economy.credits', {})).claim
      if (challenge === null) throw new Error('who has nothing may claim')
      return { ...it, order: { challenge: challenge.challenge, nonce: solved(challenge.challenge, challenge.bits) } }
    }),
  )

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Sends all claims and kills the node among them. @returns who was answered that it was paid */
const claimUntilKilled = async (node: ChildNode, claimants: readonly Claimant[]): Promise<ReadonlySet<string>> => {
  const paid = new Set<string>()
  const first = Promise.withResolvers<void>()
  const claimed = async ({ zid, key, order }: Claimant): Promise<void> => {
    await clientOf(node, key).call('economy.claim', order)
    paid.add(zid)
    first.resolve()
  }
  const sent = Promise.allSettled(claimants.map(claimed))
  if (randomInt(2) === 0) await pause(randomInt(MS_SPAN.sent))
  else {
    await Promise.race([first.promise, sent])
    await pause(randomInt(MS_SPAN.answered))
  }
  await node.end('SIGKILL')
  await sent
  return paid
}

/** Who has a spent day in the directory, with what its balance is. */
const spentIn = async (directory: string, claimants: readonly Claimant[]): Promise<ReadonlyMap<string, number>> => {
  await using database = await openDatabase(databaseDirectory(directory), false)
  const found = new Map<string, number>()
  for (const { zid } of claimants) {
    for await (const _ of database.range('claimByAccount', under(zid))) {
      found.set(zid, database.peek('balance', `free/${zid}`) ?? 0)
    }
  }
  return found
}

/** Sends every claim again: each must be paid now, or say that it was. @returns how many are not paid exactly once */
const again = async (node: ChildNode, claimants: readonly Claimant[]): Promise<number> => {
  let wrong = 0
  for (const { key, order } of claimants) {
    const client = clientOf(node, key)
    await client.call('economy.claim', order).catch((error: { code?: string }) => {
      if (error.code !== 'CHALLENGE_SPENT') throw error
    })
    const { free, claim } = await client.call('economy.credits', {})
    if (free !== CREDITS || claim.prior_claims !== 1) wrong += 1
  }
  return wrong
}

/** What all rounds come to. */
const total = { paid: 0, spent: 0, split: 0, lost: 0, unclean: 0, wrong: 0 }

const environment = {
  TICKMESH_P2P_ENABLED: 'false',
  TICKMESH_LIMITS_KEY_CALLS_PER_MINUTE: '1000000',
  NODE_COMPILE_CACHE: COMPILED,
}

/** One kill: what was acknowledged is there, and all that is there is whole. */
const round = async (
  name: string,
  directory: string,
  it: { readonly accounts: Accounts; readonly before: readonly Claimant[] },
) => {
  const node = await startChildNode(directory, environment)
  const wrong = await again(node, it.before)
  const claimants = await prepare(node, it.accounts)
  const paid = await claimUntilKilled(node, claimants)
  const { ok, bad } = await fsck({ directory })
  const spent = await spentIn(directory, claimants)
  const lost = [...paid].filter((zid) => spent.get(zid) !== CREDITS).length
  total.paid += paid.size
  total.spent += spent.size
  total.split += spent.size > 0 && spent.size < CLAIMANTS ? 1 : 0
  total.lost += lost
  total.unclean += Number(!ok)
  total.wrong += wrong
  const verdict = ok ? 'clean' : `names ${bad?.table} ${bad?.key}: ${bad?.what}`
  console.log(
    `${name}: ${paid.size} of ${CLAIMANTS} acknowledged, ${spent.size} in the store, ${lost} lost, fsck ${verdict}; ` +
      `of the round before, sent again, ${wrong} not paid once`,
  )
  if (lost > 0 || !ok || wrong > 0) process.exitCode = 1
  return claimants
}

const roundsOn = async (directory: string, from: number, to: number): Promise<void> => {
  const accounts = await makeAccounts(directory, CLAIMANTS * (to - from + 1))
  let before: readonly Claimant[] = []
  for (let n = from; n <= to; n++) {
    const its = accounts.slice((n - from) * CLAIMANTS, (n - from + 1) * CLAIMANTS)
    before = await round(`round ${n}`, directory, { accounts: its, before })
  }
  const node = await startChildNode(directory, environment)
  const wrong = await again(node, before)
  await node.end('SIGTERM')
  const { ok } = await fsck({ directory })
  total.wrong += wrong
  total.unclean += Number(!ok)
  if (!ok || wrong > 0) process.exitCode = 1
}

/** Kills a node among claims again and again: each is paid whole or not at all, and once when it is sent again. */
export const claimCrash = bench({
  name: 'claim-crash',
  summary: 'rounds of kill -9 among daily claims: each is paid whole or not at all, and once [rounds]',
  async run([rounds]) {
    const count = wholeOr(rounds, 100)
    for (let from = 1; from <= count; from += ROUNDS_EACH) {
      const directory = mkdtempSync(join(tmpdir(), 'tickmesh-claim-crash-'))
      try {
        await roundsOn(directory, from, Math.min(count, from + ROUNDS_EACH - 1))
      } finally {
        rmSync(directory, { recursive: true, force: true })
      }
    }
    const { paid, spent, split, lost, unclean, wrong } = total
    console.log(`${count} rounds of ${CLAIMANTS} claims; ${split} killed with some of them in the store and some not`)
    console.log(`${paid} acknowledged, ${spent} in the store at the kill, ${lost} lost`)
    console.log(`${unclean} unclean by fsck, ${wrong} not paid exactly once after they were sent again`)
  },
})
