import { Fault } from '#core/fault.ts'
import { opDigest } from '#core/token/op.ts'
import type { TokenReceiptFile } from '#core/token/receipt.ts'
import { tokenProofOf } from '#domain/network/token-evidence.ts'
import { assertIncluded, assertReceipted } from '#store/away.ts'
import { under } from '#store/layout.ts'
import { speakerOf } from './context.ts'
import { assertRoom, createFetch, type FetchOptions, isReceived } from './fetch.ts'
import { keepMove } from './keep.ts'

/** Arrivals that are not whole yet; of another one its home tells again later. */
const ARRIVALS_MAX = 16_384
/** Tokens that a ZID may have of homes that do not count here: a stranger mints what it likes. */
const UNCOUNTED_TOKENS_MAX = 10_000
/** Arrivals that go on at once, and ticks until one that could not is tried again, doubling to the larger one. */
const RUNS_MAX = 4
const WAIT_TICKS_MIN = 1
const WAIT_TICKS_MAX = 64

export interface Arrivals {
  /** Takes the word of a home that tokens came to a ZID here. @throws Fault UNKNOWN_ZID, BAD_SIGNATURE, NODE_BUSY */
  take(node: string, file: TokenReceiptFile): Promise<void>
  /** Goes on with what is on its way. */
  beat(track: (work: Promise<void>) => void): Promise<void>
}

/** Tokens that came to ZIDs of this node, from a home's word to a row in their owners' lists. */
export const createArrivals = (options: FetchOptions): Arrivals => {
  const { context } = options
  const { store, ports, seek } = context
  const running = new Set<string>()
  const waits = new Map<string, { readonly at: number; readonly ticks: number }>()

  const heldOf = async (zid: string): Promise<number> => {
    let held = 0
    for await (const [, count] of store.range('awayFolder', under(zid))) held += count
    return held
  }

  const countOpen = async (): Promise<number> => {
    let open = 0
    for await (const _ of store.range('awayArrival')) open += 1
    return open
  }

  const run = createFetch(options)

  const start = (digest: string, track: (work: Promise<void>) => void): void => {
    running.add(digest)
    const { meshTick } = store.now()
    const work = run(digest)
      .then(() => void waits.delete(digest))
      .catch((error: unknown) => {
        const ticks = Math.min(2 * (waits.get(digest)?.ticks ?? WAIT_TICKS_MIN / 2), WAIT_TICKS_MAX)
        waits.set(digest, { at: meshTick + ticks, ticks })
        if (waits.size > ARRIVALS_MAX) waits.clear()
        ports()?.log.debug({ digest, error: error instanceof Error ? error.message : error }, 'tokens_arriving')
      })
      .finally(() => running.delete(digest))
    track(work)
  }

  return {
    take: async (node, file) => {
      const { op, public_key, signature, receipt, receipt_signature, proof } = file
      if (!('to' in op) || store.peek('account', op.to) === undefined) throw new Fault('UNKNOWN_ZID')
      const digest = opDigest(op)
      // Told a second time, or sent from here: it is on its way, or whole.
      if (store.peek('awayMove', digest) !== undefined) return
      const speaker = speakerOf(context, op.home)
      if (speaker.node !== node) throw new Fault('BAD_SIGNATURE', 'A node speaks for its own tokens alone.')
      const move = { op, public_key, signature, receipt, receipt_signature }
      assertReceipted(move, speaker.known)
      if (proof !== null) assertIncluded(proof, move)
      const counts =
        ports()?.standingOf(op.home).counts === true && tokenProofOf({ get: store.peek }, op.home) === undefined
      if (!counts && (await heldOf(op.to)) + op.count > UNCOUNTED_TOKENS_MAX) {
        throw new Fault('NODE_BUSY', 'This ZID has many tokens of homes that do not count here.')
      }
      assertRoom(context, op.to, op.home)
      if ((await countOpen()) >= ARRIVALS_MAX) throw new Fault('NODE_BUSY', 'Too many tokens are on their way here.')
      const received = proof !== null && isReceived(context, receipt.log, proof)
      await store.commit((tx) => {
        if (tx.get('awayMove', digest) !== undefined) return
        keepMove(tx, store, { ...move, proof, received })
        tx.put('awayArrival', digest, { listed: false, done: 0 })
      })
    },
    beat: async (track) => {
      const here = new Set(ports()?.peers())
      for await (const [digest] of store.range('awayArrival')) {
        if (running.size >= RUNS_MAX) return
        if (running.has(digest) || (waits.get(digest)?.at ?? 0) > store.now().meshTick) continue
        const op = store.peek('awayMove', digest)?.op
        if (op === undefined) continue
        const { node } = speakerOf(context, op.home)
        if (here.has(node)) start(digest, track)
        else seek(node)
      }
    },
  }
}
