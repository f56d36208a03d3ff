import { fromHex, toHex } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import { digest, purposes } from '#core/digest.ts'
import type { Rules } from '#core/dispute/rules.ts'
import { Fault } from '#core/fault.ts'
import { logName, tokenIdOf } from '#core/ids.ts'
import { signValue, zidOf } from '#core/keys.ts'
import { moved, type TokenRow, withheld } from '#core/token/decide.ts'
import { packSorted, type TokenPlace, tokensRoot } from '#core/token/list.ts'
import { assertSignedOp, assertTimely, opPurpose, type TokenOp } from '#core/token/op.ts'
import { receiptOf } from '#core/token/receipt.ts'
import { BOND_TOKENS, type Bond, bondName, readBond } from '#core/work/bond.ts'
import type { Chance } from './chance.ts'
import type { Party } from './party.ts'

/** Ticks for which a simulated op is valid. */
const VALID_TICKS = 9_009
const FACE = 3

/** The tokens that one node minted, and what became of them: decided by core/token/decide.ts. */
export interface Home {
  readonly party: Party
  readonly log: string
  readonly rows: Map<string, TokenRow>
  /** `token_id/spend_seq` of every change that this home signed a receipt for. */
  readonly signed: Set<string>
  /** Those that it signed twice: evidence against it. */
  readonly twice: string[]
  /** Bonds whose lock it ended, or made final. */
  readonly unlocked: Map<string, number>
  readonly withheld: Map<string, string>
  leaves: number
}

/** A home without tokens. */
export const homeOf = (party: Party, genesis: number): Home => ({
  party,
  log: logName(party.node, genesis),
  rows: new Map(),
  signed: new Set(),
  twice: [],
  unlocked: new Map(),
  withheld: new Map(),
  leaves: 0,
})

/** Mints tokens to an owner. */
export const mint = (home: Home, owner: string, count: number): readonly string[] =>
  Array.from({ length: count }, () => {
    const token_id = tokenIdOf(home.log, home.leaves)
    home.leaves += 1
    home.rows.set(token_id, { token_id, owner, soulbound: false, lock: null, spend_seq: 0 })
    return token_id
  })

/** An op by a node's own key over a list. */
export interface Ordered {
  readonly party: Party
  readonly places: readonly TokenPlace[]
  readonly what: { readonly op: 'lock' | 'unlock'; readonly ref: string; readonly until: number | null }
  readonly tick: number
}

const opFor = (home: Home, { places, what, tick }: Ordered): TokenOp =>
  ({
    ...{ home: home.log, tokens_root: tokensRoot(packSorted(places)), count: places.length, ...what },
    ...{ valid_to: tick + VALID_TICKS, mesh_tick: tick },
  }) as TokenOp

/**
 * What a home does with an op: all of its list or none.
 *
 * @returns the digest of the receipt and the place of the leaf.
 * @throws Fault as core/token/decide.ts decides
 */
export const apply = (
  home: Home,
  ordered: Ordered,
  { rules, released }: { readonly rules: Rules; readonly released?: (ref: string) => boolean },
): { readonly receipt: string; readonly index: number; readonly tokens_root: string } => {
  const { party, places, tick } = ordered
  const op = opFor(home, ordered)
  const public_key = toHex(party.publicKey)
  assertSignedOp({ op, public_key, signature: signValue(party.seed, opPurpose(op), op as unknown as Json) })
  assertTimely(op, tick)
  const speaksFor = (owner: string): boolean => owner === zidOf(fromHex(public_key))
  const context = { publicKey: public_key, speaksFor, meshTick: tick, ...(released && { released }) }
  const after = places.map((place) => {
    const row = home.rows.get(place.token_id)
    const counted = rules.spendSeq || row === undefined ? place : { ...place, spend_seq: row.spend_seq }
    return moved(row, counted, { op, context })
  })
  for (const row of after) home.rows.set(row.token_id, row)
  for (const { token_id, spend_seq } of places) {
    const name = `${token_id}/${spend_seq}`
    if (home.signed.has(name)) home.twice.push(name)
    home.signed.add(name)
  }
  const index = home.leaves
  home.leaves += 1
  const receipt = receiptOf(op, { log: home.log, index, weight: places.length * FACE, meshTick: tick })
  return { receipt: digest(purposes.tokenReceipt, receipt as unknown as Json), index, tokens_root: op.tokens_root }
}

