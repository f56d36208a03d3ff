import Type from 'typebox'
import { answer, answered, endpoint } from '#api/endpoint.ts'
import { closed, oneOf, preset, text, zid } from '#core/schema.ts'
import {
  createdMachineKey,
  machineKey,
  member,
  opened,
  roles,
  scopes,
  shareToken,
  tiers,
  unlocked,
} from '#domain/machines/views.ts'
import { atTick, changing, guarded, slug } from './schemas.ts'

const members = { domain: 'identity-access', tier: 'machine-control' } as const
const control = { domain: 'state-machines', tier: 'machine-control' } as const
const noStore = { 'Cache-Control': 'no-store' } as const

const NAME_CHARS_MAX = 64
const TOKEN_CHARS_MAX = 128
const ISO_CHARS_MAX = 40
const someone = `zid1${'a'.repeat(32)}`

const listAdmins = endpoint({
  ...members,
  id: 'identity.machine-admins',
  route: 'GET /api/chain/{slug}/admins',
  access: { credential: 'bearer', reach: { to: 'machine', role: 'viewer' } },
  summary: 'Who has which role, for members.',
  input: closed({ slug: slug() }),
  result: answered(Type.Object({ admins: Type.Array(member) })),
  faults: guarded,
  example: { slug: 'pump-7' },
  async handle({ machines }, { input, caller }) {
    return { admins: await machines.admins({ caller, slug: input.slug }) }
  },
})

const addAdmin = endpoint({
  ...members,
  id: 'identity.machine-add-admin',
  route: 'POST /api/chain/{slug}/admins',
  access: { credential: 'bearer', reach: { to: 'machine', role: 'admin' } },
  summary: 'Gives an account of this node a role.',
  audit: { event: 'role_given', input: ['slug', 'zid', 'role'] },
  input: closed({
    slug: slug(),
    zid: zid({ description: 'Whose role it is.' }),
    role: oneOf(roles, { description: 'What it may do.' }),
  }),
  result: answered(Type.Object({ admin: member })),
  status: 201,
  faults: [...changing, 'UNKNOWN_ZID'],
  example: { slug: 'pump-7', zid: someone, role: 'viewer' },
  async handle({ machines }, { input, caller }) {
    const admin = await machines.addAdmin({ caller, slug: input.slug }, input.zid, input.role)
    return { admin }
  },
})

const changeAdmin = endpoint({
  ...members,
  id: 'identity.machine-change-admin',
  route: 'PATCH /api/chain/{slug}/admins/{zid}',
  access: { credential: 'bearer', reach: { to: 'machine', role: 'admin' } },
  summary: 'Gives a member another role.',
  audit: { event: 'role_changed', input: ['slug', 'zid', 'role'] },
  input: closed({
    slug: slug(),
    zid: zid({ description: 'Whose role it is.' }),
    role: oneOf(roles, { description: 'What it may do.' }),
  }),
  result: answered(Type.Object({ admin: member })),
  faults: changing,
  example: { slug: 'pump-7', zid: someone, role: 'operator' },
  async handle({ machines }, { input, caller }) {
    return { admin: await machines.changeAdmin({ caller, slug: input.slug }, input.zid, input.role) }
  },
})

const removeAdmin = endpoint({
  ...members,
  id: 'identity.machine-remove-admin',
  route: 'DELETE /api/chain/{slug}/admins/{zid}',
  access: { credential: 'bearer', reach: { to: 'machine', role: 'admin' } },
  summary: 'Takes a role away; its keys fall with it. A member may take itself out.',
  audit: { event: 'role_taken', input: ['slug', 'zid'] },
  input: closed({ slug: slug(), zid: zid({ description: 'Whose role it is.' }) }),
  result: answered(Type.Object({ zid: zid() })),
  faults: changing,
  example: { slug: 'pump-7', zid: someone },
  async handle({ machines }, { input, caller }) {
    await machines.removeAdmin({ caller, slug: input.slug }, input.zid)
    return { zid: input.zid }
  },
})

const listKeys = endpoint({
  ...members,
  id: 'identity.machine-keys',
  route: 'GET /api/chain/{slug}/api-keys',
  access: { credential: 'bearer', reach: { to: 'machine', role: 'admin' } },
  summary: "The machine's keys, for admins; never their values.",
  input: closed({ slug: slug() }),
  result: answered(Type.Object({ keys: Type.Array(machineKey) })),
  faults: guarded,
  example: { slug: 'pump-7' },
  async handle({ machines }, { input, caller }) {
    return { keys: await machines.machineKeys({ caller, slug: input.slug }) }
  },
})

