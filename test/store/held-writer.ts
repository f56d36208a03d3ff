import { momentAt } from '#core/clock.ts'
import { type Change, type Database, openDatabase } from '#store/database.ts'
import { createLedger } from '#store/ledger.ts'
import { emptyLogState, openLog } from '#store/merkle-log.ts'
import { createWriter } from '#store/writer.ts'
import { fixedClock } from '../kit/clock.ts'
import { signer } from './kit.ts'

/** The present of a writer, moved by the test. */
export interface Present {
  tick: number
}

/** A writer on a fresh real database, whose writes are the test's. */
export const writerOver = async (
  directory: string,
  write: (real: Database, changes: readonly Change[]) => Promise<void>,
) => {
  const real = await openDatabase(directory, true)
  const database: Database = { ...real, write: (changes) => write(real, changes) }
  const { meshTick } = momentAt(fixedClock().now(), 0)
  const present: Present = { tick: 0 }
  const moment = (lastTick: number) => {
    const behind = present.tick < lastTick
    const tick = behind ? lastTick : present.tick
    return { tick, phase: 0, meshTick: meshTick + tick, behind }
  }
  const options = { database, state: emptyLogState(), tick: () => present.tick, publicKey: signer.publicKey }
  const logs = {
    seal: await openLog({ ...options, name: 'seal', origin: 'seal' }),
    events: await openLog({ ...options, name: 'events', origin: 'events' }),
  }
  const state = { lastTick: 0, transfers: 0, logs: { seal: emptyLogState(), events: emptyLogState() } }
  const ledger = createLedger([])
  return { writer: createWriter({ database, ledger, logs, state, signer, moment }), ledger, logs, real, present }
}

/** A write that waits for the test. */
interface HeldWrite {
  readonly changes: readonly Change[]
  /** Lets it go to the disk. */
  go(): void
  fail(cause: Error): void
}

/** A writer each of whose writes waits until the test lets it go, or makes it fail. */
export const heldWriter = async (directory: string) => {
  const begun: HeldWrite[] = []
  let next = Promise.withResolvers<void>()
  const made = await writerOver(directory, async (real, changes) => {
    const held = Promise.withResolvers<void>()
    begun.push({ changes, go: held.resolve, fail: held.reject })
    next.resolve()
    next = Promise.withResolvers()
    await held.promise
    await real.write(changes)
  })
  return {
    ...made,
    /** All writes that have begun. */
    begun,
    /** The write with a number, once it has begun. */
    nth: async (number: number): Promise<HeldWrite> => {
      for (;;) {
        const found = begun[number]
        if (found !== undefined) return found
        await next.promise
      }
    },
  }
}

/** Lets everything go on that waits for no write. */
export const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}
