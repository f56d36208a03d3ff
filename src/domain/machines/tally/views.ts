import Type from 'typebox'
import { count, integer, model, tick } from '#core/schema.ts'
import type { View } from '#core/view.ts'
import { recorded } from '#domain/machines/views.ts'

const token = {
  slug: Type.String(),
  asset: Type.String({ description: '`tally:` and the first 16 digits of the id hash.' }),
  name: Type.String(),
  symbol: Type.String(),
  max_supply: integer({ minimum: 1, description: 'Units that may ever come into being.' }),
}

/** A token that was made. */
export const tokenMade = model('TokenMade', {
  ...token,
  initial: count({ description: "Units that the machine's owner began with." }),
  recorded,
})
export type TokenMade = View<typeof tokenMade>

/** How much of a machine's token there is. */
export const tokenSupply = model('TokenSupply', {
  ...token,
  issued: count({ description: 'Units that ever came into being.' }),
  supply: count({ description: 'Units that accounts hold.' }),
  burned: count({ description: 'Units that are gone: they do not come back.' }),
  remaining: count({ description: 'Units that may still come into being.' }),
  genesis_seq: count({ description: 'Its entry in the chain.' }),
  genesis_tick: tick({ description: 'Node tick of that entry.' }),
})
export type TokenSupply = View<typeof tokenSupply>
