import { doublesOf, littleEndianBytes } from '#core/arrays.ts'
import { assert } from '#core/assert.ts'
import { concat, equalBytes } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { sha256 } from '#crypto'

/** Is handed the records of a run as they are kept, each a copy. */
export type OnRecord = (record: Uint8Array) => void

/** A state that comes from elsewhere. */
export interface Stopped {
  /** Whole steps taken before it. */
  readonly step: number
  /** As `bytes` of the solver gave them. */
  readonly bytes: Uint8Array
  /** All records up to there, one after another: what the end of a run is told from. Segments go without. */
  readonly records?: Uint8Array
}

/** Where a run is taken up, and who is handed its records. */
export interface RunOrigin {
  /** Left out at the start. */
  readonly stopped?: Stopped | undefined
  readonly onRecord?: OnRecord | undefined
}

/** Takes numbers off bytes that come from elsewhere. Nothing is allocated for what is not there. */
export interface StateReader {
  /** @throws Fault INVALID_INPUT where there are fewer, or one is not finite. */
  doubles(count: number): Float64Array<ArrayBuffer>
  /** @throws Fault INVALID_INPUT where there are fewer. */
  ints(count: number): Int32Array<ArrayBuffer>
  /** @throws Fault INVALID_INPUT where there are fewer. */
  digest(): Uint8Array
  /** @throws Fault INVALID_INPUT where something is left over. */
  end(): void
}

const DOUBLE = 8
const INT = 4
const DIGEST = 32
const NONE = new Uint8Array(0)

/** Refuses a state or its records. */
export const refuseState = (why: string, measured: number, limit: number): never => {
  throw new Fault('INVALID_INPUT', why, { measured, limit })
}

const readerOf = (bytes: Uint8Array, what: string): StateReader => {
  let at = 0
  const take = (count: number): Uint8Array => {
    if (at + count > bytes.length) {
      const limit = at + count
      refuseState(`${what} ends after ${bytes.length} bytes; ${limit} or more are needed.`, bytes.length, limit)
    }
    at += count
    return bytes.subarray(at - count, at)
  }
  return {
    doubles: (count) => {
      const values = doublesOf(take(count * DOUBLE))
      const odd = values.findIndex((value) => value - value !== 0)
      if (odd >= 0)
        refuseState(`${what} has a number that is not finite at byte ${at - (count - odd) * DOUBLE}.`, odd, 0)
      return values
    },
    ints: (count) => {
      const part = take(count * INT)
      const view = new DataView(part.buffer, part.byteOffset, part.byteLength)
      return Int32Array.from({ length: count }, (_, i) => view.getInt32(INT * i, true))
    },
    digest: () => take(DIGEST).slice(),
    end: () => {
      if (at < bytes.length) refuseState(`${what} goes on after ${at} bytes.`, bytes.length, at)
    },
  }
}

/** A running digest of records: SHA-256(digest so far ‖ record), empty before the first. */
export interface Chain {
  /** Keeps the next record: these numbers, one after another. */
  link(...record: readonly Float64Array[]): void
  digest(): Uint8Array
}

/** What a run keeps books by: where it is taken up, and its running digests. */
export interface Journal {
  /** Steps taken before: 0 at the start. */
  readonly step: number
  /** The state's own numbers, to be read in the order of its bytes; absent at the start. */
  readonly held: StateReader | undefined
  /** Whether the records up to here are handed over, to be kept anew by `taken`. */
  readonly retraced: boolean
  /**
   * The next running digest of the state: read off its bytes where something was `kept` before.
   *
   * @param kept records that it is over by then.
   */
  chain(kept: number): Chain
  /**
   * Called once the state is read and all digests are there: has the solver keep the records anew, where it has them.
   *
   * @throws Fault INVALID_INPUT for bytes left over, and for records that do not give the digests of the state.
   */
  taken(keepAnew?: (tape: StateReader) => void): void
}

/** The books of a run. */
export const journalOf = ({ stopped, onRecord }: RunOrigin): Journal => {
  const held = stopped === undefined ? undefined : readerOf(stopped.bytes, 'The state')
  const records = stopped?.records
  const chains: { now: Uint8Array }[] = []
  let tell = onRecord
  const chain = (kept: number): Chain => {
    const it = { now: held !== undefined && kept > 0 ? held.digest() : NONE }
    chains.push(it)
    return {
      link: (...record) => {
        const parts = record.map(littleEndianBytes)
        it.now = sha256(concat(it.now, ...parts))
        tell?.(concat(...parts))
      },
      digest: () => it.now,
    }
  }
  const taken = (keepAnew?: (tape: StateReader) => void): void => {
    assert(held !== undefined, 'a state was read')
    held.end()
    if (records === undefined) return
    const claimed = chains.map(({ now }) => now)
    for (const it of chains) it.now = NONE
    tell = undefined
    const tape = readerOf(records, 'The list of records')
    keepAnew?.(tape)
    tape.end()
    tell = onRecord
    if (chains.some(({ now }, i) => !equalBytes(now, claimed[i] ?? NONE))) {
      throw new Fault('INVALID_INPUT', 'The records are not those of the state: their running digest is another.')
    }
  }
  return { step: stopped?.step ?? 0, held, retraced: records !== undefined, chain, taken }
}
