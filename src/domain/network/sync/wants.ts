import { openCheckpoint } from '#core/checkpoint.ts'
import type { EquivocationProof } from '#core/equivocation.ts'
import { Fault } from '#core/fault.ts'
import { nodeOfLog } from '#core/ids.ts'
import { soundKeyOf } from '#core/keys.ts'
import { verifierOf } from '#core/note.ts'
import { breathe } from '#core/wait.ts'
import type { Keeping, NetworkContext } from '#domain/network/context.ts'
import type { Remembered } from '#domain/network/remembered.ts'
import type { SealLog } from '#store/seal-log.ts'
import type { ForeignLogs } from './foreign.ts'
import type { Hello } from './frames.ts'
import type { Offer, Offers } from './give.ts'
import { SOURCES_MAX } from './limits.ts'
import { foreignLogSource, ownLogSource } from './log-source.ts'
import { noteOf, type Want } from './pull.ts'
import { refuse, type SyncRefusal } from './refused.ts'

/** Own event logs that are offered: the present one, and those of earlier keys. */
const OWN_LOGS_MAX = 16
/** Notes whose signatures are checked between two breaths of the loop. */
const NOTES_AT_ONCE = 32

/** What the syncs of a node share. */
export interface SyncContext {
  readonly context: NetworkContext
  readonly keeping: Keeping
  readonly foreign: ForeignLogs
  /** Origins that some sync is bringing: no other asks for them meanwhile. */
  readonly claimed: Set<string>
  /** A note of an event log was seen, signed by its source. */
  noted(origin: string, size: number): void
  refused(reason: SyncRefusal): void
  /** Logs that were found to have two histories: nothing more of them is asked for. */
  readonly forks: Remembered
  /** A source has signed two histories, and here is the proof. */
  forked(proof: EquivocationProof): void
  /** A peer showed a note of this node's own event log that goes further than the log does here. */
  ahead(note: string, from: string): void
}

/** The size that a note claims; whether it is signed is seen when it matters. */
const claimedSize = (note: string): number => Number(/^[^\n]*\n(0|[1-9][0-9]{0,15})\n/.exec(note)?.[1] ?? Number.NaN)

/** Opens an offered note: exactly a checkpoint of that log, with the source's signature line alone. */
export const openOffer = (origin: string, note: string): Want => {
  try {
    const { checkpoint } = openCheckpoint(note, verifierOf(origin, soundKeyOf(nodeOfLog(origin))))
    const lines = note.slice(note.indexOf('\n\n') + 2).split('\n')
    if (lines.length !== 2) return refuse('bad_note', 'An offered note carries the signature of its log alone.')
    return { origin, note: noteOf(note, checkpoint) }
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault
    return refuse('bad_note', fault.message)
  }
}

/** The event logs of this node, those of earlier keys included. */
export const ownLogs = ({ store }: Keeping): readonly SealLog[] => [store.events, ...store.eras.map((it) => it.events)]

/** What this node holds whole: its own logs and others'. */
export const offersOf = ({ keeping, foreign }: SyncContext): Offers => {
  const { store } = keeping
  const offers = new Map<string, Offer>()
  for (const log of ownLogs(keeping).slice(0, OWN_LOGS_MAX)) {
    const { origin, checkpoint } = log
    if (checkpoint !== undefined)
      offers.set(origin, { first: 0, note: checkpoint, logSource: ownLogSource(store, log) })
  }
  for (const [name, { held, first }] of foreign.list()) {
    if (held !== null && offers.size < SOURCES_MAX) {
      offers.set(name, { first, note: held, logSource: foreignLogSource(store, name) })
    }
  }
  return offers
}

/** A note of no use, unless it shows that its log signed two roots of one size. */
const compare = ({ context, foreign, forks, refused }: SyncContext, origin: string, offer: string): void => {
  const held = foreign.get(origin)?.held
  if (held?.size !== claimedSize(offer) || held.note === offer) return
  const { note: other } = openOffer(origin, offer)
  if (other.root === held.root) return
  // Both are heads that the node of that log signed, which is what proves it.
  context.takeHead(nodeOfLog(origin), held.note)
  context.takeHead(nodeOfLog(origin), offer)
  forks.add(origin, context.moment().meshTick)
  refused('forked')
}

/** @param fresh logs not kept yet that this sync wants already. */
const isWanted = (
  it: SyncContext,
  origin: string,
  { from, offer: [first, offer], fresh }: { from: string; offer: readonly [number, string]; fresh: number },
): boolean => {
  const { foreign, claimed, refused, context, forks, keeping } = it
  const size = claimedSize(offer)
  const known = foreign.get(origin)
  if (size <= (known?.size ?? 0)) {
    compare(it, origin, offer)
    return false
  }
  if (first > (known?.size ?? 0) || forks.has(origin)) return false
  // Whoever brings a log may be slow on purpose; its source need not wait for that.
  if (claimed.has(origin) && nodeOfLog(origin) !== from) return false
  if (known !== undefined || keeping.named?.has(origin) === true) return true
  if (fresh < foreign.room(context.moment().meshTick)) return true
  refused('full')
  return false
}

/** Our own log further on elsewhere than here: these data are older than what was shown of them. */
const lookAtOwn = ({ context, keeping, ahead }: SyncContext, from: string, offer: string): void => {
  const { origin, size } = keeping.store.events
  if (claimedSize(offer) <= size) return
  const { note: seen } = openOffer(origin, offer)
  context.options.log.error({ size, seen: seen.size }, 'own_event_log_is_ahead_elsewhere')
  ahead(offer, from)
}

/**
 * What of an offer is further than here, each under its verified note, and claimed for this sync.
 *
 * @param claims taken, which the caller gives back.
 * @throws SyncRefused `bad_note`
 */
export const wantsOf = async (
  it: SyncContext,
  { node: from, logs }: Hello,
  claims: Set<string>,
): Promise<readonly Want[]> => {
  const { context, keeping, foreign, claimed, noted } = it
  const own = new Set(ownLogs(keeping).map((log) => log.origin))
  const wants: Want[] = []
  let fresh = 0
  for (const [origin, offer] of Object.entries(logs)) {
    if (origin === keeping.store.events.origin) lookAtOwn(it, from, offer[1])
    if (own.has(origin) || nodeOfLog(origin) === context.nodeId || !isWanted(it, origin, { from, offer, fresh }))
      continue
    const want = openOffer(origin, offer[1])
    context.takeHead(nodeOfLog(origin), want.note.note)
    noted(origin, want.note.size)
    wants.push(want)
    if (foreign.get(origin) === undefined && keeping.named?.has(origin) !== true) fresh += 1
    claimed.add(origin)
    claims.add(origin)
    if (wants.length % NOTES_AT_ONCE === 0) await breathe()
  }
  return wants
}
