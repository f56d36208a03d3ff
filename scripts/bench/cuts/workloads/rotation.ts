import { join } from 'node:path'
import { rotateIdentity } from '#domain/identity/succession.ts'
import { newAccount, openRooms, ownerCaller, sealOne } from '../../../../test/domain/house.ts'
import { fixedClock } from '../../../../test/kit/clock.ts'
import { tell } from '../notes.ts'
import { tellHeads, type Workload } from '../workload.ts'

const CREDITS = 1_000

/** Seals a little and passes the identity on to a new key, again and again. */
export const rotation: Workload = {
  name: 'rotation',
  cuts: 150,
  size: 5,
  async run(below, size) {
    const clock = fixedClock()
    const directory = join(below, 'data')
    const { signal } = new AbortController()
    for (let round = 0; round < size; round++) {
      {
        await using rooms = await openRooms(directory, clock)
        tell({ is: 'directory', path: 'data' })
        const { caller, zid } = await newAccount(rooms, `192.0.2.${round}`)
        await rooms.economy.grant(ownerCaller(rooms), { zid, credits: CREDITS })
        const { token_id: token, index } = await sealOne(rooms, { caller, published: true })
        tell({ is: 'envelope', token, index })
        clock.advanceTicks(1)
        await rooms.store.closeTick()
        tellHeads(rooms.store)
      }
      const sleep = async (): Promise<void> => clock.advanceTicks(1)
      const { succession } = await rotateIdentity({ directory, clock, sleep, reason: `round ${round}`, signal })
      tell({ is: 'rotated', from: succession.old_node, to: succession.new_node })
    }
  },
}
