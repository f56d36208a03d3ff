import { equalBytes, toHex } from '#core/bytes.ts'
import { openCheckpoint } from '#core/checkpoint.ts'
import { purposes } from '#core/digest.ts'
import { publicKeyOf } from '#core/keys.ts'
import { compactRange, leafHash } from '#core/merkle.ts'
import { type Verifier, verifierOf } from '#core/note.ts'
import { CorruptRow } from '#store/corrupt-row.ts'
import { seqOf, under } from '#store/key-parts.ts'
import type { Rows } from '#store/layout.ts'
import { kindOf } from '#store/merkle-log.ts'
import {
  checkpointKey,
  type LogName,
  type LogPlace,
  type LogState,
  leafHashKey,
  leafKey,
  nodeKey,
} from '#store/rows/log.ts'
import { tickOf } from '#store/ticks.ts'
import type { Fsck } from './report.ts'

/** A leaf as the log stage hands it on. */
export interface CheckedLeaf {
  readonly index: number
  readonly key: string
  readonly kind: string
  readonly data: Uint8Array
}

/** A log of one era. */
export interface LogCheck {
  readonly log: LogName
  readonly name: LogPlace
  readonly origin: string
  /** Node id of the key that signs it. */
  readonly node: string
  readonly state: LogState
  /** present: it grows. succeeded: it ends with its succession. left: it stands as it was when it was left behind. */
  readonly era: 'present' | 'succeeded' | 'left'
  /** Checks a leaf by what it says, and gives the node tick that it carries; undefined when it carries none. */
  readonly onLeaf: (leaf: CheckedLeaf) => Promise<number | undefined>
  /** What to wait for before the next leaf, if too much is under way. */
  readonly pause?: () => Promise<void> | undefined
}

/** The verifier of a log's checkpoints. */
const verifierFor = ({ node, origin }: LogCheck): Verifier => verifierOf(origin, publicKeyOf(node))

/** Whether the end of the open tick will append something, which keeps that tick open without a leaf. */
const hasDue = async ({ database }: Fsck<Rows>, { log, era }: LogCheck): Promise<boolean> => {
  if (log === 'seal' && era === 'present') for await (const _ of database.range('due', { limit: 1 })) return true
  return false
}

const checkCheckpoint = (
  { database, counts }: Fsck<Rows>,
  check: LogCheck,
  at: { readonly size: number; readonly root: string; readonly tick: number; readonly last: boolean },
): void => {
  const key = checkpointKey(check.name, at.size)
  const row = database.peek('checkpoint', key)
  if (row === undefined) {
    if (at.last) return // The node stopped between the tick leaf and its signature; the next start signs.
    throw new CorruptRow('checkpoint', key, 'the row is missing')
  }
  counts.checkpoints += 1
  if (row.size !== at.size || row.tick !== at.tick)
    throw new CorruptRow('checkpoint', key, 'size or tick is another one')
  if (row.root !== at.root) throw new CorruptRow('checkpoint', key, 'its root is not that of the log')
  if (row.late !== (row.madeTick !== row.tick + 1))
    throw new CorruptRow('checkpoint', key, 'it misstates whether it is late')
  try {
    const { checkpoint } = openCheckpoint(row.note, verifierFor(check))
    if (checkpoint.size === row.size && toHex(checkpoint.root) === row.root) return
  } catch (cause) {
    throw new CorruptRow('checkpoint', key, cause instanceof Error ? cause.message : 'the note cannot be opened')
  }
  throw new CorruptRow('checkpoint', key, 'the note says another size or root')
}

/** Hashes every leaf and every node of a log again, and opens every checkpoint with the node's key. */
export const checkLog = async (fsck: Fsck<Rows>, check: LogCheck): Promise<void> => {
  const { database, counts, step } = fsck
  const { log, name, era, state, onLeaf } = check
  const range = compactRange()
  let nodes = 0
  let lastTick = -1
  let open: { readonly key: string; readonly tick: number | undefined }[] = []
  const checkpointsBefore = counts.checkpoints
  for await (const [key, data] of database.range('leaf', under(name))) {
    step('logs')
    const index = range.size
    if (seqOf(key.slice(name.length + 1)) !== index)
      throw new CorruptRow('leaf', leafKey(name, index), 'the row is missing')
    const hash = leafHash(data)
    for (const node of range.append(hash)) {
      const at = nodeKey(name, node.level, node.index)
      const stored = database.peek('node', at)
      if (stored === undefined) throw new CorruptRow('node', at, 'the row is missing')
      const [table = '', where = ''] = node.level === 0 ? ['leaf', key] : ['node', at]
      if (!equalBytes(stored, node.hash)) throw new CorruptRow(table, where, 'leaf and stored hashes do not fit')
      nodes += 1
    }
    const named = database.peek('leafByHash', leafHashKey(name, toHex(hash)))
    if (named !== index)
      throw new CorruptRow('leafByHash', leafHashKey(name, toHex(hash)), `it does not name leaf ${index}`)
    const kind = kindOf(data)
    if (kind === purposes.tick) {
      const tick = tickOf(data)
      if (tick <= lastTick || open.length === 0) throw new CorruptRow('leaf', key, 'a tick leaf out of place')
      const wrong = open.find((it) => it.tick !== undefined && it.tick !== tick)
      if (wrong !== undefined) throw new CorruptRow('leaf', wrong.key, `it carries tick ${wrong.tick} under ${tick}`)
      const size = range.size
      checkCheckpoint(fsck, check, {
        size,
        root: toHex(range.root()),
        tick,
        last: size === state.size && state.openTick === null,
      })
      lastTick = tick
      open = []
    } else if (era === 'succeeded' && range.size === state.size) {
      // The last leaf of a log that was ended: its checkpoint was made inside a tick, which no tick leaf closes.
      if (open.length > 0) throw new CorruptRow('leaf', key, 'leaves before it are under no tick leaf')
      await onLeaf({ index, key, kind, data })
      const tick = database.peek('checkpoint', checkpointKey(name, range.size))?.tick ?? -1
      checkCheckpoint(fsck, check, { size: range.size, root: toHex(range.root()), tick, last: false })
    } else {
      open.push({ key, tick: await onLeaf({ index, key, kind, data }) })
    }
    const busy = check.pause?.()
    if (busy !== undefined) await busy
  }
  counts.leaves[log] += range.size
  if (range.size !== state.size)
    throw new CorruptRow('leaf', leafKey(name, range.size), `the writer counted ${state.size}`)
  if (toHex(range.root()) !== state.root) throw new CorruptRow('writer', 'state', `the root of ${name} is another one`)
  const openFits = open.every((it) => it.tick === undefined || it.tick === state.openTick)
  const isOpen = open.length > 0 || (await hasDue(fsck, check))
  // What was due when a log was left behind went into the next one.
  if (!openFits || (isOpen !== (state.openTick !== null) && !(era === 'left' && !isOpen))) {
    throw new CorruptRow('writer', 'state', `the open tick of ${name} is another one`)
  }
  if ((await database.count('node', under(name))) !== nodes)
    throw new CorruptRow('node', name, 'there are more than the tree has')
  if ((await database.count('leafByHash', under(name))) !== range.size) {
    throw new CorruptRow('leafByHash', name, 'there are more than leaves')
  }
  if ((await database.count('checkpoint', under(name))) !== counts.checkpoints - checkpointsBefore) {
    throw new CorruptRow('checkpoint', name, 'one stands at a size that no tick leaf ends')
  }
}
