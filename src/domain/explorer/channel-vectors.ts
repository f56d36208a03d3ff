import { channelWalk } from '#core/channel/entries.ts'
import { channelStateDigest } from '#core/channel/state.ts'
import { digest } from '#core/digest.ts'
import { each, type Golden, same, type Vectors } from './vector.ts'

/** States of ticks, and walks along the entries of channels that hold or break. */
export const channel: Vectors = (it) => [
  ...each(it.digests, (row) => digest(row.purpose, row.value) === row.digest),
  ...each(it.ticks, ({ state, ...tick }) => channelStateDigest(tick) === state),
  ...each(it.walks, ({ entries, head, sealed, missed, breaks }) => {
    const walk = channelWalk()
    const at = entries.findIndex(({ type, body }: Golden) => walk.take(type, body) !== undefined)
    return breaks === null
      ? at < 0 && same([walk.head, walk.sealed, walk.missed], [head, sealed, missed])
      : at === breaks
  }),
]
