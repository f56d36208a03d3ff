import type { Json } from '#core/canonical.ts'
import { inTurns } from '#domain/fair.ts'
import { eventOf } from '#domain/machines/event-data.ts'
import { keyOf, seqKey, under } from '#store/layout.ts'
import type { MachineEntryRow } from '#store/rows/machine.ts'
import { type HeardEntry, heardTo } from './hear.ts'
import { ASLEEP_TICKS, BATCH_MAX, type EngineContext } from './types.ts'

/** Entries of a chain that are looked at before another chain has its turn. */
const PAGE_MAX = 256
/** Transactions that hear one chain, and all of them, before calls and the clock have their turn. */
const TELLINGS = { perChain: 32, inAll: 128 } as const
/** Entries without a listener after which a mark is written, so that a restart does not read them again. */
const MARK_EVERY = 1_024

/** Who listens to a chain, by the name of the event. */
type Listeners = ReadonlyMap<string, readonly string[]>

interface Collaborators {
  /** Has contracts hear one event, and ends when all of them have. @returns those who could not be told. */
  readonly tell: (ids: readonly string[], heard: HeardEntry) => Promise<readonly string[]>
}

/** Those who could not be told an event of a chain. They hear nothing behind it before they have been. */
interface Behind {
  readonly ids: Set<string>
  /** The first entry that they have not heard. */
  from: number
  /** Mesh tick of the next try, and how long it was waited for. */
  at: number
  wait: number
}

/** The chains that have moved, and those who listen to them. */
export interface Chains {
  moved(slug: string): void
  /** Finds the chains that moved while the node did not run. */
  resume(signal: AbortSignal): Promise<void>
  /** Has everyone hear what is new. @returns whether there may be more. */
  hear(signal: AbortSignal): Promise<boolean>
}

const depthOf = (body: Json): number => {
  const { source, depth } = body as { readonly source?: string; readonly depth?: Json }
  return source === 'node' && typeof depth === 'number' ? depth : 0
}

const listenersOf = async ({ store }: EngineContext, slug: string): Promise<Listeners> => {
  const found = new Map<string, string[]>()
  for await (const [key, id] of store.range('contractWatch', under(slug))) {
    const event = key.slice(slug.length + 1, -id.length - 1)
    const ids = found.get(event) ?? []
    ids.push(id)
    found.set(event, ids)
  }
  return found
}

/** An entry as contracts hear it; undefined for one without data. */
const heardIn = (context: EngineContext, slug: string, row: MachineEntryRow): HeardEntry | undefined => {
  const carried = eventOf(context, slug, row)
  if (carried === undefined) return undefined
  const { seq, tick, body } = row.entry
  return { ...carried, slug, seq, at: context.store.genesisMeshTick + tick, depth: depthOf(body) }
}

/** Writes down how far all listeners of a chain have heard it. */
const markTo = ({ store }: EngineContext, slug: string, end: number): Promise<void> =>
  store.commit((tx) => {
    if ((tx.get('contractMark', slug) ?? 0) < end) tx.put('contractMark', slug, end)
  })

/** The chains that have listeners and moved while the node did not run. */
const unread = async function* ({ store }: EngineContext, signal: AbortSignal): AsyncGenerator<string> {
  let after = ''
  while (!signal.aborted) {
    let found: string | undefined
    for await (const [key] of store.range('contractWatch', { gt: after, limit: 1 })) found = key
    if (found === undefined) return
    const slug = found.slice(0, found.indexOf('/'))
    const size = store.peek('machineHead', slug)?.size ?? 0
    if (size > (store.peek('contractMark', slug) ?? 0)) yield slug
    // The character after the separator ends what is under a slug.
    after = `${slug}0`
  }
}

/** Creates what tells the events of a part of a chain. */
const createTold = (context: EngineContext, { tell }: Collaborators) => {
  /** @returns the first that could not be told to all, and those. */
  return async (slug: string, of: { from: number; end: number; ids: (event: string) => readonly string[] }) => {
    let first: number | undefined
    let [count, end] = [0, of.end]
    const left = new Set<string>()
    const range = { gte: keyOf(slug, seqKey(of.from)), lt: keyOf(slug, seqKey(of.end)) }
    for await (const [, row] of context.store.range('machineEntry', range)) {
      const { type, body, seq } = row.entry
      if (type !== 'event') continue
      const ids = of.ids((body as { readonly event?: string }).event ?? '').filter((id) => !left.has(id))
      const heard = ids.length === 0 ? undefined : heardIn(context, slug, row)
      if (heard === undefined) continue
      for (const id of await tell(ids, heard)) {
        first ??= seq
        left.add(id)
      }
      count += Math.ceil(ids.length / BATCH_MAX)
      if (count < TELLINGS.perChain) continue
      end = seq + 1
      break
    }
    return { count, end, first, left }
  }
}

