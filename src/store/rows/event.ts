import { fromHex, toHex } from '#core/bytes.ts'
import { openCheckpoint } from '#core/checkpoint.ts'
import { publicKeyOf, zidOf } from '#core/keys.ts'
import { compactRange, edgeOf, leafHash, verifyConsistency } from '#core/merkle.ts'
import { verifierOf } from '#core/note.ts'
import { CorruptRow } from '#store/corrupt-row.ts'
import { bundleKey, foreignNodeKey, originOf, unpackLeaves } from '#store/foreign.ts'
import type { Fsck } from '#store/fsck/report.ts'
import { under } from '#store/key-parts.ts'
import { rowKind } from '#store/row-kind.ts'
import { type CosignedRows, checkLinesAt, cosignedSizes } from './cosigned.ts'

/** Which node a ZID's key named last (events of type `identity.assert`). */
export interface AssertionRow {
  /** Raw public key, hex: the first that proved the ZID, for ever. */
  readonly public_key: string
  readonly node: string
  /** As signed by that key. */
  readonly mesh_tick: number
}

/** ZIDs whose node is known; beyond this a new one is not taken in. */
export const ASSERTIONS_MAX = 262_144

/** A checkpoint of another node's event log, signed by that node. */
export interface ForeignNote {
  readonly size: number
  /** Root, hex. */
  readonly root: string
  /** The signed note, with the source's own signature line alone. */
  readonly note: string
}

/**
 * How far another node's event log is kept. The first `size` leaves are known to stand in a tree that the source
 * signed: they are all of `held`, or `path` proves them a beginning of `aim`.
 */
export interface ForeignLogRow {
  /** Node id of the source. */
  readonly node: string
  /** Leaves applied. */
  readonly size: number
  /** The right edge of the tree of `size` leaves, largest subtree first, hex. */
  readonly edge: readonly string[]
  /** The newest note all of whose leaves are applied; null before the first. */
  readonly held: ForeignNote | null
  /** The note under which the last range came, while it is not yet reached; null when `held` is. */
  readonly aim: (ForeignNote & { readonly path: readonly string[] }) | null
  /** The first leaf that is still kept: a multiple of {@link BUNDLE_LEAVES}. */
  readonly first: number
  /** Bytes of the bundles kept. */
  readonly bytes: number
  /** Mesh tick of the last range applied. */
  readonly mesh_tick: number
}

/** Leaves in a full bundle of a foreign log, and the level of the subtree that it is. */
export const BUNDLE_LEAVES = 256
export const BUNDLE_LEVEL = 8

export interface EventRows {
  readonly assertion: AssertionRow
  readonly assertionCount: number
  readonly foreignLog: ForeignLogRow
  readonly foreignLogs: readonly string[]
  readonly foreignBundle: Uint8Array
  readonly foreignNode: Uint8Array
}

type Needs = EventRows & CosignedRows

const fail = (table: 'foreignLog' | 'foreignBundle' | 'foreignNode', key: string, what: string): never => {
  throw new CorruptRow(table, key, what)
}

/** A note of a source must be signed by the node it names, and say what its row says. */
const checkNote = (source: string, { node }: ForeignLogRow, { note, size, root }: ForeignNote): void => {
  const origin = originOf(source)
  if (origin.split('/')[1] !== node) fail('foreignLog', source, 'it names another node than its log')
  try {
    const { checkpoint } = openCheckpoint(note, verifierOf(origin, publicKeyOf(node)))
    if (checkpoint.size === size && toHex(checkpoint.root) === root) return
  } catch (cause) {
    fail('foreignLog', source, cause instanceof Error ? cause.message : 'its note cannot be opened')
  }
  fail('foreignLog', source, 'its note says another size or root')
}

const nodeOf = ({ database }: Fsck<Needs>, source: string, level: number, index: number): Uint8Array => {
  const key = foreignNodeKey(source, level, index)
  return database.peek('foreignNode', key) ?? fail('foreignNode', key, 'the row is missing')
}

/** Hashes the leaves that are kept, from the compact range of those that are not. */
const rehash = (fsck: Fsck<Needs>, source: string, { first, size, held }: ForeignLogRow) => {
  const edge = edgeOf(first)
  const range = compactRange(
    first,
    edge.map(({ level, index }) => nodeOf(fsck, source, level, index)),
  )
  let [bytes, nodes, bundles] = [0, edge.length, 0]
  let heldRoot = first > (held?.size ?? 0) ? undefined : toHex(range.root())
  const cosigned = cosignedSizes(fsck, source)
  while (range.size < size) {
    const key = bundleKey(source, range.size / BUNDLE_LEAVES)
    const row = fsck.database.peek('foreignBundle', key) ?? fail('foreignBundle', key, 'the row is missing')
    const leaves = unpackLeaves(row)
    const expected = Math.min(BUNDLE_LEAVES, size - range.size)
    if (leaves?.length !== expected) return fail('foreignBundle', key, `it should hold ${expected} leaves`)
    for (const leaf of leaves) {
      fsck.step('logs')
      for (const { level, index, hash } of range.append(leafHash(leaf))) {
        if (level < BUNDLE_LEVEL) continue
        nodes += 1
        if (toHex(nodeOf(fsck, source, level, index)) === toHex(hash)) continue
        fail('foreignNode', foreignNodeKey(source, level, index), 'it is not the hash of what is under it')
      }
      if (range.size === held?.size) heldRoot = toHex(range.root())
      if (cosigned.has(range.size)) checkLinesAt(fsck, source, { size: range.size, root: range.root() })
    }
    bytes += row.length
    bundles += 1
  }
  return { range, bytes, nodes, bundles, heldRoot }
}

