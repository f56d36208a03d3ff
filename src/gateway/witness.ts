import type { Context } from 'koa'
import { ADD_CHECKPOINT_BYTES_MAX } from '#core/add-checkpoint.ts'
import { Fault } from '#core/fault.ts'
import type { WitnessDoor } from '#domain/network/witness/door.ts'
import { createBodyReader } from './body.ts'
import { allowanceHeaders, type Limits } from './limits.ts'
import type { Sleep } from './sse.ts'

/** C2SP tlog-witness: submission and monitoring prefix of this node's witness. It is no row of the interface. */
const PREFIX = '/witness/'
const ADD_PATH = `${PREFIX}add-checkpoint`
const CHECKPOINT_PATH = /^\/witness\/([0-9a-f]{64})\/checkpoint$/

/** Requests of one address bucket in a minute: each that holds costs two signatures and a write. */
export const WITNESS_CALLS_PER_MINUTE = 240
const own = { id: 'witness', callsPerMinute: WITNESS_CALLS_PER_MINUTE }

interface Parts {
  readonly services: { readonly witness: { readonly door: WitnessDoor } }
  readonly limits: Limits
  readonly sleep: Sleep
  readonly bodyTimeoutMs: number
}

/** Answers what lies under the prefix, or refuses it. */
export type WitnessRoute = (
  ctx: Context,
  circumstance: { readonly bucket: string; readonly signal: AbortSignal },
) => Promise<void>

/** Whether a path is the witness's. */
export const isWitnessPath = (path: string): boolean => path.startsWith(PREFIX)

const write = (ctx: Context, { status, type, body }: { status: number; type: string; body: string }): void => {
  ctx.set('Cache-Control', 'no-store')
  ctx.status = status
  ctx.body = body
  // Exactly this type: what follows a semicolon would not be C2SP's.
  ctx.res.setHeader('Content-Type', type)
}

/**
 * Who asks is not asked: the signature on the checkpoint is the credential.
 *
 * @throws Fault NOT_FOUND, METHOD_NOT_ALLOWED, RATE_LIMITED, and those of a body that cannot be read.
 */
export const createWitnessRoute = ({ services, limits, sleep, bodyTimeoutMs: timeoutMs }: Parts): WitnessRoute => {
  const readBody = createBodyReader(64 * ADD_CHECKPOINT_BYTES_MAX)
  return async (ctx, { bucket, signal }) => {
    const hash = CHECKPOINT_PATH.exec(ctx.path)?.[1]
    if (hash === undefined && ctx.path !== ADD_PATH) throw new Fault('NOT_FOUND', 'There is no such path.')
    const allow = hash === undefined ? ['POST'] : ['GET', 'HEAD']
    if (!allow.includes(ctx.method)) throw new Fault('METHOD_NOT_ALLOWED', undefined, { allow })
    ctx.set(allowanceHeaders(await limits.take({ kind: 'anonymous', bucket }, { own })))
    if (hash === undefined) {
      const bytes = await readBody(ctx.req, { bytesMax: ADD_CHECKPOINT_BYTES_MAX, timeoutMs }, { sleep, signal })
      return write(ctx, await services.witness.door.add(bytes))
    }
    const note = services.witness.door.checkpoint(hash)
    if (note === undefined) throw new Fault('NOT_FOUND', 'No checkpoint of that log was cosigned here.')
    write(ctx, { status: 200, type: 'text/plain; charset=utf-8', body: note })
  }
}