/** Where a chain is read on: behind what all of its listeners have heard. */
const placeOf = (
  { contracts }: Pick<EngineContext, 'contracts'>,
  listeners: Listeners,
  at: { readonly slug: string; readonly known: number; readonly size: number },
): number => {
  const { slug, known, size } = at
  if (size - known <= PAGE_MAX) return known
  const heard = [...listeners.values()].flat().map((id) => {
    const row = contracts.peek(id)
    return row === undefined ? size - 1 : heardTo(row, slug)
  })
  return Math.max(known, Math.min(...heard) + 1)
}

/** Creates what has contracts hear the events of chains, in their order, each once. */
export const createChains = (context: EngineContext, collaborators: Collaborators): Chains => {
  const { store } = context
  const told = createTold(context, collaborators)
  const dirty = new Set<string>()
  /** How far each chain was read; what is durable may lie behind. */
  const read = new Map<string, number>()

  const behind = new Map<string, Behind>()

  /** @returns how many transactions it took */
  const hearOne = async (slug: string): Promise<number> => {
    // The size first: whoever listened before an entry is then among the listeners.
    const size = store.peek('machineHead', slug)?.size ?? 0
    const listeners = await listenersOf(context, slug)
    if (listeners.size === 0) return 0
    const known = read.get(slug) ?? store.peek('contractMark', slug) ?? 0
    const from = placeOf(context, listeners, { slug, known, size })
    const late = behind.get(slug)
    const ids = (event: string) => (listeners.get(event) ?? []).filter((id) => late?.ids.has(id) !== true)
    const { count, end, first, left } = await told(slug, { from, end: Math.min(size, from + PAGE_MAX), ids })
    if (first !== undefined) {
      const at = store.now().meshTick + 1
      behind.set(slug, { ids: new Set([...left, ...(late?.ids ?? [])]), from: late?.from ?? first, at, wait: 1 })
    }
    read.set(slug, end)
    const until = Math.min(end, behind.get(slug)?.from ?? end)
    if (count > 0 || until - (store.peek('contractMark', slug) ?? 0) >= MARK_EVERY) await markTo(context, slug, until)
    if (end < size) dirty.add(slug)
    return count
  }

  /** Tells those who are behind what they have not heard, up to where all others are. */
  const catchUp = async (slug: string, late: Behind): Promise<void> => {
    const listeners = await listenersOf(context, slug)
    const known = read.get(slug) ?? late.from
    const ids = (event: string) => (listeners.get(event) ?? []).filter((id) => late.ids.has(id))
    const { first, end } = await told(slug, { from: late.from, end: known, ids })
    if (first === undefined && end < known) {
      late.from = end
      return
    }
    if (first === undefined) {
      behind.delete(slug)
      return markTo(context, slug, end)
    }
    late.from = first
    late.wait = Math.min(late.wait * 2, ASLEEP_TICKS)
    late.at = store.now().meshTick + late.wait
  }

  const ownerOf = (slug: string): string => store.peek('machine', slug)?.owner_zid ?? ''

  return {
    moved: (slug) => void dirty.add(slug),
    resume: async (signal) => {
      for await (const slug of unread(context, signal)) dirty.add(slug)
    },
    hear: async (signal) => {
      for (const [slug, late] of behind) if (late.at <= store.now().meshTick) await catchUp(slug, late)
      // A chain that moves on meanwhile goes behind those that were not heard yet.
      let told = 0
      for (const slug of inTurns([...dirty], ownerOf)) {
        if (signal.aborted) return false
        if (told >= TELLINGS.inAll) break
        dirty.delete(slug)
        try {
          told += await hearOne(slug)
        } catch (cause) {
          // What the node could not write is told once it can.
          dirty.add(slug)
          throw cause
        }
      }
      return dirty.size > 0
    },
  }
}
