import Type, { type Static } from 'typebox'
import type { Json } from '#core/canonical.ts'
import { digest, purposes } from '#core/digest.ts'
import { patterns } from '#core/ids.ts'
import {
  anything,
  byName,
  closed,
  count,
  credits,
  finite,
  hex64,
  integer,
  meshTick,
  nodeId,
  oneOf,
  orNull,
  publicKey,
  signature,
  text,
  zid,
} from '#core/schema.ts'
import { TICK_NS } from '#core/tick.ts'
import { NS_PER_SECOND } from '#core/time.ts'
import { LIST_TOKENS_MAX } from '#core/token/list.ts'
import { receiptFileSchema } from '#core/token/receipt.ts'

/** What is signed and published of votes on community operators (trust.md, Community operators). */

const SECONDS_PER_DAY = 86_400n
/** Whole mesh ticks in so many days, rounded up: a window is never shorter than it says. */
const ticksOfDays = (days: bigint): number => Number((days * SECONDS_PER_DAY * NS_PER_SECOND + TICK_NS - 1n) / TICK_NS)

/** Mesh ticks for which a vote is open: at least a day, at most sixty, seven days unless said. */
export const WINDOW_TICKS_MIN = ticksOfDays(1n)
export const WINDOW_TICKS_DEFAULT = ticksOfDays(7n)
export const WINDOW_TICKS_MAX = ticksOfDays(60n)
/** Mesh ticks after the close until which stakes are locked at most, and from which a result is settled. */
export const SETTLE_TICKS = 1_287
/** Reference cases of a proposal. */
export const CASES_MIN = 3
export const CASES_MAX = 32
/** Characters of any text of a row or a case. */
const TEXT_CHARS_MAX = 2_000
/** Inputs of one case: as many as a relation has variables. */
const INPUTS_MAX = 24

/** One known value of the relation, with where it is from. */
export const caseSchema = closed({
  inputs: byName(patterns.symbol, Type.Union([finite(), text(256)]), INPUTS_MAX),
  output: Type.String({ pattern: patterns.symbol, description: 'The symbol computed.' }),
  value: finite({ description: 'What is known of it, in `unit`.' }),
  unit: text(64),
  source: Type.Optional(text(TEXT_CHARS_MAX, { description: 'Where the value is from.' })),
})
export type ReferenceCase = Static<typeof caseSchema>

/** A proposed row of the table of operators; whether it parses is for the grammar (protocols/operators/README.md). */
export const rowSchema = Type.Object(
  {
    id: text(64, { minLength: 1 }),
    name: text(TEXT_CHARS_MAX, { minLength: 1 }),
    domain: text(64, { minLength: 1 }),
    equation: text(TEXT_CHARS_MAX, { minLength: 1 }),
    variables: anything({ description: 'Symbol → {name, unit, …}, as in the table.' }),
    solves_for: Type.Array(text(32), { maxItems: INPUTS_MAX }),
    source: text(TEXT_CHARS_MAX, { minLength: 1, description: 'The book or paper that the relation is from.' }),
    requires: Type.Optional(anything({ description: 'Joint laws of the variables, as in the table.' })),
    example: Type.Optional(anything({ description: 'A worked example, as in the table.' })),
  },
  { description: 'A row as in the table of operators, other members included.' },
)

/** What a proposal says, for ever: its id is the digest of this. */
export const proposalSchema = closed({
  v: Type.Literal(1),
  node: nodeId({ description: 'Where it was written; it alone opens the vote.' }),
  author: zid({ description: 'Who wrote it, by the word of that node.' }),
  nonce: Type.String({ pattern: patterns.tokenId, description: '16 random bytes: a draft cannot be guessed.' }),
  row: rowSchema,
  cases: Type.Array(caseSchema, { minItems: CASES_MIN, maxItems: CASES_MAX }),
  window_ticks: integer({ minimum: WINDOW_TICKS_MIN, maximum: WINDOW_TICKS_MAX }),
  policy: text(64, { minLength: 1, description: 'open, or the SHA-256 of the mesh policy that it goes by.' }),
  registry_version: Type.String({ pattern: patterns.digest }),
})
export type Proposal = Static<typeof proposalSchema>

