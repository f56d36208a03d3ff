import { Fault } from '#core/fault.ts'
import { closed, text } from '#core/schema.ts'
import { eventType } from '#domain/network/event-type.ts'
import { HEAD_NOTE_BYTES_MAX } from '#domain/network/heads.ts'

/**
 * A node announces the newest signed checkpoint of one of its logs. It is compared and remembered, never cosigned: a
 * witness signs only what is pushed to it with a consistency proof.
 */
export const head = eventType({
  type: 'head',
  channel: 'head',
  ticksOldMax: 120,
  payload: closed({ note: text(HEAD_NOTE_BYTES_MAX, { description: 'C2SP signed note of a checkpoint.' }) }),

  apply: (memory, { sourceNodeId }, { note }) => {
    try {
      const full = memory.takeHead(sourceNodeId, note) === 'full'
      return full ? { reason: 'refused', detail: 'As many logs are known as fit.' } : undefined
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault
      return { reason: 'bad_signature', detail: fault.message }
    }
  },
})
