import { assert } from '#core/assert.ts'
import { concat } from '#core/bytes.ts'

const LENGTH_BYTES = 4

/** Bytes that leaves take in a bundle or a range frame: each after its length, u32 big-endian. */
export const packedBytes = (leaves: readonly Uint8Array[]): number =>
  leaves.reduce((sum, leaf) => sum + LENGTH_BYTES + leaf.length, 0)

/** Leaves, each after its length. */
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

/** Hashes of 32 bytes, one after the other. */
export const packHashes = (hashes: readonly Uint8Array[]): Uint8Array => {
  assert(
    hashes.every((it) => it.length === 32),
    'a hash has 32 bytes',
  )
  return concat(...hashes)
}
