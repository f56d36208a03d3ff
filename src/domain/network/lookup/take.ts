import { fromHex } from '#core/bytes.ts'
import { eventId, eventLeaf, type MeshEvent } from '#core/events.ts'
import { nodeOfLog } from '#core/ids.ts'
import { leafHash, verifyInclusion } from '#core/merkle.ts'
import { breathe } from '#core/wait.ts'
import type { Keeping } from '#domain/network/context.ts'
import { isTooLate } from '#domain/network/succession.ts'
import { type Effect, interpret } from '#domain/network/sync/interpret.ts'
import { openOffer, ownLogs } from '#domain/network/sync/wants.ts'
import { sourceOf } from '#store/foreign.ts'
import type { ForeignNote } from '#store/rows/event.ts'
import type { FoundEvent, FoundEvents, LookupName } from './frames.ts'

/** Events whose signatures are checked between two breaths of the loop. */
const CHECKED_AT_ONCE = 4

/** An answer that whoever gave it must have known to be wrong. */
export class FalseAnswer extends Error {}

/** An event that its source signed and that its source's log holds, as a note of that source shows. */
export interface ProvenEvent extends Effect {
  readonly origin: string
  readonly id: string
}

/** Whether an event is found by a name. */
const hasName = ({ type, event }: Effect, id: string, { kind, name }: LookupName): boolean =>
  type.names(event, event.payload).some((it) => it.kind === kind && (it.name ?? id) === name)

/**
 * Verifies one event. Of a type that is not known here nothing can be said, which is nobody's fault.
 *
 * @throws FalseAnswer
 */
const verify = (it: FoundEvent, { size, root }: ForeignNote, name: LookupName): ProvenEvent | undefined => {
  const { origin, index, path } = it
  const leaf = eventLeaf(it.event as unknown as MeshEvent)
  const hash = leafHash(leaf)
  if (!verifyInclusion({ leafHash: hash, index, size, path: path.map(fromHex), root: fromHex(root) })) {
    throw new FalseAnswer('An event is not in the tree that its source signed.')
  }
  const effect = interpret(nodeOfLog(origin), index, leaf)
  if (effect === undefined) return undefined
  const id = eventId(effect.event)
  if (!hasName(effect, id, name)) throw new FalseAnswer('An event is about something else.')
  return { ...effect, origin, id }
}

/**
 * Verifies an answer: each note by the key of its log's node, each event by its own signature and its path to the root.
 * Whoever gave it can leave something out, and add nothing.
 *
 * @throws FalseAnswer; SyncRefused `bad_note`
 */
export const verifyFound = async (
  { events, notes }: FoundEvents,
  name: LookupName,
): Promise<readonly ProvenEvent[]> => {
  const signed = new Map(Object.entries(notes).map(([origin, note]) => [origin, openOffer(origin, note).note]))
  const proven: ProvenEvent[] = []
  for (const [i, it] of events.entries()) {
    const note = signed.get(it.origin)
    if (note === undefined) throw new FalseAnswer('An event comes without the note of its source.')
    const one = verify(it, note, name)
    if (one !== undefined) proven.push(one)
    if (i % CHECKED_AT_ONCE === CHECKED_AT_ONCE - 1) await breathe()
  }
  return proven
}

/**
 * Gives proven events their effect. Their leaves are not kept, so they are shown to nobody, and no cosignature of them
 * is known, until their log comes by sync: then the same effect is had again, which changes nothing.
 *
 * @returns how many were new here.
 */
export const takeProven = (keeping: Keeping, events: readonly ProvenEvent[]): Promise<number> => {
  const own = new Set(ownLogs(keeping).map(({ origin }) => origin))
  return keeping.store.commit((tx) => {
    let taken = 0
    for (const { type, event, origin, id } of events) {
      const isHeld = own.has(origin) || event.seq < (tx.get('foreignLog', sourceOf(origin))?.size ?? 0)
      if (isHeld || isTooLate(tx.get('successor', event.sourceNodeId), event)) continue
      type.apply(tx, event, event.payload)
      type.keep(tx.put, event, { id, origin }, event.payload)
      taken += 1
    }
    return taken
  })
}
