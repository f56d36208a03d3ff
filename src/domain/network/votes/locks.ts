import type { Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import { changedOnce } from '#core/token/list.ts'
import type { TokenReceiptFile } from '#core/token/receipt.ts'
import { type SignedStake, stakeId } from '#core/vote/documents.ts'
import { signStakeWith, stakeOf, stakeStanding } from '#core/vote/stake.ts'
import { keyOf } from '#store/layout.ts'
import { isVoteOver, type StakeOpRow } from '#store/rows/vote.ts'
import { createLedger, type LockLedger } from './ledger.ts'
import type { VoteOptions } from './types.ts'

/** Mesh ticks after which what could not go on is tried again. */
const AGAIN_TICKS = 8

/** Refusals after which the same op may still be applied. */
const PASSING = new Set([
  'HOME_UNREACHABLE',
  'NODE_UNREACHABLE',
  'NODE_BUSY',
  'NODE_STOPPING',
  'STORE_FAILED',
  'CLOCK_BEHIND',
  'LOG_ROLLED_BACK',
  'LOG_UNCONFIRMED',
])
const isPassing = (cause: unknown): boolean => cause instanceof Fault && PASSING.has(cause.code)
const isSent = ({ code, details }: Fault): boolean => code !== 'HOME_UNREACHABLE' || details['pending'] === true
/** Whether an op that was refused may be under way all the same. */
const isUnsure = (cause: unknown): boolean => !(cause instanceof Fault) || (isPassing(cause) && isSent(cause))

/** The steps of a lock, each from one durable state to the next. */
const createSteps = (options: VoteOptions, ledger: LockLedger) => {
  const { store, economy, recorder, custody, policy, known, nodeId } = options

  /** Applies the lock, or gives the receipt that it has: the same op again is the same change. */
  const apply = (row: StakeOpRow) => {
    const { op, signature, public_key } = row.signed
    return economy.moves.apply({ op, signature, public_key, list: row.list })
  }

  /** @throws Fault of the move; then nothing is locked, or the lock is still under way */
  const lock = async (digest: string, row: StakeOpRow): Promise<void> => {
    try {
      await apply(row)
    } catch (cause) {
      if (!isUnsure(cause)) await ledger.forget(digest)
      throw cause
    }
    const isHere = row.signed.op.home === store.log.origin
    await store.commit((tx) => {
      const now = tx.get('stakeOp', digest)
      if (now?.state !== row.state) return
      ledger.put(tx, digest, { ...now, state: 'locked' })
      // The stake can be signed once those whom the policy asks have seen the lock.
      if (isHere) tx.put('urgent', store.log.name, store.log.size)
    })
  }

  const closesOf = (row: StakeOpRow): number => store.peek('proposal', row.proposal)?.opened?.closes ?? 0

  /** The stake, signed, if its lock is proved as the policy asks; undefined while it is not. */
  const proved = async (row: StakeOpRow): Promise<SignedStake | undefined> => {
    const { receipt: file } = await apply(row)
    if (file.proof === null) return undefined
    const account = await store.get('account', row.zid)
    const signer = account === undefined ? undefined : custody(account)
    if (signer === undefined) return undefined
    const signed = await signStakeWith(signer, stakeOf(row.proposal, row.side, file as TokenReceiptFile))
    const trust = { closes: closesOf(row), policy, successions: known() }
    return stakeStanding(signed, trust) === 'quorum' ? undefined : signed
  }

  const publish = async (digest: string, row: StakeOpRow): Promise<void> => {
    const closes = closesOf(row)
    const signed = store.now().meshTick > closes ? undefined : await proved(row)
    if (signed === undefined && store.now().meshTick <= closes) return
    await store.commit((tx) => {
      if (tx.get('stakeOp', digest)?.state !== row.state) return
      if (signed === undefined || tx.meshTick > closes) return ledger.put(tx, digest, { ...row, state: 'late' })
      recorder.in(tx, 'stake', signed as unknown as Json)
      const stake = keyOf(stakeId(signed), nodeId)
      // A vote that is full of stakes takes no more: then this one came to nothing.
      const isKept = tx.get('stake', keyOf(row.proposal, stake)) !== undefined
      ledger.put(tx, digest, isKept ? { ...row, state: 'staked', stake } : { ...row, state: 'late' })
    })
  }

  /** Ends a lock once the vote is over and counted; without that its tick ends it. */
  const giveBack = async (digest: string, row: StakeOpRow): Promise<void> => {
    const { meshTick } = store.now()
    const { until } = row.signed.op
    const isVoid = until !== null && meshTick >= until
    if (!isVoid) {
      if (!isVoteOver({ get: store.peek }, row.proposal, meshTick)) return
      const list = changedOnce(row.list)
      const { op, signature, public_key } = row.unlock
      try {
        await economy.moves.apply({ op, signature, public_key, list })
      } catch (cause) {
        // It ended by its tick since, or, at another home that has not heard of the count, will.
        if (!(cause instanceof Fault) || cause.code !== 'SUPERSEDED') throw cause
      }
    }
    await ledger.next(digest, row, { list: [], state: 'returned' })
  }

  return { lock, publish, giveBack }
}

/**
 * The locks that this node makes for stakes: each is written down before it is made, and led to its end whatever cuts
 * the node off in between.
 */
export const createLocks = (options: VoteOptions) => {
  const { store, log } = options
  const ledger = createLedger(store)
  const { lock, publish, giveBack } = createSteps(options, ledger)
  const running = new Map<string, Promise<void>>()
  const notBefore = new Map<string, number>()

  const step = async (digest: string): Promise<void> => {
    const row = ledger.open.get(digest)
    if (row === undefined) return
    if (row.state === 'begun') await lock(digest, row)
    else if (row.state === 'locked') await publish(digest, row)
    else await giveBack(digest, row)
  }

  /** One piece of work for each lock at a time. */
  const alone = (digest: string, work: () => Promise<void>): Promise<void> => {
    const made = work().finally(() => running.delete(digest))
    running.set(
      digest,
      made.catch(() => undefined),
    )
    return made
  }

  return {
    open: ledger.open,
    resume: ledger.resume,
    /** Leads a lock on, one step at a time; what cannot go on now goes on some ticks later. */
    advance: (digest: string): Promise<void> => {
      const under = running.get(digest)
      if (under !== undefined) return under
      if ((notBefore.get(digest) ?? 0) > store.now().meshTick) return Promise.resolve()
      notBefore.delete(digest)
      return alone(digest, () => step(digest)).catch((error: unknown) => {
        notBefore.set(digest, store.now().meshTick + AGAIN_TICKS)
        if (!isPassing(error)) log.warn({ digest, error }, 'stake_waits')
      })
    },
    /**
     * Writes a lock down, then makes it.
     *
     * @throws Fault as a move, after which nothing of it is left unless its home may have made it
     */
    begin: (digest: string, row: StakeOpRow): Promise<void> =>
      alone(digest, async () => {
        await ledger.begin(digest, row)
        await lock(digest, row)
      }),
    /** Nothing runs any more once it resolves. */
    ended: async (): Promise<void> => {
      await Promise.all(running.values())
    },
  }
}
export type Locks = ReturnType<typeof createLocks>
