import { soundKeyOf } from '#core/keys.ts'
import { CorruptRow } from '#store/corrupt-row.ts'
import type { Fsck } from '#store/fsck/report.ts'
import { rowKind } from '#store/row-kind.ts'

/** What is remembered of a node across restarts: where to look for it. */
export interface PeerRow {
  /** Plain TCP multiaddrs without the node id, the one that worked last first. */
  readonly addresses: readonly string[]
  /** Whether this node has reached it there; otherwise the addresses are what it said of itself, once connected. */
  readonly reached: boolean
  /** Mesh tick at which it was connected last, as far as that was written. */
  readonly seen: number
}

/** Rows there may be, and how many of them of nodes that were never reached. */
export const PEER_ROWS_MAX = 1_024
export const UNREACHED_ROWS_MAX = 256
/** Addresses of one node. */
export const PEER_ADDRESSES_MAX = 4

export interface PeerRows {
  readonly peer: PeerRow
}

const isNode = (key: string): boolean => {
  try {
    soundKeyOf(key)
    return true
  } catch {
    return false
  }
}

/** The peers that are remembered are nodes, with places to look for them, and no more than fit. */
const checkPeers = async ({ database, step }: Fsck<PeerRows>): Promise<void> => {
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

/** Peers that are remembered over a restart. */
export const peer = rowKind<PeerRows>({
  tables: {
    peer: { prefix: 'w', form: 'json', key: 'node id' },
  },
  since: { schema: 2, note: 'it came later and changed no other row: a store of before has none' },
  check: checkPeers,
})
