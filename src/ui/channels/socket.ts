import type { PageSession } from '#ui/session.ts'

/** A text frame of a stream's socket. */
export type StreamFrame =
  | { readonly type: 'hello'; readonly epoch: number; readonly count: number }
  | {
      readonly type: 'tick'
      readonly epoch: number
      readonly count: number
      readonly tick: number
      readonly token_id: string
      readonly contentType?: string
      readonly output?: string
    }
  | { readonly type: 'gap'; readonly from: number | null; readonly to: number; readonly reason: string }
  | { readonly type: 'status'; readonly status: string }
  | { readonly type: 'closed' }

interface Listening {
  readonly session: PageSession
  readonly id: string
  /** The last tick that was seen, `<epoch>.<count>`: what came since is given first. */
  readonly after: string
  readonly signal: AbortSignal
  readonly onFrame: (frame: StreamFrame) => void
}

/** Listens to a stream until its socket ends or the signal aborts. A key never stands in the address. */
export const listenTo = ({ session, id, after, signal, onFrame }: Listening): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { key } = session.self
  const address = `${location.origin.replace(/^http/, 'ws')}/ws/stream?channel=${id}&after=${after}`
  const socket = new WebSocket(address, key === undefined ? [] : [`svc.key.${key}`])
  const end = (): void => socket.close()
  signal.addEventListener('abort', end, { once: true })
  socket.onmessage = ({ data }: MessageEvent<string>) => {
    if (!signal.aborted) onFrame(JSON.parse(data) as StreamFrame)
  }
  socket.onclose = () => {
    signal.removeEventListener('abort', end)
    resolve()
  }
  return promise
}
