import { toHex } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import type { Log } from '#core/telemetry.ts'
import { sha256 } from '#crypto'
import { type Inbox, openInbox, type Wire, within } from '#domain/network/sync/inbox.ts'
import type { BlobName, Blobs } from '#domain/network/works/types.ts'
import type { Store } from '#store/store.ts'
import { createAllowance } from './allowance.ts'
import {
  ACK,
  headFrame,
  joined,
  PIECE_BYTES_MAX,
  questionFrame,
  readHead,
  readQuestion,
  WINDOW_PIECES,
} from './frames.ts'
import { createGate } from './gate.ts'
import { createBlobKeep } from './keep.ts'

/** Answers that are given at once, and pulls; of each those with one node. Others wait for their turn. */
const AT_ONCE_MAX = 16
export const AT_ONCE_PER_NODE_MAX = 4
/** Questions that wait, of all nodes and of one; and pulls of this node's own. */
const QUESTIONS_WAITING_MAX = 64
export const QUESTIONS_WAITING_PER_NODE_MAX = 8
export const PULLS_WAITING_MAX = 256
/** Bytes that one node is given in a minute. */
const BYTES_PER_MINUTE_MAX = 512 * 1_048_576

/** The way to other nodes, where there is one. */
export interface BlobWay {
  /** Connects to a node unless it is. */
  reach(node: string): Promise<unknown>
  /** Asks a connected node. */
  talk<T>(node: string, talk: (wire: Wire) => Promise<T>, signal: AbortSignal): Promise<T>
}

export interface BlobsOptions {
  readonly store: Store
  /** Bytes of all that is kept for others. */
  readonly bytesMax: number
  /** Bytes that one node is given in a minute; 512 MiB unless said. */
  readonly perMinuteMax?: number
  readonly log: Log
}

/** Values kept and pulled, and what a transport and the ticks need of them. */
export interface BlobRoom extends Blobs {
  /** Answers one question of another node. @throws what ended it */
  answer(node: string, wire: Wire): Promise<void>
  /** Gives the way to other nodes. */
  join(way: BlobWay): void
  /** What comes round with the ticks: what is over goes. */
  beat(): Promise<void>
}

const frameOf = async (inbox: Inbox, late: 'slow' | 'unacknowledged'): Promise<Uint8Array> => {
  const frame = await inbox.next(late)
  if (frame === undefined) throw new Error('the other side left before all was said')
  return frame
}

/** Gives a value in pieces, at most so many ahead of what is acknowledged: a slow reader costs no memory. */
const give = async (wire: Wire, inbox: Inbox, value: Uint8Array): Promise<void> => {
  const pieces = Math.ceil(value.length / PIECE_BYTES_MAX)
  let acknowledged = 0
  const ack = async (): Promise<void> => {
    await frameOf(inbox, 'unacknowledged')
    acknowledged += 1
  }
  for (let i = 0; i < pieces; i += 1) {
    while (i - acknowledged >= WINDOW_PIECES) await ack()
    inbox.allow(1)
    const piece = value.subarray(i * PIECE_BYTES_MAX, (i + 1) * PIECE_BYTES_MAX)
    await within(wire.send(piece), wire.deadline(), 'slow')
  }
  while (acknowledged < pieces) await ack()
}

/** Asks for a value. @returns undefined where there is none. */
const ask = async (wire: Wire, name: BlobName): Promise<Uint8Array | undefined> => {
  const inbox = openInbox(wire)
  // The first pieces come with the head.
  inbox.allow(1 + WINDOW_PIECES)
  await within(wire.send(questionFrame(name)), wire.deadline(), 'slow')
  const size = readHead(await frameOf(inbox, 'slow'))
  if (size === undefined) return undefined
  const value = joined(size)
  while (!value.isWhole) {
    value.add(await frameOf(inbox, 'slow'))
    inbox.allow(1)
    await within(wire.send(ACK), wire.deadline(), 'slow')
  }
  return value.bytes
}

/** Values that this node keeps for others or finds for them, and those that it pulls from them. */
export const createBlobs = ({ store, bytesMax, log, perMinuteMax = BYTES_PER_MINUTE_MAX }: BlobsOptions): BlobRoom => {
  const keep = createBlobKeep(store, bytesMax)
  const shares = { max: AT_ONCE_MAX, perNodeMax: AT_ONCE_PER_NODE_MAX }
  const answers = createGate({
    ...shares,
    waitingMax: QUESTIONS_WAITING_MAX,
    waitingPerNodeMax: QUESTIONS_WAITING_PER_NODE_MAX,
  })
  const pulls = createGate({ ...shares, waitingMax: PULLS_WAITING_MAX, waitingPerNodeMax: PULLS_WAITING_MAX })
  const allowance = createAllowance(perMinuteMax, () => store.now().meshTick)
  const finders = new Map<BlobName['kind'], (name: BlobName) => Promise<Uint8Array | undefined>>()
  let way: BlobWay | undefined

  const get = async (name: BlobName): Promise<Uint8Array | undefined> =>
    (await keep.get(name)) ?? (await finders.get(name.kind)?.(name))

  const isSound = (name: BlobName, bytes: Uint8Array, isRight: (bytes: Uint8Array) => boolean): boolean =>
    name.kind === 'bytes' ? toHex(sha256(bytes)) === name.sha256 : isRight(bytes)

  const from = async (node: string, name: BlobName, signal: AbortSignal): Promise<Uint8Array | undefined> => {
    if (way === undefined) return undefined
    const leave = await pulls.enter(node, signal)
    try {
      await way.reach(node)
      signal.throwIfAborted()
      return await way.talk(node, (wire) => ask(wire, name), signal)
    } catch (error) {
      log.debug({ node, kind: name.kind, error }, 'blob_not_had')
      return undefined
    } finally {
      leave()
    }
  }

  return {
    put: keep.put,
    extend: keep.extend,
    get,
    serve: (kind, find) => void finders.set(kind, find),
    pull: async (name, nodes, { signal, isRight = () => true }) => {
      const own = await get(name)
      if (own !== undefined) return own
      let busy: Fault | undefined
      for (const node of new Set(nodes)) {
        if (signal.aborted) return undefined
        try {
          const bytes = await from(node, name, signal)
          if (bytes !== undefined && isSound(name, bytes, isRight)) return bytes
          if (bytes !== undefined) log.warn({ node, kind: name.kind }, 'blob_false')
        } catch (cause) {
          if (signal.aborted) return undefined
          if (!(cause instanceof Fault)) throw cause
          busy = cause
        }
      }
      // That it could not be asked for says nothing of who has it.
      if (busy !== undefined) throw busy
      return undefined
    },
    answer: async (node, wire) => {
      const inbox = openInbox(wire)
      inbox.allow(1)
      const name = readQuestion(await frameOf(inbox, 'slow'))
      const leave = await answers.enter(node, wire.deadline())
      try {
        const value = await get(name)
        allowance.spend(node, value?.length ?? 0)
        await within(wire.send(headFrame(value?.length)), wire.deadline(), 'slow')
        if (value !== undefined) await give(wire, inbox, value)
        inbox.done()
      } finally {
        leave()
      }
    },
    join: (given) => {
      way = given
    },
    beat: keep.beat,
  }
}
