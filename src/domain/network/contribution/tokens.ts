import { Fault } from '#core/fault.ts'
import { packSorted, type TokenList, type TokenPlace } from '#core/token/list.ts'
import { lockAt } from '#core/token/state.ts'
import { breathe } from '#core/wait.ts'
import { BOND_TOKENS } from '#core/work/bond.ts'
import { under } from '#store/layout.ts'
import type { EnvelopeRow } from '#store/rows/envelope.ts'
import type { Store } from '#store/store.ts'
import type { BondOrder } from './types.ts'

/** Envelopes that are looked at before others have their turn. */
const LOOKED_AT_ONCE = 256

/** Envelopes of an account that nothing ties at a mesh tick, oldest first. */
async function* freeOf(store: Store, zid: string, meshTick: number): AsyncGenerator<EnvelopeRow> {
  let seen = 0
  for await (const [, token] of store.range('envelopeByOwner', under(zid))) {
    seen += 1
    if (seen % LOOKED_AT_ONCE === 0) await breathe()
    const row = store.peek('envelope', token)
    if (row !== undefined && lockAt(row.lock, meshTick) === null) yield row
  }
}

/** How many envelopes of an account nothing ties, counted to what a bond takes. */
export const heldBy = async (store: Store, zid: string): Promise<number> => {
  let held = 0
  for await (const _ of freeOf(store, zid, store.now().meshTick)) {
    held += 1
    if (held === BOND_TOKENS) break
  }
  return held
}

const tooSmall = (held: number): Fault =>
  new Fault('BOND_TOO_SMALL', `A bond takes ${BOND_TOKENS} envelopes; there are ${held}.`, {
    held,
    needed: BOND_TOKENS,
  })

/**
 * Envelopes for a bond: those first that can do nothing else, since a soulbound one is never sent. Of each kind the
 * oldest.
 */
const drawn = async (store: Store, zid: string): Promise<readonly EnvelopeRow[]> => {
  const [bound, movable]: [EnvelopeRow[], EnvelopeRow[]] = [[], []]
  for await (const row of freeOf(store, zid, store.now().meshTick)) {
    const into = row.soulbound ? bound : movable
    if (into.length < BOND_TOKENS) into.push(row)
    if (bound.length === BOND_TOKENS) break
  }
  const rows = [...bound, ...movable].slice(0, BOND_TOKENS)
  if (rows.length < BOND_TOKENS) throw tooSmall(rows.length)
  return rows
}

const named = async (store: Store, zid: string, tokens: readonly string[]): Promise<readonly EnvelopeRow[]> => {
  const { meshTick } = store.now()
  const rows: EnvelopeRow[] = []
  for (const [i, token_id] of tokens.entries()) {
    if (i % LOOKED_AT_ONCE === LOOKED_AT_ONCE - 1) await breathe()
    const row = store.peek('envelope', token_id)
    if (row === undefined || row.listed_under !== zid) throw new Fault('NOT_FOUND', undefined, { token_id })
    const lock = lockAt(row.lock, meshTick)
    if (lock !== null) {
      throw new Fault('ENVELOPE_LOCKED', undefined, { token_id, kind: lock.kind, ref: lock.ref, until: lock.until })
    }
    rows.push(row)
  }
  return rows
}

/** The list of one home. */
export interface HomeList {
  readonly home: string
  readonly list: TokenList
}

/**
 * The envelopes that an order means, by home.
 *
 * @throws Fault INVALID_INPUT, BOND_TOO_SMALL {held, needed}, NOT_FOUND {token_id},
 * ENVELOPE_LOCKED {token_id, kind, ref}
 */
export const tokensFor = async (
  store: Store,
  zid: string,
  { count, token_ids }: BondOrder,
): Promise<readonly HomeList[]> => {
  if (count !== undefined && token_ids !== undefined) {
    throw new Fault('INVALID_INPUT', 'Say either token_ids or count.')
  }
  if (token_ids !== undefined && token_ids.length > 0)
    packSorted(token_ids.map((token_id) => ({ token_id, spend_seq: 0 })))
  const many = token_ids?.length ?? count ?? BOND_TOKENS
  if (many > BOND_TOKENS) throw new Fault('INVALID_INPUT', `A bond takes ${BOND_TOKENS} envelopes, no more.`)
  if (many < BOND_TOKENS) throw tooSmall(many)
  const rows = token_ids === undefined ? await drawn(store, zid) : await named(store, zid, token_ids)
  const homes = new Map<string, TokenPlace[]>()
  for (const { token_id, spend_seq, index } of rows) {
    const home = store.leafAt(index).log.origin
    homes.set(home, [...(homes.get(home) ?? []), { token_id, spend_seq }])
  }
  return [...homes.keys()].sort().map((home) => ({ home, list: packSorted(homes.get(home) ?? []) }))
}