const countUnder = async ({ database }: Fsck<Needs>, table: 'foreignNode' | 'foreignBundle', source: string) => {
  let count = 0
  for await (const _ of database.range(table, under(source))) count += 1
  return count
}

const checkLog = async (fsck: Fsck<Needs>, source: string): Promise<{ bundles: number; nodes: number }> => {
  const row = fsck.database.peek('foreignLog', source) ?? fail('foreignLog', source, 'the row is missing')
  const { size, held, aim, first } = row
  if (first % BUNDLE_LEAVES !== 0 || first >= size) fail('foreignLog', source, 'it keeps no leaves from there')
  const { range, bytes, nodes, bundles, heldRoot } = rehash(fsck, source, row)
  const root = toHex(range.root())
  if (range.hashes().map(toHex).join() !== row.edge.join()) fail('foreignLog', source, 'its edge is another one')
  if (bytes !== row.bytes) fail('foreignLog', source, 'it counts other bytes')
  if (held !== null) {
    checkNote(source, row, held)
    if (held.size > size) fail('foreignLog', source, 'the note it holds whole is larger than it')
    if (heldRoot !== undefined && heldRoot !== held.root) fail('foreignLog', source, 'its source signed another root')
  }
  if (aim === null && held?.size !== size) fail('foreignLog', source, 'no note covers its last leaves')
  if (aim !== null) {
    checkNote(source, row, aim)
    const path = aim.path.map(fromHex)
    const proof = { oldSize: size, newSize: aim.size, oldRoot: fromHex(root), newRoot: fromHex(aim.root), path }
    if (aim.size <= size || !verifyConsistency(proof)) fail('foreignLog', source, 'its source signed another beginning')
  }
  if ((await countUnder(fsck, 'foreignBundle', source)) !== bundles) {
    fail('foreignBundle', source, 'there are more than the log has')
  }
  if ((await countUnder(fsck, 'foreignNode', source)) !== nodes) {
    fail('foreignNode', source, 'there are more than the log has')
  }
  return { bundles, nodes }
}

const countAll = async ({ database }: Fsck<Needs>, table: 'foreignLog' | 'foreignBundle' | 'foreignNode') => {
  let count = 0
  for await (const _ of database.range(table)) count += 1
  return count
}

const checkAssertions = async ({ database, step }: Fsck<Needs>): Promise<void> => {
  let count = 0
  for await (const [zid, { public_key }] of database.range('assertion')) {
    step('accounts')
    count += 1
    if (zidOf(fromHex(public_key)) !== zid) throw new CorruptRow('assertion', zid, 'the key has another ZID')
  }
  const counted = database.peek('assertionCount', 'all') ?? 0
  if (counted !== count) throw new CorruptRow('assertionCount', 'all', `it counts ${counted}, and there are ${count}`)
}

/**
 * Hashes every leaf kept of other nodes' event logs again, up to the root that its source signed, and holds all that
 * is kept with them against that.
 */
const checkForeignLogs = async (fsck: Fsck<Needs>): Promise<void> => {
  const sources = fsck.database.peek('foreignLogs', 'all') ?? []
  if (new Set(sources).size !== sources.length) throw new CorruptRow('foreignLogs', 'all', 'a source stands twice')
  let [bundles, nodes] = [0, 0]
  for (const source of sources) {
    const counts = await checkLog(fsck, source)
    bundles += counts.bundles
    nodes += counts.nodes
  }
  const more = 'there are more than listed sources have'
  if ((await countAll(fsck, 'foreignLog')) !== sources.length) throw new CorruptRow('foreignLogs', 'all', more)
  if ((await countAll(fsck, 'foreignBundle')) !== bundles) throw new CorruptRow('foreignLogs', 'all', more)
  if ((await countAll(fsck, 'foreignNode')) !== nodes) throw new CorruptRow('foreignLogs', 'all', more)
  await checkAssertions(fsck)
}

/** Event logs of other nodes, and what their events came to. */
export const event = rowKind<EventRows, Needs>({
  tables: {
    assertion: { prefix: 'va', form: 'json', key: 'ZID' },
    assertionCount: { prefix: 'vc', form: 'json', key: 'the word `all`' },
    foreignLog: { prefix: 'vl', form: 'json', key: 'source, node id and genesis mesh tick joined by a dot' },
    foreignLogs: { prefix: 'vs', form: 'json', key: 'the word `all`: every source, in the order they came' },
    foreignBundle: {
      prefix: 'vb',
      form: 'bytes',
      key: 'source / bundle: up to 256 leaves, each after its length, u32',
    },
    foreignNode: { prefix: 'vn', form: 'bytes', key: 'source / level from 8, two hex digits / index: subtree hash' },
  },
  since: { schema: 2, note: 'a store of before has none' },
  check: checkForeignLogs,
})
