import { placesOf, type TokenList } from '#core/token/list.ts'
import { opDigest, type SignedOp } from '#core/token/op.ts'
import { bondName } from '#core/work/bond.ts'
import {
  type BondRow,
  type BondRows,
  bondRef,
  coinKeeper,
  fallenRef,
  type OwnBondRow,
  type WithheldRow,
} from '#store/bonds.ts'
import { CorruptRow } from '#store/corrupt-row.ts'
import { listReader } from '#store/fsck/op-lists.ts'
import type { Fsck } from '#store/fsck/report.ts'
import { keyOf, seqKey } from '#store/key-parts.ts'
import { rowKind } from '#store/row-kind.ts'
import type { AccountRows } from './account.ts'
import type { EnvelopeRows } from './envelope.ts'
import type { MoveRow, MoveRows } from './move.ts'
import type { TransferRows } from './transfer.ts'

type Needs = BondRows &
  Pick<MoveRows, 'move' | 'moveByDigest' | 'moveOfToken' | 'moveList' | 'intent'> &
  Pick<EnvelopeRows, 'envelope'> &
  Pick<AccountRows, 'account'> &
  Pick<TransferRows, 'transfer'>

const fail = (table: keyof BondRows | 'envelope' | 'transfer', key: string, what: string): never => {
  throw new CorruptRow(table, key, what)
}

/** What every part of the check reads with. */
interface Look {
  readonly fsck: Fsck<Needs>
  readonly listOf: (digest: string) => Promise<TokenList>
}

/** A lock of a bond, as far as it was applied. */
interface AppliedLock {
  readonly move: MoveRow
  readonly digest: string
  /** Whether its rows are not all written. */
  readonly open: boolean
}

const appliedOp = ({ fsck: { database } }: Look, { op }: SignedOp): AppliedLock | undefined => {
  const digest = opDigest(op)
  const place = database.peek('moveByDigest', digest)
  const move = place === undefined ? undefined : database.peek('move', place)
  if (place === undefined || move === undefined) return undefined
  return { move, digest, open: database.peek('intent', place) !== undefined }
}

const checkEvents = async ({ fsck: { database, step } }: Look): Promise<void> => {
  let count = 0
  for await (const [name, { author, random, bond, parts, total, said }] of database.range('bond')) {
    step('accounts')
    count += 1
    if (bond !== name || bondName(author, random) !== name)
      fail('bond', name, 'its author and random give another name')
    if (parts.reduce((sum, part) => sum + part.count, 0) !== total) fail('bond', name, 'its parts do not add up')
    const homes = new Set(parts.map(({ home }) => home))
    if (said.some(({ home }) => !homes.delete(home))) fail('bond', name, 'a home that is none of its parts withheld it')
  }
  const counted = database.peek('bondCount', 'all') ?? 0
  if (counted !== count) fail('bondCount', 'all', `it counts ${counted}, and there are ${count}`)
  for await (const [name] of database.range('bondLoad')) {
    if (database.peek('bond', name) === undefined) fail('bondLoad', name, 'there is no such bond')
  }
}

/** What became of a token after its bond's lock: the lock stands, or what ended it may have. */
const checkToken = (
  { fsck: { database } }: Look,
  { token_id, spend_seq }: { readonly token_id: string; readonly spend_seq: number },
  { name, own, bond }: { readonly name: string; readonly own: OwnBondRow; readonly bond: BondRow | undefined },
): 'locked' | 'ended' => {
  const row = database.peek('envelope', token_id)
  if (row === undefined || row.spend_seq <= spend_seq)
    return fail('ownBond', name, `token ${token_id} was never locked`)
  if (row.spend_seq === spend_seq + 1) {
    if (own.state === 'over' || row.lock?.kind !== 'bond' || row.lock.ref !== name) {
      fail('ownBond', name, `token ${token_id} has another lock`)
    }
    return 'locked'
  }
  if (row.lock?.kind === 'withheld' && row.spend_seq === spend_seq + 2) {
    if (bond?.fallen == null) fail('ownBond', name, `token ${token_id} was withheld, and the bond stands`)
    return 'ended'
  }
  const place = database.peek('moveOfToken', keyOf(token_id, seqKey(spend_seq + 2)))
  const move = place === undefined ? undefined : database.peek('move', place)
  const due = own.state === 'undoing' ? 0 : (bond?.released?.unlocks_at ?? Number.POSITIVE_INFINITY)
  if (move?.op.op !== 'unlock' || move.mesh_tick < due) {
    fail('ownBond', name, `token ${token_id} was let go before its time`)
  }
  return 'ended'
}

