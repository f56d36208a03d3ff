import { equalBytes, toBase64 } from '#core/bytes.ts'
import { type Checkpoint, openCheckpoint } from '#core/checkpoint.ts'
import { Fault } from '#core/fault.ts'
import { patterns } from '#core/ids.ts'
import { soundKeyOf } from '#core/keys.ts'
import { verifierOf } from '#core/note.ts'
import type { Equivocation, HeadView } from './views.ts'

/** Logs whose heads are known. */
const LOGS_MAX = 1_024
/** Logs of one node, which alone names them: seal and event log, and those of an earlier genesis. */
const LOGS_PER_NODE_MAX = 4
/** Notes kept of each log, and equivocations kept. */
const NOTES_PER_LOG_MAX = 4
const EQUIVOCATIONS_MAX = 64
/** Bytes of an announced note: text, the log's signature and those of its witnesses. */
export const HEAD_NOTE_BYTES_MAX = 4_096
/** A log that was silent for this long gives its place to a new one. */
const SILENT_TICKS = 1_287

interface Noted {
  readonly checkpoint: Checkpoint
  readonly note: string
}
interface KnownLog {
  readonly node: string
  /** By size, the largest last. */
  notes: readonly Noted[]
  seen: number
}

/** `equivocation`: the log has signed two roots of one size, and both notes are kept. `full`: no place for it. */
export type HeadVerdict = 'newer' | 'known' | 'older' | 'equivocation' | 'full'

/** The heads of other nodes' logs. They decide nothing here: no token, bond or stake hangs on a gossiped head. */
export interface Heads {
  /** @throws Fault BAD_SIGNATURE unless the note is a checkpoint of one of `node`'s logs, signed by its key. */
  take(note: string, node: string, meshTick: number): { readonly verdict: HeadVerdict; readonly checkpoint: Checkpoint }
  list(): readonly HeadView[]
  equivocations(): readonly Equivocation[]
}

const sealLog = new RegExp(patterns.logName)
const eventLog = new RegExp(patterns.eventsLogName)

/** Opens a note of one of a node's own logs. @throws Fault BAD_SIGNATURE */
const open = (note: string, node: string): Checkpoint => {
  if (note.length > HEAD_NOTE_BYTES_MAX) throw new Fault('BAD_SIGNATURE', 'The note is too long for gossip.')
  const origin = note.slice(0, note.indexOf('\n'))
  const isLog = sealLog.test(origin) || eventLog.test(origin)
  if (!isLog || origin.split('/')[1] !== node) throw new Fault('BAD_SIGNATURE', 'The note is of no log of this node.')
  return openCheckpoint(note, verifierOf(origin, soundKeyOf(node))).checkpoint
}

const view = (log: KnownLog, { checkpoint, note }: Noted): HeadView => ({
  origin: checkpoint.origin,
  node: log.node,
  size: checkpoint.size,
  root: toBase64(checkpoint.root),
  note,
  seen: log.seen,
})

/** No logs known yet. @param named logs that always find a place, and keep it. */
export const createHeads = (named: ReadonlySet<string> = new Set()): Heads => {
  /** By origin; the one heard of last stands last. */
  const logs = new Map<string, KnownLog>()
  const proofs: Equivocation[] = []

  /** Makes room for a new log of a node: its own oldest goes, or one of anybody's that is silent. */
  const hasRoom = (origin: string, node: string, meshTick: number): boolean => {
    const own = [...logs].filter(([, log]) => log.node === node)
    const spare = own.find(([name]) => !named.has(name))
    if (own.length >= LOGS_PER_NODE_MAX && spare !== undefined) return logs.delete(spare[0])
    if (logs.size < LOGS_MAX) return true
    const [name, oldest] = [...logs].find(([it]) => !named.has(it)) ?? []
    if (name === undefined || oldest === undefined) return false
    return (named.has(origin) || meshTick - oldest.seen >= SILENT_TICKS) && logs.delete(name)
  }

  const accuse = (a: Noted, b: Noted, seen: number): void => {
    const { origin, size } = a.checkpoint
    if (proofs.some((it) => it.origin === origin && it.size === size)) return
    // The oldest gives way: what was proved is kept by the evidence made of it, and a flood must not hide the next.
    if (proofs.length >= EQUIVOCATIONS_MAX) proofs.shift()
    proofs.push({ origin, size, notes: [a.note, b.note], seen })
  }

  const place = (log: KnownLog, noted: Noted): HeadVerdict => {
    const { size, root } = noted.checkpoint
    const same = log.notes.find((it) => it.checkpoint.size === size)
    if (same !== undefined && !equalBytes(same.checkpoint.root, root)) {
      accuse(same, noted, log.seen)
      return 'equivocation'
    }
    if (same !== undefined) return 'known'
    const newest = log.notes.at(-1)
    const sorted = [...log.notes, noted].sort((a, b) => a.checkpoint.size - b.checkpoint.size)
    log.notes = sorted.slice(-NOTES_PER_LOG_MAX)
    return newest === undefined || newest.checkpoint.size < size ? 'newer' : 'older'
  }

  return {
    take: (note, node, meshTick) => {
      const checkpoint = open(note, node)
      const known = logs.get(checkpoint.origin)
      if (known === undefined && !hasRoom(checkpoint.origin, node, meshTick)) return { verdict: 'full', checkpoint }
      const log = known ?? { node, notes: [], seen: meshTick }
      log.seen = meshTick
      logs.delete(checkpoint.origin)
      logs.set(checkpoint.origin, log)
      return { verdict: place(log, { checkpoint, note }), checkpoint }
    },
    list: () => [...logs.values()].flatMap((log) => log.notes.slice(-1).map((noted) => view(log, noted))),
    equivocations: () => [...proofs],
  }
}
