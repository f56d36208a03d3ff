import { assert } from '#core/assert.ts'
import { fromHex, toHex } from '#core/bytes.ts'
import { eventId } from '#core/events.ts'
import { nodeOfLog } from '#core/ids.ts'
import { type CompactRange, compactRange, edgeOf, leafHash, type TreeNode } from '#core/merkle.ts'
import { forgetCosigned } from '#domain/network/cosigned/keep.ts'
import { indexEvent } from '#domain/network/lookup/keep.ts'
import { isTooLate } from '#domain/network/succession.ts'
import { bundleKey, foreignNodeKey, originOf, packLeaves, sourceOf } from '#store/foreign.ts'
import { BUNDLE_LEAVES, BUNDLE_LEVEL, type ForeignLogRow, type ForeignNote } from '#store/rows/event.ts'
import type { Store } from '#store/store.ts'
import type { Transaction } from '#store/transaction.ts'
import type { Effect } from './interpret.ts'
import { type Bounds, defaultBounds } from './limits.ts'

/** Leaves that were checked against a note of their source, ready to be kept. */
export interface CheckedRange {
  readonly origin: string
  readonly from: number
  readonly leaves: readonly Uint8Array[]
  readonly note: ForeignNote
  /** Consistency proof from the end of the range to the note. */
  readonly path: readonly Uint8Array[]
  /** The tree's edge after the range. */
  readonly edge: CompactRange
  /** Complete subtrees that the range finished. */
  readonly nodes: readonly TreeNode[]
  readonly effects: readonly Effect[]
}

/** `overtaken`: another sync has brought these leaves meanwhile. `full`: no place for another source. */
export type AppendResult = 'kept' | 'overtaken' | 'full'

/** Other nodes' event logs, as they are durable. */
export interface ForeignLogs {
  get(origin: string): ForeignLogRow | undefined
  /** The log of a node that came here last of its logs: one of a later genesis is another one. */
  logOf(node: string): string | undefined
  list(): readonly (readonly [origin: string, row: ForeignLogRow])[]
  /** How many logs that are not kept yet would find a place now. */
  room(meshTick: number): number
  /** Keeps a range, its state, its note and its effects in one commit. */
  keep(range: CheckedRange): Promise<AppendResult>
}

const noRow = (node: string): ForeignLogRow => ({
  node,
  size: 0,
  edge: [],
  held: null,
  aim: null,
  first: 0,
  bytes: 0,
  mesh_tick: 0,
})

/** The edge of a log, to be appended to. */
export const edgeOfRow = (row: ForeignLogRow | undefined): CompactRange =>
  row === undefined ? compactRange() : compactRange(row.size, row.edge.map(fromHex))

/** Appends leaves to an edge. @returns the complete subtrees of a bundle or more. */
export const growEdge = (edge: CompactRange, leaves: readonly Uint8Array[]): readonly TreeNode[] => {
  const nodes: TreeNode[] = []
  for (const leaf of leaves) {
    for (const node of edge.append(leafHash(leaf))) if (node.level >= BUNDLE_LEVEL) nodes.push(node)
  }
  return nodes
}

/** Puts leaves behind those of the last bundle. @returns bytes that were added. */
const putBundles = (tx: Transaction, source: string, from: number, leaves: readonly Uint8Array[]): number => {
  let added = 0
  for (let done = 0; done < leaves.length; ) {
    const at = from + done
    const index = Math.floor(at / BUNDLE_LEAVES)
    const part = leaves.slice(done, done + BUNDLE_LEAVES - (at % BUNDLE_LEAVES))
    const key = bundleKey(source, index)
    const before = at % BUNDLE_LEAVES === 0 ? new Uint8Array(0) : tx.get('foreignBundle', key)
    assert(before !== undefined, 'the last bundle of a log is kept')
    const packed = packLeaves(part, before)
    tx.put('foreignBundle', key, packed)
    added += packed.length - before.length
    done += part.length
  }
  return added
}

/** Subtrees of a bundle or more that end at or before a leaf and begin at or after another. */
const nodesWithin = (from: number, to: number): { readonly level: number; readonly index: number }[] => {
  const nodes: { level: number; index: number }[] = []
  let level = BUNDLE_LEVEL
  for (let width = BUNDLE_LEAVES; width <= to; width *= 2) {
    for (let index = Math.floor(from / width); (index + 1) * width <= to; index++) nodes.push({ level, index })
    level += 1
  }
  return nodes
}

const deleteNodes = (tx: Transaction, source: string, from: number, to: number): void => {
  for (const { level, index } of nodesWithin(from, to)) tx.del('foreignNode', foreignNodeKey(source, level, index))
}

/**
 * Drops the oldest bundles until what is left fits. What stays of the prefix is its compact range: the subtrees on the
 * edge of the first leaf kept, which every later proof is made of.
 */
const prune = (tx: Transaction, source: string, row: ForeignLogRow, bytesMax: number): ForeignLogRow => {
  let { first, bytes } = row
  while (bytes > bytesMax && first + BUNDLE_LEAVES < row.size) {
    const key = bundleKey(source, first / BUNDLE_LEAVES)
    bytes -= tx.get('foreignBundle', key)?.length ?? 0
    tx.del('foreignBundle', key)
    first += BUNDLE_LEAVES
  }
  if (first === row.first) return row
  const edge = new Map(edgeOf(first).map(({ level, index }) => [foreignNodeKey(source, level, index), true]))
  for (const { level, index } of nodesWithin(0, first).filter((it) => touches(it, row.first))) {
    const key = foreignNodeKey(source, level, index)
    if (!edge.has(key)) tx.del('foreignNode', key)
  }
  return { ...row, first, bytes }
}

