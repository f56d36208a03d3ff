import { toHex } from '#core/bytes.ts'
import { openCheckpoint } from '#core/checkpoint.ts'
import { logVerifierOf } from '#core/equivocation.ts'
import { Fault } from '#core/fault.ts'
import type { LogPlace } from '#store/rows/log.ts'
import type { SealLog } from '#store/seal-log.ts'
import type { Store } from '#store/store.ts'
import { evidenceOf } from './evidence.ts'

/** A note that this node's own key signed and that its log does not hold: the log was rolled back, or runs twice. */
export interface Lost {
  readonly log: LogPlace
  readonly origin: string
  /** Durable leaves here. */
  readonly size: number
  /** What the note says. */
  readonly signed: number
  readonly note: string
  /** Who showed it: a node id, a URL, or `evidence`. */
  readonly from: string
}

/** Watches for notes of this node's key that its own logs do not hold. */
export interface Rollback {
  /** The first that was found, or undefined. Nothing is sealed any more from then on. */
  lost(): Lost | undefined
  /**
   * Checks a note that somebody shows of a log of this node. A bare number proves nothing and is not asked about: only
   * a note that this node's key has signed counts, so no witness can stop a node by a lie.
   */
  check(log: SealLog, note: string, from: string): Promise<void>
  /** Looks at the evidence that has come against this node's own logs. */
  look(): Promise<void>
  /** Checks again what an earlier start found: data that were put back may hold it now. */
  recall(): Promise<void>
}

const faultOf = ({ origin, size, signed, from }: Lost): Fault =>
  new Fault(
    'LOG_ROLLED_BACK',
    `This node's key has signed ${origin} at size ${signed}, and its log does not hold that: it has ${size} leaves. ` +
      'Put newer data back, or stop the node and begin a new log under the same key: tickmesh keys new-log.',
    { origin, size, signed, from },
  )

/** @param onLost called once, with what was found. */
export const createRollback = (store: Store, onLost: (lost: Lost) => void): Rollback => {
  const logs = [store.log, store.events]
  let found: Lost | undefined

  /** Size of a note of this log that the log does not hold; undefined for one it does, and for what is no such note. */
  const missing = async (log: SealLog, note: string): Promise<number | undefined> => {
    try {
      const { size, root } = openCheckpoint(note, logVerifierOf(log.origin)).checkpoint
      if (size > log.size) return size
      return toHex(await log.rootAt(size)) === toHex(root) ? undefined : size
    } catch (cause) {
      if (cause instanceof Fault) return undefined
      throw cause
    }
  }

  const stop = (lost: Lost): void => {
    if (found !== undefined) return
    found = lost
    store.hold(() => faultOf(lost))
    onLost(lost)
  }

  const check: Rollback['check'] = async (log, note, from) => {
    if (found !== undefined) return
    const signed = await missing(log, note)
    if (signed === undefined) return
    stop({ log: log.name, origin: log.origin, size: log.size, signed, note, from })
    await store.commit((tx) => tx.put('ownNote', log.name, { note, from }))
  }

  return {
    lost: () => found,
    check,
    look: async () => {
      for (const log of logs) {
        const proved = found === undefined ? evidenceOf(store, log.origin) : undefined
        for (const note of proved?.notes ?? []) await check(log, note, 'evidence')
      }
    },
    recall: async () => {
      for (const log of logs) {
        const kept = store.peek('ownNote', log.name)
        if (kept === undefined) continue
        await check(log, kept.note, kept.from)
        if (found === undefined) await store.commit((tx) => tx.del('ownNote', log.name))
      }
    },
  }
}
