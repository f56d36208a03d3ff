import { join } from 'node:path'
import { newAccount, openRooms, ownerCaller } from '../../../../test/domain/house.ts'
import { fixedClock } from '../../../../test/kit/clock.ts'
import { tell } from '../notes.ts'
import { tellHeads, type Workload } from '../workload.ts'

const CREDITS = 1_000_000
const MACHINES = 3
/** Entries that each machine takes between two ends of ticks. */
const ENTRIES = 4

/** Writes to several machines at once, with the ends of ticks between; the store is closed and opened on the way. */
export const machines: Workload = {
  name: 'machine writes',
  cuts: 150,
  size: 15,
  async run(below, size) {
    const clock = fixedClock()
    for (const half of [0, 1]) {
      await using rooms = await openRooms(join(below, 'data'), clock)
      tell({ is: 'directory', path: 'data' })
      const { caller, zid } = await newAccount(rooms, `192.0.2.${half + 1}`)
      await rooms.economy.grant(ownerCaller(rooms), { zid, credits: CREDITS })
      const write = async (who: number, round: number): Promise<void> => {
        const slug = `m-${half}-${who}`
        if (round === 0) await rooms.machines.create(caller, { slug, is_public: who % 2 === 0 })
        for (let n = 0; n < ENTRIES; n++) {
          const writing = { caller, slug, scope: 'power-cuts', idempotencyKey: undefined }
          const { answer } = await rooms.machines.event(writing, { type: 'load', payload: n })
          tell({ is: 'entry', slug, seq: answer.seq, hash: answer.hash })
        }
      }
      for (let round = 0; round < size; round++) {
        await Promise.all(Array.from({ length: MACHINES }, (_, who) => write(who, round)))
        clock.advanceTicks(1)
        await rooms.store.closeTick()
        tellHeads(rooms.store)
      }
    }
  },
}
