import { utf8 } from '#core/bytes.ts'
import { purposes } from '#core/digest.ts'
import { type MeshEvent, parseEvent } from '#core/events.ts'
import { Fault } from '#core/fault.ts'
import { misfit } from '#core/schema.ts'
import type { AnyLastingType } from '#domain/network/event-type.ts'
import { lastingTypeOf } from '#domain/network/events/index.ts'

/** An event of a verified range that has an effect here. */
export interface Effect {
  readonly type: AnyLastingType
  readonly event: MeshEvent
}

const purpose = utf8(`${purposes.eventLeaf}\n`)

/** How the canonical bytes of every event of version 1 end: names are sorted, and `type` and `v` come last. */
const tail = /"type":"([a-z.]{1,32})","v":1\}$/
const TAIL_BYTES = 56

/** The type that canonical event bytes name, if its effect is known here: a look that costs next to nothing. */
const typeIn = (bytes: Uint8Array): AnyLastingType | undefined => {
  const end = bytes.subarray(-TAIL_BYTES)
  const type = tail.exec(String.fromCharCode(...end))?.[1]
  return type === undefined ? undefined : lastingTypeOf(type)
}

/**
 * What a leaf of a verified range comes to: its event, if it is one of a type known here that stands by itself. The
 * source's note has authenticated the bytes, and still an event that has an effect must verify alone, since alone is
 * how it is shown to others. Whatever does not is no fault: the leaf is kept and changes nothing.
 */
export const interpret = (node: string, index: number, leaf: Uint8Array): Effect | undefined => {
  if (!purpose.every((byte, i) => leaf[i] === byte)) return undefined
  const bytes = leaf.subarray(purpose.length)
  const type = typeIn(bytes)
  if (type === undefined) return undefined
  let event: MeshEvent
  try {
    event = parseEvent(bytes)
  } catch (fault) {
    if (fault instanceof Fault) return undefined
    throw fault
  }
  if (event.sourceNodeId !== node || event.seq !== index) return undefined
  if (misfit(type.payload, event.payload) !== undefined) return undefined
  return type.check(event, event.payload) === undefined ? { type, event } : undefined
}