const makeKey = endpoint({
  ...members,
  id: 'identity.machine-make-key',
  route: 'POST /api/chain/{slug}/api-keys',
  access: { credential: 'bearer', reach: { to: 'machine', role: 'admin' } },
  idempotent: true,
  summary: 'A key of the machine, shown once. It reaches no further than its maker, and falls with that role.',
  audit: { event: 'machine_key_created', input: ['slug', 'scope'], result: ['id'] },
  input: closed({
    slug: slug(),
    name: text(NAME_CHARS_MAX, { minLength: 1, description: 'What the key is for.' }),
    scope: preset(oneOf(scopes, { default: 'read', description: 'Acts as viewer, operator or admin.' })),
    rate_limit_tier: preset(oneOf(tiers, { default: 'standard', description: 'low: 60 calls a minute at most.' })),
    expires_at: Type.Optional(text(ISO_CHARS_MAX, { description: 'ISO 8601 with zone; never unless said.' })),
  }),
  result: answered(createdMachineKey),
  status: 201,
  faults: changing,
  example: { slug: 'pump-7', name: 'pipeline', scope: 'write' },
  async handle({ machines }, { input, caller, once }) {
    const { slug: name, ...wish } = input
    const made = await once((repeat) => machines.makeMachineKey({ caller, slug: name }, wish, repeat))
    return made
  },
})

const revokeKey = endpoint({
  ...members,
  id: 'identity.machine-revoke-key',
  route: 'DELETE /api/chain/{slug}/api-keys/{id}',
  access: { credential: 'bearer', reach: { to: 'machine', role: 'admin' } },
  summary: 'Revokes a key of the machine, at once and for good.',
  audit: { event: 'machine_key_revoked', input: ['slug', 'id'] },
  input: closed({ slug: slug(), id: text(16, { minLength: 16, pattern: '^[0-9a-f]{16}$', description: 'Key id.' }) }),
  result: answered(Type.Object({ id: Type.String() })),
  faults: changing,
  example: { slug: 'pump-7', id: '0123456789abcdef' },
  async handle({ machines }, { input, caller }) {
    await machines.revokeMachineKey({ caller, slug: input.slug }, input.id)
    return { id: input.id }
  },
})

const share = endpoint({
  ...control,
  id: 'machines.share',
  route: 'POST /api/chain/state-machines/{slug}/share/set',
  access: { credential: 'bearer', reach: { to: 'machine', role: 'admin' } },
  summary: 'A fresh share token, shown once: who unlocks with it is a viewer. An earlier one falls.',
  audit: { event: 'share_opened', input: ['slug'] },
  input: closed({ slug: slug() }),
  result: answered(shareToken),
  faults: changing,
  example: { slug: 'pump-7' },
  async handle({ machines }, { input, caller }) {
    const made = await machines.share({ caller, slug: input.slug })
    return answer({ headers: noStore, body: made })
  },
})

const unshare = endpoint({
  ...control,
  id: 'machines.unshare',
  route: 'POST /api/chain/state-machines/{slug}/share/disable',
  access: { credential: 'bearer', reach: { to: 'machine', role: 'admin' } },
  summary: 'Ends the share, and the role of whoever came by it.',
  audit: { event: 'share_closed', input: ['slug'] },
  input: closed({ slug: slug() }),
  result: answered(Type.Object({})),
  faults: changing,
  example: { slug: 'pump-7' },
  async handle({ machines }, { input, caller }) {
    await machines.unshare({ caller, slug: input.slug })
    return {}
  },
})

const unlock = endpoint({
  ...control,
  id: 'machines.unlock',
  route: 'POST /api/chain/{slug}/unlock',
  access: { credential: 'bearer', reach: { to: 'share' } },
  summary: 'Makes the caller a viewer by the share token, and says so in the chain.',
  audit: { event: 'share_used', input: ['slug'], result: ['role'] },
  input: closed({ slug: slug(), token: text(TOKEN_CHARS_MAX, { minLength: 1, description: 'The share token.' }) }),
  result: answered(unlocked),
  faults: changing,
  example: { slug: 'pump-7', token: 'as-it-was-given' },
  handle: ({ machines }, { input, caller }) => machines.unlock({ caller, slug: input.slug }, input.token),
})

const decrypt = endpoint({
  domain: 'vault-encryption',
  tier: 'machine-control',
  access: { credential: 'bearer', reach: { to: 'machine', role: 'owner' } },
  id: 'vault.audit-decrypt',
  route: 'POST /api/chain/{slug}/audit/decrypt',
  summary: 'Opens the sealed members of a range, for the owner in person; that it was done is recorded first.',
  audit: { event: 'members_decrypted', input: ['slug', 'from', 'to'] },
  input: closed({ slug: slug(), from: atTick('First node tick.'), to: atTick('Last node tick.') }),
  result: answered(opened),
  faults: changing,
  example: { slug: 'pump-7', from: 0, to: 100 },
  async handle({ machines }, { input, caller }) {
    const { slug: name, ...range } = input
    return answer({ headers: noStore, body: await machines.decrypt({ caller, slug: name }, range) })
  },
})

export const memberEndpoints = [
  listAdmins,
  addAdmin,
  changeAdmin,
  removeAdmin,
  listKeys,
  makeKey,
  revokeKey,
  share,
  unshare,
  unlock,
  decrypt,
] as const
