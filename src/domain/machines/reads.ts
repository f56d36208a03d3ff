import { toHex } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { chainWalk, type EntryProof, headLeaf } from '#core/machine.ts'
import { inclusionProof, leafHash, rootFrom } from '#core/merkle.ts'
import type { Standing } from '#domain/credentials/standing.ts'
import { cosignedNote, provingCheckpoint } from '#store/cosigned.ts'
import { keyOf, seqKey, under } from '#store/layout.ts'
import { type MachineEntryRow, type MachineRow, machineNodeKey } from '#store/rows/machine.ts'
import { blockRow, type MachineContext, type MachineRequest } from './context.ts'
import { admitted } from './roles.ts'
import type {
  Analytics,
  BlockRow,
  ChainPage,
  EventPage,
  MachineState,
  MomentView,
  ProvedBlock,
  Sources,
  Stats,
  Validation,
} from './views.ts'

/** Entries that one validation hashes again. */
export const VALIDATE_MAX = 20_000
/** Entries that a filtered page looks at. */
export const SCAN_MAX = 10_000
/** Newest entries that analytics and sources look at. */
export const WINDOW_MAX = 5_000
/** Ticks that count as now, for activity. */
export const ACTIVE_TICKS = 60
/** Version of the explore answer, for readers that negotiate. */
export const EXPLORE_VERSION = 1

/** A range of node ticks, both ends in it. */
export interface TickRange {
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** A page of a chain, oldest first. `after` is the last number a reader has. */
export interface PageQuery extends TickRange {
  readonly after?: number
  readonly limit: number
  /** Only entries of this type, or events of this name. */
  readonly event?: string
}

/** What an entry is called: an event by its own name, anything else by its type. */
export const nameOf = ({ entry }: MachineEntryRow): string =>
  entry.type === 'event' ? ((entry.body as { readonly event: string }).event ?? 'event') : entry.type

const sourceOfRow = ({ entry }: MachineEntryRow): string =>
  (entry.body as { readonly source?: string } | null)?.source ?? 'node'

const tally = (names: readonly string[]): Record<string, number> => {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return Object.fromEntries([...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)))
}

/** One entry of a chain: the last one of a tick, or the one of a number, which is of that tick if both are said. */
export interface EntryQuery {
  readonly tick?: number
  readonly seq?: number
}

/** Places in a chain by tick. */
export const createEntryLookup = ({ store }: Pick<MachineContext, 'store'>) => {
  /** The last number at or before a tick, or −1. */
  const lastAt = async (slug: string, tick: number): Promise<number> => {
    const range = { gte: under(slug).gte, lte: keyOf(slug, seqKey(tick)), reverse: true, limit: 1 }
    for await (const [, seq] of store.range('machineTick', range)) return seq
    return -1
  }
  return {
    lastAt,
    /** The first number at or after a tick. */
    firstAt: async (slug: string, tick: number): Promise<number> =>
      tick <= 0 ? 0 : (await lastAt(slug, tick - 1)) + 1,
    /** Rows from a number on, below another. */
    rows: (slug: string, from: number, to: number): AsyncIterable<MachineEntryRow> =>
      (async function* () {
        const range = { gte: keyOf(slug, seqKey(from)), lt: keyOf(slug, seqKey(to)) }
        for await (const [, row] of store.range('machineEntry', range)) yield row
      })(),
  }
}

/** Proves an entry, once the head of its tick is under a checkpoint. */
export const createProofs = ({ store }: MachineContext) => {
  const nodeOf =
    (slug: string) =>
    (level: number, index: number): Uint8Array => {
      const hash = store.peek('machineNode', machineNodeKey(slug, level, index))
      if (hash === undefined) throw new Error('every node of the tree is stored')
      return hash
    }

  return async ({ slug, id_hash }: MachineRow, { entry }: MachineEntryRow): Promise<EntryProof | null> => {
    const seq = store.peek('machineTick', keyOf(slug, seqKey(entry.tick)))
    const last = seq === undefined ? undefined : store.peek('machineEntry', keyOf(slug, seqKey(seq)))
    if (seq === undefined || last === undefined) throw new Error('a tick names its last entry')
    const size = seq + 1
    const head = { id_hash, seq, hash: last.hash, size, root: toHex(rootFrom(nodeOf(slug), size)) }
    const found = await store.findLeaf(toHex(leafHash(headLeaf(head))))
    if (found === undefined) return null
    const { log, index } = found
    const checkpoint = await provingCheckpoint(store, log, index)
    if (checkpoint === undefined) return null
    return {
      head,
      path: inclusionProof(nodeOf(slug), entry.seq, size).map(toHex),
      head_index: index,
      head_path: (await log.inclusion(index, checkpoint.size)).map(toHex),
      checkpoint: cosignedNote(store, log.name, checkpoint),
    }
  }
}