/** A bond that stands, with the tokens behind it by home. */
export interface SimBond {
  readonly bond: Bond
  readonly owner: Party
  readonly homes: readonly { readonly home: Home; readonly ids: readonly string[] }[]
}

/** Locks tokens for a bond at some homes, and says so in the form of the event's payload. */
export const makeBond = (
  owner: Party,
  homes: readonly Home[],
  { chance, tick, rules }: { readonly chance: Chance; readonly tick: number; readonly rules: Rules },
): SimBond => {
  const random = toHex(chance.bytes(16))
  const name = bondName(owner.node, random)
  const share = Math.floor(BOND_TOKENS / homes.length)
  const held = homes.map((home, i) => {
    const count = i === 0 ? BOND_TOKENS - share * (homes.length - 1) : share
    const ids = mint(home, owner.zid, count)
    const places = ids.map((token_id) => ({ token_id, spend_seq: 0 }))
    const what = { op: 'lock', ref: `bond:${name}`, until: null } as const
    const locked = apply(home, { party: owner, places, what, tick }, { rules })
    return { home, ids, part: { home: home.log, count, ...locked } }
  })
  const payload = { bond: name, random, policy: 'open', total: BOND_TOKENS, parts: held.map(({ part }) => part) }
  return { bond: readBond(payload, owner.node), owner, homes: held.map(({ home, ids }) => ({ home, ids })) }
}

const placesNow = ({ rows }: Home, ids: readonly string[]): readonly TokenPlace[] =>
  ids.map((token_id) => ({ token_id, spend_seq: rows.get(token_id)?.spend_seq ?? 0 }))

/** Ends the lock of a bond at one home, if the rules let it. */
export const unlockAt = ({ bond, owner, homes }: SimBond, home: Home, tick: number, rules: Rules): void => {
  const ids = homes.find((it) => it.home === home)?.ids ?? []
  const what = { op: 'unlock', ref: `bond:${bond.bond}`, until: null } as const
  apply(home, { party: owner, places: placesNow(home, ids), what, tick }, { rules, released: () => true })
  home.unlocked.set(bond.bond, tick)
}

/** Takes a fallen bond's tokens at one home for good. */
export const withholdAt = ({ bond, homes }: SimBond, home: Home, ref: string): void => {
  for (const id of homes.find((it) => it.home === home)?.ids ?? []) {
    const row = home.rows.get(id)
    if (row !== undefined && row.lock?.kind !== 'withheld') home.rows.set(id, withheld(row, ref))
  }
  home.withheld.set(bond.bond, ref)
}

/**
 * What a cheat tries: to use one count of changes twice. It locks for a vote, waits until that lock is void, and signs
 * a second lock over the count that it used. @returns whether the home let it.
 */
export const spendTwice = (
  home: Home,
  party: Party,
  { chance, tick, rules }: { chance: Chance; tick: number; rules: Rules },
): boolean => {
  const ids = mint(home, party.zid, chance.integer(1, 3))
  const places = ids.map((token_id) => ({ token_id, spend_seq: 0 }))
  const until = tick + 1
  apply(home, { party, places, what: { op: 'lock', ref: 'vote:a', until }, tick }, { rules })
  try {
    apply(home, { party, places, what: { op: 'lock', ref: 'vote:b', until: null }, tick: until }, { rules })
    return true
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code === 'SUPERSEDED') return false
    throw thrown
  }
}
