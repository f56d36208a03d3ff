import type { InputAt, ResultAt, RoutePath } from '#api/result-of.ts'
import type { Outgoing } from '#core/route.ts'
import { ApiProblem, callOf, jsonOf, type RequestOptions, request } from './server/api.ts'
import { demoSelf, findSelf, isVisitor, type Self } from './server/self.ts'

/** What every view of the page needs: who this browser is, and which node it talks to. */
export interface PageSession {
  readonly self: Self
  /** The node's log key, from `/api/identity`: pinned once when the page was opened. */
  readonly vkey: string
  readonly node: string
  /** The keys before the node's present one, as it lists them; whoever uses them asks for their proof. */
  readonly past: unknown
  /** One call as whoever this browser is; the JSON of its answer. @throws ApiProblem, NodeGone, the signal's reason. */
  call<R extends RoutePath>(route: R, input: InputAt<R>, options?: Omit<RequestOptions, 'key'>): Promise<ResultAt<R>>
  /** The same by what goes out, with the answer as it comes. */
  request(it: Outgoing, options?: Omit<RequestOptions, 'key'>): Promise<Response>
  /** From now on this browser is someone else. */
  become(self: Self): void
  /** Says that a run is over, so that lists and balances are read again. */
  settled(): void
}

interface Opening {
  readonly self: Self
  readonly vkey: string
  readonly node: string
  readonly past: unknown
  readonly onSelf: (self: Self) => void
  readonly onSettled: () => void
}

/** What a run, a proof or a step is asked by: nobody makes one without a key. */
const needsKey = ({ method, path }: Outgoing): boolean => method === 'POST' && path.startsWith('/api/svc/')

/** Identities that a call is tried as: the one at hand, a visitor where the node forgot it, and a new demo key. */
const ATTEMPTS_MAX = 3

/**
 * A session with its node. A credential that the node no longer knows (it was restarted, or its data are new) is
 * replaced, and the call made again. A visitor gets a demo key by the first call that does something and needs one.
 */
export const createSession = ({ self, vkey, node, past, onSelf, onSettled }: Opening): PageSession => {
  let present = self
  let renewal: Promise<void> | undefined
  const become = (next: Self): void => {
    present = next
    onSelf(next)
  }
  const renew = (refused: Self): Promise<void> => {
    if (refused !== present) return Promise.resolve()
    renewal ??= (isVisitor(refused) ? demoSelf() : findSelf()).then(become).finally(() => {
      renewal = undefined
    })
    return renewal
  }
  const ask = async (it: Outgoing, options: Omit<RequestOptions, 'key'> = {}): Promise<Response> => {
    if (isVisitor(present) && needsKey(it)) await renew(present)
    for (let attempt = 1; ; attempt++) {
      const used = present
      try {
        return await request(it, { ...options, key: used.key })
      } catch (error) {
        if (!(error instanceof ApiProblem) || error.status !== 401 || attempt >= ATTEMPTS_MAX) throw error
        // What is only read is no reason for a key.
        if (isVisitor(used) && used === present && it.method === 'GET') throw error
      }
      await renew(used)
    }
  }
  return {
    get self() {
      return present
    },
    vkey,
    node,
    past,
    call: async <R extends RoutePath>(
      route: R,
      input: InputAt<R>,
      options: Omit<RequestOptions, 'key'> = {},
    ): Promise<ResultAt<R>> => jsonOf<ResultAt<R>>(await ask(callOf(route, input), options), options.signal),
    request: ask,
    become,
    settled: onSettled,
  }
}
