import { keyOf, seqKey } from './key-parts.ts'

/** The key part of an event log: node id and number, which its origin `tickmesh.events/<node>/<number>` holds. */
export const sourceOf = (origin: string): string => origin.split('/').slice(1).join('.')
/** The origin of a key part. */
export const originOf = (source: string): string => `tickmesh.events/${source.split('.').join('/')}`

/** Key of a bundle: leaves from index · 256. */
export const bundleKey = (source: string, index: number): string => keyOf(source, seqKey(index))
/** Key of the hash of a complete subtree of at least a bundle. */
export const foreignNodeKey = (source: string, level: number, index: number): string =>
  keyOf(source, level.toString(16).padStart(2, '0'), seqKey(index))

const LENGTH_BYTES = 4

/** Bytes that leaves take when packed: each after its length, u32 big-endian. */
export const packedBytes = (leaves: readonly Uint8Array[]): number =>
  leaves.reduce((sum, leaf) => sum + LENGTH_BYTES + leaf.length, 0)

/** Leaves, each after its length, behind what there is. */
export const packLeaves = (leaves: readonly Uint8Array[], before: Uint8Array = new Uint8Array(0)): Uint8Array => {
  const packed = new Uint8Array(before.length + packedBytes(leaves))
  const view = new DataView(packed.buffer)
  packed.set(before)
  let at = before.length
  for (const leaf of leaves) {
    view.setUint32(at, leaf.length)
    packed.set(leaf, at + LENGTH_BYTES)
    at += LENGTH_BYTES + leaf.length
  }
  return packed
}

/** The leaves of packed bytes, as views on them; undefined unless they end where the last leaf does. */
export const unpackLeaves = (packed: Uint8Array): Uint8Array[] | undefined => {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.length)
  const leaves: Uint8Array[] = []
  let at = 0
  while (at + LENGTH_BYTES <= packed.length) {
    const end = at + LENGTH_BYTES + view.getUint32(at)
    if (end > packed.length) return undefined
    leaves.push(packed.subarray(at + LENGTH_BYTES, end))
    at = end
  }
  return at === packed.length ? leaves : undefined
}
