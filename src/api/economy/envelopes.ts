import Type from 'typebox'
import { endpoint } from '#api/endpoint.ts'
import {
  anything,
  closed,
  count,
  credits,
  finite,
  hex64,
  integer,
  oneOf,
  orNull,
  pageOffset,
  text,
  tick,
  tokenId,
} from '#core/schema.ts'
import type { EnvelopeItem } from '#domain/economy/economy.ts'

/** Lists of envelopes, their folders, and one envelope. */
const common = { domain: 'economy', tier: 'computation' } as const

const PAGE_MAX = 1_000
const PAGE_DEFAULT = 50
const FOLDER_CHARS_MAX = 128
const QUERY_CHARS_MAX = 64
/** What a body of the largest size holds. */
const TOKENS_MAX = 29_000

const owner = Type.String({ pattern: '^(zid1[a-z2-7]{32}|house)$', description: 'A ZID, or `house`.' })
const folderName = (description: string) => text(FOLDER_CHARS_MAX, { description })
const search = Type.Optional(
  text(QUERY_CHARS_MAX, { description: 'Token id, tick or hash, or the beginning of a token id or hash.' }),
)

/** Query member that stands for a credential where there is none. */
export const nonce = Type.Optional(
  text(32, { minLength: 32, pattern: '^[0-9a-f]{32}$', description: 'Nonce of the claim, as the answer gave it.' }),
)

/** The envelope as its owner sees it. */
export const envelopeItem = Type.Object({
  token_id: tokenId(),
  hash: hex64({ description: 'Leaf hash in the seal log.' }),
  log: Type.String({ description: 'Name of the seal log.' }),
  index: count({ description: 'Place of the leaf in the log.' }),
  kind: Type.String({ description: '`compute`, or the solver.' }),
  operators: Type.Array(Type.String()),
  face_value: credits({ description: 'Credits burned for it.' }),
  tick: tick(),
  phase: finite({ minimum: 0, maximum: 1 }),
  funding: oneOf(['paid', 'free']),
  issued_to: Type.String({ description: 'Owner: a ZID, or `house`.' }),
  soulbound: Type.Boolean({ description: 'Free-funded: it never moves.' }),
  backs: orNull(Type.String(), { description: 'Who holds the coin when it is not the owner.' }),
  state: oneOf(['promised', 'sealed', 'final']),
  late: Type.Boolean({ description: 'Its checkpoint was made later than on the next boundary.' }),
  witnessed: count({ description: 'Witnesses that have cosigned a tree which holds it.' }),
  folder: Type.String({ description: 'Empty: Unfiled.' }),
  lock: orNull(anything(), { description: '{kind, ref, until} while it cannot move.' }),
  locked_for_vote: Type.Boolean(),
  bonded: Type.Boolean(),
  spend_seq: count(),
  published: Type.Boolean({ description: 'Whether it stands in the public record.' }),
  precisionActual: finite({ minimum: 0, description: 'Measured error in percent.' }),
  bundle: Type.String({ description: 'Path of the bundle.' }),
})

const shown = (it: EnvelopeItem) => ({ ...it, operators: [...it.operators] })

const list = endpoint({
  ...common,
  id: 'economy.envelopes',
  route: 'GET /api/tally/envelopes/{zid}',
  access: { credential: 'bearer', reach: { to: 'own-list' } },
  summary: 'Envelopes of an account, newest first, with search and the real total.',
  input: closed({
    zid: owner,
    limit: Type.Optional(
      integer({ minimum: 1, maximum: PAGE_MAX, default: PAGE_DEFAULT, description: 'Rows of the page.' }),
    ),
    offset: pageOffset(),
    q: search,
    folder: Type.Optional(folderName('Only this folder; empty: Unfiled.')),
  }),
  result: Type.Object({
    ok: Type.Boolean(),
    zid: Type.String(),
    total: count({ description: 'Envelopes that match, on all pages.' }),
    limit: count(),
    offset: count(),
    envelopes: Type.Array(envelopeItem),
  }),
  faults: ['NOT_FOUND'],
  example: { zid: 'house', limit: 10, offset: 0 },
  async handle({ economy }, { input, caller }) {
    const { zid, limit = PAGE_DEFAULT, offset = 0, q, folder } = input
    const page = await economy.envelopes(zid, caller, { limit, offset, q, folder })
    return { ok: true, ...page, envelopes: page.envelopes.map(shown) }
  },
})

const folders = endpoint({
  ...common,
  id: 'economy.folders',
  route: 'GET /api/tally/envelopes/{zid}/folders',
  access: { credential: 'bearer', reach: { to: 'own-list' } },
  summary: 'Folders of an account, with how many envelopes each holds.',
  input: closed({ zid: owner }),
  result: Type.Object({
    ok: Type.Boolean(),
    zid: Type.String(),
    folders: Type.Array(Type.Object({ folder: Type.String({ description: 'Empty: Unfiled.' }), count: count() })),
  }),
  faults: ['NOT_FOUND'],
  example: { zid: 'house' },
  async handle({ economy }, { input, caller }) {
    return { ok: true, zid: input.zid, folders: [...(await economy.folders(input.zid, caller))] }
  },
})

const file = endpoint({
  ...common,
  id: 'economy.file',
  route: 'POST /api/tally/envelopes/folder',
  access: { credential: 'bearer', reach: { to: 'filer' } },
  summary: 'Files envelopes in a folder: those named, or the newest `count` that match.',
  input: closed({
    folder: folderName('Where they go; empty: Unfiled.'),
    token_ids: Type.Optional(
      Type.Array(tokenId(), { minItems: 1, maxItems: TOKENS_MAX, description: 'The envelopes to move.' }),
    ),
    count: Type.Optional(integer({ minimum: 1, description: 'How many, newest first.' })),
    from_folder: Type.Optional(folderName('With count: only from this folder.')),
    q: search,
  }),
  result: Type.Object({ ok: Type.Boolean(), moved: count(), folder: Type.String() }),
  faults: ['NOT_FOUND', 'SCOPE_REQUIRED', 'NODE_BUSY'],
  example: { folder: 'heat', count: 1 },
  async handle({ economy }, { input, caller }) {
    const { folder, token_ids: tokenIds, count: howMany, from_folder: fromFolder, q } = input
    return { ok: true, ...(await economy.file(caller, { folder, tokenIds, count: howMany, fromFolder, q })) }
  },
})

const read = endpoint({
  ...common,
  access: { credential: 'optional', reach: { to: 'envelope' } },
  id: 'economy.envelope',
  route: 'GET /api/envelopes/{token_id}',
  summary: 'One envelope, for its owner. What was made without a key of one’s own is opened by its claim’s nonce.',
  input: closed({ token_id: tokenId(), nonce }),
  result: Type.Object({ ok: Type.Boolean(), ...envelopeItem.properties }),
  faults: ['NOT_FOUND'],
  example: { token_id: '0123456789abcdef0123456789abcdef' },
  async handle({ economy }, { input, caller }) {
    return { ok: true, ...shown(await economy.envelope(input.token_id, caller, input.nonce)) }
  },
})

export const envelopeEndpoints = [list, folders, file, read] as const
