import type { StandingChannel } from '#domain/channels/channel-store.ts'
import { channelLoad } from '#domain/channels/load.ts'
import { growthOf } from '#domain/explorer/growth.ts'
import type { NodeStatus } from '#domain/explorer/views.ts'
import type { Database } from '#store/database.ts'
import { eraRows } from '#store/eras.ts'
import { storageOf } from './storage.ts'
import { withData } from './upgrade.ts'

export type Growth = NodeStatus['storage']['growth']

const channelsIn = async (database: Database): Promise<readonly StandingChannel[]> => {
  const found: StandingChannel[] = []
  for await (const [id, row] of database.range('channel')) {
    const head = database.peek('channelHead', id)
    if (head !== undefined) found.push({ row, head })
  }
  return found
}

const leavesIn = async (database: Database): Promise<number> => {
  const present = database.peek('writer', 'state')?.logs.seal.size ?? 0
  return (await eraRows(database)).reduce((sum, { logs }) => sum + logs.seal.size, present)
}

/** What the channels of a stopped node would write; undefined where there are no data. @throws as {@link withData} */
export const readGrowth = (directory: string): Promise<Growth | undefined> =>
  withData(directory, async (database) => {
    if (database === undefined) return undefined
    const { parts, free_bytes: free } = storageOf(directory)()
    const load = channelLoad(await channelsIn(database))
    return growthOf(load, { bytes: parts.database, leaves: await leavesIn(database), free })
  })
