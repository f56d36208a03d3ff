import type { Caller } from '#core/caller.ts'
import type { Json } from '#core/canonical.ts'
import { digest, purposes } from '#core/digest.ts'
import { Fault } from '#core/fault.ts'
import { isoOf } from '#core/iso.ts'
import type { Repeat, WithReplayed } from '#core/once.ts'
import type { Instant } from '#core/tick.ts'
import { bitsAfter, LADDER_MAX, type ProofOfWork } from '#domain/identity/proof-of-work.ts'
import { personOf } from '#domain/machines/roles.ts'
import { keyOf } from '#store/layout.ts'
import { claimRef } from '#store/rows/claim.ts'
import type { Store } from '#store/store.ts'
import type { Transaction } from '#store/transaction.ts'
import { dayOf, dayPeriod, hourPeriod, type Period } from './calendar.ts'
import {
  assertMayClaimFor,
  CLAIM_BALANCE_MAX,
  CLAIM_CREDITS,
  type ClaimStanding,
  claimStanding,
  oldestMachine,
} from './claim-standing.ts'
import type { ClaimOrder, Economy, Issue } from './economy.ts'
import { countOne, quotaKey } from './quota.ts'
import type { Claimed, ClaimStatus } from './views.ts'

export interface ClaimOptions {
  readonly store: Store
  readonly work: ProofOfWork
  readonly issue: (tx: Transaction, it: Issue) => number
  readonly idempotent: Economy['idempotent']
}

const notEligible = ({ state }: ClaimStanding, { end, secondsLeft }: Period): Fault => {
  if (state === 'already claimed today') {
    const unlocks_at = isoOf(end)
    const detail = `This UTC day is claimed; the next one begins at ${unlocks_at}.`
    return new Fault('NOT_ELIGIBLE', detail, { state, unlocks_at, retry_after_seconds: secondsLeft })
  }
  const detail = `The claim unlocks when free and paid credits together are at most ${CLAIM_BALANCE_MAX}.`
  return new Fault('NOT_ELIGIBLE', detail, { state, unlocks_at: null, balance_max: CLAIM_BALANCE_MAX })
}

/** Claims that were paid to an address bucket in this hour, and where they are counted. */
const ladderOf = (instant: Instant, bucket: string): { readonly hour: Period; readonly key: string } => {
  const hour = hourPeriod(instant)
  return { hour, key: quotaKey('claim', hour, bucket) }
}

/** What the status says to whoever has no account. */
const forAccountsOnly = (day: string): ClaimStatus => ({
  ...{ open: false, worth: CLAIM_CREDITS, balance_max: CLAIM_BALANCE_MAX, nearly_out: false, claimed_today: false },
  ...{ eligible: false, state: 'for accounts only', day, machine: null, unlocks_at: null, unlocks_in_seconds: null },
  ...{ ladder: null, challenge: null, prior_claims: 0, last_claim_day: null },
})

/** Eligibility first, and work only for whoever could be paid for it. */
const createClaimStatus =
  ({ store, work }: ClaimOptions) =>
  async (caller: Caller, named: string | undefined): Promise<ClaimStatus> => {
    if (caller.kind !== 'account' && caller.kind !== 'owner') return forAccountsOnly(dayOf(store.now().instant))
    const { zid, bucket } = caller
    const reader = { get: store.peek, balance: store.balance }
    if (named !== undefined) assertMayClaimFor(reader, caller, named)
    const machine = named ?? (await oldestMachine(store, zid))
    // From here on nothing waits: all is of one moment.
    const { instant, meshTick } = store.now()
    const day = dayOf(instant)
    const { nearlyOut, claimedToday, state, claims, lastDay } = claimStanding(reader, { zid, machine, day })
    const { hour, key } = ladderOf(instant, bucket)
    const before = store.peek('quota', key) ?? 0
    const bits = bitsAfter(before) ?? null
    const eligible = state === 'claimable'
    const asked = { account: zid, machine, bucket, day }
    const challenge = eligible && bits !== null ? work.challenge(asked, bits, meshTick) : null
    const unlocks = claimedToday ? dayPeriod(instant) : eligible && bits === null ? hour : undefined
    return {
      open: !claimedToday,
      worth: CLAIM_CREDITS,
      balance_max: CLAIM_BALANCE_MAX,
      nearly_out: nearlyOut,
      claimed_today: claimedToday,
      eligible,
      state,
      day,
      machine,
      unlocks_at: unlocks === undefined ? null : isoOf(unlocks.end),
      unlocks_in_seconds: unlocks?.secondsLeft ?? null,
      ladder: { claims_this_hour: before, claims_max: LADDER_MAX, bits },
      challenge,
      prior_claims: claims,
      last_claim_day: lastDay,
    }
  }