/** @returns how many tokens its locks tie. */
const checkOwn = async (look: Look, name: string, own: OwnBondRow): Promise<number | undefined> => {
  const { database, step } = look.fsck
  const stands = own.state === 'held' || own.state === 'over'
  const bond = database.peek('bond', name)
  if (stands && bond?.random !== own.random) return fail('ownBond', name, 'its event has no effect here')
  if (!stands && bond !== undefined) return fail('ownBond', name, 'its event came before its locks')
  let tied = 0
  let open = false
  for (const lock of own.locks) {
    const { op } = lock
    if (op.op !== 'lock' || op.ref !== bondRef(name)) return fail('ownBond', name, 'an op of it is no lock of it')
    const applied = appliedOp(look, lock)
    const part = bond?.parts.find(({ home }) => home === op.home)
    const fits = part?.tokens_root === op.tokens_root && part.count === op.count
    if (stands && (applied === undefined || !fits)) return fail('ownBond', name, 'a lock of it was never applied')
    if (applied === undefined) continue
    const ends = own.unlocks?.flatMap((it) => (it === null ? [] : [appliedOp(look, it)])) ?? []
    if (applied.open || ends.some((it) => it?.open === true)) {
      open = true
      continue
    }
    for (const place of placesOf(await look.listOf(applied.digest))) {
      step('accounts')
      if (checkToken(look, place, { name, own, bond }) === 'locked') tied += 1
    }
  }
  return open ? undefined : tied
}

/** This node's bonds against the rest. @returns how many tokens each ties; undefined while a long move is open. */
const checkOwnBonds = async (look: Look): Promise<ReadonlyMap<string, number | undefined>> => {
  const { database } = look.fsck
  const tied = new Map<string, number | undefined>()
  const here = database.peek('contribution', 'own')
  for await (const [name, own] of database.range('ownBond')) {
    tied.set(name, await checkOwn(look, name, own))
    if ((own.state !== 'over') !== (here?.bond === name)) {
      fail('contribution', 'own', `bond ${name} is ${own.state}, and it says otherwise`)
    }
  }
  const bond = here?.bond == null ? undefined : database.peek('bond', here.bond)
  if (here?.bond != null && !tied.has(here.bond)) fail('contribution', 'own', 'its bond is missing')
  const counts = bond !== undefined && bond.released === null && bond.fallen === null
  if (here !== undefined && here.mode !== 'idle' && !counts) fail('contribution', 'own', 'its mode needs a bond')
  const drafts = new Map<string, number>()
  for await (const [key] of database.range('bondDraft')) {
    const name = key.slice(0, key.indexOf('/'))
    drafts.set(name, (drafts.get(name) ?? 0) + 1)
  }
  for await (const [name, { state, locks }] of database.range('ownBond')) {
    const lists = state === 'locking' || state === 'undoing' ? locks.length : 0
    if ((drafts.get(name) ?? 0) !== lists) fail('ownBond', name, `it should have ${lists} lists`)
    drafts.delete(name)
  }
  for (const name of drafts.keys()) fail('bondDraft', name, 'its bond is missing')
  return tied
}

/** What a home withheld: the tokens are final, and their coins are where the row says. @returns how many tokens */
const checkWithheld = async (look: Look, key: string, row: WithheldRow): Promise<number> => {
  const { database, step } = look.fsck
  const [name = '', digest = ''] = key.split('/')
  const fallen = database.peek('bond', name)?.fallen
  if (fallen?.challenge !== row.challenge || fallen.ruling !== row.ruling) {
    return fail('withheld', key, 'its bond says something else')
  }
  const place = database.peek('moveByDigest', digest)
  const { op } = (place === undefined ? undefined : database.peek('move', place)) ?? {}
  if (op?.op !== 'lock' || op.ref !== bondRef(name)) return fail('withheld', key, 'it names no lock of its bond')
  const coins = new Map<string, number>()
  let count = 0
  for (const { token_id } of placesOf(await look.listOf(digest))) {
    step('accounts')
    const token = database.peek('envelope', token_id)
    if (token?.lock?.kind !== 'withheld' || token.lock.ref !== fallenRef(row)) {
      return fail('envelope', token_id, 'it is withheld by its bond, and not by its lock')
    }
    const keeper = coinKeeper(token)
    coins.set(keeper, (coins.get(keeper) ?? 0) + token.face)
    count += 1
  }
  const same = [...coins].every(([it, sum]) => row.coins[it] === sum) && Object.keys(row.coins).length === coins.size
  if (!same) fail('withheld', key, 'other coins were withheld than its tokens weigh')
  return count
}

