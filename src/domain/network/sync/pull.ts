import { equalBytes, fromHex, toHex } from '#core/bytes.ts'
import { nodeOfLog } from '#core/ids.ts'
import { type CompactRange, compactRange, type TreeNode, verifyConsistency } from '#core/merkle.ts'
import { breathe } from '#core/wait.ts'
import type { ForeignNote } from '#store/rows/event.ts'
import { type CheckedRange, edgeOfRow, type ForeignLogs, growEdge } from './foreign.ts'
import { ackFrame, askFrame, type Range, readRange } from './frames.ts'
import { type Inbox, type Wire, within } from './inbox.ts'
import { type Effect, interpret } from './interpret.ts'
import { WINDOW_RANGES } from './limits.ts'
import { refuse, SyncRefused } from './refused.ts'

/** A log that the other side holds further than this node. */
export interface Want {
  readonly origin: string
  /** Its newest note there, verified. */
  readonly note: ForeignNote
}

export interface PullOptions {
  readonly wire: Wire
  readonly inbox: Inbox
  readonly foreign: ForeignLogs
  /** Told of leaves that are durable. */
  readonly onKept: (leaves: number) => void
  /** Told of a note that does not continue what its own source signed before. */
  readonly onFork: (want: Want, size: number, before: readonly Uint8Array[]) => void
}

/** Events whose signatures are checked between two breaths of the loop. */
const CHECKED_AT_ONCE = 4

/** What the leaves of a range come to, a few at a time: their signatures take most of the time of a sync. */
const effectsOf = async (node: string, from: number, leaves: readonly Uint8Array[]): Promise<readonly Effect[]> => {
  const effects: Effect[] = []
  for (const [i, leaf] of leaves.entries()) {
    const effect = interpret(node, from + i, leaf)
    if (effect === undefined) continue
    effects.push(effect)
    if (effects.length % CHECKED_AT_ONCE === 0) await breathe()
  }
  return effects
}

const readPiece = (frame: Uint8Array | undefined, ask: number, edge: CompactRange, { note }: Want): Range => {
  if (frame === undefined) return refuse('withheld', 'The stream ended before all that was offered had come.')
  const range = readRange(frame) ?? refuse('bad_frame', 'This is no range.')
  if (range.ask !== ask || range.from !== edge.size) refuse('order', 'This range is not the next one.')
  return range.from + range.leaves.length <= note.size ? range : refuse('extra', 'This range goes beyond its note.')
}

/**
 * Whether the note that a range came under continues the tree we hold. If its own signed root shows another beginning,
 * the source has signed two histories, and whoever brought this one is not to blame.
 */
const assertContinues = (edge: CompactRange, { before }: Range, { note }: Want): void => {
  const [oldRoot, ...path] = before
  if (oldRoot === undefined) return refuse('bad_frame', 'A first piece shows how the note continues.')
  const proof = { oldSize: edge.size, newSize: note.size, oldRoot, newRoot: fromHex(note.root), path }
  if (!verifyConsistency(proof)) refuse('root', 'The beginning that is shown does not lead to the note.')
  if (!equalBytes(oldRoot, edge.root())) refuse('forked', 'The source has signed two histories.')
}

/** The edge after a range, if the source signed a tree that begins with it. @throws SyncRefused */
const checkRange = (edge: CompactRange, { leaves, path }: Range, { note }: Want) => {
  const grown = compactRange(edge.size, edge.hashes())
  const nodes: readonly TreeNode[] = growEdge(grown, leaves)
  const newRoot = fromHex(note.root)
  const sizes = { oldSize: grown.size, newSize: note.size }
  if (!verifyConsistency({ ...sizes, oldRoot: grown.root(), newRoot, path })) {
    refuse('root', 'These leaves are not those that the source signed.')
  }
  return { edge: grown, nodes }
}

