import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fromHex } from '#core/bytes.ts'
import { canonical, type Json } from '#core/canonical.ts'
import { signValue } from '#core/keys.ts'
import { packSorted, placesOf, tokensRoot } from '#core/token/list.ts'
import { opPurpose, type TokenOp } from '#core/token/op.ts'
import type { SignedOrder } from '#domain/economy/moving/types.ts'
import { SIGN_UP_CREDITS } from '#domain/identity/sign-up.ts'
import { nodeClock } from '#node/clock.ts'
import { callerOf, openRooms, ownerCaller, sealOne } from '../../test/domain/house.ts'

/*
 * The part of a node that moves envelopes: takes up what the last kill cut off, then sends, in bulk and one by one, and
 * says what it acknowledged, until it is killed. Every order is written down before it is sent. Words: data directory,
 * file of accounts, file of orders, `load` or `resume` (which sends nothing).
 */

/** Envelopes that go to and fro in bulk, and those that go one by one beside them. */
const BULK = 2_000
const SINGLE = 64
/** Of them those that the accounts of the bulk send: they wait for it, the others do not. */
const SINGLE_BESIDE_BULK = 16
const LANES = 8
const SEALED_AT_ONCE = 256
const FACE = 5
const VALID_TICKS = 9_000
const TICK_MS = 777

interface Account {
  readonly zid: string
  readonly seed: string
  readonly public_key: string
}
/** Two that send bulk and singles to each other, and two that send singles. */
interface Accounts {
  readonly bulk: readonly [Account, Account]
  readonly single: readonly [Account, Account]
}
/** Tokens that have one owner, on their way between two accounts. */
interface Flock {
  readonly tokens: readonly string[]
  readonly between: readonly [Account, Account]
}

const [directory = '', accountsFile = '', ordersFile = '', work = 'load'] = process.argv.slice(2)
const rooms = await openRooms(directory, nodeClock())
const { store, economy, identity } = rooms
const { rows } = await economy.moves.resume()

/** An account with so many envelopes that may move: its free credits are spent first, which binds one to it. */
const accountWith = async (envelopes: number): Promise<Account> => {
  const { api_key, zid } = await identity.signUp({ bucket: `bench-${envelopes}-${process.hrtime.bigint()}` })
  const caller = callerOf(rooms, api_key)
  await sealOne(rooms, { caller, credits: SIGN_UP_CREDITS })
  if (envelopes > 0) await economy.grant(ownerCaller(rooms), { zid, credits: FACE * envelopes })
  for (let made = 0; made < envelopes; made += SEALED_AT_ONCE) {
    const some = Array.from({ length: Math.min(SEALED_AT_ONCE, envelopes - made) })
    await Promise.all(some.map(() => sealOne(rooms, { caller, credits: FACE })))
  }
  const { seed } = await identity.exportKey(caller)
  return { zid, seed, public_key: (await identity.account(caller)).public_key }
}

const prepare = async (): Promise<Accounts> => {
  const made: Accounts = {
    bulk: [await accountWith(BULK + SINGLE_BESIDE_BULK), await accountWith(0)],
    single: [await accountWith(SINGLE - SINGLE_BESIDE_BULK), await accountWith(0)],
  }
  writeFileSync(accountsFile, JSON.stringify(made))
  return made
}

/** What may move and belongs to one of two accounts. */
const tokensOf = async (between: readonly [Account, Account]): Promise<string[]> => {
  const tokens: string[] = []
  for await (const [token, row] of store.range('envelope')) {
    if (!row.soulbound && between.some(({ zid }) => zid === row.listed_under)) tokens.push(token)
  }
  return tokens.sort()
}

const orderOf = (from: Account, to: string, places: Parameters<typeof packSorted>[0]): SignedOrder => {
  const list = packSorted(places)
  const { meshTick } = store.now()
  const op: TokenOp = {
    ...{ home: store.log.origin, op: 'transfer', to, tokens_root: tokensRoot(list), count: places.length },
    ...{ until: null, mesh_tick: meshTick, valid_to: meshTick + VALID_TICKS },
  }
  const signature = signValue(fromHex(from.seed), opPurpose(op), op as unknown as Json)
  return { op, list: [...placesOf(list)], signature, public_key: from.public_key }
}

/** Sends a flock to and fro for ever. Each of its moves begins when the one before it was acknowledged. */
const drive = async ({ tokens, between }: Flock): Promise<never> => {
  const [one, other] = between
  const places = tokens.map((token_id) => ({ token_id, spend_seq: store.peek('envelope', token_id)?.spend_seq ?? 0 }))
  let from = store.peek('envelope', tokens[0] ?? '')?.listed_under === one.zid ? one : other
  for (let sent = 0; ; sent += 1) {
    const to = from === one ? other : one
    const now = places.map(({ token_id, spend_seq }) => ({ token_id, spend_seq: spend_seq + sent }))
    const order = orderOf(from, to.zid, now)
    appendFileSync(ordersFile, `${JSON.stringify(order)}\n`)
    const { op_digest, receipt: file } = await economy.moves.apply(order)
    const { op, public_key, signature, receipt, receipt_signature } = file
    const said = canonical({ op, public_key, signature, receipt, receipt_signature } as unknown as Json)
    console.log(`${op_digest} ${said}`)
    from = to
  }
}

const flocks = async ({ bulk, single }: Accounts): Promise<readonly Flock[]> => {
  const [many, few] = [await tokensOf(bulk), await tokensOf(single)]
  const lane = (of: readonly string[], between: Flock['between'], lanes: number): readonly Flock[] =>
    of.slice(0, lanes).map((token) => ({ tokens: [token], between }))
  return [
    { tokens: many.slice(SINGLE_BESIDE_BULK), between: bulk },
    ...lane(many, bulk, 1),
    ...lane(few, single, LANES),
  ]
}

if (work === 'resume') console.log('begins')
await rows
if (work === 'load') {
  const accounts = existsSync(accountsFile)
    ? (JSON.parse(readFileSync(accountsFile, 'utf8')) as Accounts)
    : await prepare()
  const all = await flocks(accounts)
  setInterval(() => void store.closeTick(), TICK_MS)
  console.log('begins')
  await Promise.all(all.map(drive))
}
// Whoever comes this far waits for the end all the same.
setInterval(() => undefined, 1_000)
