import { assert } from '#core/assert.ts'
import type { Json } from '#core/canonical.ts'
import { purposes, withPurpose } from '#core/digest.ts'
import { EVENT_BYTES_MAX, eventBytes, eventId, eventLeaf, type MeshEvent, signEventWith } from '#core/events.ts'
import { Fault } from '#core/fault.ts'
import { nodeIdOf, type Signer } from '#core/keys.ts'
import { misfit } from '#core/schema.ts'
import { ENTRY_BYTES_MAX } from '#core/tiles.ts'
import type { Store } from '#store/store.ts'
import type { Transaction } from '#store/transaction.ts'
import type { LastingEvent } from './event-type.ts'
import { lastingTypeOf } from './events/index.ts'
import { bodyOf } from './frame.ts'
import { indexEvent } from './lookup/keep.ts'

/** Bytes of an event whose body is as large as gossip takes, and whose leaf is as large as an entry bundle says. */
const RECORDED_BYTES_MAX = Math.min(
  EVENT_BYTES_MAX - bodyOf(new Uint8Array(0)).length,
  ENTRY_BYTES_MAX - withPurpose(purposes.eventLeaf, new Uint8Array(0)).length,
)

/** Writes this node's lasting events: leaves of its event log, signed for the index that the single writer gives. */
export interface EventRecorder {
  /**
   * Appends a lasting event in a commit of somebody else's, with its effect, and gossips it once that is durable.
   *
   * @returns its index in the event log.
   * @throws Fault INVALID_INPUT for a payload that the type's own rules refuse; CLOCK_BEHIND.
   */
  in(tx: Transaction, type: LastingEvent, payload: Json): number
  /** As {@link EventRecorder.in}, in a commit of its own. @returns the event, once it is durable. */
  record(type: LastingEvent, payload: Json): Promise<MeshEvent>
  /** Told of every event in the moment it is durable. One listener: the gossip. */
  listener: ((event: MeshEvent) => void) | undefined
}

/** @param signer of the node's identity key, which is the author. */
export const createRecorder = (store: Store, signer: Signer): EventRecorder => {
  const sourceNodeId = nodeIdOf(signer.publicKey)

  const recordIn = (tx: Transaction, type: LastingEvent, payload: Json, made: (event: MeshEvent) => void): number => {
    const definition = lastingTypeOf(type)
    assert(definition !== undefined, 'every type that is recorded is in the registry')
    let event: MeshEvent | undefined
    const header = { v: 1, type, sourceNodeId, tick: tx.meshTick, payload } as const
    const sign = async (seq: number): Promise<Uint8Array> => {
      event = await signEventWith(signer, { ...header, seq })
      if (eventBytes(event).length > RECORDED_BYTES_MAX) {
        throw new Fault('BODY_TOO_LARGE', `An event is at most ${RECORDED_BYTES_MAX} bytes.`)
      }
      return eventLeaf(event)
    }
    const seq = tx.append(purposes.eventLeaf, sign, 'events')
    const unsigned = { ...header, seq }
    const wrong = misfit(definition.payload, payload) ?? definition.check(unsigned, payload)
    if (wrong !== undefined) throw new Fault('INVALID_INPUT', wrong)
    definition.apply(tx, unsigned, payload)
    if (definition.pushed === true) tx.put('urgent', store.events.name, seq + 1)
    const origin = store.events.origin
    const signed = (): MeshEvent => {
      assert(event !== undefined, 'what comes after its leaf finds it signed')
      return event
    }
    indexEvent(tx, definition, { origin, event: unsigned, id: () => eventId(signed()) })
    tx.late((put) => definition.keep(put, signed(), { id: eventId(signed()), origin }, payload))
    tx.onDurable(() => made(signed()))
    return seq
  }

  const recorder: EventRecorder = {
    listener: undefined,
    in: (tx, type, payload) => recordIn(tx, type, payload, (event) => recorder.listener?.(event)),
    record: async (type, payload) => {
      const made = Promise.withResolvers<MeshEvent>()
      await store.commit((tx) => {
        recordIn(tx, type, payload, (event) => {
          recorder.listener?.(event)
          made.resolve(event)
        })
      })
      return made.promise
    },
  }
  return recorder
}
