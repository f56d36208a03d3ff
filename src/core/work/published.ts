import Type, { type Static } from 'typebox'
import { fromHex, toHex } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import { purposes, signedBytes } from '#core/digest.ts'
import { leafHash, verifyInclusion } from '#core/merkle.ts'
import { closed, count, hex64, nodeId } from '#core/schema.ts'
import { type LeafTree, leafTree } from './tree.ts'

/** Works of one event: a requester publishes one event a tick (protocol.md, Works). */
export const WORKS_EVENT_MAX = 65_536
const PATH_MAX = 16

/** Form of the payload of a `work` event. */
export const workEventSchema = closed(
  {
    root: hex64({ description: 'RFC 6962 root over the works of the tick.' }),
    count: count({ minimum: 1, maximum: WORKS_EVENT_MAX }),
  },
  { title: 'WorksPublished' },
)
export type WorksPublished = Static<typeof workEventSchema>

/** What a leaf of such an event says: who worked, and the digest of the work. Never inputs or results. */
export interface WorkLeaf {
  readonly worker: string
  /** Digest of the work. */
  readonly work: string
}

/** Leaf data: `tickmesh/work-leaf/1`, LF, JCS{worker, work}. */
export const workLeafData = ({ worker, work }: WorkLeaf): Uint8Array =>
  signedBytes(purposes.workLeaf, { worker, work } as Json)

/** The tree over the works of a tick, in the order in which their requester lists them. */
export const worksTree = (works: readonly WorkLeaf[]): LeafTree =>
  leafTree(works.map((work) => leafHash(workLeafData(work))))

/** The payload that publishes works, and the way to show each of them. */
export const publishedWorks = (
  works: readonly WorkLeaf[],
): { readonly payload: WorksPublished; readonly path: (index: number) => readonly string[] } => {
  const tree = worksTree(works)
  return {
    payload: { root: toHex(tree.root), count: works.length },
    path: (index) => tree.path(index).map(toHex),
  }
}

/** Form of the place of a work: how it is named by those who were not there. */
export const workPlaceSchema = closed(
  {
    event: hex64({ description: "Id of the requester's event." }),
    index: count({ maximum: WORKS_EVENT_MAX - 1 }),
    worker: nodeId(),
    work: hex64({ description: 'Digest of the work.' }),
    path: Type.Array(hex64(), { maxItems: PATH_MAX, description: 'Of its leaf, bottom up.' }),
  },
  { title: 'WorkPlace' },
)
export type WorkPlace = Static<typeof workPlaceSchema>

/** Whether an event's root holds the work at its place. */
export const holdsWork = ({ root, count: size }: WorksPublished, { index, worker, work, path }: WorkPlace): boolean =>
  verifyInclusion({
    leafHash: leafHash(workLeafData({ worker, work })),
    ...{ index, size, path: path.map(fromHex), root: fromHex(root) },
  })
