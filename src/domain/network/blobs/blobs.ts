import { toHex } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import type { Log } from '#core/telemetry.ts'
import { sha256 } from '#crypto'
import { type Inbox, openInbox, type Wire, within } from '#domain/network/sync/inbox.ts'
import type { BlobName, Blobs } from '#domain/network/works/types.ts'
import type { Store } from '#store/store.ts'
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
import { createBlobKeep } from './keep.ts'

/** Answers that are given at once; who asks meanwhile is told that there is nothing. */
const ANSWERS_MAX = 16

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
export const createBlobs = ({ store, bytesMax, log }: BlobsOptions): BlobRoom => {
  const keep = createBlobKeep(store, bytesMax)
  const finders = new Map<BlobName['kind'], (name: BlobName) => Promise<Uint8Array | undefined>>()
  let answering = 0
  let way: BlobWay | undefined

  const get = async (name: BlobName): Promise<Uint8Array | undefined> =>
    (await keep.get(name)) ?? (await finders.get(name.kind)?.(name))

  const isSound = (name: BlobName, bytes: Uint8Array, isRight: (bytes: Uint8Array) => boolean): boolean =>
    name.kind === 'bytes' ? toHex(sha256(bytes)) === name.sha256 : isRight(bytes)

  const from = async (node: string, name: BlobName, signal: AbortSignal): Promise<Uint8Array | undefined> => {
    if (way === undefined) return undefined
    try {
      await way.reach(node)
      signal.throwIfAborted()
      return await way.talk(node, (wire) => ask(wire, name), signal)
    } catch (error) {
      log.debug({ node, kind: name.kind, error }, 'blob_not_had')
      return undefined
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
      for (const node of new Set(nodes)) {
        if (signal.aborted) return undefined
        const bytes = await from(node, name, signal)
        if (bytes !== undefined && isSound(name, bytes, isRight)) return bytes
        if (bytes !== undefined) log.warn({ node, kind: name.kind }, 'blob_false')
      }
      return undefined
    },
    answer: async (node, wire) => {
      const inbox = openInbox(wire)
      inbox.allow(1)
      const name = readQuestion(await frameOf(inbox, 'slow'))
      if (answering >= ANSWERS_MAX) throw new Fault('NODE_BUSY', `${node} asks while others are answered.`)
      answering += 1
      try {
        const value = await get(name)
        await within(wire.send(headFrame(value?.length)), wire.deadline(), 'slow')
        if (value !== undefined) await give(wire, inbox, value)
        inbox.done()
      } finally {
        answering -= 1
      }
    },
    join: (given) => {
      way = given
    },
    beat: keep.beat,
  }
}
