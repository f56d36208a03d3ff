import type { Context } from 'koa'
import { Fault } from '#core/fault.ts'
import type { Identity } from '#domain/identity/identity.ts'
import { isLoopback, plainAddress } from './address.ts'
import { authenticate, type Presented } from './authenticate.ts'

/** What a proxy on this machine says of those it speaks for; the command line says nothing of the kind. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

/** Whether the call comes from this machine: over loopback, or from the very address that it came to, for itself. */
const isHere = ({ req: { socket, headers } }: Context): boolean => {
  if (FORWARDED.some((name) => headers[name] !== undefined)) return false
  const [from, to] = [plainAddress(socket.remoteAddress ?? ''), plainAddress(socket.localAddress ?? '')]
  return isLoopback(from) || (from !== '' && from === to)
}

/**
 * Lets in the owner's own key, presented on this machine: no session, no link, no other account's key.
 *
 * @throws Fault NOT_FOUND, UNAUTHENTICATED, SCOPE_REQUIRED
 */
export const admitOwner = (ctx: Context, identity: Pick<Identity, 'callerOf'>, presented: Presented): void => {
  // Elsewhere there is no such path: whoever reaches the interface over a network learns nothing of it.
  if (!isHere(ctx)) throw new Fault('NOT_FOUND', 'There is no such path.')
  const { authorization, bucket } = presented
  const caller = authenticate(identity as Identity, 'bearer', { authorization, session: undefined, bucket })
  if (caller.kind !== 'owner') {
    throw new Fault('SCOPE_REQUIRED', 'This is for the key of the node’s owner alone.', { scope: 'owner' })
  }
}