/** What every read begins with. */
const createChainAccess = ({ store }: MachineContext) => ({
  enter: ({ caller, slug }: MachineRequest, needed: Standing = 'none'): MachineRow =>
    admitted({ get: store.peek }, { slug, caller, needed }).machine,
  headRow: (slug: string) => {
    const row = store.peek('machineHead', slug)
    if (row === undefined) throw new Error('a machine has a head')
    return row
  },
})

/** Single entries, and the proof that the chain is whole. */
export const createBlocks = (context: MachineContext) => {
  const { store } = context
  const { enter } = createChainAccess(context)
  const places = createEntryLookup(context)
  const proofOf = createProofs(context)
  const rowAt = async (machine: MachineRow, { tick, seq }: EntryQuery): Promise<MachineEntryRow> => {
    if (tick === undefined && seq === undefined) {
      const errors = [{ path: '/tick', message: 'say tick or seq' }]
      throw new Fault('INVALID_INPUT', 'Say which entry: by its tick, or by its number.', { errors })
    }
    const number = seq ?? (await places.lastAt(machine.slug, tick ?? 0))
    const row = number < 0 ? undefined : store.peek('machineEntry', keyOf(machine.slug, seqKey(number)))
    const elsewhere = seq !== undefined && tick !== undefined && row?.entry.tick !== tick
    if (row === undefined || elsewhere) throw new Fault('NO_BLOCK_AT_TICK', undefined, { tick: tick ?? null })
    return row
  }

  return {
    /** The entry that ended a tick, or the one of a number, with its proof. @throws Fault NO_BLOCK_AT_TICK */
    block: async (asking: MachineRequest, place: EntryQuery): Promise<ProvedBlock> => {
      const machine = enter(asking)
      const row = await rowAt(machine, place)
      const { tick = row.entry.tick } = place
      if (row.entry.tick !== tick) throw new Fault('NO_BLOCK_AT_TICK', undefined, { tick })
      return { block: blockRow(context, machine, row), entry: row.entry, proof: await proofOf(machine, row) }
    },
    /** Where the machine stood at the end of a tick, or after an entry. @throws Fault NO_BLOCK_AT_TICK elsewhere. */
    at: async (asking: MachineRequest, place: EntryQuery): Promise<MomentView> => {
      const machine = enter(asking)
      const row = await rowAt(machine, place)
      const size = row.entry.seq + 1
      return { snapshot: { ...blockRow(context, machine, row), size, state_hash: row.state_hash, status: row.status } }
    },
    /** Hashes a range of the chain again, from the entry before it, or from the genesis. @throws Fault INVALID_INPUT */
    validate: async (asking: MachineRequest, { from, to }: TickRange): Promise<Validation> => {
      const { slug, genesis_tick, genesis_hash } = enter(asking)
      const first = await places.firstAt(slug, from ?? genesis_tick)
      const end = (await places.lastAt(slug, to ?? store.now().tick)) + 1
      if (end - first > VALIDATE_MAX) {
        const detail = `One validation covers ${VALIDATE_MAX} entries, and the range has ${end - first}.`
        throw new Fault('INVALID_INPUT', detail, { errors: [{ path: '/to', message: detail }] })
      }
      const before = first === 0 ? undefined : store.peek('machineEntry', keyOf(slug, seqKey(first - 1)))
      const start = { previous: before?.hash ?? genesis_hash, tick: before?.entry.tick ?? genesis_tick }
      const walk = chainWalk({ seq: first, ...start })
      for await (const { entry, hash } of places.rows(slug, first, end)) if (!walk.step(entry, hash)) break
      const { valid, count, broken } = walk.verdict()
      const message = count === 0 ? 'empty range' : broken?.why
      return { valid, count, broken_at: broken?.tick ?? null, genesis_tick, message: message ?? null }
    },
  }
}

