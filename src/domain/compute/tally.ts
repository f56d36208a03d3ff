import { fromUtf8, toHex } from '#core/bytes.ts'
import type { Claim } from '#core/claim.ts'
import { purposes } from '#core/digest.ts'
import { isFaultOf } from '#core/fault.ts'
import { leafHash } from '#core/merkle.ts'
import type { Era } from '#store/eras.ts'
import type { TallyRow } from '#store/rows/tally.ts'
import type { SealLog } from '#store/seal-log.ts'
import type { Store } from '#store/store.ts'

const ONLY_ROW = 'all'
const NOTHING: TallyRow = {
  seals: 0,
  refusals: 0,
  checkpoints: 0,
  leaves: 0,
  checkpointed: 0,
  last_seal: null,
  last_result: null,
}
/** Checkpoints that are read at a time. */
const CHECKPOINTS_PAGE = 256

/** An envelope that is durable. */
export interface SealedLeaf {
  /** Serial number of its leaf. */
  readonly serial: number
  readonly data: Uint8Array
  readonly resultDigest: string
}

/** What a node has done since its genesis, without a walk over its logs. */
export interface NodeTally extends AsyncDisposable {
  readonly now: TallyRow
  /** An envelope is durable; called in the order of their leaves. */
  sealed(leaf: SealedLeaf): void
  /** A computation was refused. */
  refused(): void
  /** Counts the checkpoints that came, and makes all of it durable if anything did. Call it once a tick. */
  keep(): Promise<void>
}

/** Whether a computation ended because of what was asked or came out, and not because of how the node stands. */
export const isRefusal = (cause: unknown): boolean => isFaultOf(cause, 'caller', 'gate')

/** Does what may refuse a computation before it runs. */
export const asked =
  ({ refused }: Pick<NodeTally, 'refused'>) =>
  async <T>(prepare: () => T | Promise<T>): Promise<T> => {
    try {
      return await prepare()
    } catch (cause) {
      if (isRefusal(cause)) refused()
      throw cause
    }
  }

const logsOf = ({ eras, log }: Store): readonly SealLog[] => [...eras.map((it: Era) => it.log), log]

/** What a leaf of an envelope says. */
const claimIn = (data: Uint8Array): Claim =>
  (JSON.parse(fromUtf8(data.subarray(purposes.envelope.length + 1))) as { readonly claim: Claim }).claim

/** Counts envelopes from a leaf on: those of a store of before, or what a crash left uncounted. */
const walked = async (store: Store, from: TallyRow): Promise<TallyRow> => {
  let { seals, leaves, last_seal, last_result } = from
  for (const log of logsOf(store)) {
    const end = log.base + log.size
    if (end <= leaves) continue
    let newest: Uint8Array | undefined
    for await (const { index, kind, data } of log.leaves(Math.max(0, leaves - log.base), log.size)) {
      if (kind !== purposes.envelope) continue
      seals += 1
      leaves = log.base + index + 1
      newest = data
    }
    if (newest === undefined) continue
    last_seal = toHex(leafHash(newest))
    last_result = claimIn(newest).result_digest
  }
  return { ...from, seals, leaves, last_seal, last_result }
}

/** Checkpoints above what is counted. */
const withCheckpoints = async (store: Store, from: TallyRow): Promise<TallyRow> => {
  let { checkpoints, checkpointed } = from
  for (const log of logsOf(store)) {
    for (;;) {
      const above = Math.max(0, checkpointed - log.base)
      if ((log.checkpoint?.size ?? 0) <= above) break
      const page = await log.checkpoints({ above, limit: CHECKPOINTS_PAGE })
      checkpoints += page.length
      const last = page.at(-1)
      if (last === undefined) break
      checkpointed = log.base + last.size
    }
  }
  return { ...from, checkpoints, checkpointed }
}

/** The counts of a node, brought up to what its logs have. */
export const openTally = async (store: Store): Promise<NodeTally> => {
  const kept = store.peek('tally', ONLY_ROW)
  let now = await withCheckpoints(store, await walked(store, kept ?? NOTHING))
  /** The newest leaf while its hash is not in `now`: of many that come together only the last one's is asked for. */
  let newest: Uint8Array | undefined
  const upToDate = (): TallyRow => {
    if (newest !== undefined) now = { ...now, last_seal: toHex(leafHash(newest)) }
    newest = undefined
    return now
  }
  let written = kept
  const isWritten = (): boolean => {
    const before = written ?? NOTHING
    const row = upToDate()
    return (Object.keys(NOTHING) as (keyof TallyRow)[]).every((it) => before[it] === row[it])
  }

  const keep = async (): Promise<void> => {
    if (store.failure !== undefined) return
    const { checkpoints, checkpointed } = await withCheckpoints(store, now)
    now = { ...now, checkpoints, checkpointed }
    if (isWritten()) return
    const row = upToDate()
    await store.commit((tx) => tx.put('tally', ONLY_ROW, row))
    written = row
  }

  return {
    get now() {
      return upToDate()
    },
    sealed: ({ serial, data, resultDigest }) => {
      newest = data
      now = { ...now, seals: now.seals + 1, leaves: serial + 1, last_result: resultDigest }
    },
    refused: () => {
      now = { ...now, refusals: now.refusals + 1 }
    },
    keep,
    [Symbol.asyncDispose]: () => keep().catch(() => undefined),
  }
}
