import type { Caller } from '#core/caller.ts'
import { Fault } from '#core/fault.ts'
import { ownerOf } from '#domain/compute/job.ts'
import type { ComputePorts } from '#domain/compute/types.ts'
import { TICKS_PER_DAY } from '#domain/economy/calendar.ts'
import { seqOf, under } from '#store/layout.ts'
import { type BatchCallRecord, type BatchOutcomeRow, type BatchRow, outcomeKey, readCalls } from '#store/rows/batch.ts'
import { type LiveBatch, liveBatch } from './live.ts'
import { BATCHES_KEPT_MAX, BATCHES_MAX, BATCHES_PER_OWNER_MAX } from './types.ts'

/** For how long a closed batch can be read again: longer than its Idempotency-Key stands for it. */
const KEEP_TICKS = 2 * TICKS_PER_DAY

/** Where batches are kept: those that are under way in memory as well, all others in the store alone. */
export interface BatchStore {
  /** Batches of an earlier start that nothing closed. */
  load(): Promise<readonly LiveBatch[]>
  /**
   * Takes a place for one more that will be under way, at once, so that n parallel calls need n places.
   *
   * @returns what gives it back. @throws Fault NODE_BUSY
   */
  enter(caller: Caller): () => void
  /** A batch is under way; it is in memory until it is over. */
  begin(batch: LiveBatch): void
  /** It is closed, or cannot go on. */
  end(batch: LiveBatch): void
  /** The batch of an id. @throws Fault GONE for one that is no longer kept, NODE_STOPPING for one that cannot go on */
  find(id: string): Promise<LiveBatch>
  calls(id: string): Promise<readonly BatchCallRecord[]>
  /** Gives the places of old batches away. Their envelopes and leaves stay. */
  clear(): Promise<void>
}

const busy = (most: number, whose: string): Fault =>
  new Fault('NODE_BUSY', `${most} batches ${whose} are under way; wait for one to end.`)

/** The batches of one node, none of them known before `load`. */
export const createBatchStore = ({ store }: Pick<ComputePorts, 'store'>): BatchStore => {
  const live = new Map<string, LiveBatch>()
  /** Owners of batches that are under way or about to be. */
  const entered: string[] = []
  /** Batches that are kept, in the order in which they were opened. */
  const kept = new Map<string, number>()

  const outcomesOf = async ({ id, count }: BatchRow): Promise<(BatchOutcomeRow | undefined)[]> => {
    const outcomes: (BatchOutcomeRow | undefined)[] = Array.from({ length: count })
    for await (const [key, it] of store.range('batchOutcome', under(id))) outcomes[seqOf(key.slice(id.length + 1))] = it
    return outcomes
  }

  const remove = async (id: string): Promise<void> => {
    const row = await store.get('batch', id)
    await store.commit((tx) => {
      tx.del('batch', id)
      tx.del('batchCalls', id)
      for (let i = 0; i < (row?.count ?? 0); i++) tx.del('batchOutcome', outcomeKey(id, i))
    })
    kept.delete(id)
  }

  return {
    load: async () => {
      const rows: BatchRow[] = []
      for await (const [, row] of store.range('batch')) rows.push(row)
      rows.sort((a, b) => a.opened - b.opened)
      for (const { id, mesh_tick } of rows) kept.set(id, mesh_tick)
      const open = rows.filter(({ closed }) => closed === null)
      return Promise.all(open.map(async (row) => liveBatch(row, await outcomesOf(row))))
    },
    enter: (caller) => {
      const owner = ownerOf(caller)
      if (entered.filter((it) => it === owner).length >= BATCHES_PER_OWNER_MAX) {
        throw busy(BATCHES_PER_OWNER_MAX, 'of this caller')
      }
      if (entered.length >= BATCHES_MAX) throw busy(BATCHES_MAX, 'of this node')
      entered.push(owner)
      let inside = true
      return () => {
        if (inside) entered.splice(entered.indexOf(owner), 1)
        inside = false
      }
    },
    begin: (batch) => {
      live.set(batch.row.id, batch)
      kept.set(batch.row.id, batch.row.mesh_tick)
    },
    end: ({ row }) => void live.delete(row.id),
    find: async (id) => {
      const found = live.get(id)
      if (found !== undefined) return found
      const row = await store.get('batch', id)
      if (row === undefined) throw new Fault('GONE', 'The batch of this Idempotency-Key is no longer kept.')
      const outcomes = await outcomesOf(row)
      const begun = live.get(id)
      if (begun !== undefined) return begun
      // What could not go on in this process is taken up by the next start; nobody here would ever close it.
      if (row.closed === null) throw store.failure ?? new Fault('NODE_STOPPING')
      return liveBatch(row, outcomes)
    },
    calls: async (id) => {
      const bytes = await store.get('batchCalls', id)
      if (bytes === undefined) throw new Error(`the calls of batch ${id} are missing`)
      return readCalls(bytes)
    },
    clear: async () => {
      const { meshTick } = store.now()
      for (const [id, since] of [...kept]) {
        if (live.has(id)) continue
        if (kept.size < BATCHES_KEPT_MAX && meshTick - since <= KEEP_TICKS) return
        await remove(id)
      }
    },
  }
}
