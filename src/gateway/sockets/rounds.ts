import type { WebSocket } from 'ws'
import type { Sleep } from '#core/wait.ts'
import { closeCodes, type SocketOutlet } from './outlet.ts'

/** Pieces into which the sockets are parted, so that they are not all pinged at once. */
const SLOTS = 25

/** How long readers have to say goodbye when the node stops. */
const GOODBYE_MS = 1_000

/** A socket that is looked at again and again. */
interface Watched {
  readonly socket: WebSocket
  readonly outlet: SocketOutlet
  /** Whether who opened it may still read. */
  readonly mayRead: () => boolean
}

interface Entry extends Watched {
  readonly slot: number
  /** Looks that a reader has been behind at. */
  stalled: number
  /** What the last ping says, until a pong repeats it: nobody answers who has not read. */
  unanswered: string | undefined
}

interface RoundParts {
  readonly settings: { readonly pingMs: number; readonly stallMs: number }
  readonly sleep: Sleep
  readonly stopping: AbortSignal
}

/**
 * Looks at the open sockets from time to time, each in its turn: who has not answered the last ping is gone, who takes
 * nothing is let go, and so is whose credential is over. It looks as long as one is open.
 */
export const createRounds = ({ settings, sleep, stopping }: RoundParts) => {
  const open = new Set<Entry>()
  const lookMs = settings.pingMs / SLOTS
  const stalledMax = Math.ceil(settings.stallMs / lookMs)
  let [slot, next] = [0, 0]
  let looking: Promise<void> | undefined
  let empty: PromiseWithResolvers<void> | undefined

  const look = (it: Entry): void => {
    if (it.outlet.behind) {
      it.stalled += 1
      if (it.stalled >= stalledMax) {
        // The goodbye stands behind what is not taken; who does not take it either is gone at its next ping.
        it.outlet.close(closeCodes.tryLater, 'the reader takes nothing')
        return
      }
    } else it.stalled = 0
    if (it.slot !== slot) return
    if (it.unanswered !== undefined) it.socket.terminate()
    else if (!it.mayRead()) it.outlet.close(closeCodes.revoked, 'the credential was revoked or is over')
    else {
      it.unanswered = crypto.randomUUID()
      it.socket.ping(it.unanswered)
    }
  }

  const rounds = async (): Promise<void> => {
    while (open.size > 0 && !stopping.aborted) {
      await sleep(lookMs, stopping)
      if (stopping.aborted) break
      slot = (slot + 1) % SLOTS
      for (const it of open) look(it)
    }
    looking = undefined
  }

  return {
    enter: (watched: Watched): Disposable => {
      next = (next + 1) % SLOTS
      const entry: Entry = { ...watched, slot: next, stalled: 0, unanswered: undefined }
      watched.socket.on('pong', (said: Buffer) => {
        if (said.toString('latin1') === entry.unanswered) entry.unanswered = undefined
      })
      open.add(entry)
      looking ??= rounds()
      return {
        [Symbol.dispose]: () => {
          open.delete(entry)
          if (open.size === 0) empty?.resolve()
        },
      }
    },
    [Symbol.asyncDispose]: async (): Promise<void> => {
      for (const { outlet } of open) outlet.close(closeCodes.goingAway, 'the node stops')
      if (open.size > 0) {
        empty = Promise.withResolvers()
        const late = new AbortController()
        await Promise.race([empty.promise, sleep(GOODBYE_MS, late.signal)])
        late.abort()
      }
      for (const { socket } of open) socket.terminate()
      await looking
    },
  }
}
