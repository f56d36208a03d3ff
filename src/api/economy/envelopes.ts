import Type from 'typebox'
import { answered, endpoint } from '#api/endpoint.ts'
import { codesOf } from '#core/fault.ts'
import { patterns } from '#core/ids.ts'
import { closed, integer, oneOf, orNull, pageOffset, preset, text, tokenId } from '#core/schema.ts'
import { envelopeItem, envelopePage, filed, folderList } from '#domain/economy/views.ts'

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

/** The page of a receipt that is open; what follows `#` stays in the browser. */
const receiptLink = (token: string, opening: string): string => `/r/${token}#${opening}`

const list = endpoint({
  ...common,
  id: 'economy.envelopes',
  route: 'GET /api/tally/envelopes/{zid}',
  access: { credential: 'bearer', reach: { to: 'own-list' } },
  summary: 'Envelopes of an account, newest first, with search and the real total.',
  input: closed({
    zid: owner,
    limit: preset(integer({ minimum: 1, maximum: PAGE_MAX, default: PAGE_DEFAULT, description: 'Rows of the page.' })),
    offset: pageOffset(),
    q: search,
    folder: Type.Optional(folderName('Only this folder; empty: Unfiled.')),
    movable: Type.Optional(Type.Boolean({ description: 'True: only what can be sent now.' })),
    home: Type.Optional(
      Type.String({ pattern: patterns.logName, description: 'Only of this home: the name of a log.' }),
    ),
    state: Type.Optional(oneOf(['promised', 'sealed', 'final'], { description: 'Only in this state.' })),
    before: Type.Optional(
      Type.String({
        pattern: '^[ae][0-9a-f]{14}$',
        description: '`next` of the page before, in place of an offset: then what is added meanwhile shifts nothing.',
      }),
    ),
  }),
  result: answered(envelopePage),
  faults: ['NOT_FOUND'],
  example: { zid: 'house', limit: 10, offset: 0 },
  handle: ({ economy }, { input, caller }) => economy.envelopes(input.zid, caller, input),
})

const folders = endpoint({
  ...common,
  id: 'economy.folders',
  route: 'GET /api/tally/envelopes/{zid}/folders',
  access: { credential: 'bearer', reach: { to: 'own-list' } },
  summary: 'Folders of an account, with how many envelopes each holds.',
  input: closed({ zid: owner }),
  result: answered(folderList),
  faults: ['NOT_FOUND'],
  example: { zid: 'house' },
  handle: ({ economy }, { input, caller }) => economy.folders(input.zid, caller),
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
  result: answered(filed),
  faults: ['NOT_FOUND', 'SCOPE_REQUIRED', 'NODE_BUSY'],
  example: { folder: 'heat', count: 1 },
  handle: ({ economy }, { input, caller }) => economy.file(caller, input),
})

const read = endpoint({
  ...common,
  access: { credential: 'optional', reach: { to: 'envelope' } },
  id: 'economy.envelope',
  route: 'GET /api/envelopes/{token_id}',
  summary:
    'One envelope, for its owner. Its claim’s nonce opens what was made without a key of one’s own, or was shared.',
  input: closed({ token_id: tokenId(), nonce }),
  result: answered(envelopeItem),
  faults: ['NOT_FOUND'],
  example: { token_id: '0123456789abcdef0123456789abcdef' },
  handle: ({ economy }, { input, caller }) => economy.envelope(input.token_id, caller, input.nonce),
})

const share = endpoint({
  ...common,
  access: { credential: 'bearer', reach: { to: 'own-envelope' } },
  id: 'economy.share',
  route: 'POST /api/envelopes/{token_id}/share',
  idempotent: true,
  summary: 'Opens a receipt to whoever has its link, or closes it again; its owner alone may.',
  audit: { event: 'envelope_shared', input: ['token_id', 'on'] },
  input: closed({
    token_id: tokenId(),
    on: Type.Boolean({
      description: 'True: its nonce opens envelope, bundle and plots. False: to a stranger it is not there again.',
    }),
  }),
  result: answered(
    Type.Object({
      token_id: tokenId(),
      on: Type.Boolean(),
      link: orNull(Type.String(), {
        description:
          'Path of its page. The nonce is the fragment, which browsers send to nobody; null when it is closed.',
      }),
    }),
  ),
  faults: ['NOT_FOUND', 'SCOPE_REQUIRED', ...codesOf('commit'), 'NODE_BUSY'],
  example: { token_id: '0123456789abcdef0123456789abcdef', on: true },
  async handle({ economy }, { input, caller, once }) {
    const { nonce: opening, ...told } = await once((repeat) => economy.share(caller, input, repeat))
    return { ...told, link: told.on ? receiptLink(told.token_id, opening) : null }
  },
})

export const envelopeEndpoints = [list, folders, file, read, share] as const