/** Whether a subtree was kept while `first` was the first leaf: it ends behind it, or stood on its edge. */
const touches = ({ level, index }: { readonly level: number; readonly index: number }, first: number): boolean => {
  const width = BUNDLE_LEAVES * 2 ** (level - BUNDLE_LEVEL)
  return (index + 1) * width > first || edgeOf(first).some((it) => it.level === level && it.index === index)
}

const remove = (tx: Transaction, source: string): void => {
  const row = tx.get('foreignLog', source)
  if (row === undefined) return
  for (let at = row.first; at < row.size; at += BUNDLE_LEAVES) {
    tx.del('foreignBundle', bundleKey(source, at / BUNDLE_LEAVES))
  }
  deleteNodes(tx, source, row.first, row.size)
  for (const { level, index } of edgeOf(row.first)) tx.del('foreignNode', foreignNodeKey(source, level, index))
  tx.del('foreignLog', source)
  forgetCosigned(tx, source)
}

type Limits = Bounds & { readonly named: ReadonlySet<string> }

/**
 * Takes a source into the list, if need be in the place of one that is silent; one that the policy names takes that of
 * whoever is silent for longest, and nobody takes its own. @returns whether there was a place.
 */
const enlist = (tx: Transaction, source: string, { sourcesMax, silentTicks, named }: Limits): boolean => {
  const sources = tx.get('foreignLogs', 'all') ?? []
  if (sources.length < sourcesMax) {
    tx.put('foreignLogs', 'all', [...sources, source])
    return true
  }
  const tickOf = (it: string): number => tx.get('foreignLog', it)?.mesh_tick ?? 0
  const [first, ...others] = sources.filter((it) => !named.has(originOf(it)))
  if (first === undefined) return false
  const silent = others.reduce((least, it) => (tickOf(it) < tickOf(least) ? it : least), first)
  if (!named.has(originOf(source)) && tx.meshTick - tickOf(silent) < silentTicks) return false
  remove(tx, silent)
  tx.put('foreignLogs', 'all', [...sources.filter((it) => it !== silent), source])
  return true
}

/**
 * Reads the logs that the store keeps; everything later goes through {@link ForeignLogs.keep}.
 *
 * @param named logs of the policy, which always find a place.
 */
export const openForeignLogs = (
  store: Store,
  bounds: Bounds = defaultBounds,
  named: ReadonlySet<string> = new Set(),
): ForeignLogs => {
  const { sourcesMax, sourceBytesMax, totalBytesMax, silentTicks } = bounds
  const rows = new Map<string, ForeignLogRow>()
  for (const source of store.peek('foreignLogs', 'all') ?? []) {
    const row = store.peek('foreignLog', source)
    assert(row !== undefined, 'every listed source has its row')
    rows.set(originOf(source), row)
  }
  let total = [...rows.values()].reduce((sum, row) => sum + row.bytes, 0)
  const byNode = new Map([...rows].map(([origin, row]) => [row.node, origin]))

  /** Takes what is durable over. */
  const refresh = (): void => {
    const sources = store.peek('foreignLogs', 'all') ?? []
    for (const origin of rows.keys()) if (!sources.includes(sourceOf(origin))) rows.delete(origin)
    total = [...rows.values()].reduce((sum, row) => sum + row.bytes, 0)
    byNode.clear()
    for (const [origin, row] of rows) byNode.set(row.node, origin)
  }

  const bytesMaxOf = (before: number): number =>
    Math.max(totalBytesMax / sourcesMax, Math.min(sourceBytesMax, totalBytesMax - (total - before)))

  const plan = (tx: Transaction, range: CheckedRange): AppendResult => {
    const { origin, from, leaves, note, path, edge, nodes, effects } = range
    const source = sourceOf(origin)
    const known = tx.get('foreignLog', source)
    const before = known ?? noRow(nodeOfLog(origin))
    if (before.size !== from) return 'overtaken'
    if (known === undefined && !enlist(tx, source, { ...bounds, named })) return 'full'
    const added = putBundles(tx, source, from, leaves)
    for (const { level, index, hash } of nodes) tx.put('foreignNode', foreignNodeKey(source, level, index), hash)
    const size = edge.size
    const whole = size === note.size
    const grown: ForeignLogRow = {
      ...before,
      size,
      edge: edge.hashes().map(toHex),
      held: whole ? note : before.held,
      aim: whole ? null : { ...note, path: path.map(toHex) },
      bytes: before.bytes + added,
      mesh_tick: tx.meshTick,
    }
    const row = prune(tx, source, grown, bytesMaxOf(before.bytes))
    tx.put('foreignLog', source, row)
    for (const { type, event } of effects) {
      if (isTooLate(tx.get('successor', event.sourceNodeId), event)) continue
      const id = eventId(event)
      type.apply(tx, event, event.payload)
      type.keep(tx.put, event, { id, origin }, event.payload)
      indexEvent(tx, type, { origin, event, id })
    }
    tx.onDurable(() => {
      if (!rows.has(origin)) byNode.set(row.node, origin)
      rows.set(origin, row)
      total += row.bytes - before.bytes
      if (rows.size > sourcesMax) refresh()
    })
    return 'kept'
  }

  return {
    get: (origin) => rows.get(origin),
    logOf: (node) => byNode.get(node),
    list: () => [...rows],
    room: (meshTick) => {
      const silent = [...rows].filter(([it, row]) => !named.has(it) && meshTick - row.mesh_tick >= silentTicks)
      return Math.max(0, sourcesMax - rows.size) + silent.length
    },
    keep: (range) => store.commit((tx) => plan(tx, range)),
  }
}
