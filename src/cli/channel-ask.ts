import { MS_PER_SECOND } from '#core/time.ts'
import { NodeRefusal, NodeUnreachable, type Reply } from '#gateway/client.ts'
import type { Problem } from '#gateway/problem.ts'
import type { Connection } from './connection.ts'
import { overHttp } from './over-http.ts'

/** Longest time for one answer. */
const ASK_MS = 40 * MS_PER_SECOND

/** What a channel gave, as it came: its text may be anything that a template makes. */
export interface ChannelText {
  readonly contentType: string
  readonly text: string
  /** What the five headers of a sealed answer say. */
  readonly sealed: {
    readonly token_id: string | null
    readonly proof: string | null
    readonly tick: number | null
    readonly verify: string | null
  }
}

/** What a refusal says, or that nobody answered as a node does. */
export const channelRefusal = (
  { status, text }: { readonly status: number; readonly text: string },
  url: string,
): NodeRefusal | NodeUnreachable => {
  try {
    const problem = JSON.parse(text) as Problem | null
    if (typeof problem?.code === 'string') return new NodeRefusal(problem, url)
  } catch {
    // What is no JSON is no word of a node.
  }
  return new NodeUnreachable(`status ${status} and no problem document`)
}

const reply = async (url: URL, bearer: string | undefined, signal: AbortSignal): Promise<Reply> => {
  const headers: Record<string, string> = bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }
  try {
    return await overHttp(url, {
      method: 'GET',
      headers,
      signal: AbortSignal.any([signal, AbortSignal.timeout(ASK_MS)]),
    })
  } catch (cause) {
    signal.throwIfAborted()
    // The path of a link is what opens a channel: it is repeated nowhere.
    throw new NodeUnreachable(`no answer from ${url.origin}`, { cause })
  }
}

/**
 * Reads an output of a channel as it stands, not as what it says.
 *
 * @throws NodeRefusal, NodeUnreachable, or the signal's reason.
 */
export const askChannelText = async (
  { url, bearer }: Pick<Connection, 'url' | 'bearer'>,
  path: string,
  signal: AbortSignal,
): Promise<ChannelText> => {
  const at = new URL(path, url)
  const answer = await reply(at, bearer, signal)
  const text = await answer.text()
  const { status, headers } = answer
  if (!answer.ok) throw channelRefusal({ status, text }, at.origin)
  const tick = headers.get('x-svc-tick')
  return {
    contentType: headers.get('content-type') ?? '',
    text,
    sealed: {
      token_id: headers.get('x-svc-token'),
      proof: headers.get('x-svc-proof'),
      tick: tick === null ? null : Number(tick),
      verify: headers.get('x-svc-verify'),
    },
  }
}
