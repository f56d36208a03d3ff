import type { IncomingMessage } from 'node:http'
import { Fault } from '#core/fault.ts'
import type { Sleep } from '#core/wait.ts'
import { breathe } from '#core/wait.ts'

export interface BodyLimits {
  readonly bytesMax: number
  readonly timeoutMs: number
}

/** Bytes of all bodies that are being read at once: connections alone would bound them by gigabytes. */
export const BODIES_BYTES_MAX = 67_108_864
/** Bytes of a body that a call covers; each further time as many count as a call of their own. */
const CALL_BYTES = 65_536

const tooLarge = (bytesMax: number): Fault =>
  new Fault('BODY_TOO_LARGE', `The body is larger than ${bytesMax} bytes.`, { limit_bytes: bytesMax })

/** How many calls a body counts beside the one that brought it: reading it costs the node by its size. */
export const callsOf = (size: number): number => Math.floor(size / CALL_BYTES)

/** Takes what comes of a body that is longer than {@link WHOLE_BYTES_MAX}, from its first byte on, in its order. */
export type TakePiece = (bytes: Uint8Array) => Promise<void>

/** Bytes of a body that is kept whole also where its pieces could be taken. */
export const WHOLE_BYTES_MAX = 1_048_576

/**
 * The bytes of a body, within its bounds; undefined for a long one whose pieces were taken.
 *
 * @throws Fault BODY_TOO_LARGE (before the first byte where the length is announced), BODY_TOO_SLOW,
 * UNSUPPORTED_MEDIA_TYPE for an encoded one, NODE_BUSY when too many are being read.
 */
export type ReadBody = (
  request: IncomingMessage,
  limits: BodyLimits,
  how: { readonly sleep: Sleep; readonly signal: AbortSignal; readonly take?: TakePiece | undefined },
) => Promise<Uint8Array | undefined>

/** One body on its way. */
interface Held {
  /** Counts what came of it. @returns its size so far. @throws Fault BODY_TOO_LARGE, NODE_BUSY */
  add(bytes: number): number
  /** Does work that is no waiting for the body. */
  work(once: () => Promise<void>): Promise<void>
  /** Milliseconds that went into such work. */
  readonly workedMs: number
  /** Nothing of it is in hand any more, whatever still comes. */
  release(): void
}

/** Reads bodies, and keeps count of what is in hand. */
export const createBodyReader = (bodiesBytesMax: number = BODIES_BYTES_MAX): ReadBody => {
  let inHand = 0
  const hold = (bytesMax: number): Held => {
    let [size, workedMs, open] = [0, 0, true]
    return {
      add: (bytes) => {
        if (!open) throw new Error('the body was given up')
        size += bytes
        inHand += bytes
        if (size > bytesMax) throw tooLarge(bytesMax)
        if (inHand > bodiesBytesMax) throw new Fault('NODE_BUSY', 'Too many large bodies arrive at once.')
        return size
      },
      work: async (once) => {
        const from = performance.now()
        await once()
        workedMs += performance.now() - from
      },
      get workedMs() {
        return workedMs
      },
      release: () => {
        if (open) inHand -= size
        open = false
      },
    }
  }
  return async (request, { bytesMax, timeoutMs }, { take, ...wait }) => {
    if (isEmpty(request, bytesMax)) return new Uint8Array()
    const held = hold(bytesMax)
    // A body that came with its head is parsed by the time that everything else had its turn.
    if (!request.complete) await breathe()
    if (request.complete && !request.destroyed && request.readableLength <= WHOLE_BYTES_MAX) {
      try {
        return arrived(request, held)
      } finally {
        held.release()
      }
    }
    const done = new AbortController()
    const late = lateAfter(timeoutMs, held, { ...wait, done: done.signal })
    try {
      // What was too slow may never end: its request is read no more, and nobody waits for it.
      return await Promise.race([collect(request, held, take), late])
    } finally {
      held.release()
      done.abort(ARRIVED)
      late.catch(() => undefined)
    }
  }
}

/** A body that came with its head, as nearly all do: nothing is waited for. */
const arrived = (request: IncomingMessage, held: Held): Uint8Array => {
  const bytes = (request.read() ?? new Uint8Array()) as Uint8Array
  held.add(bytes.length)
  return bytes
}

const collect = async (request: IncomingMessage, held: Held, take?: TakePiece): Promise<Uint8Array | undefined> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size = held.add(chunk.length)
    chunks.push(chunk)
    if (take === undefined || size <= WHOLE_BYTES_MAX) continue
    await held.work(async () => {
      for (const piece of chunks.splice(0)) {
        await take(piece)
        await breathe()
      }
    })
  }
  return take === undefined || size <= WHOLE_BYTES_MAX ? Buffer.concat(chunks, size) : undefined
}

/** Why the wait for a body ends when all is well; a reason given saves the exception that would stand for it. */
const ARRIVED = 'arrived'

interface LateWait {
  readonly sleep: Sleep
  readonly signal: AbortSignal
  readonly done: AbortSignal
}

/** Gives a body up that was waited for too long; what this node did with it meanwhile does not count. */
const lateAfter = async (timeoutMs: number, held: Held, { sleep, signal, done }: LateWait): Promise<undefined> => {
  let waited = 0
  for (let left = timeoutMs; left >= 1; left = timeoutMs + held.workedMs - waited) {
    await sleep(left, AbortSignal.any([signal, done]))
    signal.throwIfAborted()
    if (done.aborted) return undefined
    waited += left
  }
  throw new Fault('BODY_TOO_SLOW')
}

/** Whether there is no body. @throws Fault UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE */
const isEmpty = ({ headers }: IncomingMessage, bytesMax: number): boolean => {
  const { 'content-encoding': encoding = 'identity', 'content-length': length } = headers
  const coding = headers['transfer-encoding'] ?? 'chunked'
  // A coding that is not undone here is one that whoever stands before this node may have undone.
  if (encoding !== 'identity' || coding.toLowerCase() !== 'chunked')
    throw new Fault('UNSUPPORTED_MEDIA_TYPE', 'The body must not be encoded.')
  if (length !== undefined && Number(length) > bytesMax) throw tooLarge(bytesMax)
  return length === '0' || (length === undefined && headers['transfer-encoding'] === undefined)
}

/** Whether a Content-Type says JSON. */
export const isJson = (type: string | undefined): boolean =>
  /^application\/(?:[\w.-]+\+)?json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(type ?? '')