/** The chain page by page. */
export const createPages = (context: MachineContext) => {
  const { enter, headRow } = createChainAccess(context)
  const places = createEntryLookup(context)
  const page = async (
    machine: MachineRow,
    { from, to, after, limit, event }: PageQuery,
  ): Promise<Pick<ChainPage, 'rows' | 'next_after'>> => {
    const { slug } = machine
    const first = Math.max(await places.firstAt(slug, from ?? 0), (after ?? -1) + 1)
    const end = to === undefined ? headRow(slug).size : (await places.lastAt(slug, to)) + 1
    const rows: BlockRow[] = []
    let last = first - 1
    for await (const row of places.rows(slug, first, Math.min(end, first + SCAN_MAX))) {
      last = row.entry.seq
      if (event === undefined || nameOf(row) === event) rows.push(blockRow(context, machine, row))
      if (rows.length >= limit) break
    }
    return { rows, next_after: last + 1 < end ? last : null }
  }
  return {
    explore: async (asking: MachineRequest, query: PageQuery): Promise<ChainPage> => {
      const machine = enter(asking)
      return { version: EXPLORE_VERSION, slug: machine.slug, ...(await page(machine, query)) }
    },
    /** For members. @throws Fault SCOPE_REQUIRED */
    events: async (asking: MachineRequest, query: PageQuery): Promise<EventPage> => {
      const machine = enter(asking, 'viewer')
      const { rows, next_after } = await page(machine, query)
      return { slug: machine.slug, events: rows, next_after }
    },
  }
}

/** Figures about a machine, counted when they are asked for. */
export const createFigures = (context: MachineContext) => {
  const { enter, headRow } = createChainAccess(context)
  const places = createEntryLookup(context)
  const window = async (slug: string): Promise<readonly MachineEntryRow[]> => {
    const { size } = headRow(slug)
    const rows: MachineEntryRow[] = []
    for await (const row of places.rows(slug, Math.max(0, size - WINDOW_MAX), size)) rows.push(row)
    return rows
  }

  return {
    state: (asking: MachineRequest): MachineState => {
      const { slug, status, id_hash } = enter(asking)
      const { size, hash, root, tick, state_hash } = headRow(slug)
      return { slug, status, state_hash, head: { id_hash, seq: size - 1, hash, size, root }, tick }
    },
    stats: async (asking: MachineRequest): Promise<Stats> => {
      const { slug, status, genesis_tick } = enter(asking)
      const { size, tick } = headRow(slug)
      const now = context.store.now().tick
      const since = await places.firstAt(slug, now - ACTIVE_TICKS + 1)
      return {
        slug,
        status,
        genesis_tick,
        last_tick: tick,
        age_ticks: now - genesis_tick,
        entries: size,
        entries_in_window: size - since,
        window_ticks: ACTIVE_TICKS,
      }
    },
    analytics: async (asking: MachineRequest): Promise<Analytics> => {
      const { slug } = enter(asking)
      const rows = await window(slug)
      return {
        slug,
        entries: headRow(slug).size,
        window: rows.length,
        first_tick: rows[0]?.entry.tick ?? 0,
        last_tick: rows.at(-1)?.entry.tick ?? 0,
        ticks_moved: new Set(rows.map(({ entry }) => entry.tick)).size,
        by_type: tally(rows.map(({ entry }) => entry.type)),
        by_event: tally(rows.filter(({ entry }) => entry.type === 'event').map(nameOf)),
      }
    },
    sources: async (asking: MachineRequest): Promise<Sources> => {
      const { slug } = enter(asking)
      const rows = await window(slug)
      const connections = rows.filter(({ entry }) => entry.type === 'connection')
      const directions = connections.map(({ entry }) => (entry.body as { readonly direction: string }).direction)
      return { slug, window: rows.length, by_source: tally(rows.map(sourceOfRow)), connections: tally(directions) }
    },
  }
}
