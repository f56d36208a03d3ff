/*
 * Readers of a channel over what browsers and libraries have for it. Each stands alone: it is run here with the class
 * of a library, or as text in a page with the class that the page has.
 */

/** What a reader follows, and where. */
export interface ReaderOrder {
  readonly base: string
  readonly channel: string
  /** The machine whose chain holds its ticks. */
  readonly slug: string
  /** The channel's own key. */
  readonly key: string
}

/** What a reader was told, as it was told it, and how its connections ended. */
export interface ReaderNotes {
  readonly heard: Readonly<Record<string, unknown>>[]
  /** Close codes of sockets. */
  readonly codes: number[]
  /** Whether it was told the end, and follows no longer. */
  over: boolean
}

/** Follows by a WebSocket, whose reader comes back by itself behind the last tick that it was told. */
export const followSocket = (
  { base, channel, key }: ReaderOrder,
  Socket: typeof WebSocket = WebSocket,
  signal?: AbortSignal,
): ReaderNotes => {
  const notes: ReaderNotes = { heard: [], codes: [], over: false }
  const address = `${base.replace('http', 'ws')}/ws/stream?channel=${channel}`
  let after = '0.0'
  const begin = (): void => {
    if (signal?.aborted === true) return
    const socket = new Socket(`${address}&after=${after}`, [`svc.key.${key}`])
    const stop = (): void => socket.close()
    signal?.addEventListener('abort', stop)
    socket.onmessage = ({ data }) => {
      const it = JSON.parse(String(data)) as { type: string; epoch: number; count: number }
      if (it.type === 'tick') after = `${it.epoch}.${it.count}`
      if (it.type === 'closed') notes.over = true
      notes.heard.push(it)
    }
    socket.onerror = () => undefined
    socket.onclose = ({ code }) => {
      signal?.removeEventListener('abort', stop)
      notes.codes.push(code)
      if (!notes.over) setTimeout(begin, 50)
    }
  }
  begin()
  return notes
}

/** Follows the chain of its machine by an EventSource, which comes back by itself. */
export const followEvents = (
  { base, channel, slug }: ReaderOrder,
  Source: typeof EventSource = EventSource,
  signal?: AbortSignal,
): ReaderNotes => {
  const notes: ReaderNotes = { heard: [], codes: [], over: false }
  const source = new Source(`${base}/api/chain/${slug}/explore/sse`)
  signal?.addEventListener('abort', () => source.close())
  source.onopen = () => void notes.heard.push({ event: 'open' })
  for (const event of ['entry', 'gap']) {
    source.addEventListener(event, (it) => {
      const data = JSON.parse((it as MessageEvent<string>).data) as Record<string, never>
      const body = data['body'] as { channel?: string; status?: string } | undefined
      if (event === 'entry' && body?.channel !== channel) return
      notes.heard.push({ event, data })
      if (body?.status !== 'closed') return
      notes.over = true
      source.close()
    })
  }
  return notes
}
