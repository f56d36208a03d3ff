import { Readable } from 'node:stream'
import type { Context } from 'koa'
import { Fault } from '#core/fault.ts'
import type { Identity } from '#domain/identity/identity.ts'
import type { Presented } from './authenticate.ts'
import { admitOwner } from './control.ts'
import type { Sleep } from './sse.ts'

/** Where the command line of this machine fetches the rows of a backup. It is no row of the interface. */
export const SNAPSHOT_PATH = '/control/snapshot'

/** All rows of the database as an archive without key files, in one moment. */
export type SnapshotSource = (signal: AbortSignal) => AsyncIterable<Uint8Array>

interface Parts {
  readonly source: SnapshotSource
  readonly identity: Pick<Identity, 'callerOf'>
  readonly sleep: Sleep
  /** How long a reader may take nothing: its snapshot keeps what is overwritten on disk. */
  readonly stallMs: number
}

/** Answers the one call, or refuses it. */
export type Snapshots = (
  ctx: Context,
  circumstance: { readonly presented: Presented; readonly signal: AbortSignal },
) => void

/** Chunks as they are; a reader that takes none for too long is told of. */
async function* watched(
  source: AsyncIterable<Uint8Array>,
  { sleep, stallMs }: Pick<Parts, 'sleep' | 'stallMs'>,
  onStall: () => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    const taken = new AbortController()
    void sleep(stallMs, taken.signal).then(() => {
      if (!taken.signal.aborted) onStall()
    })
    try {
      yield chunk
    } finally {
      taken.abort()
    }
  }
}

/** One snapshot at a time. @throws Fault NOT_FOUND, UNAUTHENTICATED, SCOPE_REQUIRED, NODE_BUSY */
export const createSnapshots = (parts: Parts): Snapshots => {
  let busy = false
  return (ctx, { presented, signal }) => {
    admitOwner(ctx, parts.identity, presented)
    if (busy) throw new Fault('NODE_BUSY', 'Another backup is being taken.')
    busy = true
    const stream: Readable = Readable.from(
      watched(parts.source(signal), parts, () => stream.destroy()),
      { objectMode: false },
    )
    stream.once('close', () => {
      busy = false
      // What ends early must look so: without this the connection would wait for the rest.
      if (!stream.readableEnded) ctx.res.destroy()
    })
    ctx.set('Cache-Control', 'no-store')
    ctx['compress'] = false
    ctx.status = 200
    ctx.body = stream
    ctx.type = 'application/octet-stream'
  }
}
