import { toBase64 } from '#core/bytes.ts'
import type { Hello } from './frames.ts'
import { give, type Offers } from './give.ts'
import { helloFrames, openHello } from './hello.ts'
import { type Inbox, openInbox, type Wire, within } from './inbox.ts'
import { pull, type Want } from './pull.ts'
import { refuse } from './refused.ts'
import { offersOf, type SyncContext, wantsOf } from './wants.ts'

/** One sync after its rights are settled. */
export interface SyncSession {
  /** Noise's remote peer. */
  readonly node: string
  readonly wire: Wire
  /** Whether this node opened the stream. */
  readonly opener: boolean
  /** Origins that this session brings. */
  readonly claims: Set<string>
  /** Leaves that are durable by it. */
  leaves: number
}

const sendHello = async ({ context }: SyncContext, { wire }: SyncSession, offers: Offers): Promise<void> => {
  const { meshTick } = context.moment()
  const logs = Object.fromEntries([...offers].map(([origin, { first, note }]) => [origin, [first, note.note] as const]))
  const hello: Hello = { v: 1, node: context.nodeId, mesh_tick: meshTick, logs }
  const frames = helloFrames(hello, { secrets: context.options.secrets, meshTick })
  for (const frame of frames) await within(wire.send(frame), wire.deadline(), 'slow')
}

const readHello = async ({ context }: SyncContext, { node }: SyncSession, inbox: Inbox): Promise<Hello> => {
  const handshake = await inbox.next('slow')
  const body = await inbox.next('slow')
  if (handshake === undefined || body === undefined) return refuse('broken', 'The stream ended before it began.')
  return openHello(node, [handshake, body], { secrets: context.options.secrets, meshTick: context.moment().meshTick })
}

const fetchFrom = async (
  it: SyncContext,
  session: SyncSession,
  { inbox, hello }: { readonly inbox: Inbox; readonly hello: Hello },
): Promise<void> => {
  const { foreign, context } = it
  const { log, meter } = context.options
  const onKept = (leaves: number): void => {
    session.leaves += leaves
    meter.count('sync_leaves_total', {}, leaves)
  }
  const onFork = ({ origin, note }: Want, size: number, [root, ...path]: readonly Uint8Array[]): void => {
    log.error({ origin, size: note.size, held: size }, 'event_log_forked')
    it.forks.add(origin, context.moment().meshTick)
    const held = foreign.get(origin)?.held
    // A tree that is held half way stands under a note of its own, which this path does not begin at.
    if (held?.size !== size || root === undefined) return
    const prefix = { root: toBase64(root), path: path.map(toBase64) }
    it.forked({ origin, notes: [held.note, note.note], prefix })
  }
  const wants = await wantsOf(it, hello, session.claims)
  await pull({ wire: session.wire, inbox, foreign, onKept, onFork }, wants)
}

/** Both sides show what they have; first the opener takes what it lacks, then the other. @throws SyncRefused */
export const exchange = async (it: SyncContext, session: SyncSession): Promise<void> => {
  const { wire, opener } = session
  const inbox = openInbox(wire)
  inbox.allow(2)
  if (opener) {
    const offers = offersOf(it)
    await sendHello(it, session, offers)
    const hello = await readHello(it, session, inbox)
    await fetchFrom(it, session, { inbox, hello })
    await give(wire, inbox, offers)
    return inbox.done()
  }
  const hello = await readHello(it, session, inbox)
  const offers = offersOf(it)
  // The opener answers our hello with its ask.
  inbox.allow(1)
  await sendHello(it, session, offers)
  await give(wire, inbox, offers)
  await fetchFrom(it, session, { inbox, hello })
  return inbox.done()
}