/** Spends what a claim takes: its challenge, and its place on the ladder. @throws Fault RATE_LIMITED */
const takePlace = (tx: Transaction, instant: Instant, { bucket, spent }: { bucket: string; spent: string }): void => {
  const { hour, key } = ladderOf(instant, bucket)
  if ((tx.get('quota', key) ?? 0) >= LADDER_MAX) {
    const detail = `One address is paid ${LADDER_MAX} claims an hour.`
    throw new Fault('RATE_LIMITED', detail, { limit: LADDER_MAX, retry_after_seconds: hour.secondsLeft })
  }
  countOne(tx, key)
  countOne(tx, spent)
}

/** Writes the days that are spent with their leaf, and counts them. */
const spendDays = (
  tx: Transaction,
  { zid, machine, day }: { readonly zid: string; readonly machine: string | null; readonly day: string },
  leaf: number,
): number => {
  const claims = (tx.get('claimant', zid)?.claims ?? 0) + 1
  tx.put('claimByAccount', keyOf(zid, day), { machine, leaf })
  if (machine !== null) tx.put('claimByMachine', keyOf(machine, day), { leaf })
  tx.put('claimant', zid, { claims, day })
  const all = tx.get('claimDay', day) ?? { claims: 0, credits: 0 }
  tx.put('claimDay', day, { claims: all.claims + 1, credits: all.credits + CLAIM_CREDITS })
  return claims
}

/** Pays a claim, whole or not at all. The day is that of the commit, whatever the clock did since the challenge. */
const payClaim = ({ store, work, issue }: ClaimOptions, caller: Caller, order: ClaimOrder) => {
  const zid = personOf(caller)
  const { bucket } = caller
  return (tx: Transaction): Claimed => {
    const { instant } = store.now()
    const today = dayPeriod(instant)
    const day = dayOf(instant)
    const asked = { account: zid, machine: order.machine, bucket, day }
    const { random, expires, machine } = work.check(order, asked, tx.meshTick)
    const spent = quotaKey('work', { endMeshTick: expires + 1 }, random)
    if (tx.get('quota', spent) !== undefined) throw new Fault('CHALLENGE_SPENT')
    if (machine !== null) assertMayClaimFor(tx, caller, machine)
    const standing = claimStanding(tx, { zid, machine, day })
    if (standing.state !== 'claimable') throw notEligible(standing, today)
    takePlace(tx, instant, { bucket, spent })
    const ref = claimRef(day, machine)
    const index = issue(tx, { kind: 'claim', asset: 'free', to: zid, amount: CLAIM_CREDITS, ref })
    const claims = spendDays(tx, { zid, machine, day }, store.log.base + index)
    const [free, paid] = [tx.balance('free', zid), tx.balance('paid', zid)]
    const { tick } = tx
    return { zid, credits: CLAIM_CREDITS, free, paid, day, machine, claims, index, tick, unlocks_at: isoOf(today.end) }
  }
}

/** The daily claim: what it asks of a caller, and paying it. */
export const createClaims = (options: ClaimOptions) => ({
  status: createClaimStatus(options),
  /** @throws Fault INVALID_INPUT, CHALLENGE_SPENT, NOT_ELIGIBLE, RATE_LIMITED, and what the machine says. */
  claim: async (caller: Caller, order: ClaimOrder, repeat?: Repeat): Promise<WithReplayed<Claimed>> => {
    const plan = payClaim(options, caller, order)
    const { challenge, nonce, machine = null } = order
    const input = digest(purposes.request, { challenge, nonce, machine })
    const { store, idempotent } = options
    const once = repeat?.key === undefined ? undefined : await idempotent(caller, repeat.scope, repeat.key, input)
    if (once?.kind === 'replay') return { ...(once.answer as unknown as Claimed), replayed: true }
    try {
      const made = await store.commit((tx) => {
        const claimed = plan(tx)
        once?.keep(tx, () => claimed as unknown as Json)
        return claimed
      })
      return { ...made, replayed: false }
    } finally {
      once?.release()
    }
  },
})
