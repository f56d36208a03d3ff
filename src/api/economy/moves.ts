import Type from 'typebox'
import { answered, endpoint } from '#api/endpoint.ts'
import { codesOf } from '#core/fault.ts'
import { closed, count, hex64, integer, pageLimit, publicKey, signature, tokenId, zid } from '#core/schema.ts'
import { LIST_TOKENS_MAX } from '#core/token/list.ts'
import { tokenOpSchema } from '#core/token/op.ts'
import { tokenPlaceSchema } from '#core/token/receipt.ts'
import { move, movePage, sent, tokenHistory } from '#domain/economy/views.ts'

/** Envelopes that move: sending, ops that come signed, and what moved. */
const common = { domain: 'economy', tier: 'computation' } as const

/** Tokens of an op that comes signed: what a body of ordinary size holds. */
const SIGNED_TOKENS_MAX = 10_000
/** Bytes of a body that names envelopes: all of a list of the largest size. */
const SEND_BODY_BYTES = 67_108_864
/** Signed ops of one address in a minute: each is a signature to verify. */
const OPS_PER_MINUTE = 600

/** What any op is refused with beside its input. */
const moveFaults = [
  'NOT_FOUND',
  'SOULBOUND',
  'ENVELOPE_LOCKED',
  'SUPERSEDED',
  'OP_EXPIRED',
  'HOME_UNREACHABLE',
  ...codesOf('commit'),
  'NODE_BUSY',
] as const

const send = endpoint({
  ...common,
  id: 'economy.send',
  route: 'POST /api/tally/envelopes/transfer-bulk',
  access: { credential: 'bearer', reach: { to: 'account' } },
  idempotent: true,
  limits: { bodyBytes: SEND_BODY_BYTES, longList: 'token_ids' },
  summary: 'Sends envelopes to another account: those named, or `count` drawn from what may move. All of them or none.',
  audit: { event: 'envelopes_sent', input: ['to'], result: ['moved', 'weight'] },
  input: closed({
    to: zid({ description: 'Who receives them.' }),
    count: Type.Optional(integer({ minimum: 1, maximum: LIST_TOKENS_MAX, description: 'How many, drawn at random.' })),
    token_ids: Type.Optional(
      Type.Array(tokenId(), { minItems: 1, maxItems: LIST_TOKENS_MAX, description: 'Which, of one home.' }),
    ),
    allow_unknown: Type.Optional(
      Type.Boolean({ description: 'Send to a ZID that no node is known for: whoever holds its key can claim them.' }),
    ),
  }),
  result: answered(sent),
  faults: ['SCOPE_REQUIRED', 'UNKNOWN_ZID', 'TOO_FEW', ...moveFaults],
  example: { to: 'zid1aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', count: 3 },
  handle: ({ economy }, { input, caller, once }) => once((repeat) => economy.moves.send(caller, input, repeat)),
})

const tokenOp = endpoint({
  ...common,
  id: 'economy.token-op',
  route: 'POST /api/tally/token-op',
  access: { credential: 'optional', reach: { to: 'anyone' } },
  limits: { callsPerMinute: OPS_PER_MINUTE },
  summary: 'Applies an op that the owner of its tokens signed. The same op again gives the same receipt.',
  input: closed({
    op: tokenOpSchema,
    list: Type.Array(tokenPlaceSchema, { minItems: 1, maxItems: SIGNED_TOKENS_MAX, description: 'Ascending by id.' }),
    signature: signature({
      description: 'Over (`tickmesh/token-op/1`, op); of a redeem over (`tickmesh/bearer/1`, op).',
    }),
    public_key: Type.Optional(publicKey({ description: 'The key that signed, where the node may not know it.' })),
  }),
  result: answered(move),
  faults: ['BAD_SIGNATURE', 'BAD_PUBLIC_KEY', ...moveFaults],
  example: {
    op: {
      ...{ home: 'tickmesh.log/12D3KooWAvsgWSPWcPvFdVzXNcDBTGrFEvhsBqTSLtkJ1VU9GCWa/1', op: 'transfer', count: 1 },
      ...{ to: 'zid1aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', tokens_root: '0'.repeat(64), until: null },
      ...{ mesh_tick: 2_300_000_000, valid_to: 2_300_000_120 },
    },
    list: [{ token_id: '0123456789abcdef0123456789abcdef', spend_seq: 0 }],
    signature: '0'.repeat(128),
    public_key: '0'.repeat(64),
  },
  handle: ({ economy }, { input }) => economy.moves.apply(input),
})

const moves = endpoint({
  ...common,
  id: 'economy.moves',
  route: 'GET /api/tally/moves',
  access: { credential: 'bearer', reach: { to: 'account' } },
  summary: 'What moved to and from the account, newest first, each with its receipt and proof.',
  input: closed({
    limit: pageLimit(),
    before: Type.Optional(count({ description: '`next` of the page before.' })),
  }),
  result: answered(movePage),
  faults: ['SCOPE_REQUIRED'],
  example: { limit: 10 },
  handle: ({ economy }, { input, caller }) => economy.moves.moves(caller, input),
})

const one = endpoint({
  ...common,
  id: 'economy.move',
  route: 'GET /api/tally/moves/{op_digest}',
  access: { credential: 'bearer', reach: { to: 'account' } },
  summary: 'One op of the account with its receipt, whole: the file that `tickmesh verify` takes.',
  input: closed({ op_digest: hex64({ description: 'Digest of the op.' }) }),
  result: answered(move),
  faults: ['SCOPE_REQUIRED', 'NOT_FOUND'],
  example: { op_digest: '0'.repeat(64) },
  handle: ({ economy }, { input, caller }) => economy.moves.move(caller, input.op_digest),
})

const history = endpoint({
  ...common,
  id: 'economy.history',
  route: 'GET /api/envelopes/{token_id}/history',
  access: { credential: 'bearer', reach: { to: 'own-envelope' } },
  summary: 'What became of an envelope since it was minted, for its owner.',
  input: closed({ token_id: tokenId() }),
  result: answered(tokenHistory),
  faults: ['NOT_FOUND', 'SCOPE_REQUIRED'],
  example: { token_id: '0123456789abcdef0123456789abcdef' },
  handle: ({ economy }, { input, caller }) => economy.moves.history(caller, input.token_id),
})

export const moveEndpoints = [send, tokenOp, moves, one, history] as const
