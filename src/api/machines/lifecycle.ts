import Type from 'typebox'
import { answered, endpoint } from '#api/endpoint.ts'
import { codesOf } from '#core/fault.ts'
import { closed, oneOf, orNull, preset, slug as slugSchema, text } from '#core/schema.ts'
import { createdMachine, machine, statuses } from '#domain/machines/views.ts'
import { changing, seen, slug } from './schemas.ts'

const DISPLAY_CHARS_MAX = 255
const PURPOSE_CHARS_MAX = 4_000

const displayName = () => text(DISPLAY_CHARS_MAX, { description: 'Name for people.' })
const purpose = () => text(PURPOSE_CHARS_MAX, { description: 'What the machine is for.' })

export const createMachine = endpoint({
  id: 'machines.create',
  route: 'POST /api/chain/state-machines',
  domain: 'state-machines',
  tier: 'computation',
  access: { credential: 'bearer', reach: { to: 'account' } },
  idempotent: true,
  summary: 'Spins a machine up: a chain of its own from its genesis on, and an admin key that is shown once.',
  audit: { event: 'machine_created', input: ['slug', 'is_public'], result: ['key_id'] },
  input: closed({
    slug: Type.Optional(
      slugSchema({ description: "The machine's name; the caller's ZID, with a suffix, unless said." }),
    ),
    is_public: preset(Type.Boolean({ default: false, description: 'Whether everyone may read the chain.' })),
    display_name: Type.Optional(displayName()),
    purpose: Type.Optional(purpose()),
    parent_origin: Type.Optional(
      text(DISPLAY_CHARS_MAX, { minLength: 1, description: 'Where it comes from; this node unless said.' }),
    ),
  }),
  result: answered(createdMachine),
  status: 201,
  faults: ['SCOPE_REQUIRED', 'INVALID_SLUG', 'SLUG_TAKEN', 'RATE_LIMITED', ...codesOf('commit'), 'NODE_BUSY'],
  example: { slug: 'pump-7', is_public: true, display_name: 'Pump 7' },
  async handle({ machines }, { input, caller, once }) {
    return await once((repeat) => machines.create(caller, input, repeat))
  },
})

export const listMachines = endpoint({
  id: 'machines.list',
  route: 'GET /api/chain/state-machines',
  domain: 'state-machines',
  tier: 'computation',
  access: { credential: 'optional', reach: { to: 'anyone' } },
  summary: "The caller's machines and public ones, newest first, 100 at most.",
  input: closed({}),
  result: answered(Type.Object({ machines: Type.Array(machine) })),
  faults: [],
  example: {},
  handle: async ({ machines }, { caller }) => ({ machines: await machines.list(caller) }),
})

export const readMachine = endpoint({
  id: 'machines.read',
  route: 'GET /api/chain/state-machines/{slug}',
  domain: 'state-machines',
  tier: 'computation',
  access: { credential: 'optional', reach: { to: 'machine', role: 'none' } },
  summary: 'What a machine is and where it stands.',
  input: closed({ slug: slug() }),
  result: answered(Type.Object({ machine })),
  faults: seen,
  example: { slug: 'pump-7' },
  handle: ({ machines }, { input, caller }) => ({ machine: machines.read({ caller, slug: input.slug }) }),
})

export const setStatus = endpoint({
  id: 'machines.status',
  route: 'POST /api/chain/{slug}/status',
  domain: 'state-machines',
  tier: 'machine-control',
  access: { credential: 'bearer', reach: { to: 'machine', role: 'admin' } },
  summary: 'Activates, pauses or archives a machine. Writers are refused unless it is active.',
  input: closed({ slug: slug(), status: oneOf(statuses, { description: 'The status it is to have.' }) }),
  result: answered(Type.Object({ machine })),
  faults: changing,
  example: { slug: 'pump-7', status: 'active' },
  async handle({ machines }, { input, caller }) {
    return { machine: await machines.setStatus({ caller, slug: input.slug }, input.status) }
  },
})

export const changeSettings = endpoint({
  id: 'machines.settings',
  route: 'PATCH /api/chain/{slug}/settings',
  domain: 'state-machines',
  tier: 'machine-control',
  access: { credential: 'bearer', reach: { to: 'machine', role: 'admin' } },
  summary: 'Changes what a machine is called and who may read it; members left out stay as they are.',
  audit: { event: 'machine_settings_changed', input: ['slug', 'is_public'] },
  input: closed({
    slug: slug(),
    is_public: Type.Optional(Type.Boolean({ description: 'Whether everyone may read the chain.' })),
    display_name: Type.Optional(orNull(displayName(), { description: 'Name for people.' })),
    purpose: Type.Optional(orNull(purpose(), { description: 'What the machine is for.' })),
  }),
  result: answered(Type.Object({ machine })),
  faults: [...changing, 'MACHINE_NOT_ACTIVE'],
  example: { slug: 'pump-7', display_name: 'Pump seven' },
  async handle({ machines }, { input: { slug: name, ...order }, caller }) {
    return { machine: await machines.settings({ caller, slug: name }, order) }
  },
})

export const lifecycleEndpoints = [createMachine, listMachines, readMachine, setStatus, changeSettings] as const
