import { CorruptRow } from '#store/corrupt-row.ts'
import type { Fsck } from '#store/fsck/report.ts'
import { rowKind } from '#store/row-kind.ts'
import type { BasisRows } from './basis.ts'
import type { EraRows } from './era.ts'

/** What a node has done since its genesis, counted up to a place in its seal logs: what follows is in the logs. */
export interface TallyRow {
  readonly seals: number
  /** Computations refused; the logs have none of them, so those of the last tick before a crash are not counted. */
  readonly refusals: number
  /** Checkpoints of the seal logs. */
  readonly checkpoints: number
  /** Serial number of the first leaf that is not counted. */
  readonly leaves: number
  /** Leaves of all eras under the newest checkpoint that is counted. */
  readonly checkpointed: number
  /** Leaf hash of the newest envelope, hex; null before the first. */
  readonly last_seal: string | null
  /** Its result digest, hex. */
  readonly last_result: string | null
}

export interface TallyRows {
  readonly tally: TallyRow
}

type Needs = TallyRows & Pick<BasisRows, 'writer'> & EraRows

/** What is counted is not more than there are leaves. */
const checkTally = async ({ database, step }: Fsck<Needs>): Promise<void> => {
  const row = database.peek('tally', 'all')
  if (row === undefined) return
  step('accounts')
  let leaves = database.peek('writer', 'state')?.logs.seal.size ?? 0
  for await (const [, era] of database.range('era')) leaves += era.logs.seal.size
  const { seals, checkpoints, leaves: counted, checkpointed, refusals } = row
  if (counted > leaves || checkpointed > leaves)
    throw new CorruptRow('tally', 'all', 'it counts leaves that are not there')
  if (seals > counted || checkpoints > checkpointed)
    throw new CorruptRow('tally', 'all', 'it counts more than there is')
  if ([seals, checkpoints, refusals].some((it) => !Number.isSafeInteger(it) || it < 0))
    throw new CorruptRow('tally', 'all', 'it is no count')
}

/** Counts that would otherwise take a walk over the logs. */
export const tally = rowKind<TallyRows, Needs>({
  tables: { tally: { prefix: 'ct', form: 'json', key: 'the word `all`' } },
  since: { schema: 3, note: 'it came later and changed no other row: without one the logs are counted once' },
  check: checkTally,
})
