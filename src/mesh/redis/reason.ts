import type { RedisStatus } from '#domain/network/views.ts'
import type { FramingFault } from './framing.ts'

/** Why Redis is not to be had, in one word. */
export type LinkFault = Exclude<RedisStatus['reason'], null | 'MESH_SECRET_MISSING'>

/** What came over the connection is not to be read on. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
  readonly reason: FramingFault
  constructor(reason: FramingFault) {
    super(reason)
    this.reason = reason
  }
}

const UNREACHABLE = /^(?:ECONNREFUSED|ENOENT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EACCES|ENOTSOCK|EPERM)$/
const TLS = /^(?:EPROTO|ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH)/

/** The reason that an error of the client or of its socket stands for. */
export const reasonOf = (error: unknown): LinkFault => {
  if (error instanceof Unreadable) return error.reason
  const { name, message, code = '' } = error as { name: string; message: string; code?: string }
  if (name === 'ReplyError') return 'refused'
  if (message === 'Command timed out' || code === 'ETIMEDOUT') return 'silent'
  if (UNREACHABLE.test(code)) return 'unreachable'
  return TLS.test(code) ? 'tls' : 'lost'
}
