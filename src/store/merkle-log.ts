import { assert } from '#core/assert.ts'
import { fromHex, fromUtf8, toHex } from '#core/bytes.ts'
import { openCheckpoint } from '#core/checkpoint.ts'
import {
  type CompactRange,
  compactRange,
  consistencyProof,
  edgeOf,
  emptyRoot,
  inclusionProof,
  leafHash,
  type NodeReader,
  nodesRead,
  rootFrom,
} from '#core/merkle.ts'
import { verifierOf } from '#core/note.ts'
import { recent } from '#core/recent.ts'
import { type Moving, tail } from '#core/tail.ts'
import { CorruptRow } from './corrupt-row.ts'
import type { Change, Database } from './database.ts'
import { under } from './key-parts.ts'
import {
  type CheckpointRow,
  checkpointKey,
  type LogPlace,
  type LogState,
  leafHashKey,
  leafKey,
  nodeKey,
} from './rows/log.ts'
import type { Leaf, LeafState, SealLog } from './seal-log.ts'

const PURPOSE_CHARS_MAX = 64

/** The purpose string in a leaf's first line. */
export const kindOf = (data: Uint8Array): string => {
  const end = data.subarray(0, PURPOSE_CHARS_MAX + 1).indexOf(0x0a)
  assert(end > 0, 'a leaf begins with its purpose')
  return fromUtf8(data.subarray(0, end))
}

/** A log before its first leaf. */
export const emptyLogState = (): LogState => ({ size: 0, root: toHex(emptyRoot()), openTick: null })

/** Leaves to come in one batch: what is written for them, and where the log stands afterwards. */
export interface Extension {
  readonly changes: readonly Change[]
  readonly state: LogState
  readonly edge: CompactRange
}

/** A log as the writer sees it. */
export interface GrowingLog extends SealLog {
  readonly state: LogState
  /** Roots of the complete subtrees that all leaves make, largest first. */
  edge(): readonly Uint8Array[]
  /** What appending these leaves would write; changes nothing. `openTick` is what the new state will say. */
  extend(leaves: readonly Uint8Array[], openTick: number | null): Extension
  /** Takes a durable extension over. */
  advance(extension: Extension): void
  /** Takes a durable checkpoint over. */
  advanceCheckpoint(row: CheckpointRow): void
}

export interface LogOptions {
  readonly database: Database
  readonly name: LogPlace
  readonly origin: string
  /** The key that signs its checkpoints. */
  readonly publicKey: Uint8Array
  readonly state: LogState
  readonly edge: CompactRange
  readonly checkpoint: CheckpointRow | undefined
  /** Leaves of the same log in earlier eras; 0 when left out. */
  readonly base?: number
  /** Whether its era is over; it is not when left out. */
  readonly ended?: boolean
  /** The present node tick. */
  readonly tick: () => number
}

/** Leaves that are kept as they were read last, and the bytes that one of them may have. */
const LEAVES_KEPT_MAX = 1_024
const LEAF_KEPT_BYTES_MAX = 4_096

const readNodes = async (
  database: Database,
  name: LogPlace,
  make: (read: NodeReader) => unknown,
): Promise<NodeReader> => {
  const wanted = nodesRead(make)
  const keys = wanted.map(({ level, index }) => nodeKey(name, level, index))
  const found = new Map<string, Uint8Array>()
  for (const [i, row] of (await database.getMany('node', keys)).entries()) {
    if (row === undefined) throw new CorruptRow('node', keys[i] ?? '', 'the row is missing')
    found.set(keys[i] ?? '', row)
  }
  return (level, index) => {
    const row = found.get(nodeKey(name, level, index))
    assert(row !== undefined, 'every node was fetched')
    return row
  }
}

const newestCheckpoint = async (database: Database, name: LogPlace): Promise<CheckpointRow | undefined> => {
  for await (const [, row] of database.range('checkpoint', { ...under(name), reverse: true, limit: 1 })) return row
  return undefined
}

/** The note of a stored checkpoint, read and verified as others would. */
const openNoteOf = ({ name, origin, publicKey }: Omit<LogOptions, 'edge' | 'checkpoint'>, row: CheckpointRow) => {
  try {
    return openCheckpoint(row.note, verifierOf(origin, publicKey)).checkpoint
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : 'it cannot be opened'
    throw new CorruptRow('checkpoint', checkpointKey(name, row.size), `its note is not this log's: ${why}`)
  }
}

/**
 * Takes a log up where the database left it: rebuilds root and edge from the stored hashes, and holds them against
 * the writer's row and the last own note.
 *
 * @throws CorruptRow when they disagree.
 */
