import { Fault } from '#core/fault.ts'
import type { AppliedMove } from '#domain/economy/moving/append.ts'
import { fileOf } from '#domain/economy/moving/show.ts'
import { nodeOfZid } from '#domain/network/succession.ts'
import { keyOf, seqOf, under } from '#store/layout.ts'
import type { HomeAsk } from './ask.ts'
import type { AbroadContext } from './context.ts'
import { ToldFault } from './forms.ts'

/** ZIDs that are looked at in one beat, and told at once. */
const LOOKED_AT_ONCE = 256
const TOLD_AT_ONCE = 8
/** Ticks after which a node that refused or did not answer is told again, doubling to the larger one. */
const WAIT_TICKS_MIN = 2
const WAIT_TICKS_MAX = 512

/** Tells the nodes of recipients of what came to them, until they acknowledge it. */
export const createNotices = (
  { store, home, node: own, ports, seek, signal }: AbroadContext,
  ask: Pick<HomeAsk, 'arrived'>,
) => {
  /** Node → when it may be told again, and how long it waits then. */
  const waits = new Map<string, { readonly at: number; readonly ticks: number }>()
  const telling = new Set<string>()
  let cursor = ''

  const nextAfter = async (zid: string, place: string): Promise<string | undefined> => {
    for await (const [key] of store.range('moveByZid', { gt: keyOf(zid, place), lt: under(zid).lt })) {
      const next = key.slice(zid.length + 1)
      const move = await home.at(seqOf(next))
      if (move !== undefined && 'to' in move.row.op && move.row.op.to === zid) return next
    }
    return undefined
  }

  /** Takes an op off what is to be told. */
  const told = async (zid: string, place: string): Promise<void> => {
    const next = await nextAfter(zid, place)
    await store.commit((tx) => {
      const row = tx.get('notice', zid)
      if (row === undefined || row.first > place) return
      // An op that came meanwhile was not seen by this: then this one is told again, and the next is looked for anew.
      if (next !== undefined) tx.put('notice', zid, { ...row, first: next })
      else if (row.last === place) tx.del('notice', zid)
    })
  }

  const tell = async (zid: string, node: string): Promise<void> => {
    for (let row = store.peek('notice', zid); row !== undefined; row = store.peek('notice', zid)) {
      signal.throwIfAborted()
      const move = (await home.at(seqOf(row.first))) as AppliedMove
      try {
        await ask.arrived(node, await fileOf(store, move, 0))
      } catch (cause) {
        // What it will never take is not told again: it is not its ZID's node, whatever the assertion says.
        if (!(cause instanceof ToldFault && cause.code === 'UNKNOWN_ZID')) throw cause
      }
      await told(zid, row.first)
    }
  }

  const start = (zid: string, node: string, track: (work: Promise<void>) => void): void => {
    telling.add(zid)
    const { meshTick } = store.now()
    const work = tell(zid, node)
      .then(() => void waits.delete(node))
      .catch((error: unknown) => {
        const ticks = Math.min(2 * (waits.get(node)?.ticks ?? WAIT_TICKS_MIN / 2), WAIT_TICKS_MAX)
        waits.set(node, { at: meshTick + ticks, ticks })
        ports()?.log.debug({ zid, node, error: error instanceof Fault ? error.message : error }, 'tokens_untold')
      })
      .finally(() => telling.delete(zid))
    track(work)
  }

  return {
    /** Tells what can be told now. */
    beat: async (track: (work: Promise<void>) => void): Promise<void> => {
      let here: ReadonlySet<string> | undefined
      const isHere = (node: string): boolean => {
        here ??= new Set(ports()?.peers())
        return here.has(node)
      }
      for (const node of waits.keys()) if (!isHere(node)) waits.delete(node)
      let looked = 0
      for await (const [zid] of store.range('notice', { gt: cursor, limit: LOOKED_AT_ONCE })) {
        looked += 1
        cursor = zid
        const node = nodeOfZid({ get: store.peek }, zid)
        if (node === undefined || node === own || telling.has(zid)) continue
        if (!isHere(node)) {
          seek(node)
          continue
        }
        if (telling.size >= TOLD_AT_ONCE || (waits.get(node)?.at ?? 0) > store.now().meshTick) continue
        start(zid, node, track)
      }
      if (looked < LOOKED_AT_ONCE) cursor = ''
    },
  }
}
