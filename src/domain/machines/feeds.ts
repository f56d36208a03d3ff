import type { Caller } from '#core/caller.ts'
import { tail } from '#core/tail.ts'
import type { Standing } from '#domain/credentials/standing.ts'
import { keyOf, seqKey } from '#store/layout.ts'
import type { MachineEntryRow, MachineFeedRow, MachineRow } from '#store/rows/machine.ts'
import { blockRow, type MachineContext, type MachineRequest } from './context.ts'
import { machineView } from './lifecycle.ts'
import { ACTIVE_TICKS, createEntryLookup, nameOf } from './reads.ts'
import { admitted } from './roles.ts'
import type { ActiveMachine, FeedItem, Fleet, MachinePage, MachineView, Recent } from './views.ts'

/** Lines of the feed that one question looks at. */
export const FEED_SCAN_MAX = 10_000
/** Entries that a reader who comes back is given; of more it is told the gap. */
export const REPLAY_MAX = 1_000
/** Different questions whose answer is kept for the tick. */
const CACHE_MAX = 64

/** A line of a live feed. */
export interface LiveLine {
  /** What Last-Event-ID resumes after: the number itself where no line is left out, so that gaps are seen. */
  readonly id: string
  readonly event: string
  readonly data: unknown
}

const RESUME = /^[af]?(\d{1,15})$/

/** The number that a reader says it has, by its Last-Event-ID; undefined for a reader without one. */
export const resumed = (lastEventId: string | undefined): number | undefined => {
  const number = RESUME.exec(lastEventId ?? '')?.[1]
  return number === undefined ? undefined : Number(number)
}

/** Where a stream begins, and how many lines between the reader's last and that one it will never see. */
const beginning = (size: number, last: number | undefined): { readonly from: number; readonly missed: number } => {
  if (last === undefined || last >= size) return { from: size, missed: 0 }
  const from = Math.max(last + 1, size - REPLAY_MAX)
  return { from, missed: from - last - 1 }
}

const createPublic = ({ store }: MachineContext) => {
  const machineOf = (slug: string): MachineRow | undefined => {
    const machine = store.peek('machine', slug)
    return machine?.is_public === true ? machine : undefined
  }
  const rowOf = ({ slug, seq }: MachineFeedRow): MachineEntryRow => {
    const row = store.peek('machineEntry', keyOf(slug, seqKey(seq)))
    if (row === undefined) throw new Error('the feed names entries that exist')
    return row
  }
  return {
    machineOf,
    /** A line as everyone may see it; undefined for that of a private machine. */
    shown: (line: MachineFeedRow): FeedItem | undefined => {
      const machine = machineOf(line.slug)
      return machine === undefined ? undefined : { slug: line.slug, ...blockRow({ store }, machine, rowOf(line)) }
    },
    newestLines: () => store.range('machineFeed', { reverse: true, limit: FEED_SCAN_MAX }),
    total: () =>
      store.peek('machineTotal', 'all') ?? {
        entries: 0,
        machines: 0,
        public: { active: 0, paused: 0, archived: 0 },
      },
  }
}

const stranger: Caller = { kind: 'anonymous', bucket: '' }

