import Type from 'typebox'
import { answered, endpoint } from '#api/endpoint.ts'
import { codesOf } from '#core/fault.ts'
import { closed, hex64, integer, oneOf, pageLimit, pageOffset, preset, tokenId } from '#core/schema.ts'
import {
  caseSchema,
  rowSchema,
  sides,
  WINDOW_TICKS_DEFAULT,
  WINDOW_TICKS_MAX,
  WINDOW_TICKS_MIN,
} from '#core/vote/documents.ts'
import { proposalPage, proposalView, resolved, staked } from '#domain/network/views/votes.ts'

/** Community operators: rows that somebody proposes for the table, and the votes on them. */
const common = { domain: 'network-governance', tier: 'computation' } as const
const account = { credential: 'bearer', reach: { to: 'account' } } as const

/** Proposals in one answer: each is counted for it. */
const PROPOSALS_PER_PAGE_MAX = 50
/** Reference cases that a body may have: more than are taken, so that the refusal says how many there are. */
const CASES_READ_MAX = 256
/** Envelopes of one stake. */
const STAKE_TOKENS_MAX = 4_096
/** Proposals of one address in a minute: each is evaluated. */
const PROPOSALS_PER_MINUTE = 30

const id = () => hex64({ description: 'Id of the proposal.' })
const EXAMPLE_ID = '0'.repeat(64)

const list = endpoint({
  ...common,
  id: 'network.proposals',
  route: 'GET /api/community-operators',
  access: { credential: 'none' },
  summary: 'Proposed operators whose vote is or was open, the newest first, each with its count as of now.',
  input: closed({
    limit: pageLimit({ maximum: PROPOSALS_PER_PAGE_MAX, title: 'ProposalLimit' }),
    offset: pageOffset(),
  }),
  result: answered(proposalPage),
  faults: [],
  example: { limit: 10 },
  handle: ({ votes }, { input }) => votes.list(input),
})

const one = endpoint({
  ...common,
  id: 'network.proposal',
  route: 'GET /api/community-operators/{id}',
  access: { credential: 'none' },
  summary: 'A proposal: row, source, reference cases, live count with weight by home, and which stakes count and why.',
  input: closed({ id: id() }),
  result: answered(proposalView),
  faults: ['NOT_FOUND'],
  example: { id: EXAMPLE_ID },
  handle: ({ votes }, { input }) => votes.get(input.id),
})

const propose = endpoint({
  ...common,
  id: 'network.propose',
  route: 'POST /api/community-operators/propose',
  also: ['POST /api/community-operators'],
  access: account,
  idempotent: true,
  limits: { callsPerMinute: PROPOSALS_PER_MINUTE },
  summary: 'Drafts a proposal: a row of the table with its source, and three or more cases that this node evaluates.',
  input: closed({
    row: rowSchema,
    cases: Type.Array(caseSchema, { maxItems: CASES_READ_MAX, description: 'Known values, three at least.' }),
    window_ticks: preset(
      integer({
        minimum: WINDOW_TICKS_MIN,
        maximum: WINDOW_TICKS_MAX,
        default: WINDOW_TICKS_DEFAULT,
        description: 'Mesh ticks for which the vote is open: seven days unless said, a day at least.',
      }),
    ),
  }),
  result: answered(proposalView),
  faults: [
    'SCOPE_REQUIRED',
    'PRECISION_NOT_MET',
    'RELATION_REFUSED',
    'DIMENSION_MISMATCH',
    'CONSTANT_NOT_FOUND',
    'MISSING_INPUTS',
    'AMBIGUOUS_INPUT',
    'OUT_OF_RANGE',
    'ILL_POSED',
    'UNKNOWN_OPERATOR',
    'NODE_BUSY',
    ...codesOf('commit'),
  ],
  example: {
    row: {
      ...{ id: 'XP1', name: 'Kinetic energy of a body', domain: 'mechanics', equation: 'E = m*v^2/2' },
      variables: {
        E: { name: 'energy', unit: 'J' },
        m: { name: 'mass', unit: 'kg', positive: true },
        v: { name: 'speed', unit: 'm/s' },
      },
      ...{ solves_for: ['E', 'm'], source: 'A textbook, section 7.2' },
      example: { inputs: { m: 2, v: 3 }, output: 'E', value: 9, unit: 'J' },
    },
    cases: [
      { inputs: { m: 2, v: 3 }, output: 'E', value: 9, unit: 'J' },
      { inputs: { m: 1, v: 10 }, output: 'E', value: 50, unit: 'J' },
      { inputs: { E: 8, v: 4 }, output: 'm', value: 1, unit: 'kg' },
    ],
  },
  handle: ({ votes }, { input, caller, once }) => once((repeat) => votes.propose(caller, input, repeat)),
})

