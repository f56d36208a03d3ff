import type { Json } from '#core/canonical.ts'
import { eventOf } from '#domain/machines/event-data.ts'
import { keyOf, seqKey, under } from '#store/layout.ts'
import type { MachineEntryRow } from '#store/rows/machine.ts'
import { inTurns } from './fair.ts'
import { type HeardEntry, heardTo } from './hear.ts'
import { BATCH_MAX, type EngineContext } from './types.ts'

/** Entries of a chain that are looked at before another chain has its turn. */
const PAGE_MAX = 256
/** Transactions that hear one chain, and all of them, before calls and the clock have their turn. */
const TELLINGS = { perChain: 32, inAll: 128 } as const
/** Entries without a listener after which a mark is written, so that a restart does not read them again. */
const MARK_EVERY = 1_024

/** Who listens to a chain, by the name of the event. */
type Listeners = ReadonlyMap<string, readonly string[]>

interface Collaborators {
  /** Has contracts hear one event, and ends when all of them have. */
  readonly tell: (ids: readonly string[], heard: HeardEntry) => Promise<void>
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

/** Creates what has contracts hear the events of chains, in their order, each once. */
export const createChains = (context: EngineContext, { tell }: Collaborators): Chains => {
  const { store, contracts } = context
  const dirty = new Set<string>()
  /** How far each chain was read; what is durable may lie behind. */
  const read = new Map<string, number>()

  /** Where a chain is read on: behind what all of its listeners have heard. */
  const placeOf = (slug: string, listeners: Listeners, size: number): number => {
    const known = read.get(slug) ?? store.peek('contractMark', slug) ?? 0
    if (size - known <= PAGE_MAX) return known
    const heard = [...listeners.values()].flat().map((id) => {
      const row = contracts.peek(id)
      return row === undefined ? size - 1 : heardTo(row, slug)
    })
    return Math.max(known, Math.min(...heard) + 1)
  }

  const mark = async (slug: string, end: number): Promise<void> => {
    await store.commit((tx) => {
      if ((tx.get('contractMark', slug) ?? 0) < end) tx.put('contractMark', slug, end)
    })
  }

  /** @returns how many transactions it took */
  const hearOne = async (slug: string): Promise<number> => {
    // The size first: whoever listened before an entry is then among the listeners.
    const size = store.peek('machineHead', slug)?.size ?? 0
    const listeners = await listenersOf(context, slug)
    if (listeners.size === 0) return 0
    const from = placeOf(slug, listeners, size)
    let end = Math.min(size, from + PAGE_MAX)
    let told = 0
    for await (const [, row] of store.range('machineEntry', {
      gte: keyOf(slug, seqKey(from)),
      lt: keyOf(slug, seqKey(end)),
    })) {
      const { type, body } = row.entry
      if (type !== 'event') continue
      const ids = listeners.get((body as { readonly event?: string }).event ?? '')
      const heard = ids === undefined ? undefined : heardIn(context, slug, row)
      if (ids === undefined || heard === undefined) continue
      await tell(ids, heard)
      told += Math.ceil(ids.length / BATCH_MAX)
      if (told >= TELLINGS.perChain) {
        end = row.entry.seq + 1
        break
      }
    }
    read.set(slug, end)
    if (told > 0 || end - (store.peek('contractMark', slug) ?? 0) >= MARK_EVERY) await mark(slug, end)
    if (end < size) dirty.add(slug)
    return told
  }

  const ownerOf = (slug: string): string => store.peek('machine', slug)?.owner_zid ?? ''

  return {
    moved: (slug) => void dirty.add(slug),
    resume: async (signal) => {
      let after = ''
      while (!signal.aborted) {
        let found: string | undefined
        for await (const [key] of store.range('contractWatch', { gt: after, limit: 1 })) found = key
        if (found === undefined) return
        const slug = found.slice(0, found.indexOf('/'))
        const size = store.peek('machineHead', slug)?.size ?? 0
        if (size > (store.peek('contractMark', slug) ?? 0)) dirty.add(slug)
        // The character after the separator ends what is under a slug.
        after = `${slug}0`
      }
    },
    hear: async (signal) => {
      // A chain that moves on meanwhile goes behind those that were not heard yet.
      let told = 0
      for (const slug of inTurns([...dirty], ownerOf)) {
        if (signal.aborted) return false
        if (told >= TELLINGS.inAll) break
        dirty.delete(slug)
        told += await hearOne(slug)
      }
      return dirty.size > 0
    },
  }
}
