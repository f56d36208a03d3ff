import { join } from 'node:path'
import { openNodeKeys } from '#domain/identity/node-keys.ts'
import { sourceOf } from '#store/foreign.ts'
import { keeper, syncBetween } from '../../../../test/domain/network/keeper.ts'
import { fixedClock } from '../../../../test/kit/clock.ts'
import { seeded } from '../../../../test/kit/random.ts'
import { tell } from '../notes.ts'
import { tellHeads, type Workload } from '../workload.ts'

const SEED = 3
/** Events that the other node has written between two syncs, at most. */
const EVENTS_MAX = 900

/** Takes the event log of another node, which grows; writes events of its own between. */
export const sync: Workload = {
  name: 'sync',
  cuts: 150,
  size: 12,
  async run(below, size) {
    const random = seeded(SEED)
    const clock = fixedClock()
    const directory = join(below, 'data')
    const { seed } = openNodeKeys(directory)
    await using source = await keeper(random, { clock })
    await using own = await keeper(random, { directory, seed, clock })
    tell({ is: 'directory', path: 'data' })
    for (let round = 0; round < size; round++) {
      await source.write(random.integer(1, EVENTS_MAX))
      await own.write(random.integer(1, 3))
      await syncBetween(own, source)
      const size = own.sync.sources().find((it) => it.node === source.node)?.size ?? 0
      tell({ is: 'synced', source: sourceOf(source.store.events.origin), size })
      tellHeads(own.store)
    }
  },
}
