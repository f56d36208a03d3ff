import type { ChainFile } from '#core/chain-file.ts'
import { CONTRACT_EXPORT_FORMAT, type ContractExport, type ExportedEvent } from '#core/contract/export.ts'
import type { FireRow } from '#core/contract/fire-row.ts'
import type { Scalar } from '#core/contract/standing.ts'
import { type ZoneTable, zoneDigest } from '#numerics/contracts/cron/cron.ts'
import type { ReplayedContract } from '#numerics/contracts/fire/replay.ts'
import { exportChain } from '#ui/machine/chain-export.ts'
import { askWorker } from '#ui/part/ask-worker.ts'
import type { PageSession } from '#ui/session.ts'
import type { Which } from './reads.ts'

/** Rows of a contract that a page decides again: the command line takes longer ones. */
const ROWS_MAX = 10_000
/** Rows and versions of a page: the most that a node gives. */
const PAGE_ROWS = 200

interface Order extends Which {
  readonly session: PageSession
  readonly signal: AbortSignal
  readonly tell: (share: number) => void
}

/** The whole audit, oldest first. */
const rowsOf = async ({ session, slug, id, signal }: Order): Promise<readonly FireRow[]> => {
  const rows: FireRow[] = []
  let after: number | undefined
  for (;;) {
    const page = { slug, id, limit: PAGE_ROWS, after }
    const answer = await session.call('GET /api/chain/{slug}/contracts/{id}/audit', page, { signal })
    rows.push(...(answer.rows as unknown as readonly FireRow[]))
    if (answer.next_after === null) return rows.toReversed()
    if (rows.length >= ROWS_MAX)
      throw new Error(`A page decides ${ROWS_MAX} rows again. Take: tickmesh contracts replay`)
    after = answer.next_after
  }
}

const versionsOf = async ({ session, slug, id, signal }: Order): Promise<ContractExport['versions']> => {
  const page = { slug, id, limit: PAGE_ROWS }
  const { versions } = await session.call('GET /api/chain/{slug}/contracts/{id}/versions', page, { signal })
  const all = await Promise.all(
    versions.toReversed().map(async ({ no: n }) => {
      const which = { slug, id, n }
      const { version } = await session.call('GET /api/chain/{slug}/contracts/{id}/versions/{n}', which, { signal })
      return version
    }),
  )
  return all.map(({ no, version, definition, zones }) => ({ no, version, definition, zones }))
}

/** Events of the machine's own chain whose data everybody may read. */
const eventsOf = ({ entries, slug }: ChainFile, genesisTick: number): readonly ExportedEvent[] =>
  entries.flatMap(({ seq, tick, type, body }) => {
    const { event, data } = (body ?? {}) as { readonly event?: unknown; readonly data?: unknown }
    if (type !== 'event' || typeof event !== 'string' || typeof data !== 'object' || data === null) return []
    return [{ slug, seq, at: genesisTick + tick, name: event, data: data as Readonly<Record<string, Scalar>> }]
  })

/** Everything that a contract did, as a stranger would be given it. */
const gathered = async (order: Order): Promise<ContractExport> => {
  const { session, slug, id, signal } = order
  const { machine } = await session.call('GET /api/chain/state-machines/{slug}', { slug }, { signal })
  const { contract } = await session.call('GET /api/chain/{slug}/contracts/{id}/export', { slug, id }, { signal })
  // Read before the chain: whatever a row says is in it.
  const [rows, versions] = await Promise.all([rowsOf(order), versionsOf(order)])
  const { head } = await session.call('GET /api/chain/{slug}/state', { slug }, { signal })
  const genesis = machine.genesis_hash
  const blob = await exportChain({ session, slug, genesis, size: head.size, signal, tell: () => undefined })
  const chain = JSON.parse(await blob.text()) as ChainFile
  const tables = contract.zones as readonly unknown[] as readonly ZoneTable[]
  const [log] = rows
  const genesisTick = log === undefined ? 0 : log.mesh_tick - log.tick
  return {
    ...{ format: CONTRACT_EXPORT_FORMAT, id, slug, genesis, id_hash: contract.origin.id_hash, versions, rows, chain },
    zones: Object.fromEntries(tables.map((table) => [zoneDigest(table), table])),
    events: eventsOf(chain, genesisTick),
  }
}

const startReplay = (): Worker => new Worker(new URL('./replay-worker.ts', import.meta.url), { type: 'module' })
const missing = 'What decides fires again could not be loaded.'

/** Decides every fire of a contract again, in this browser, by what it gathers of it. */
export const replayHere = async (order: Order): Promise<ReplayedContract> => {
  const { tell, signal } = order
  return askWorker<ReplayedContract>(startReplay, await gathered(order), { tell, signal, missing })
}