export const openLog = async (options: Omit<LogOptions, 'edge' | 'checkpoint'>): Promise<GrowingLog> => {
  const { database, name, state } = options
  const places = edgeOf(state.size)
  const keys = places.map(({ level, index }) => nodeKey(name, level, index))
  const hashes = (await database.getMany('node', keys)).map((row, i) => {
    if (row === undefined) throw new CorruptRow('node', keys[i] ?? '', 'the row is missing')
    return row
  })
  const edge = compactRange(state.size, hashes)
  if (toHex(edge.root()) !== state.root) throw new CorruptRow('writer', 'state', `the root of ${name} is another one`)
  const checkpoint = await newestCheckpoint(database, name)
  if (checkpoint !== undefined) {
    const key = checkpointKey(name, checkpoint.size)
    if (checkpoint.size > state.size) throw new CorruptRow('checkpoint', key, 'it is larger than the log')
    const read = await readNodes(database, name, (it) => rootFrom(it, checkpoint.size))
    const root = toHex(rootFrom(read, checkpoint.size))
    if (root !== checkpoint.root) throw new CorruptRow('checkpoint', key, 'its root is not that of the log')
    const note = openNoteOf(options, checkpoint)
    const fits = note.size === checkpoint.size && toHex(note.root) === root
    if (!fits) throw new CorruptRow('checkpoint', key, 'its note says another size or root')
  }
  return createLog({ ...options, edge, checkpoint })
}

/** State of a leaf under the checkpoint that first covers it. */
const stateUnder = (checkpoint: CheckpointRow | undefined, tick: number): LeafState => {
  if (checkpoint === undefined) return { state: 'promised', late: false }
  // On time it was made on a boundary, so the tick that began there is whole when the next one begins. A late one was
  // made somewhere inside its tick, so the first whole tick is the one after.
  const wholeTicks = checkpoint.late ? 2 : 1
  return { state: tick >= checkpoint.madeTick + wholeTicks ? 'final' : 'sealed', late: checkpoint.late }
}

/** Leaves of a log in a range, as they are stored. */
async function* leavesOf({ database, name }: Pick<LogOptions, 'database' | 'name'>, from: number, to: number) {
  let index = from
  for await (const [, data] of database.range('leaf', { gte: leafKey(name, from), lt: leafKey(name, to) })) {
    yield { index, kind: kindOf(data), data } satisfies Leaf
    index += 1
  }
}

/** Reads of many rows of a log, each one walk over its keys. */
const rangesOf = (
  options: Pick<LogOptions, 'database' | 'name'>,
  size: () => number,
): Pick<SealLog, 'hashes' | 'leaves' | 'checkpoints'> => {
  const { database, name } = options
  return {
    hashes: async (level, start, count) => {
      const found: Uint8Array[] = []
      const range = { gte: nodeKey(name, level, start), lt: nodeKey(name, level, start + count), limit: count }
      for await (const [, hash] of database.range('node', range)) found.push(hash)
      return found
    },
    leaves: (from, to) => leavesOf(options, from, Math.min(to, size())),
    checkpoints: async ({ above, before, limit }) => {
      const found: CheckpointRow[] = []
      const down = { ...under(name), ...(before !== undefined && { lt: checkpointKey(name, before) }), reverse: true }
      const up = { gt: checkpointKey(name, above ?? 0), lt: under(name).lt }
      const range = { ...(above === undefined ? down : up), limit }
      for await (const [, row] of database.range('checkpoint', range)) found.push(row)
      return found
    },
  }
}

/** What appending leaves to an edge would write. */
export const extensionOf = (
  { name, edge = compactRange() }: { readonly name: LogPlace; readonly edge?: CompactRange },
  leaves: readonly Uint8Array[],
  openTick: number | null,
): Extension => {
  const grown = compactRange(edge.size, edge.hashes())
  const changes: Change[] = []
  for (const data of leaves) {
    const index = grown.size
    const hash = leafHash(data)
    changes.push({ table: 'leaf', key: leafKey(name, index), row: data })
    changes.push({ table: 'leafByHash', key: leafHashKey(name, toHex(hash)), row: index })
    for (const node of grown.append(hash)) {
      changes.push({ table: 'node', key: nodeKey(name, node.level, node.index), row: node.hash })
    }
  }
  return { changes, edge: grown, state: { size: grown.size, root: toHex(grown.root()), openTick } }
}

