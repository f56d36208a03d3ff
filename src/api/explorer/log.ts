import Type from 'typebox'
import { answered, endpoint } from '#api/endpoint.ts'
import { closed, count, hex64, pageLimit, text, tick, tokenId } from '#core/schema.ts'
import { logCheckpointPage, logLeafPage } from '#domain/explorer/views.ts'

/** Look-ups in this node's logs: what any path of tiles leads to, found by its name. */
const common = { domain: 'explorer-platform', tier: 'computation', faults: ['NOT_FOUND'] } as const

const NAME_CHARS_MAX = 16

/** A log by its name on the read paths; whatever is none is no log. */
export const logParameter = text(NAME_CHARS_MAX, {
  description: '`seal` or `events`, the present logs; with `.<era>` behind it that of an era, from 0.',
})

const before = Type.Optional(count({ description: 'Only those before this one: `next` of the page before.' }))

const leaves = endpoint({
  ...common,
  id: 'explorer.log-leaves',
  route: 'GET /api/log/{log}/leaves',
  access: { credential: 'optional', reach: { to: 'anyone' } },
  summary: 'Leaves of a log, newest first, or those that one of index, hash, token and tick names.',
  input: closed({
    log: logParameter,
    index: Type.Optional(count({ description: 'Place in the log.' })),
    hash: Type.Optional(hex64({ description: 'Leaf hash.' })),
    token: Type.Optional(tokenId({ description: 'Token of an envelope that the caller may see, or of the record.' })),
    tick: Type.Optional(tick({ description: 'All leaves of a node tick.' })),
    limit: pageLimit(),
    before,
  }),
  result: answered(logLeafPage),
  example: { log: 'seal', limit: 10 },
  handle: ({ explorer }, { input: { log, ...query }, caller }) => explorer.logs.leaves(log, query, caller),
})

const checkpoints = endpoint({
  ...common,
  id: 'explorer.log-checkpoints',
  route: 'GET /api/log/{log}/checkpoints',
  access: { credential: 'none' },
  summary: 'Signed checkpoints of a log, newest first, with the lines of the witnesses that cosigned them.',
  input: closed({ log: logParameter, limit: pageLimit(), before }),
  result: answered(logCheckpointPage),
  example: { log: 'seal', limit: 10 },
  handle: ({ explorer }, { input: { log, ...page } }) => explorer.logs.checkpoints(log, page),
})

export const logEndpoints = [leaves, checkpoints] as const