/** Ranges on their way to the disk, acknowledged in order once they are there. */
const keeper = ({ wire, inbox, foreign, onKept }: PullOptions) => {
  const broken = Promise.withResolvers<never>()
  broken.promise.catch(() => undefined)
  let [begun, done] = [0, 0]
  let last: Promise<void> = Promise.resolve()

  const keep = async (range: CheckedRange, earlier: Promise<void>): Promise<void> => {
    const keeping = foreign.keep(range)
    // What fails here is told below, after the ranges before it.
    keeping.catch(() => undefined)
    await earlier
    const kept = await keeping
    if (kept === 'full') refuse('full', 'There is no room for another source.')
    if (kept === 'overtaken') refuse('own', 'Another sync has brought these leaves.')
    done += 1
    onKept(range.leaves.length)
    inbox.allow(1)
    await within(wire.send(ackFrame(done)), wire.deadline(), 'slow')
  }

  return {
    /** Begins to keep a range. */
    add: (range: CheckedRange): void => {
      begun += 1
      last = keep(range, last)
      last.catch(broken.reject)
    },
    /** Waits for something, unless keeping fails meanwhile. */
    meanwhile: <T>(work: Promise<T>): Promise<T> => Promise.race([work, broken.promise]),
    ended: (): Promise<void> => last,
    get underway() {
      return begun - done
    },
  }
}

const pullOne = async (
  options: PullOptions,
  keeping: ReturnType<typeof keeper>,
  { want, ask, from }: { readonly want: Want; readonly ask: number; readonly from: number },
): Promise<void> => {
  const { inbox, foreign, onFork } = options
  const { origin, note } = want
  let edge = edgeOfRow(foreign.get(origin))
  const start = edge.size
  if (start !== from) refuse('own', 'Another sync has brought some of these leaves meanwhile.')
  while (edge.size < note.size) {
    const frame = await keeping.meanwhile(inbox.next('slow'))
    const range = readPiece(frame, ask, edge, want)
    if (range.from === start && start > 0) {
      try {
        assertContinues(edge, range, want)
      } catch (refused) {
        if (refused instanceof SyncRefused && refused.reason === 'forked') onFork(want, start, range.before)
        throw refused
      }
    } else if (range.before.length > 0) refuse('bad_frame', 'Only a first piece shows how the note continues.')
    const { leaves, path } = range
    const grown = checkRange(edge, range, want)
    const effects = await effectsOf(nodeOfLog(origin), range.from, leaves)
    keeping.add({ origin, from: range.from, leaves, note, path, effects, ...grown })
    edge = grown.edge
  }
}

/**
 * The asking side: asks for all it lacks at once, and applies what comes, each range by itself, in order, in one commit
 * with its state. Nothing is kept that the source has not signed.
 *
 * @throws SyncRefused
 */
export const pull = async (options: PullOptions, wants: readonly Want[]): Promise<void> => {
  const { wire, inbox, foreign } = options
  const asks = wants.map(({ origin, note }) => [origin, foreign.get(origin)?.size ?? 0, note.size] as const)
  // The window, and the ask with which the other side answers in its turn.
  inbox.allow(1 + (asks.length > 0 ? WINDOW_RANGES : 0))
  await within(wire.send(askFrame(asks)), wire.deadline(), 'slow')
  const keeping = keeper(options)
  try {
    for (const [ask, want] of wants.entries()) {
      const [, from = 0] = asks[ask] ?? []
      await pullOne(options, keeping, { want, ask, from })
    }
    await keeping.ended()
  } catch (cause) {
    // What was on its way to the disk may still arrive there: it was checked, and the next sync goes on behind it.
    await keeping.ended().catch(() => undefined)
    throw cause instanceof SyncRefused ? cause : new SyncRefused('own', String(cause))
  }
}

/** A note as it is kept. */
export const noteOf = (
  note: string,
  { size, root }: { readonly size: number; readonly root: Uint8Array },
): ForeignNote => ({
  size,
  root: toHex(root),
  note,
})
