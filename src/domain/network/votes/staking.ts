import { accountCaller, type Caller } from '#core/caller.ts'
import type { Json } from '#core/canonical.ts'
import { digest, purposes } from '#core/digest.ts'
import { Fault } from '#core/fault.ts'
import type { Signer } from '#core/keys.ts'
import type { Repeat, WithReplayed } from '#core/once.ts'
import { opDigest } from '#core/token/op.ts'
import type { Side } from '#core/vote/documents.ts'
import { stakerOf } from '#core/vote/stake.ts'
import type { Staked } from '#domain/network/views/votes.ts'
import { under } from '#store/layout.ts'
import { countKeys, type ProposalRow, STAKES_MAX, type StakeOpRow } from '#store/rows/vote.ts'
import type { Locks } from './locks.ts'
import { assertPolicy, lastTick, type Show } from './show.ts'
import { chosenTokens, signLocks } from './tokens.ts'
import type { StakeOrder, VoteOptions } from './types.ts'

/** Work under one name goes one after another: two stakes at once could take both sides. */
const createTurns = () => {
  const turns = new Map<string, Promise<unknown>>()
  return async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const made = (turns.get(name) ?? Promise.resolve()).then(work)
    const settled = made.catch(() => undefined)
    turns.set(name, settled)
    try {
      return await made
    } finally {
      if (turns.get(name) === settled) turns.delete(name)
    }
  }
}

/** The key of an account that this node keeps. @throws Fault SCOPE_REQUIRED */
const signerOf = async ({ store, custody }: VoteOptions, zid: string): Promise<Signer> => {
  const account = await store.get('account', zid)
  const signer = account === undefined ? undefined : custody(account)
  if (signer !== undefined) return signer
  const detail = 'This ZID keeps its own key: this node cannot sign a stake for it.'
  throw new Fault('SCOPE_REQUIRED', detail, { scope: 'zid-key' })
}

/** Until when a stake is taken. @throws Fault VOTE_CLOSED, TOO_LATE, NODE_BUSY */
const assertOpen = (options: VoteOptions, id: string, { proposal, opened }: ProposalRow) => {
  const { store, policyName } = options
  const { meshTick } = store.now()
  if (opened === null) throw new Fault('VOTE_CLOSED', 'The vote is not open yet.', { state: 'draft' })
  const { closes } = opened
  if (meshTick > closes) throw new Fault('VOTE_CLOSED', 'The vote is over.', { state: 'closed', closes })
  assertPolicy(policyName, proposal)
  const last = lastTick(closes, options)
  if (meshTick > last) throw new Fault('TOO_LATE', undefined, { last_tick: last, closes })
  if ((store.peek('voteCount', countKeys.stakes(id)) ?? 0) >= STAKES_MAX) {
    throw new Fault('NODE_BUSY', 'As many stakes on this proposal are kept here as fit.')
  }
  return { closes, last }
}

/** The side of a ZID's first stake, as far as is known here. */
const fixedSide = async ({ store }: VoteOptions, locks: Locks, { id, zid }: { id: string; zid: string }) => {
  for (const { proposal, zid: of, side, state } of locks.open.values()) {
    if (proposal === id && of === zid && state !== 'late') return side
  }
  let first: { readonly tick: number; readonly side: Side } | undefined
  for await (const [, { signed, tick }] of store.range('stake', under(id))) {
    if (stakerOf(signed) === zid && tick < (first?.tick ?? Number.POSITIVE_INFINITY)) {
      first = { tick, side: signed.stake.side }
    }
  }
  return first?.side
}

/** Stakes of accounts whose key this node keeps. */
export const createStaking = (options: VoteOptions, show: Show, locks: Locks) => {
  const { store, economy } = options
  const inTurn = createTurns()

  const staked = async (id: string, op_digest: string): Promise<Staked> => ({
    proposal: id,
    op_digest,
    stake: await show.stakeShown(op_digest, id),
  })

  /** Locks the tokens. @returns the digest of the lock */
  const lock = async (caller: Caller, order: StakeOrder, repeat: string | null): Promise<string> => {
    const { zid } = accountCaller(caller)
    const { id, side } = order
    const { closes, last } = assertOpen(options, id, await show.row(id))
    const fixed = await fixedSide(options, locks, { id, zid })
    if (fixed !== undefined && fixed !== side) throw new Fault('SIDE_FIXED', undefined, { side: fixed })
    const signer = await signerOf(options, zid)
    const chosen = await chosenTokens({ store, economy }, caller, order)
    const { meshTick } = store.now()
    const { lock: signed, unlock } = await signLocks(signer, chosen, { proposal: id, closes, meshTick, until: last })
    const name = opDigest(signed.op)
    const row: StakeOpRow = {
      ...{ proposal: id, zid, side, signed, unlock, repeat, list: chosen.list, state: 'begun', stake: null },
    }
    await locks.begin(name, row)
    return name
  }

  return async (caller: Caller, order: StakeOrder, repeat?: Repeat): Promise<WithReplayed<Staked>> => {
    const { zid } = accountCaller(caller)
    const { id, side, count, token_ids } = order
    const said = { id, side, count: count ?? null, token_ids: token_ids === undefined ? null : [...token_ids] }
    const input = digest(purposes.request, said)
    const once =
      repeat?.key === undefined ? undefined : await economy.idempotent(caller, repeat.scope, repeat.key, input)
    if (once?.kind === 'replay') {
      return { ...(await staked(id, (once.answer as { op_digest: string }).op_digest)), replayed: true }
    }
    const name = repeat?.key === undefined ? null : digest(purposes.request, { zid, key: repeat.key, input })
    try {
      return await inTurn(`${id}/${zid}`, async () => {
        // A kill between the lock and its answer: the same call finds what it began.
        const before = name === null ? undefined : [...locks.open].find(([, row]) => row.repeat === name)
        const op_digest = before?.[0] ?? (await lock(caller, order, name))
        await store.commit((tx) => once?.keep(tx, () => ({ op_digest }) satisfies Json))
        return { ...(await staked(id, op_digest)), replayed: before !== undefined }
      })
    } finally {
      once?.release()
    }
  }
}
