import type { ResultOf } from '#api/result-of.ts'
import { isoOf } from '#core/iso.ts'
import { meshTickStart } from '#core/tick.ts'
import type { TokenVerification } from '#core/token/verify.ts'

/** A move as the node tells it. */
export type MoveTold = ResultOf<'economy.moves'>['moves'][number]

/** `2026-01-31 12:00:00` of a mesh tick, in UTC. */
const timeWords = (meshTick: number): string => isoOf(meshTickStart(meshTick)).slice(0, 19).replace('T', ' ')

const otherOf = ({ direction, from, to, ref }: MoveTold): string => {
  if (to === null) return ref ?? ''
  return direction === 'in' ? `from ${from}` : `to ${to}`
}

/** What was found, in a few words. A list of moves leaves out which envelopes they are: that is no step missed. */
const foundWords = ({ outcome, failing, unchecked }: TokenVerification): string => {
  if (outcome === 'failed') return `NOT verified: ${failing}`
  const [missed] = unchecked.filter((step) => step !== 'list')
  if (missed === undefined) return 'verified'
  return missed === 'key' ? 'not checked: no trusted key' : 'provisional: in no checkpoint yet'
}

/** Rows of a table of moves, newest first as they come; with what was found of each, where it was looked at. */
export const moveRows = (
  moves: readonly MoveTold[],
  found: readonly TokenVerification[] = [],
): readonly (readonly string[])[] =>
  moves.map((it, i) => {
    const { direction, op, count, weight, mesh_tick, state } = it
    const check = found[i]
    const words = [timeWords(mesh_tick), direction, op, `${count}`, `weight ${weight}`, otherOf(it), state]
    return check === undefined ? words : [...words, foundWords(check)]
  })
