import Type from 'typebox'
import { imageTypes } from '#core/image-form.ts'
import { count, hex64, integer, meshTick, model, oneOf, orNull, tick } from '#core/schema.ts'
import { mintPer } from '#core/token-ranges.ts'
import type { View } from '#core/view.ts'

/** What a machine's token answers beside how much there is of it. */

const ofToken = {
  slug: Type.String(),
  asset: Type.String({ description: '`tally:` and the first 16 digits of the id hash.' }),
}
const seq = (description: string) => count({ description })

/** A rate by which a token is minted. */
const mintRate = model('MintRate', {
  amount: integer({ minimum: 1, description: "Units that one mint issues, to the machine's owner." }),
  per: oneOf(mintPer, { description: 'What mints: fires that transition, or ticks of the mesh.' }),
  every: integer({ minimum: 1, description: 'Each so many-th of them.' }),
})

export const mintStates = ['off', 'on', 'paused', 'ceiling'] as const

/** How a token is minted by itself. */
export const mintShown = model('MintShown', {
  ...ofToken,
  state: oneOf(mintStates, {
    description: 'paused: the machine is not active; ceiling: the last rate ended where no mint of it fits any more.',
  }),
  rate: orNull(mintRate, { description: 'Null while nothing is minted.' }),
  next_mesh_tick: orNull(meshTick(), { description: 'When ticks bring the next.' }),
  issued: count({ description: 'Units that ever came into being.' }),
  remaining: count({ description: 'Units that may still come into being.' }),
  set_seq: orNull(count(), { description: 'The entry of the latest rate; null when there never was one.' }),
})
export type MintShown = View<typeof mintShown>

/** A picture of a token. */
const avatarShown = model('AvatarShown', {
  digest: hex64({ description: 'SHA-256 of the picture.' }),
  media_type: oneOf(imageTypes),
  bytes: count(),
  width: count({ description: 'Pixels.' }),
  height: count({ description: 'Pixels.' }),
  seq: seq('Its entry.'),
  data_url: orNull(Type.String(), { description: 'The picture, where it was asked for.' }),
})

/** What a token says of itself. */
export const tokenShown = model('TokenShown', {
  ...ofToken,
  name: Type.String(),
  symbol: Type.String(),
  max_supply: integer({ minimum: 1, description: 'Units that may ever come into being.' }),
  remaining: count({ description: 'Units that may still come into being.' }),
  description: orNull(Type.String()),
  avatar: orNull(avatarShown),
  mint: orNull(mintRate, { description: 'The rate by which it is minted; null while it is not.' }),
})
export type TokenShown = View<typeof tokenShown>

const owner = (description: string) => Type.String({ description: `ZID, or \`owner\`: ${description}` })

/** Units that came to one holder by one entry. */
export const tokenRangeShown = model('TokenRangeShown', {
  first: integer({ minimum: 1, description: 'The first unit.' }),
  last: integer({ minimum: 1, description: 'The last unit.' }),
  count: integer({ minimum: 1 }),
  owner: owner("the machine's own."),
  seq: seq('The entry by which they came to them; of what never moved, the newest that issued any.'),
})

const withheld = (description: string) => Type.Boolean({ description })

/** A page of a token's ranges, in the order of their units. */
export const tokenRanges = model('TokenRanges', {
  ...ofToken,
  issued: count({ description: 'Units that ever came into being.' }),
  ranges: Type.Array(tokenRangeShown),
  next_after: orNull(count(), { description: 'Where the next page begins; null at the end.' }),
  withheld: withheld(
    'Whether ranges are left out that the chain says sealed: those are for the owner and their holders.',
  ),
})
export type TokenRanges = View<typeof tokenRanges>

/** One unit. What is withheld is null. */
export const tokenUnit = model('TokenUnit', {
  ...ofToken,
  token_id: integer({ minimum: 1, description: 'Number of the unit, from 1.' }),
  owner: orNull(owner("the machine's.")),
  range: orNull(tokenRangeShown),
  issued: orNull(Type.Object({ seq: seq('The entry that issued it.'), tick: tick() })),
  moves: Type.Array(Type.Object({ seq: seq('The entry that moved it.'), tick: tick(), to: Type.String() })),
  withheld: withheld('Whether the chain says sealed where it is.'),
})
export type TokenUnit = View<typeof tokenUnit>

/** What adding a token up again from its chain found. */
export const tallyVerdict = model('TallyVerdict', {
  ...ofToken,
  valid: Type.Boolean({ description: 'Whether all that could be looked at holds.' }),
  entries: count({ description: 'Entries of the chain that were hashed.' }),
  token_entries: count({ description: 'Those of them that tell of the token.' }),
  withheld: count({ description: 'Those of them that are sealed for this caller; with one, no sum is known.' }),
  issued: orNull(count()),
  moved: orNull(count(), { description: "Units that left the machine's owner." }),
  ranges: orNull(count()),
  holders: orNull(count()),
  ledger: oneOf(['equal', 'differs', 'not-compared'], {
    description: 'Whether ledger and rows say the same. They are compared where sums are known and it is the present.',
  }),
  broken_at: orNull(count(), { description: 'Number of the first entry that does not follow.' }),
  message: orNull(Type.String()),
})
export type TallyVerdict = View<typeof tallyVerdict>
