import { createDraws } from '#core/draws.ts'
import { Fault } from '#core/fault.ts'
import { lockAt } from '#core/token/state.ts'
import { breathe } from '#core/wait.ts'
import { under } from '#store/layout.ts'
import type { Store } from '#store/store.ts'

/** Keys that are read before others have their turn. */
const READ_AT_ONCE = 4_096

/** Tokens of a list whose lock, which ends by the clock, stands at a mesh tick. */
export const tiedOf = async (store: Store, list: string, meshTick: number): Promise<ReadonlySet<string>> => {
  const tied = new Set<string>()
  for await (const [, token] of store.range('envelopeTimed', under(list))) {
    const row = await store.get('envelope', token)
    if (row !== undefined && lockAt(row.lock, meshTick) !== null) tied.add(token)
  }
  return tied
}

/** Envelopes of a list that may move, by those of it that are tied. */
export const movableCount = async (store: Store, list: string, tied: ReadonlySet<string>): Promise<number> =>
  ((await store.get('movable', list)) ?? 0) - tied.size

/**
 * Draws movable tokens of a list, every set of them as likely (selection sampling over the index, Knuth 3.4.2 S).
 *
 * @throws Fault TOO_FEW {movable}
 */
export const drawMovable = async (store: Store, list: string, count: number): Promise<readonly string[]> => {
  const tied = await tiedOf(store, list, store.now().meshTick)
  let left = await movableCount(store, list, tied)
  if (count > left) throw new Fault('TOO_FEW', undefined, { movable: left })
  const below = createDraws()
  const drawn: string[] = []
  let seen = 0
  for await (const [, token] of store.range('envelopeMovable', under(list))) {
    seen += 1
    if (seen % READ_AT_ONCE === 0) await breathe()
    if (tied.has(token)) continue
    const wanted = count - drawn.length
    if (wanted === left || below(left) < wanted) drawn.push(token)
    left -= 1
    if (drawn.length === count || left === 0) break
  }
  // Whoever minted or moved meanwhile shifted the count: what is missing is too few.
  if (drawn.length < count) throw new Fault('TOO_FEW', undefined, { movable: drawn.length })
  return drawn
}
