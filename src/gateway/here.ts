import type { Context } from 'koa'
import { isLoopback, plainAddress } from './address.ts'

/** What a proxy on this machine says of those it speaks for; the command line says nothing of the kind. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

/** Whether the call comes from this machine: over loopback, or from the very address that it came to, for itself. */
export const isHere = ({ req: { socket, headers } }: Pick<Context, 'req'>): boolean => {
  if (FORWARDED.some((name) => headers[name] !== undefined)) return false
  const [from, to] = [plainAddress(socket.remoteAddress ?? ''), plainAddress(socket.localAddress ?? '')]
  return isLoopback(from) || (from !== '' && from === to)
}
