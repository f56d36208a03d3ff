import type { Ask, Client } from '#gateway/client.ts'
import type { Invocation } from './command.ts'
import { ownNode } from './connection.ts'
import { exits } from './exit.ts'
import { clientOf, overHttp } from './over-http.ts'
import { CliError } from './problem.ts'

/** The same way to a node, with a session of the page instead of a key. */
const withSession =
  (cookie: string, origin: string): Ask =>
  (url, init) =>
    overHttp(url, { ...init, headers: { ...init.headers, Cookie: cookie, Origin: origin } })

/**
 * Does what only a person may, on the node of this data directory: the owner's key opens a session, as it opens the
 * page, and the session ends with the work.
 *
 * @throws CliError where no node of one's own runs here
 */
export const inPerson = async <T>(invocation: Invocation, work: (client: Client) => Promise<T>): Promise<T> => {
  const { signal } = invocation
  const { url, key } = ownNode(invocation)
  const { path } = await clientOf({ url, key }).call('identity.owner-link', {}, { signal })
  const opened = await overHttp(new URL(path, url), { method: 'GET', headers: {}, signal })
  const cookie = opened.headers.get('set-cookie')?.split(';')[0]
  if (cookie === undefined) {
    throw new CliError(exits.failure, 'the node opened no session', { code: 'UNAUTHENTICATED' })
  }
  const client = clientOf({ url, fetch: withSession(cookie, new URL(url).origin) })
  try {
    return await work(client)
  } finally {
    await client.call('identity.close-session', {}, { signal })
  }
}