const openVote = endpoint({
  ...common,
  id: 'network.open-vote',
  route: 'POST /api/community-operators/{id}/open-vote',
  access: account,
  summary: 'Opens the vote on a draft, for its author alone. Its close is fixed with it.',
  audit: { event: 'vote_opened', input: ['id'], result: ['closes'] },
  input: closed({ id: id() }),
  result: answered(proposalView),
  faults: ['SCOPE_REQUIRED', 'NOT_FOUND', 'VOTE_CLOSED', ...codesOf('commit'), 'NODE_BUSY'],
  example: { id: EXAMPLE_ID },
  handle: ({ votes }, { input, caller }) => votes.openVote(caller, input.id),
})

const stake = endpoint({
  ...common,
  id: 'network.stake',
  route: 'POST /api/community-operators/{id}/stake',
  access: account,
  idempotent: true,
  summary: 'Stakes envelopes on a side: they are locked until the vote was counted, and all come back.',
  audit: { event: 'envelopes_staked', input: ['id', 'side'], result: ['op_digest'] },
  input: closed({
    id: id(),
    side: oneOf(sides, { description: 'The first stake of a ZID fixes its side.' }),
    count: Type.Optional(
      integer({ minimum: 1, maximum: STAKE_TOKENS_MAX, description: 'How many, drawn from those that are free.' }),
    ),
    token_ids: Type.Optional(
      Type.Array(tokenId(), {
        ...{ minItems: 1, maxItems: STAKE_TOKENS_MAX },
        description: 'Which, of one home; soulbound ones, too.',
      }),
    ),
  }),
  result: answered(staked),
  faults: [
    'SCOPE_REQUIRED',
    'NOT_FOUND',
    'VOTE_CLOSED',
    'SIDE_FIXED',
    'TOO_LATE',
    'TOO_FEW',
    'ENVELOPE_LOCKED',
    'SUPERSEDED',
    'OP_EXPIRED',
    'HOME_UNREACHABLE',
    ...codesOf('commit'),
    'NODE_BUSY',
  ],
  example: { id: EXAMPLE_ID, side: 'yes', count: 10 },
  handle: ({ votes }, { input, caller, once }) => once((repeat) => votes.stake(caller, input, repeat)),
})

const resolve = endpoint({
  ...common,
  id: 'network.resolve',
  route: 'POST /api/community-operators/{id}/resolve',
  access: { credential: 'bearer', reach: { to: 'anyone' } },
  summary: 'Counts a vote that is over, publishes the count with its Merkle root, and gives the stakes back.',
  input: closed({ id: id() }),
  result: answered(resolved),
  faults: ['NOT_FOUND', 'VOTE_CLOSED', ...codesOf('commit'), 'NODE_BUSY'],
  example: { id: EXAMPLE_ID },
  handle: ({ votes }, { input }) => votes.resolve(input.id),
})

const promote = endpoint({
  ...common,
  id: 'network.promote',
  route: 'POST /api/community-operators/{id}/promote',
  access: { credential: 'bearer', reach: { to: 'person' } },
  summary: 'Lets a proposal through that passed, in person. The merge into the table is a maintainer’s act.',
  audit: { event: 'proposal_promoted', input: ['id'] },
  input: closed({ id: id(), confirm: Type.Literal(true, { description: 'That this is meant.' }) }),
  result: answered(proposalView),
  faults: ['SCOPE_REQUIRED', 'NOT_FOUND', 'VOTE_CLOSED', ...codesOf('commit'), 'NODE_BUSY'],
  example: { id: EXAMPLE_ID, confirm: true },
  handle: ({ votes }, { input, caller }) => votes.promote(caller, input.id),
})

export const voteEndpoints = [list, one, propose, openVote, stake, resolve, promote] as const