/** A proposal's id. */
export const proposalId = (proposal: Proposal): string => digest(purposes.proposal, proposal as unknown as Json)

/** Payload of an event `proposal`: the vote is open, from its tick up to and including `closes`. */
export const openedSchema = closed({ proposal: proposalSchema, closes: meshTick() })

export const sides = ['yes', 'no'] as const
export type Side = (typeof sides)[number]

const { list: _, proof: __, ...receiptParts } = receiptFileSchema.properties
/** The receipt of a lock with the proof of its leaf; the list of tokens stays at home. */
const lockSchema = closed({
  ...receiptParts,
  proof: text(32_768, { minLength: 1, description: 'C2SP tlog-proof v1 of the leaf.' }),
})

/** What a staker signs. */
const stakeSchema = closed({
  proposal: hex64({ description: 'Id of the proposal.' }),
  side: oneOf(sides),
  tokens_root: hex64({ description: 'Root of the list of the lock.' }),
  count: count({ minimum: 1, maximum: LIST_TOKENS_MAX }),
  weight: credits({ description: 'Sum of the faces, by the receipt.' }),
  lock: lockSchema,
})
export type Stake = Static<typeof stakeSchema>

/** Payload of an event `stake`: signed by the staker's ZID key under `tickmesh/stake/1`. */
export const signedStakeSchema = closed({ stake: stakeSchema, public_key: publicKey(), signature: signature() })
export type SignedStake = Static<typeof signedStakeSchema>

/** A stake's name: the digest of what its staker signed. */
export const stakeId = ({ stake }: Pick<SignedStake, 'stake'>): string =>
  digest(purposes.stake, stake as unknown as Json)

/** What a lock of a vote names. */
export const voteRef = (proposal: string): string => `vote:${proposal}`

/** Payload of an event `resolve`: what one node counted. */
export const resolvedSchema = closed({
  proposal: hex64(),
  root: hex64({ description: 'RFC 6962 root over what was counted, ascending by tick and id.' }),
  counted: count({ description: 'Stakes that were counted.' }),
  yes: credits(),
  no: credits(),
  zids: count({ description: 'Distinct stakers.' }),
  passed: Type.Boolean(),
})
export type Resolved = Static<typeof resolvedSchema>

/** Why a stake counts or not, in one word. */
export const countings = ['yes', 'pending', 'unwitnessed', 'no'] as const
export type Counting = (typeof countings)[number]

/** Weight that came from one home. */
export const homeWeight = closed({
  home: Type.String({ pattern: patterns.logName }),
  yes: credits(),
  no: credits(),
  zids: count(),
})
export type HomeWeight = Static<typeof homeWeight>

/** Form of a tally. */
export const tallySchema = closed(
  {
    root: hex64({ description: 'RFC 6962 root over what was counted.' }),
    counted: count({ description: 'Stakes.' }),
    zids: count({ description: 'Distinct stakers.' }),
    yes: credits(),
    yes_effective: credits({
      description: 'Of one home as much as of all others together, where the policy names two logs or more.',
    }),
    no: credits(),
    homes: Type.Array(homeWeight, { description: 'Where the weight is from, the largest first.' }),
    last_ticks_share: orNull(finite({ minimum: 0, maximum: 1 }), {
      description: `Share of the weight that came in the last ${SETTLE_TICKS} mesh ticks; null without weight.`,
    }),
    passed: Type.Boolean(),
    missing: Type.Array(oneOf(['zids', 'weight', 'majority', 'homes']), { description: 'What a pass lacks.' }),
    indicative: Type.Boolean({ description: 'True in an open mesh, where weight costs nothing.' }),
  },
  { title: 'VoteTally' },
)
export type VoteTally = Static<typeof tallySchema>
