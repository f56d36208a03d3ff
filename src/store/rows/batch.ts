import { fromUtf8 } from '#core/bytes.ts'
import type { Caller } from '#core/caller.ts'
import type { Json } from '#core/canonical.ts'
import { purposes } from '#core/digest.ts'
import { CorruptRow } from '#store/corrupt-row.ts'
import type { Fsck, Walked } from '#store/fsck/report.ts'
import { keyOf, seqKey, under } from '#store/key-parts.ts'
import { rowKind } from '#store/row-kind.ts'
import type { EnvelopeRows } from './envelope.ts'
import type { JobProblem, Recipe } from './job.ts'
import type { LogRows } from './log.ts'

/** One call of a batch: what is proved of it, and what it takes to make it again. */
export interface BatchCallRecord {
  readonly route: string
  readonly input: Json
  readonly inputs_digest: string
  /** Credits. */
  readonly price: number
  readonly recipe: Recipe
}

/** Calls that were opened together, and where they stand. */
export interface BatchRow {
  readonly v: 1
  /** 32 hex digits. */
  readonly id: string
  readonly caller: Caller
  readonly count: number
  /** Serial number of the leaf that opened it, and of the one that closed it; null until then. */
  readonly opened: number
  readonly closed: number | null
  /** Mesh tick of the opening. */
  readonly mesh_tick: number
}

/** What came of one call. */
export type BatchOutcomeRow =
  | { readonly outcome: 'sealed'; readonly token_id: string }
  | { readonly outcome: 'refused' | 'failed'; readonly problem: JobProblem }

export interface BatchRows {
  readonly batch: BatchRow
  /** JSON of {@link BatchCallRecord}, all of a batch. */
  readonly batchCalls: Uint8Array
  readonly batchOutcome: BatchOutcomeRow
}

type Needs = BatchRows & Pick<EnvelopeRows, 'envelope'> & Pick<LogRows, 'leaf'>

const refuse = (table: keyof BatchRows, key: string, what: string): never => {
  throw new CorruptRow(table, key, what)
}

/** Key of an outcome. */
export const outcomeKey = (id: string, index: number): string => keyOf(id, seqKey(index))

/** Calls as they are kept, and the other way. */
export const readCalls = (bytes: Uint8Array): readonly BatchCallRecord[] =>
  JSON.parse(fromUtf8(bytes)) as readonly BatchCallRecord[]

const isNamed = ({ database }: Fsck<Needs>, leafKey: string, purpose: string, id: string): boolean => {
  const leaf = database.peek('leaf', leafKey)
  if (leaf === undefined) return false
  const text = fromUtf8(leaf)
  return text.startsWith(`${purpose}\n`) && text.includes(`"batch":"${id}"`)
}

const checkBatch = async (fsck: Fsck<Needs>, row: BatchRow, { leafKeyAt }: Walked): Promise<number> => {
  const { id, count, opened, closed } = row
  const { database } = fsck
  const calls = database.peek('batchCalls', id) ?? refuse('batchCalls', id, 'the row is missing')
  if (readCalls(calls).length !== count) refuse('batchCalls', id, 'there are more or fewer than the batch has')
  if (!isNamed(fsck, leafKeyAt(opened), purposes.batchOpen, id)) refuse('batch', id, 'no leaf opens it')
  const isClosed = closed === null || isNamed(fsck, leafKeyAt(closed), purposes.batchClose, id)
  if (!isClosed) refuse('batch', id, 'no leaf closes it')
  let outcomes = 0
  for await (const [key, it] of database.range('batchOutcome', under(id))) {
    outcomes += 1
    const there = it.outcome !== 'sealed' || database.peek('envelope', it.token_id) !== undefined
    if (!there) refuse('batchOutcome', key, 'its envelope is missing')
  }
  if (outcomes > count || (closed !== null && outcomes !== count)) {
    refuse('batch', id, `it has ${outcomes} outcomes for ${count} calls`)
  }
  return outcomes
}

/** Batches stand behind their leaves; one that is closed has an outcome for each call, and none is of no batch. */
const checkBatches = async (fsck: Fsck<Needs>, walked: Walked): Promise<void> => {
  const { database, step } = fsck
  let [batches, outcomes] = [0, 0]
  for await (const [id, row] of database.range('batch')) {
    step('accounts')
    if (row.id !== id) refuse('batch', id, 'it has another id')
    batches += 1
    outcomes += await checkBatch(fsck, row, walked)
  }
  if ((await database.count('batchCalls')) !== batches) refuse('batchCalls', '', 'there are calls of no batch')
  if ((await database.count('batchOutcome')) !== outcomes) refuse('batchOutcome', '', 'there are outcomes of no batch')
}

/** Calls that were opened together, from their opening to some days after it. */
export const batch = rowKind<BatchRows, Needs>({
  tables: {
    batch: { prefix: 'jb', form: 'json', key: 'batch id' },
    batchCalls: { prefix: 'jc', form: 'bytes', key: 'batch id' },
    batchOutcome: { prefix: 'jo', form: 'json', key: 'batch id / index of the call' },
  },
  since: { schema: 3, note: 'it came later and changed no other row: a store of before has none' },
  check: checkBatches,
})
