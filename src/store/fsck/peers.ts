import { soundKeyOf } from '#core/keys.ts'
import { PEER_ADDRESSES_MAX, PEER_ROWS_MAX } from '#store/peer-rows.ts'
import { CorruptRow } from '#store/rows.ts'
import type { Fsck } from './report.ts'

const isNode = (key: string): boolean => {
  try {
    soundKeyOf(key)
    return true
  } catch {
    return false
  }
}

/** The peers that are remembered are nodes, with places to look for them, and no more than fit. */
export const checkPeers = async ({ database, step }: Fsck): Promise<void> => {
  let count = 0
  for await (const [key, { addresses }] of database.range('peer')) {
    step('accounts')
    count += 1
    if (!isNode(key)) throw new CorruptRow('peer', key, 'this is no node')
    if (addresses.length < 1 || addresses.length > PEER_ADDRESSES_MAX || count > PEER_ROWS_MAX) {
      throw new CorruptRow('peer', key, 'there are no addresses, or more than fit')
    }
  }
}
