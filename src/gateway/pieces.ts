import { Readable } from 'node:stream'
import type { Context } from 'koa'
import type { Sleep } from '#core/wait.ts'

/** How an answer that comes in pieces is watched. */
export interface Watching {
  readonly sleep: Sleep
  /** How long its reader may take nothing. */
  readonly stallMs: number
}

/** Why the wait for a reader ends when it takes a piece. */
const TAKEN = 'taken'

/** Pieces as they are; a reader that takes none for too long is told of. */
async function* watched(
  pieces: AsyncIterable<Uint8Array>,
  { sleep, stallMs }: Watching,
  onStall: () => void,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    const taken = new AbortController()
    void sleep(stallMs, taken.signal).then(() => {
      if (!taken.signal.aborted) onStall()
    })
    try {
      yield piece
    } finally {
      // A reason given saves the exception that would stand for it.
      taken.abort(TAKEN)
    }
  }
}

/** A body of pieces at the pace of its reader. What ends early looks so: the connection breaks off. */
export const streamOf = (ctx: Context, pieces: AsyncIterable<Uint8Array>, watching: Watching): Readable => {
  const stream: Readable = Readable.from(
    watched(pieces, watching, () => stream.destroy()),
    { objectMode: false },
  )
  stream.once('close', () => {
    // Without this the connection would wait for the rest.
    if (!stream.readableEnded) ctx.res.destroy()
  })
  return stream
}
