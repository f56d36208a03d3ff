import type { Json } from '#core/canonical.ts'
import type { FireRow } from '#core/contract/fire-row.ts'
import { Fault } from '#core/fault.ts'
import { eventOf } from '#domain/machines/event-data.ts'
import type { Definition } from '#numerics/contracts/definition/schema.ts'
import { keyOf, seqKey, under } from '#store/layout.ts'
import type { ContractVersionRow } from '#store/rows/contract.ts'
import type { ContractContext } from './context.ts'
import { type ContractRequest, findContract, needs } from './finding.ts'
import { createSources } from './sources.ts'
import type { ContractHistory } from './views.ts'

/** Rows of an audit, and events that windows heard, of one history. */
const ROWS_MAX = 20_000
const EVENTS_MAX = 100_000

const tooLong = (what: string, limit: number): Fault =>
  new Fault('WORK_LIMIT_EXCEEDED', `A history has at most ${limit} ${what}, and this contract has more.`, { limit })

/** Events that windows of some version are over. */
const windowEvents = (versions: readonly ContractVersionRow[]): ReadonlySet<string> =>
  new Set(
    versions.flatMap(({ definition }) => {
      const { windows } = definition as unknown as Definition
      return Object.values(windows).map(({ event }) => event)
    }),
  )

/** How far each chain was heard by the newest row that says so. */
const heardIn = (rows: readonly FireRow[]): ReadonlyMap<string, number> => {
  const heard = new Map<string, number>()
  for (const row of rows) {
    const said = 'heard' in row ? row.heard : row.outcome === 'changed' ? heardOf(row.details) : {}
    for (const [slug, seq] of Object.entries(said)) heard.set(slug, Math.max(seq, heard.get(slug) ?? -1))
  }
  return heard
}

const heardOf = (details: Json): Readonly<Record<string, number>> => {
  const { heard = {} } = details as { readonly heard?: Readonly<Record<string, number>> }
  return heard
}

/** All that a contract did, as its owner hands it to whoever decides it again. */
export const createHistory = (context: ContractContext) => {
  const { store } = context
  const sourcesOf = createSources(context)

  const versionsOf = async (id: string): Promise<readonly ContractVersionRow[]> => {
    const versions: ContractVersionRow[] = []
    for await (const [, row] of store.range('contractVersion', under(id))) versions.push(row)
    return versions
  }

  const rowsOf = async (id: string): Promise<readonly FireRow[]> => {
    const rows: FireRow[] = []
    for await (const [, row] of store.range('contractFire', { ...under(id), limit: ROWS_MAX + 1 })) rows.push(row)
    if (rows.length > ROWS_MAX) throw tooLong('rows', ROWS_MAX)
    return rows
  }

  const eventsOf = async (heard: ReadonlyMap<string, number>, names: ReadonlySet<string>) => {
    const events: ContractHistory['events'][number][] = []
    for (const [slug, last] of names.size === 0 ? [] : heard) {
      const range = { gte: keyOf(slug, seqKey(0)), lt: keyOf(slug, seqKey(last + 1)) }
      for await (const [, row] of store.range('machineEntry', range)) {
        const event = eventOf(context, slug, row)
        if (event === undefined || !names.has(event.name)) continue
        if (events.length === EVENTS_MAX) throw tooLong('events', EVENTS_MAX)
        events.push({ slug, seq: row.entry.seq, at: store.genesisMeshTick + row.entry.tick, ...event })
      }
    }
    return events
  }

  return {
    /** For the owner in person. @throws Fault NOT_FOUND, SCOPE_REQUIRED, WORK_LIMIT_EXCEEDED */
    history: async (asking: ContractRequest): Promise<ContractHistory> => {
      const { machine, row } = findContract({ get: store.peek }, asking, needs.own)
      const versions = await versionsOf(row.id)
      const rows = await rowsOf(row.id)
      const pinned = rows.flatMap((it) => (it.outcome === 'zone_changed' ? [it.after, it.before] : []))
      const { attested, unsealed } = await sourcesOf(asking.caller, rows, versions)
      const digests = new Set([...pinned, ...versions.flatMap(({ zones }) => Object.values(zones))])
      return {
        ...{ id: row.id, id_hash: machine.id_hash, slug: row.slug, genesis: machine.genesis_hash },
        versions: versions.map(({ no, version, definition, zones }) => ({ no, version, definition, zones })),
        zones: Object.fromEntries([...digests].map((it) => [it, context.contracts.zone(it) as unknown as Json])),
        rows: rows as unknown as readonly Json[],
        events: await eventsOf(heardIn(rows), windowEvents(versions)),
        ...{ attested: attested as unknown as ContractHistory['attested'], unsealed },
      }
    },
  }
}
