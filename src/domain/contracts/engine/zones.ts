import { assert } from '#core/assert.ts'
import { isOfNode } from '#core/fault.ts'
import { meshTickStart } from '#core/tick.ts'
import { NS_PER_SECOND } from '#core/time.ts'
import { putZone } from '#domain/contracts/author.ts'
import { type ZoneTable, zoneDigest } from '#numerics/contracts/cron/cron.ts'
import { renewedZone } from '#numerics/contracts/cron/renewed.ts'
import { countBetween, dueOf, undecidedFrom } from '#numerics/contracts/fire/dues.ts'
import type { ReadyContract } from '#numerics/contracts/fire/ready.ts'
import { type ContractRow, numberedKey } from '#store/rows/contract.ts'
import type { Transaction } from '#store/transaction.ts'
import { addRow } from './audit-rows.ts'
import { timed } from './due.ts'
import { BATCH_MAX, type EngineContext } from './types.ts'

/** Mesh ticks from one look at the zones to the next: a day. */
const LOOK_TICKS = 111_197
/** Contracts that are looked at before something else has its turn. */
const SLICE = 256

/** A walk over all contracts, on the way. */
interface Walk {
  /** Digests of tables that no contract may go by any longer. */
  readonly stale: ReadonlySet<string>
  readonly after: string
  /** Whether one of them could not be given another table. */
  readonly broken: boolean
}

const tableIn = (row: { readonly table: unknown }): ZoneTable => row.table as ZoneTable

/** The next instant is to be left out still, where the clock moved it. */
const skipMoved = (ready: ReadyContract, row: ContractRow): ContractRow => {
  const { skip, standing, armed_tick } = row
  const it = skip === null ? undefined : ready.triggers.get(skip.trigger)
  if (skip === null || it === undefined) return row
  if (countBetween(it, standing, { from: skip.due, to: skip.due }) === 1) return row
  const next = dueOf(it, standing, armed_tick)
  return { ...row, skip: next === undefined ? null : { ...skip, due: next.due } }
}

/** Creates what says which table takes the place of another in a mesh tick; undefined where it stays. */
const createRenewal = ({ zones }: Pick<EngineContext, 'zones'>) => {
  /** A zone as this process knows it at the beginning of a mesh tick. */
  const knownAt = (zone: string, tick: number): ZoneTable | undefined =>
    zones.table(zone, zones.span(Number(meshTickStart(tick) / NS_PER_SECOND)))

  return (table: ZoneTable, tick: number): ZoneTable | undefined => {
    const known = knownAt(table.zone, tick)
    return known === undefined ? undefined : renewedZone(table, known, undecidedFrom(tick))
  }
}

type Renewal = ReturnType<typeof createRenewal>

/** Creates what gives contracts the tables that take the place of theirs. */
const createChanges = ({ store, contracts, log }: EngineContext, renewed: Renewal) => {
  /** Later instants go by the new table, and what lies before this tick stays as it was. */
  const change = (tx: Transaction, id: string): void => {
    const before = tx.get('contract', id)
    const version = before && tx.get('contractVersion', numberedKey(id, before.version_no))
    if (before === undefined || version === undefined || before.status === 'frozen' || before.done) return
    let row = before
    for (const [zone, name] of Object.entries({ ...version.zones, ...before.zones })) {
      const pinned = tx.get('contractZone', name)
      assert(pinned !== undefined, 'the zones of a contract are kept')
      const table = renewed(tableIn(pinned), tx.meshTick)
      if (table === undefined) continue
      const after = zoneDigest(table)
      putZone(tx, after, table)
      row = addRow(tx, row, { outcome: 'zone_changed', zone, before: name, after })
      row = { ...row, zones: { ...row.zones, [zone]: after } }
    }
    if (row === before) return
    const ready = contracts.readyIn(tx, row)
    contracts.put(tx, before, timed(ready, { ...skipMoved(ready, row), updated_tick: tx.tick }))
  }

  /** @returns whether each of them has its table. @throws Fault of the node */
  const changeAll = async (ids: readonly string[]): Promise<boolean> => {
    try {
      await store.commit((tx) => {
        for (const id of ids) change(tx, id)
      })
      return true
    } catch (cause) {
      if (isOfNode(cause)) throw cause
      if (ids.length === 1) {
        log.error({ contract: ids[0], error: cause }, 'contract_broken')
        return false
      }
      let all = true
      for (const id of ids) all = (await changeAll([id])) && all
      return all
    }
  }
  return changeAll
}

/**
 * Creates what gives contracts another table of a zone, once for each change: where the rules of the zone are not
 * those that its table has, or the table is about to end. It looks when the node starts, and once a day.
 */
export const createZoneWatch = (context: EngineContext) => {
  const { store, contracts } = context
  const renewed = createRenewal(context)
  const changeAll = createChanges(context, renewed)
  let walk: Walk | undefined
  /** Mesh tick of the next look. */
  let next = 0

  const staleNow = async (): Promise<ReadonlySet<string>> => {
    const tick = store.now().meshTick
    const stale = new Set<string>()
    for await (const [name, row] of store.range('contractZone')) {
      if (row.left !== true && renewed(tableIn(row), tick) !== undefined) stale.add(name)
      await new Promise((resolve) => setImmediate(resolve))
    }
    return stale
  }

  const goesBy = (row: ContractRow, stale: ReadonlySet<string>): boolean => {
    const pinned = { ...contracts.version(row.id, row.version_no).zones, ...row.zones }
    return Object.values(pinned).some((name) => stale.has(name))
  }

  const step = async (of: Walk): Promise<Walk & { readonly over: boolean }> => {
    const { stale } = of
    let { after, broken } = of
    let seen = 0
    const ids: string[] = []
    for await (const [id, row] of store.range('contract', { gt: after, limit: SLICE })) {
      seen += 1
      after = id
      if (row.status !== 'frozen' && !row.done && goesBy(row, stale)) ids.push(id)
    }
    for (let i = 0; i < ids.length; i += BATCH_MAX) {
      const all = await changeAll(ids.slice(i, i + BATCH_MAX))
      broken ||= !all
    }
    return { stale, after, broken, over: seen < SLICE }
  }

  const leave = (stale: ReadonlySet<string>): Promise<void> =>
    store.commit((tx) => {
      for (const name of stale) {
        const row = tx.get('contractZone', name)
        if (row !== undefined) tx.put('contractZone', name, { ...row, left: true })
      }
    })

  /** Looks at the zones, or goes on with that. @returns whether there is more. @throws Fault of the node */
  return async (signal: AbortSignal): Promise<boolean> => {
    const { meshTick } = store.now()
    if (walk === undefined) {
      if (meshTick < next || signal.aborted) return false
      const stale = await staleNow()
      next = meshTick + LOOK_TICKS
      walk = stale.size === 0 ? undefined : { stale, after: '', broken: false }
      return walk !== undefined
    }
    const { over, ...rest } = await step(walk)
    if (over && !rest.broken) await leave(rest.stale)
    walk = over ? undefined : rest
    return walk !== undefined
  }
}
