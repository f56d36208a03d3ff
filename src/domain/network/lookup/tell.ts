import { toHex } from '#core/bytes.ts'
import { type Json, parseCanonical } from '#core/canonical.ts'
import { purposes, withPurpose } from '#core/digest.ts'
import type { Keeping } from '#domain/network/context.ts'
import { foreignLogSource, type LogSource, ownLogSource } from '#domain/network/sync/log-source.ts'
import { SyncRefused } from '#domain/network/sync/refused.ts'
import { ownLogs } from '#domain/network/sync/wants.ts'
import { originOf } from '#store/foreign.ts'
import { under } from '#store/layout.ts'
import { placeIn } from '#store/rows/indexed.ts'
import { ANSWER_BYTES_MAX, FOUND_MAX, type FoundEvent, type FoundEvents, type LookupName } from './frames.ts'

/** Entries that are looked at for one answer: some may be of leaves that are not kept any more. */
const LOOKED_AT_MAX = 256
/** Bytes of an answer beside its events: names and brackets. */
const FRAME_BYTES = 64
/** Bytes of a hash of a path, and of what else stands with an event. */
const HASH_BYTES = 67
const EVENT_MORE_BYTES = 256

const head = withPurpose(purposes.eventLeaf, new Uint8Array(0)).length

/** A log under the newest note of its source all of whose leaves are here. */
interface Shown {
  readonly size: number
  readonly note: string
  readonly logSource: LogSource
}

const shownOf = (keeping: Keeping, source: string): Shown | undefined => {
  const { store } = keeping
  const origin = originOf(source)
  const own = ownLogs(keeping).find((it) => it.origin === origin)
  if (own !== undefined) {
    const { checkpoint } = own
    return checkpoint && { size: checkpoint.size, note: checkpoint.note, logSource: ownLogSource(store, own) }
  }
  const held = store.peek('foreignLog', source)?.held
  return held == null ? undefined : { size: held.size, note: held.note, logSource: foreignLogSource(store, origin) }
}

/** An event with its proof; undefined where its leaf is not kept, or under no note yet. */
const foundAt = async (origin: string, seq: number, { size, logSource }: Shown): Promise<FoundEvent | undefined> => {
  if (seq >= size) return undefined
  try {
    for await (const leaf of logSource.leaves(seq, seq + 1)) {
      const path = await logSource.inclusion(seq, size)
      return { origin, index: seq, event: parseCanonical(leaf.subarray(head)) as Json, path: path.map(toHex) }
    }
    return undefined
  } catch (cause) {
    if (cause instanceof SyncRefused) return undefined
    throw cause
  }
}

/** What this node can show about a name: the event that it is of first, then those that name it. */
export const tellFound = async (keeping: Keeping, { kind, name }: LookupName): Promise<FoundEvents> => {
  const logs = new Map<string, Shown | undefined>()
  const events: FoundEvent[] = []
  const notes: Record<string, string> = {}
  let room = ANSWER_BYTES_MAX - FRAME_BYTES
  let looked = 0
  for await (const [key] of keeping.store.range('eventBy', under(kind, name))) {
    looked += 1
    if (looked > LOOKED_AT_MAX || events.length === FOUND_MAX) break
    const { source, seq } = placeIn(key)
    const shown = logs.has(source) ? logs.get(source) : shownOf(keeping, source)
    logs.set(source, shown)
    const origin = originOf(source)
    const found = shown && (await foundAt(origin, seq, shown))
    if (shown === undefined || found === undefined) continue
    const noteBytes = Object.hasOwn(notes, origin) ? 0 : 2 * (origin.length + shown.note.length)
    room -= noteBytes + EVENT_MORE_BYTES + JSON.stringify(found.event).length * 3 + HASH_BYTES * found.path.length
    if (room < 0) break
    events.push(found)
    notes[origin] = shown.note
  }
  return { events, notes }
}
