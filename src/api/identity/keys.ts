import Type from 'typebox'
import { answer, answered, endpoint } from '#api/endpoint.ts'
import { closed, integer, text } from '#core/schema.ts'
import { TICK_NS } from '#core/tick.ts'
import { accountItem, createdKey, exportedKey, keyItem } from '#domain/identity/views.ts'

/** An account and its API keys. These paths are this node's own. */
const common = { domain: 'identity-access', tier: 'machine-control' } as const
const noStore = { 'Cache-Control': 'no-store' } as const

/** Ten years. */
const SECONDS_MAX = 315_360_000
const NAME_CHARS_MAX = 64

const listKeys = endpoint({
  ...common,
  id: 'identity.keys',
  route: 'GET /api/auth/keys',
  access: { credential: 'bearer', reach: { to: 'account' } },
  summary: "The account's API keys; never their values.",
  input: closed({}),
  result: answered(Type.Object({ keys: Type.Array(keyItem) })),
  faults: ['SCOPE_REQUIRED'],
  example: {},
  handle: async ({ identity }, { caller }) => ({ keys: await identity.keys(caller) }),
})

const createKey = endpoint({
  ...common,
  id: 'identity.create-key',
  route: 'POST /api/auth/keys',
  access: { credential: 'bearer', reach: { to: 'account' } },
  idempotent: true,
  summary: 'A further API key of the account, shown once. It does not expire unless asked.',
  audit: { event: 'key_created', result: ['id', 'expires_mesh_tick'] },
  input: closed({
    name: text(NAME_CHARS_MAX, { minLength: 1, description: 'What the key is for.' }),
    expires_in_seconds: Type.Optional(
      integer({ minimum: 1, maximum: SECONDS_MAX, description: 'Seconds until it is refused.' }),
    ),
  }),
  result: answered(createdKey),
  status: 201,
  faults: ['SCOPE_REQUIRED', 'RATE_LIMITED', 'NODE_BUSY'],
  example: { name: 'laptop' },
  async handle({ identity }, { input, caller, once }) {
    const { expires_in_seconds: seconds, name } = input
    const expiresMeshTick =
      seconds === undefined
        ? undefined
        : identity.describe().genesisTick + identity.describe().tick + Math.ceil((seconds * 1e9) / Number(TICK_NS))
    const made = await once((repeat) => identity.createKey(caller, { name, expiresMeshTick }, repeat))
    return made
  },
})

const revokeKey = endpoint({
  ...common,
  id: 'identity.revoke-key',
  route: 'DELETE /api/auth/keys/{id}',
  access: { credential: 'bearer', reach: { to: 'account' } },
  summary: 'Revokes an API key of the account, at once and for good.',
  audit: { event: 'key_revoked', input: ['id'] },
  input: closed({ id: text(16, { minLength: 16, pattern: '^[0-9a-f]{16}$', description: 'Key id.' }) }),
  result: answered(Type.Object({ id: Type.String() })),
  faults: ['SCOPE_REQUIRED', 'NOT_FOUND', 'NODE_BUSY'],
  example: { id: '0123456789abcdef' },
  async handle({ identity }, { input, caller }) {
    await identity.revokeKey(caller, input.id)
    return { id: input.id }
  },
})

const account = endpoint({
  ...common,
  id: 'identity.account',
  route: 'GET /api/auth/account',
  access: { credential: 'bearer', reach: { to: 'account' } },
  summary: 'The account that the credential stands for.',
  input: closed({}),
  result: answered(accountItem),
  faults: ['SCOPE_REQUIRED', 'NOT_FOUND'],
  example: {},
  handle: ({ identity }, { caller }) => identity.account(caller),
})

const exportKey = endpoint({
  ...common,
  id: 'identity.export-key',
  route: 'POST /api/auth/account/export',
  access: { credential: 'bearer', reach: { to: 'account' } },
  summary: 'The secret key of an account whose key the node keeps.',
  audit: { event: 'account_key_exported', result: ['zid'] },
  input: closed({}),
  result: answered(exportedKey),
  faults: ['SCOPE_REQUIRED', 'NOT_FOUND'],
  example: {},
  async handle({ identity }, { caller }) {
    return answer({ headers: noStore, body: await identity.exportKey(caller) })
  },
})

const closeSession = endpoint({
  ...common,
  id: 'identity.close-session',
  route: 'DELETE /api/auth/session',
  access: { credential: 'bearer', reach: { to: 'anyone' } },
  summary: "Ends the owner's session that the call came with.",
  audit: { event: 'session_closed' },
  input: closed({}),
  result: answered(Type.Object({})),
  faults: [],
  example: {},
  handle({ identity }, { caller }) {
    identity.closeSession(caller)
    return {}
  },
})

export const keyEndpoints = [listKeys, createKey, revokeKey, account, exportKey, closeSession] as const
