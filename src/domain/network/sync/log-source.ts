import { assert } from '#core/assert.ts'
import {
  consistencyProof,
  inclusionProof,
  leafHash,
  type NodeReader,
  nodesRead,
  rootFrom,
  rootOf,
} from '#core/merkle.ts'
import { bundleKey, foreignNodeKey, sourceOf, unpackLeaves } from '#store/foreign.ts'
import { BUNDLE_LEAVES, BUNDLE_LEVEL } from '#store/rows/event.ts'
import { leafKey } from '#store/rows/log.ts'
import type { SealLog } from '#store/seal-log.ts'
import type { Store } from '#store/store.ts'
import { refuse } from './refused.ts'

/** A log that ranges can be given from, the own one or another node's. */
export interface LogSource {
  /** Leaves from one index (inclusive) to another (exclusive), in order. */
  leaves(from: number, to: number): AsyncIterable<Uint8Array>
  /** Consistency proof between two sizes, as `consistencyProof` makes it. */
  proof(from: number, to: number): Promise<readonly Uint8Array[]>
  /** Inclusion path of a leaf in the tree of the first `size` leaves, bottom up. */
  inclusion(index: number, size: number): Promise<readonly Uint8Array[]>
  /** Root of the first `size` leaves. */
  rootAt(size: number): Promise<Uint8Array>
}

/** One of this node's own event logs. */
export const ownLogSource = (store: Store, log: SealLog): LogSource => ({
  leaves: async function* (from, to) {
    const range = { gte: leafKey(log.name, from), lt: leafKey(log.name, to) }
    for await (const [, leaf] of store.range('leaf', range)) yield leaf
  },
  proof: (from, to) => (from === 0 || from === to ? Promise.resolve([]) : log.consistency(from, to)),
  inclusion: log.inclusion,
  rootAt: log.rootAt,
})

/** A log, or its oldest bundles, can give its place to another while it is being given. */
const gone = (): never => refuse('own', 'What was offered is not kept any more.')

/** Another node's event log, as it is kept here: in bundles, with the hashes of whole subtrees of them. */
export const foreignLogSource = (store: Store, origin: string): LogSource => {
  const source = sourceOf(origin)

  const bundle = async (index: number): Promise<readonly Uint8Array[]> => {
    const packed = await store.get('foreignBundle', bundleKey(source, index))
    if (packed === undefined) return gone()
    const leaves = unpackLeaves(packed)
    assert(leaves !== undefined, 'a bundle holds whole leaves')
    return leaves
  }

  /** Reads the nodes a proof is made of: whole bundles from their rows, smaller subtrees by hashing their bundle. */
  const reader = async (make: (read: NodeReader) => unknown): Promise<NodeReader> => {
    const found = new Map<string, Uint8Array>()
    const hashes = new Map<number, readonly Uint8Array[]>()
    for (const { level, index } of nodesRead(make)) {
      const name = foreignNodeKey(source, level, index)
      if (level >= BUNDLE_LEVEL) {
        const row = await store.get('foreignNode', name)
        found.set(name, row ?? gone())
        continue
      }
      const width = 2 ** level
      const at = Math.floor((index * width) / BUNDLE_LEAVES)
      const known = hashes.get(at) ?? (await bundle(at)).map(leafHash)
      hashes.set(at, known)
      const begin = index * width - at * BUNDLE_LEAVES
      found.set(name, rootOf(known.slice(begin, begin + width)))
    }
    return (level, index) => {
      const hash = found.get(foreignNodeKey(source, level, index))
      assert(hash !== undefined, 'every node was fetched')
      return hash
    }
  }

  return {
    leaves: async function* (from, to) {
      for (let at = from; at < to; ) {
        const index = Math.floor(at / BUNDLE_LEAVES)
        const begin = index * BUNDLE_LEAVES
        const part = (await bundle(index)).slice(at - begin, to - begin)
        yield* part
        at += part.length
      }
    },
    proof: async (from, to) => {
      if (from === 0 || from === to) return []
      const make = (read: NodeReader): Uint8Array[] => consistencyProof(read, from, to)
      return make(await reader(make))
    },
    inclusion: async (index, size) => {
      const make = (read: NodeReader): Uint8Array[] => inclusionProof(read, index, size)
      return make(await reader(make))
    },
    rootAt: async (size) => rootFrom(await reader((read) => rootFrom(read, size)), size),
  }
}
