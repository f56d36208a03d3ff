import { assert } from '#core/assert.ts'
import type { Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import { type MintRate, mintsDue, mintsLeft, tokenEntries } from '#core/token-ranges.ts'
import { type MachineContext, type MachineRequest, once, type Replayable } from '#domain/machines/context.ts'
import { assertActive, say, sayAsNode, type Writing } from '#domain/machines/record.ts'
import type { MintShown } from '#domain/machines/views/tally.ts'
import { keyOf, seqKey } from '#store/layout.ts'
import type { MachineRow } from '#store/rows/machine.ts'
import type { TokenMintRow } from '#store/rows/machine-clockwork.ts'
import { entryRef, MINT_SOURCE, tokenAsset, tokenDigits } from '#store/rows/machine-token.ts'
import type { Transaction } from '#store/transaction.ts'
import { issueIn, shownOn, tokenFor } from './parts.ts'

/** A rate as it is asked for; with `every` null nothing is minted from now on. */
export interface MintOrder {
  readonly amount?: number
  readonly per?: MintRate['per']
  readonly every: number | null
}

/** Mesh tick of the next mint: a multiple of `every` above `now`. */
const nextOn = (every: number, now: number): number => (Math.floor(now / every) + 1) * every

/** @throws Fault INVALID_INPUT for half a rate. */
const rateOf = ({ amount, per, every }: MintOrder): MintRate | null => {
  if (every === null) return null
  if (amount !== undefined && per !== undefined) return { amount, per, every }
  const errors = [{ path: amount === undefined ? '/amount' : '/per', message: 'is needed with a number for every' }]
  throw new Fault('INVALID_INPUT', 'A rate says amount, per and every.', { errors })
}

const unDue = (tx: Transaction, digits: string, row: TokenMintRow | undefined): void => {
  if (row !== undefined && row.next !== null) tx.del('tokenMintDue', keyOf(seqKey(row.next), digits))
}

/** Writes how a token is minted; its machine knows whether fires ask. */
const putMint = (tx: Transaction, digits: string, row: TokenMintRow): void => {
  unDue(tx, digits, tx.get('tokenMint', digits))
  tx.put('tokenMint', digits, row)
  if (row.next !== null) tx.put('tokenMintDue', keyOf(seqKey(row.next), digits), row.slug)
  const machine = tx.get('machine', row.slug)
  assert(machine !== undefined, 'a mint has its machine')
  const asks = row.rate?.per === 'transition'
  if (asks === (machine.mints === true)) return
  const { mints: _, ...plain } = machine
  tx.put('machine', row.slug, asks ? { ...plain, mints: true } : plain)
}

/** What a mint is for. */
interface MintCause {
  /** Mints that are due. */
  readonly due: number
  readonly open: Readonly<Record<string, Json>>
  readonly told: Readonly<Record<string, Json>>
}

/** Issues what is due, as far as it fits whole below the ceiling, where the mint ends with an entry. */
const mintNow = (
  context: MachineContext,
  tx: Transaction,
  row: TokenMintRow & { readonly rate: MintRate },
  { due, open, told }: MintCause,
): void => {
  const { slug, rate } = row
  const machine = tx.get('machine', slug) as MachineRow
  const digits = tokenDigits(machine.id_hash)
  const asset = tokenAsset(machine.id_hash)
  const [token, now] = [tx.get('machineToken', digits), tx.get('tokenStanding', digits)]
  assert(token !== undefined && now !== undefined, 'what is minted stands')
  const left = mintsLeft(rate.amount, token.max_supply - now.issued)
  const count = Math.min(due, left)
  if (count > 0) {
    const amount = count * rate.amount
    const members = shownOn(machine, { amount, count, ...told })
    const { open: shown, secret } = members
    const said = sayAsNode(context, tx, machine, {
      type: tokenEntries.mint,
      open: { asset, ...open, ...shown },
      secret,
    })
    const why = { reason: tokenEntries.mint, ref: entryRef(slug, said.entry.seq) }
    tx.post({ asset, debit: MINT_SOURCE, credit: machine.owner_zid, amount, ...why })
    issueIn(tx, machine, said, amount)
  }
  if (left > count) return putMint(tx, digits, row)
  sayAsNode(context, tx, machine, { type: tokenEntries.stopped, open: { asset, reason: 'ceiling' } })
  putMint(tx, digits, { ...row, rate: null, ceiling: true, next: null })
}

const stateOf = (machine: MachineRow, row: TokenMintRow | undefined): MintShown['state'] => {
  if (row === undefined || row.rate === null) return row?.ceiling === true ? 'ceiling' : 'off'
  return machine.status === 'active' ? 'on' : 'paused'
}

const shown = (reader: Pick<Transaction, 'get'>, asking: MachineRequest): MintShown => {
  const { machine, token, digits, asset, now } = tokenFor(reader, asking, 'none')
  const row = reader.get('tokenMint', digits)
  return {
    slug: machine.slug,
    asset,
    state: stateOf(machine, row),
    rate: row?.rate ?? null,
    next_mesh_tick: row?.next ?? null,
    issued: now.issued,
    remaining: token.max_supply - now.issued,
    set_seq: row?.seq ?? null,
  }
}

/** Whether a mint that a tick brings is due, and what of it is left to do. */
const createDue =
  (context: MachineContext) =>
  (tx: Transaction, digits: string): void => {
    const row = tx.get('tokenMint', digits)
    if (row === undefined || row.rate === null || row.next === null || row.next > tx.meshTick) return
    const { since, rate } = row
    const until = nextOn(rate.every, tx.meshTick) - rate.every
    const next = until + rate.every
    const after = { ...row, rate, since: until, next }
    const due = mintsDue(rate.every, since, until)
    mintNow(context, tx, after, { due, open: {}, told: { since, until } })
  }

/** What a machine's token is minted by. */
export const createMint = (context: MachineContext, settle: (slug: string) => Promise<void>) => {
  const { store } = context

  const set = (tx: Transaction, { caller, slug }: MachineRequest, rate: MintRate | null): MintShown => {
    const { machine, standing, token, digits, asset, now } = tokenFor(tx, { caller, slug }, 'owner')
    assertActive(machine)
    const remaining = token.max_supply - now.issued
    if (rate !== null && mintsLeft(rate.amount, remaining) === 0) {
      const detail = `${remaining} units may still come into being, and one mint would issue ${rate.amount}.`
      throw new Fault('SUPPLY_EXHAUSTED', detail, { amount: rate.amount, remaining })
    }
    const since = tx.meshTick
    const told = { amount: rate?.amount ?? null, per: rate?.per ?? null, every: rate?.every ?? null, since }
    const members = shownOn(machine, told)
    const open = { asset, ...members.open }
    const said = say(context, tx, machine, { type: tokenEntries.rate, open, secret: members.secret, caller, standing })
    const next = rate?.per === 'ticks' ? nextOn(rate.every, since) : null
    putMint(tx, digits, { slug, rate, ceiling: false, since, next, fires: 0, seq: said.entry.seq })
    return shown(tx, { caller, slug })
  }

  return {
    /** How a token is minted. @throws Fault NOT_FOUND also without token. */
    mintRate: async (asking: MachineRequest): Promise<MintShown> => {
      await settle(asking.slug)
      return shown({ get: store.peek }, asking)
    },

    /**
     * Says how a token is minted from now on, for the machine's owner in person.
     *
     * @throws Fault NOT_FOUND, SCOPE_REQUIRED, MACHINE_NOT_ACTIVE, INVALID_INPUT, SUPPLY_EXHAUSTED when no mint fits
     */
    setMintRate: async (writing: Writing, order: MintOrder): Promise<Replayable<MintShown>> => {
      const { caller, slug, scope, idempotencyKey: key } = writing
      await settle(slug)
      tokenFor({ get: store.peek }, writing, 'owner')
      const rate = rateOf(order)
      const input = { slug, rate: rate === null ? null : { ...rate } }
      return once(context, { caller, scope, key, input }, (tx) => set(tx, { caller, slug }, rate))
    },

    /** A fire that transitioned: it mints, where its machine's token is minted so, in the batch of the fire. */
    minted: (tx: Transaction, { mints, slug, id_hash }: MachineRow, fire: string): void => {
      if (mints !== true) return
      const row = tx.get('tokenMint', tokenDigits(id_hash))
      if (row === undefined || row.slug !== slug || row.rate?.per !== 'transition') return
      const fires = row.fires + 1
      if (fires < row.rate.every) return tx.put('tokenMint', tokenDigits(id_hash), { ...row, fires })
      mintNow(context, tx, { ...row, rate: row.rate, fires: 0 }, { due: 1, open: { ref: fire }, told: {} })
    },

    mintDue: createDue(context),
  }
}

/** Ticks bring no mint to a machine that is not active; what falls into that time is not made up for. */
export const mintStatus = (tx: Transaction, { slug, id_hash, status }: MachineRow): void => {
  const digits = tokenDigits(id_hash)
  const row = tx.get('tokenMint', digits)
  if (row === undefined || row.slug !== slug || row.rate?.per !== 'ticks') return
  if (status !== 'active') return putMint(tx, digits, { ...row, next: null })
  if (row.next !== null) return
  putMint(tx, digits, { ...row, since: tx.meshTick, next: nextOn(row.rate.every, tx.meshTick) })
}
