import type { Caller } from '#core/caller.ts'
import { Fault } from '#core/fault.ts'
import type { Reader } from '#domain/credentials/standing.ts'
import { admitted } from '#domain/machines/roles.ts'
import { keyOf, under } from '#store/layout.ts'
import type { Store } from '#store/store.ts'

/** Largest free + paid with which the daily claim is possible: nearly out. */
export const CLAIM_BALANCE_MAX = 5
/** Credits of one claim. */
export const CLAIM_CREDITS = 128
/** Machines of an account that are looked at for the oldest one, in the order of their slugs. */
export const MACHINES_LOOKED_AT = 10_000

/** What rows and balances are read through: the store, or a transaction. */
export interface ClaimReader extends Reader {
  balance(asset: string, account: string): number
}

/** Whose days a claim would spend. */
export interface Claimant {
  readonly zid: string
  /** Slug; null when the account has no machine. */
  readonly machine: string | null
  /** UTC day. */
  readonly day: string
}

/** What the rules say of a claim now: free and paid, the days, and no more. */
export interface ClaimStanding {
  readonly nearlyOut: boolean
  readonly claimedToday: boolean
  readonly state: 'claimable' | 'already claimed today' | 'unlocks when nearly out'
  /** Claims of the account that were ever paid, and the day of the last one. */
  readonly claims: number
  readonly lastDay: string | null
}

/** Whether a claim is possible: both days unspent, and the balance nearly out. */
export const claimStanding = (reader: ClaimReader, { zid, machine, day }: Claimant): ClaimStanding => {
  const nearlyOut = reader.balance('free', zid) + reader.balance('paid', zid) <= CLAIM_BALANCE_MAX
  const claimant = reader.get('claimant', zid)
  // Days of an account never fall, not even where a clock was set back within a tick.
  const byAccount = claimant !== undefined && claimant.day >= day
  const byMachine = machine !== null && reader.get('claimByMachine', keyOf(machine, day)) !== undefined
  const claimedToday = byAccount || byMachine
  const state = claimedToday ? 'already claimed today' : nearlyOut ? 'claimable' : 'unlocks when nearly out'
  return { nearlyOut, claimedToday, state, claims: claimant?.claims ?? 0, lastDay: claimant?.day ?? null }
}

/**
 * Lets a caller claim for a machine: an active one in which it is at least operator.
 *
 * @throws Fault NOT_FOUND, SCOPE_REQUIRED, MACHINE_NOT_ACTIVE
 */
export const assertMayClaimFor = (reader: Reader, caller: Caller, slug: string): void => {
  const { machine } = admitted(reader, { slug, caller, needed: 'operator' })
  const { status } = machine
  if (status === 'active') return
  throw new Fault('MACHINE_NOT_ACTIVE', `The machine is ${status}.`, { machine_status: status })
}

/** The oldest active machine of an account, by slug; null when it has none. */
export const oldestMachine = async (store: Store, zid: string): Promise<string | null> => {
  let oldest: { readonly slug: string; readonly genesis_tick: number } | undefined
  for await (const [, slug] of store.range('machineByZid', { ...under(zid), limit: MACHINES_LOOKED_AT })) {
    const machine = store.peek('machine', slug)
    if (machine?.owner_zid !== zid || machine.status !== 'active') continue
    if (oldest === undefined || machine.genesis_tick < oldest.genesis_tick) oldest = machine
  }
  return oldest?.slug ?? null
}
