import { toHex, utf8 } from '#core/bytes.ts'
import { sha256 } from '#crypto'

/** A part of the gossip about works: that of nodes whose ids hash to the same first byte. */
export type Shard = `shard/${string}`

const SHARDS = 256
const DIGITS = 2
/** The shard that every node listens to. */
export const COMMON_SHARD: Shard = 'shard/00'
/** Who knows of no more nodes than that says all on the common shard: then all shards are one. */
export const COMMON_NODES_MAX = 256
/** Shards that a node listens to beside the common one. */
export const LISTENED_MAX = 8

/** Every shard, in order. */
export const shards: readonly Shard[] = Array.from(
  { length: SHARDS },
  (_, i): Shard => `shard/${i.toString(16).padStart(DIGITS, '0')}`,
)

/** The shard of a node: the first byte of SHA-256 of its id, in hex. */
export const shardOf = (node: string): Shard => `shard/${toHex(sha256(utf8(node))).slice(0, DIGITS)}`

/**
 * On which shard something is said.
 *
 * @param node whose shard it is; undefined where that is not known.
 * @param known how many nodes the publisher has heard of.
 */
export const saidOn = (node: string | undefined, known: number): Shard =>
  node === undefined || known <= COMMON_NODES_MAX ? COMMON_SHARD : shardOf(node)

/** Whether what belongs to the shard of a node may travel here; anywhere where that node is not known. */
export const mayTravel = (shard: Shard, node: string | undefined): boolean =>
  shard === COMMON_SHARD || node === undefined || shardOf(node) === shard

/** Which shards a node listens to: the common one, its own, and those of nodes it works with, the first ones. */
export const listenedShards = (self: string, partners: readonly string[]): readonly Shard[] => {
  const own = new Set<Shard>([shardOf(self)])
  for (const node of partners) {
    if (own.size === LISTENED_MAX) break
    own.add(shardOf(node))
  }
  return [...new Set([COMMON_SHARD, ...own])]
}
