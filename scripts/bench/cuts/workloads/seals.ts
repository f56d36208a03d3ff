import { join } from 'node:path'
import { putBlob } from '#store/blobs.ts'
import { newAccount, openRooms, ownerCaller, sealOne } from '../../../../test/domain/house.ts'
import { fixedClock } from '../../../../test/kit/clock.ts'
import { seeded } from '../../../../test/kit/random.ts'
import { tell } from '../notes.ts'
import { tellHeads, type Workload } from '../workload.ts'

const CREDITS = 1_000_000
const AT_ONCE = 4
/** Blobs of some hundred kilobytes: LevelDB begins a new write-ahead log every four megabytes. */
const BLOB_BYTES_MIN = 1_000
const BLOB_BYTES_MAX = 700_000
const SEED = 1

/** Seals from many at once, with blobs, folders and the ends of ticks between. */
export const seals: Workload = {
  name: 'seals',
  cuts: 250,
  size: 40,
  async run(below, size) {
    const random = seeded(SEED)
    const clock = fixedClock()
    await using rooms = await openRooms(join(below, 'data'), clock)
    tell({ is: 'directory', path: 'data' })
    const { caller, zid } = await newAccount(rooms)
    tell({ is: 'account', zid })
    await rooms.economy.grant(ownerCaller(rooms), { zid, credits: CREDITS })
    const seal = async (i: number): Promise<void> => {
      const { token_id: token, index } = await sealOne(rooms, { caller, published: i % 3 === 0 })
      tell({ is: 'envelope', token, index })
    }
    for (let round = 0; round < size; round++) {
      await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => seal(i)))
      const bytes = random.bytes(random.integer(BLOB_BYTES_MIN, BLOB_BYTES_MAX))
      tell({ is: 'blob', name: await rooms.store.commit((tx) => putBlob(tx.put, bytes)) })
      if (round % 2 === 0) clock.advanceTicks(1)
      await rooms.store.closeTick()
      tellHeads(rooms.store)
    }
  },
}
