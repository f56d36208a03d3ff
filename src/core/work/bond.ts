import Type, { type Static } from 'typebox'
import type { Json } from '#core/canonical.ts'
import { digest, purposes } from '#core/digest.ts'
import { Fault } from '#core/fault.ts'
import { patterns } from '#core/ids.ts'
import { closed, count, fitting, hex64, meshTick, oneOf } from '#core/schema.ts'

/** Envelopes of a bond (interface.md, Contribution bond). */
export const BOND_TOKENS = 1_000
/** Homes of the tokens of one bond. */
const PARTS_MAX = 16

/** Form of the tokens of a bond that have one home. */
const bondPartSchema = closed({
  home: Type.String({ pattern: patterns.logName, description: 'The log that minted them.' }),
  tokens_root: hex64({ description: 'Root over the list of (token_id, spend_seq).' }),
  count: count({ minimum: 1, maximum: BOND_TOKENS }),
  receipt: hex64({ description: 'Digest of the receipt of the lock.' }),
  index: count({ description: "The lock's leaf in the log of the receipt." }),
})

/** Form of the payload of a `bond` event. */
export const bondSchema = closed(
  {
    bond: hex64({ description: 'Its name, which the locks carry.' }),
    random: Type.String({ pattern: '^[0-9a-f]{32}$', description: '16 random bytes, of which the name follows.' }),
    policy: Type.Union([hex64(), oneOf(['open'])]),
    total: Type.Literal(BOND_TOKENS),
    parts: Type.Array(bondPartSchema, { minItems: 1, maxItems: PARTS_MAX }),
  },
  { title: 'Bond' },
)
export type Bond = Static<typeof bondSchema>

/** Form of the payload of a `bond.release` event. */
export const bondReleaseSchema = closed(
  { bond: hex64(), unlocks_at: meshTick({ description: 'It may move later, never earlier.' }) },
  { title: 'BondRelease' },
)

/** A bond's name: of its node and 16 random bytes, so that nobody else can have a lock that carries it. */
export const bondName = (node: string, random: string): string => digest(purposes.bond, { node, random } as Json)

/**
 * Reads the payload of a bond by its author.
 *
 * @throws Fault INVALID_INPUT
 */
export const readBond = (value: unknown, author: string): Bond => {
  const bond = fitting(bondSchema, value)
  const refuse = (why: string): never => {
    throw new Fault('INVALID_INPUT', why)
  }
  if (bond.bond !== bondName(author, bond.random)) refuse('/bond: it is not the name that author and random give.')
  if (bond.parts.reduce((sum, part) => sum + part.count, 0) !== bond.total) refuse('/parts: they do not add up.')
  const homes = bond.parts.map((part) => part.home)
  if (new Set(homes).size !== homes.length) refuse('/parts: a home stands twice.')
  return bond
}

/** Why a bond does not count, or undefined: its lists must be had, and no token may stand in two live ones. */
export const bondFault = (
  bond: Bond,
  lists: ReadonlyMap<string, readonly string[]>,
  elsewhere: ReadonlySet<string>,
): string | undefined => {
  for (const { tokens_root, count: many } of bond.parts) {
    const ids = lists.get(tokens_root)
    if (ids === undefined || ids.length !== many) return 'A list of its tokens cannot be had.'
    const twice = ids.find((id) => elsewhere.has(id))
    if (twice !== undefined) return `Token ${twice} stands in another live bond.`
  }
  return undefined
}