/** Coins that the ledger withheld against the rows that say so. */
const checkCoins = async ({ fsck: { database, step } }: Look, due: Map<string, number>): Promise<void> => {
  for await (const [key, { credit, debit, asset, amount, ref }] of database.range('transfer')) {
    step('accounts')
    if (credit !== 'withheld') continue
    const at = keyOf(ref, debit)
    if (asset !== 'coin' || due.get(at) !== amount) fail('transfer', key, 'it withholds what no bond lost')
    due.delete(at)
  }
  for (const at of due.keys()) fail('withheld', at, 'its coins did not move')
}

const checkFallen = async (look: Look): Promise<number> => {
  const { database } = look.fsck
  const due = new Map<string, number>()
  let tokens = 0
  for await (const [key, row] of database.range('withheld')) {
    tokens += await checkWithheld(look, key, row)
    const digest = key.slice(key.indexOf('/') + 1)
    for (const [keeper, sum] of Object.entries(row.coins)) due.set(keyOf(digest, keeper), sum)
  }
  await checkCoins(look, due)
  return tokens
}

/** Every lock of a bond has its bond, and every final one what withheld it. */
const checkLocks = async (look: Look, tied: ReadonlyMap<string, number | undefined>, fallen: number): Promise<void> => {
  const { database, step } = look.fsck
  const found = new Map<string, number>()
  let final = 0
  for await (const [token, { lock, listed_under: owner }] of database.range('envelope')) {
    step('accounts')
    if (lock?.kind === 'withheld') final += 1
    if (lock?.kind !== 'bond') continue
    found.set(lock.ref, (found.get(lock.ref) ?? 0) + 1)
    const strange = !tied.has(lock.ref) && database.peek('account', owner)?.owner === true
    if (strange) fail('envelope', token, 'it is locked for a bond that is not there')
  }
  for (const [name, count] of tied) {
    if (count !== undefined && (found.get(name) ?? 0) !== count) {
      fail('ownBond', name, `it ties ${count} tokens, and ${found.get(name) ?? 0} are locked for it`)
    }
  }
  if (final !== fallen) fail('withheld', '', `${final} envelopes are withheld, and the rows give ${fallen}`)
}

/** Holds bonds, locks, the mode and what was withheld against each other, both ways. */
const checkBonds = async (fsck: Fsck<Needs>): Promise<void> => {
  const look: Look = { fsck, listOf: listReader(fsck.database, 'moveList') }
  await checkEvents(look)
  const tied = await checkOwnBonds(look)
  await checkLocks(look, tied, await checkFallen(look))
}

/** Bonds: their events, their locks, and what was withheld. */
export const bond = rowKind<BondRows, Needs>({
  tables: {
    bond: { prefix: 'bo', form: 'json', key: "the bond's name" },
    bondCount: { prefix: 'bn', form: 'json', key: 'the word `all`' },
    bondLoad: { prefix: 'bl', form: 'json', key: "the bond's name" },
    ownBond: { prefix: 'bm', form: 'json', key: "the bond's name" },
    bondDraft: { prefix: 'bd', form: 'bytes', key: "the bond's name / part: its list, until its event stands" },
    contribution: { prefix: 'bc', form: 'json', key: 'the word `own`' },
    workRecord: { prefix: 'bw', form: 'json', key: 'the word `own`' },
    withheld: { prefix: 'bh', form: 'json', key: "the bond's name / digest of the op that locked the part" },
  },
  since: { schema: 3, note: 'a store of before has bonded nothing' },
  check: checkBonds,
})
