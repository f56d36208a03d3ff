import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { PushedText, PushOutlet } from '#core/pushing.ts'
import { sharedMessage, textMessage } from './frame.ts'

/** Bytes that may wait for a reader; beyond them it is behind. */
export const UNSENT_BYTES_MAX = 65_536

/** Close codes (RFC 6455, 7.4, and the range that is an application's own). */
export const closeCodes = {
  normal: 1000,
  goingAway: 1001,
  tooMuch: 1008,
  broken: 1011,
  tryLater: 1013,
  revoked: 4401,
} as const

/** A socket with what is kept for its reader. */
export interface SocketOutlet extends PushOutlet {
  /** Whether the reader is behind: something is kept, and nothing more goes into the socket. */
  readonly behind: boolean
  /** Ends at once, with a code of {@link closeCodes}; what is kept is lost. */
  close(code: number, reason: string): void
  /** What was kept goes out: called whenever the socket has taken everything. */
  onDrain(): void
}

/** What of its socket an outlet needs. */
export interface OutletParts {
  readonly socket: Pick<WebSocket, 'close' | 'terminate'>
  /** What the socket writes into: a message that was written once goes there as it is, between two of its own. */
  readonly raw: Pick<Duplex, 'write' | 'writable' | 'writableLength' | 'writableNeedDrain'>
  /** Whether who opened it may still read. */
  readonly mayRead: (text: PushedText) => boolean
  /** Called for each gap told. */
  readonly onGap: () => void
}

/** Why a reader missed something, beside the reasons for which nothing was sealed. */
const SLOW = 'slow'

/** Writes into a socket at its reader's pace: of what it is too slow for the newest is kept, and the rest is said. */
export const createOutlet = ({ socket, raw, mayRead, onGap }: OutletParts): SocketOutlet => {
  /** The newest text, while the reader is behind. */
  let kept: PushedText | undefined
  /** Mesh ticks of what was dropped before that. */
  let missed: { readonly from: number; readonly to: number } | undefined
  let [over, ending] = [false, false]
  let waiting: PromiseWithResolvers<void> | undefined

  const close = (code: number, reason: string): void => {
    if (over) return
    over = true
    kept = undefined
    waiting?.resolve()
    socket.close(code, reason)
  }

  const push = (text: PushedText): void => {
    if (over || ending) return
    if (!raw.writable) {
      socket.terminate()
      return
    }
    if (!mayRead(text)) {
      close(closeCodes.revoked, 'the credential was revoked or is over')
      return
    }
    if (kept === undefined && raw.writableLength <= UNSENT_BYTES_MAX) {
      raw.write(sharedMessage(text))
      return
    }
    if (kept !== undefined) missed = { from: missed?.from ?? kept.meshTick, to: kept.meshTick }
    kept = text
  }

  const onDrain = (): void => {
    if (kept !== undefined && !over) {
      const [text, gap] = [kept, missed]
      kept = undefined
      missed = undefined
      if (gap !== undefined) {
        onGap()
        raw.write(textMessage(JSON.stringify({ type: 'gap', ...gap, reason: SLOW })))
      }
      raw.write(sharedMessage(text))
    }
    if (raw.writableNeedDrain) return
    waiting?.resolve()
    waiting = undefined
    if (ending) close(closeCodes.normal, '')
  }

  return {
    push,
    close,
    onDrain,
    get behind() {
      return kept !== undefined
    },
    drained: async () => {
      if (over || (kept === undefined && !raw.writableNeedDrain)) return
      waiting ??= Promise.withResolvers()
      await waiting.promise
    },
    end: () => {
      ending = true
      if (kept === undefined) close(closeCodes.normal, '')
    },
    fail: () => close(closeCodes.broken, 'the node could not go on'),
  }
}
