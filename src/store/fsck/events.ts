import { fromHex, toHex } from '#core/bytes.ts'
import { openCheckpoint } from '#core/checkpoint.ts'
import { publicKeyOf, zidOf } from '#core/keys.ts'
import { compactRange, edgeOf, leafHash, verifyConsistency } from '#core/merkle.ts'
import { verifierOf } from '#core/note.ts'
import { BUNDLE_LEAVES, BUNDLE_LEVEL, type ForeignLogRow, type ForeignNote } from '#store/event-rows.ts'
import { bundleKey, foreignNodeKey, originOf, unpackLeaves } from '#store/foreign.ts'
import { under } from '#store/layout.ts'
import { CorruptRow } from '#store/rows.ts'
import type { Fsck } from './report.ts'

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

const nodeOf = ({ database }: Fsck, source: string, level: number, index: number): Uint8Array => {
  const key = foreignNodeKey(source, level, index)
  return database.peek('foreignNode', key) ?? fail('foreignNode', key, 'the row is missing')
}

/** Hashes the leaves that are kept, from the compact range of those that are not. */
const rehash = (fsck: Fsck, source: string, { first, size, held }: ForeignLogRow) => {
  const edge = edgeOf(first)
  const range = compactRange(
    first,
    edge.map(({ level, index }) => nodeOf(fsck, source, level, index)),
  )
  let [bytes, nodes, bundles] = [0, edge.length, 0]
  let heldRoot = first > (held?.size ?? 0) ? undefined : toHex(range.root())
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
    }
    bytes += row.length
    bundles += 1
  }
  return { range, bytes, nodes, bundles, heldRoot }
}

const countUnder = async ({ database }: Fsck, table: 'foreignNode' | 'foreignBundle', source: string) => {
  let count = 0
  for await (const _ of database.range(table, under(source))) count += 1
  return count
}

const checkLog = async (fsck: Fsck, source: string): Promise<{ bundles: number; nodes: number }> => {
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

const countAll = async ({ database }: Fsck, table: 'foreignLog' | 'foreignBundle' | 'foreignNode') => {
  let count = 0
  for await (const _ of database.range(table)) count += 1
  return count
}

const checkAssertions = async ({ database, step }: Fsck): Promise<void> => {
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
export const checkForeignLogs = async (fsck: Fsck): Promise<void> => {
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
