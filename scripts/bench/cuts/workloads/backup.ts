import { join } from 'node:path'
import { createBackup, restoreBackup } from '#node/backup.ts'
import { makeDirectory } from '#store/lock.ts'
import { newAccount, openRooms, ownerCaller, sealOne } from '../../../../test/domain/house.ts'
import { fixedClock } from '../../../../test/kit/clock.ts'
import { tell } from '../notes.ts'
import { tellHeads, type Workload } from '../workload.ts'

const CREDITS = 100_000
const SEALS = 3

/** Seals, writes an archive, puts it back in the place of the data and into a directory of its own; again and again. */
export const backup: Workload = {
  name: 'backup',
  cuts: 200,
  size: 4,
  async run(below, size) {
    const clock = fixedClock()
    const directory = join(below, 'data')
    makeDirectory(join(below, 'archives'))
    for (let round = 0; round < size; round++) {
      let leaves = 0
      {
        await using rooms = await openRooms(directory, clock)
        tell({ is: 'directory', path: 'data' })
        const { caller, zid } = await newAccount(rooms, `192.0.2.${round}`)
        await rooms.economy.grant(ownerCaller(rooms), { zid, credits: CREDITS })
        for (let i = 0; i < SEALS; i++) {
          const { token_id: token, index } = await sealOne(rooms, { caller })
          tell({ is: 'envelope', token, index })
        }
        clock.advanceTicks(1)
        await rooms.store.closeTick()
        tellHeads(rooms.store)
        leaves = rooms.store.log.size
      }
      const name = join('archives', `${round}.backup`)
      const file = join(below, name)
      const { sha256 } = await createBackup({ directory, file, keys: true })
      tell({ is: 'archive', file: name, sha256 })
      const how = { file, opening: {}, force: false, check: false }
      await restoreBackup({ directory, ...how })
      tell({ is: 'restored', path: 'data', size: leaves })
      await restoreBackup({ directory: join(below, `restored-${round}`), ...how })
      tell({ is: 'restored', path: `restored-${round}`, size: leaves })
    }
  },
}
