import type { ChannelGapBody, ChannelTickBody } from '#core/channel/entries.ts'
import { STREAM_GAP, STREAM_TICK } from '#core/channel/entries.ts'
import type { PushedText } from '#core/pushing.ts'
import { keyOf, seqKey } from '#store/layout.ts'
import type { MachineEntryRow } from '#store/rows/machine.ts'
import type { Store } from '#store/store.ts'

/** Entries of a channel that a reader who comes back is given. */
export const BACKLOG_MAX = 1_000
/** Entries of its chain, whoever said them, that are looked at for them. */
const LOOK_BACK_MAX = 20_000

/** A tick of a channel, among all of its epochs. */
export interface ChannelMark {
  readonly epoch: number
  readonly count: number
}

/** Whether a tick comes after another one. */
export const isAfter = (it: ChannelMark, than: ChannelMark): boolean =>
  it.epoch > than.epoch || (it.epoch === than.epoch && it.count > than.count)

/** What of a chain a reader is given: from an entry on, and what it cannot be given any more. */
export interface BacklogStart {
  /** Number of the first entry. */
  readonly seq: number
  /** Mesh tick up to which nothing is given, though the reader has not seen it; undefined where nothing lacks. */
  readonly lackedTo: number | undefined
}

/** An entry of a channel as a reader gets it afterwards: without the output, which is not kept. */
export interface BacklogText extends PushedText {
  /** The tick that it is, if it is one. */
  readonly mark: ChannelMark | undefined
}

/** Whether a reader may know of a tick what its entry says, or no more than outputs show, which are not kept. */
export type ReaderSight = 'entries' | 'outputs'

const textOf = (
  body: unknown,
  type: string,
  at: { tick: number; meshTick: number; sees: ReaderSight },
): BacklogText => {
  if (type === STREAM_TICK) {
    const { epoch, count, token_id, value, unit, errorPct } = body as ChannelTickBody
    const reading = at.sees === 'entries' ? { value, unit, errorPct } : {}
    const text = JSON.stringify({ type: 'tick', epoch, count, tick: at.tick, token_id, ...reading })
    return { text, meshTick: at.meshTick, mark: { epoch, count } }
  }
  const { from_mesh: from, to_mesh: to, reason } = body as ChannelGapBody
  return { text: JSON.stringify({ type: 'gap', from, to, reason }), meshTick: to, mark: undefined }
}

/** Creates what reads the ticks and gaps of channels from the chains that hold them. */
export const createBacklog = ({ store }: { readonly store: Pick<Store, 'peek' | 'range' | 'genesisMeshTick'> }) => {
  const said = (id: string, { entry }: MachineEntryRow, sees: ReaderSight): BacklogText | undefined => {
    const { type, body, tick } = entry
    if (type !== STREAM_TICK && type !== STREAM_GAP) return undefined
    if ((body as { readonly channel?: unknown }).channel !== id) return undefined
    return textOf(body, type, { tick, meshTick: store.genesisMeshTick + tick, sees })
  }

  return {
    /**
     * Where a reader begins who has seen a tick.
     *
     * @param size entries of the chain; what comes later is for later.
     */
    start: async (
      { id, slug }: { readonly id: string; readonly slug: string },
      { after, size }: { readonly after: ChannelMark; readonly size: number },
    ): Promise<BacklogStart> => {
      const range = { gte: keyOf(slug, seqKey(0)), lt: keyOf(slug, seqKey(size)), reverse: true, limit: LOOK_BACK_MAX }
      // As it is now, for what is sealed while this looks comes later.
      const newest = store.peek('channelHead', id)?.head
      let [first, found, looked] = [size, 0, 0]
      let [oldest, reached]: (number | undefined)[] = []
      for await (const [, row] of store.range('machineEntry', range)) {
        looked += 1
        reached = store.genesisMeshTick + row.entry.tick
        const it = said(id, row, 'outputs')
        if (it === undefined) continue
        if (it.mark !== undefined && !isAfter(it.mark, after)) return { seq: first, lackedTo: undefined }
        if (found === BACKLOG_MAX) return { seq: first, lackedTo: it.meshTick }
        found += 1
        first = row.entry.seq
        oldest = it.meshTick
      }
      if (looked < LOOK_BACK_MAX) return { seq: first, lackedTo: undefined }
      if (oldest !== undefined) return { seq: first, lackedTo: oldest - 1 }
      return { seq: first, lackedTo: newest != null && isAfter(newest, after) ? reached : undefined }
    },
    /** Ticks and gaps of a channel among a part of its chain. */
    read: async function* (
      { id, slug }: { readonly id: string; readonly slug: string },
      { from, to, sees }: { readonly from: number; readonly to: number; readonly sees: ReaderSight },
    ): AsyncGenerator<BacklogText> {
      const range = { gte: keyOf(slug, seqKey(from)), lt: keyOf(slug, seqKey(to)) }
      for await (const [, row] of store.range('machineEntry', range)) {
        const it = said(id, row, sees)
        if (it !== undefined) yield it
      }
    },
  }
}