/** Leaves and the checkpoints that cover them. */
const recentReads = (
  { database, name }: Pick<LogOptions, 'database' | 'name'>,
  now: () => { readonly size: number; readonly checkpoint: CheckpointRow | undefined },
) => {
  // Neither changes any more once it is there.
  const leaves = recent<number, Uint8Array>(LEAVES_KEPT_MAX)
  const hashes = recent<number, Uint8Array>(LEAVES_KEPT_MAX)
  const covering = recent<number, CheckpointRow>(LEAVES_KEPT_MAX)

  const leafAt = async (index: number): Promise<Uint8Array | undefined> => {
    if (index >= now().size) return undefined
    const found = leaves.get(index) ?? (await database.get('leaf', leafKey(name, index)))
    if (found !== undefined && found.length <= LEAF_KEPT_BYTES_MAX) leaves.set(index, found)
    return found
  }
  const checkpointFor = async (index: number): Promise<CheckpointRow | undefined> => {
    const { checkpoint } = now()
    if (checkpoint === undefined || index >= checkpoint.size) return undefined
    const known = covering.get(index)
    if (known !== undefined) return known
    const from = { gt: checkpointKey(name, index), lt: under(name).lt }
    for await (const [, row] of database.range('checkpoint', { ...from, limit: 1 })) {
      covering.set(index, row)
      return row
    }
    return undefined
  }
  const coveringAll = async (indices: readonly number[]): Promise<ReadonlyMap<number, CheckpointRow | undefined>> => {
    const found = new Map<number, CheckpointRow | undefined>()
    let last: CheckpointRow | undefined
    for (const index of [...indices].sort((a, b) => a - b)) {
      // The first that covers a leaf covers those behind it, too, up to its size, and first.
      if (last === undefined || index >= last.size) last = await checkpointFor(index)
      found.set(index, last)
    }
    return found
  }
  const leafHashes = async (indices: readonly number[]): Promise<readonly (Uint8Array | undefined)[]> => {
    const found = indices.map((it) => hashes.get(it))
    const wanted = indices.filter((it, i) => found[i] === undefined && it < now().size)
    if (wanted.length === 0) return found
    const keys = wanted.map((index) => nodeKey(name, 0, index))
    const read = new Map<number, Uint8Array>()
    for (const [i, hash] of (await database.getMany('node', keys)).entries()) {
      if (hash === undefined) throw new CorruptRow('node', keys[i] ?? '', 'the row is missing')
      read.set(wanted[i] as number, hash)
      hashes.set(wanted[i] as number, hash)
    }
    return indices.map((it, i) => found[i] ?? read.get(it))
  }
  return { leafAt, leafHashes, checkpointFor, coveringAll }
}

const createLog = (options: LogOptions): GrowingLog => {
  const { database, name, origin, tick, base = 0, ended = false } = options
  let { state, edge, checkpoint } = options
  let advanced = Promise.withResolvers<void>()
  const { leafAt, leafHashes, checkpointFor, coveringAll } = recentReads(options, () => ({
    size: state.size,
    checkpoint,
  }))

  const source: Moving<Leaf> = {
    size: () => state.size,
    read: (from, to) => leavesOf(options, from, to),
    moved: () => advanced.promise,
  }

  const proof = async (make: (read: NodeReader) => Uint8Array[]): Promise<readonly Uint8Array[]> =>
    make(await readNodes(database, name, make))

  const assertWithin = (size: number): void => assert(size <= state.size, 'only durable sizes are proved')

  return {
    name,
    origin,
    base,
    ended,
    get size() {
      return state.size
    },
    get root() {
      return state.root
    },
    get checkpoint() {
      return checkpoint
    },
    get state() {
      return state
    },
    leaf: leafAt,
    leafHash: async (index) => (index < state.size ? database.get('node', nodeKey(name, 0, index)) : undefined),
    leafHashes,
    indexOf: (hash) => database.get('leafByHash', leafHashKey(name, hash)),
    inclusion: (index, size) => {
      assertWithin(size)
      return proof((read) => inclusionProof(read, index, size))
    },
    consistency: (from, to) => {
      assertWithin(to)
      return proof((read) => consistencyProof(read, from, to))
    },
    rootAt: async (size) => {
      assertWithin(size)
      if (size === state.size) return fromHex(state.root)
      return rootFrom(await readNodes(database, name, (read) => rootFrom(read, size)), size)
    },
    checkpointFor,
    checkpointAt: (size) => database.get('checkpoint', checkpointKey(name, size)),
    ...rangesOf(options, () => state.size),
    stateOf: async (index) => stateUnder(await checkpointFor(index), tick()),
    statesOf: async (indices) => {
      const found = await coveringAll(indices)
      const at = tick()
      return indices.map((it) => stateUnder(found.get(it), at))
    },
    tail: (from, signal) => tail(source, from, signal),
    edge: () => edge.hashes(),
    extend: (leaves, openTick) => extensionOf({ name, edge }, leaves, openTick),
    advance: (extension) => {
      state = extension.state
      edge = extension.edge
      advanced.resolve()
      advanced = Promise.withResolvers()
    },
    advanceCheckpoint: (row) => {
      checkpoint = row
    },
  }
}