/** What everyone may see of the public machines; a private one never appears. */
export const createFeeds = (context: MachineContext) => {
  const { store } = context
  const open = createPublic(context)
  const view = (machine: MachineRow): MachineView => machineView(context, machine, 'none')
  let cache = { tick: -1, answers: new Map<string, Promise<readonly FeedItem[]>>() }

  const readRecent = async (limit: number, type: string | undefined): Promise<readonly FeedItem[]> => {
    const items: FeedItem[] = []
    for await (const [, line] of open.newestLines()) {
      const item = type === undefined || line.type === type ? open.shown(line) : undefined
      if (item !== undefined) items.push(item)
      if (items.length >= limit) break
    }
    return items
  }

  return {
    /** Public machines by how often they moved in the last ticks. */
    active: async (ticks: number, limit: number): Promise<readonly ActiveMachine[]> => {
      const now = store.now().tick
      const counts = new Map<string, number>()
      for await (const [, { slug, tick }] of open.newestLines()) {
        if (tick <= now - ticks) break
        if (open.machineOf(slug) !== undefined) counts.set(slug, (counts.get(slug) ?? 0) + 1)
      }
      const first = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, limit)
      return first.flatMap(([slug, transitions]) => {
        const machine = open.machineOf(slug)
        return machine === undefined ? [] : [{ transitions, machine: view(machine) }]
      })
    },
    /** Public machines by genesis, newest first. */
    newest: async (limit: number): Promise<readonly MachineView[]> => {
      const views: MachineView[] = []
      for await (const [, slug] of store.range('machineByGenesis', { reverse: true, limit: FEED_SCAN_MAX })) {
        const machine = open.machineOf(slug)
        if (machine !== undefined) views.push(view(machine))
        if (views.length >= limit) break
      }
      return views
    },
    /** Newest entries of public machines; one answer serves everyone for a tick. */
    recent: async (limit: number, type?: string): Promise<Recent> => {
      const { tick } = store.now()
      if (cache.tick !== tick || cache.answers.size >= CACHE_MAX) cache = { tick, answers: new Map() }
      const name = `${limit} ${type ?? ''}`
      const answer = cache.answers.get(name) ?? readRecent(limit, type)
      cache.answers.set(name, answer)
      // Who has turned private since does not appear, not even out of the cache.
      const rows = (await answer).filter(({ slug }) => open.machineOf(slug) !== undefined)
      return { tick, rows }
    },
    fleet: async (): Promise<Fleet> => {
      const { active, paused, archived } = open.total().public
      const now = store.now().tick
      let transitions = 0
      for await (const [, { slug, tick }] of open.newestLines()) {
        if (tick <= now - ACTIVE_TICKS) break
        if (open.machineOf(slug) !== undefined) transitions += 1
      }
      const machines = active + paused + archived
      return { tick: now, machines, active, paused, archived, transitions, window_ticks: ACTIVE_TICKS }
    },
    /** Public machines by slug, page by page. */
    aggregate: async (limit: number, after?: string): Promise<MachinePage> => {
      const views: MachineView[] = []
      let next_after: string | null = null
      const range = after === undefined ? {} : { gt: after }
      for await (const [slug, machine] of store.range('machine', { ...range, limit: FEED_SCAN_MAX })) {
        if (views.length >= limit) break
        next_after = slug
        if (machine.is_public) views.push(view(machine))
      }
      return { machines: views, next_after: views.length < limit ? null : next_after }
    },
    /** The genesis hash of a public machine. @throws Fault NOT_FOUND */
    publicGenesis: (slug: string): string =>
      admitted({ get: store.peek }, { slug, caller: stranger, needed: 'none' }).machine.genesis_hash,
  }
}

/** Chains as they grow. Poll and stream read the same rows in the same order. */
export const createLive = (context: MachineContext) => {
  const { store, hub } = context
  const open = createPublic(context)
  const places = createEntryLookup(context)
  const sizeOf = (slug: string): number => store.peek('machineHead', slug)?.size ?? 0

  return {
    /**
     * A machine's entries from now on, or after Last-Event-ID, for as long as the caller may read them.
     *
     * @throws Fault NOT_FOUND, SCOPE_REQUIRED
     */
    live: async function* (
      { caller, slug }: MachineRequest,
      options: { readonly needed: Standing; readonly event?: string; readonly lastEventId: string | undefined },
      signal: AbortSignal,
    ): AsyncGenerator<LiveLine> {
      const { needed, event, lastEventId } = options
      admitted({ get: store.peek }, { slug, caller, needed })
      const last = resumed(lastEventId)
      const { from, missed } = beginning(sizeOf(slug), last)
      // Without a filter the ids are the numbers of the chain, and whoever writes the stream sees the gap itself.
      const mark = event === undefined ? '' : 'f'
      if (missed > 0 && mark !== '') yield gapLine(mark, { after: last ?? 0, next: from, missed })
      const source = {
        size: () => sizeOf(slug),
        read: (first: number, end: number) => places.rows(slug, first, end),
        moved: () => hub.moved(slug),
      }
      for await (const row of tail(source, from, signal)) {
        const { machine } = admitted({ get: store.peek }, { slug, caller, needed })
        if (event !== undefined && nameOf(row) !== event) continue
        yield { id: `${mark}${row.entry.seq}`, event: 'entry', data: blockRow(context, machine, row) }
      }
    },
    /** Entries of all public machines, from now on or after Last-Event-ID. */
    liveAll: async function* (lastEventId: string | undefined, signal: AbortSignal): AsyncGenerator<LiveLine> {
      const last = resumed(lastEventId)
      const { from, missed } = beginning(open.total().entries, last)
      if (missed > 0) yield gapLine('a', { after: last ?? 0, next: from, missed })
      let number = from
      const source = {
        size: () => open.total().entries,
        read: async function* (first: number, end: number) {
          for await (const [, line] of store.range('machineFeed', { gte: seqKey(first), lt: seqKey(end) })) yield line
        },
        moved: () => hub.moved(),
      }
      for await (const line of tail(source, from, signal)) {
        const data = open.shown(line)
        if (data !== undefined) yield { id: `a${number}`, event: 'entry', data }
        number += 1
      }
    },
  }
}

const gapLine = (mark: string, gap: { after: number; next: number; missed: number }): LiveLine => ({
  id: `${mark}${gap.next - 1}`,
  event: 'gap',
  data: gap,
})
