import Type from 'typebox'
import { answer, answered, type Call, endpoint } from '#api/endpoint.ts'
import { Fault } from '#core/fault.ts'
import { closed, json, preset, text } from '#core/schema.ts'
import { contractView, contractWarning } from '#domain/contracts/views.ts'
import {
  authoring,
  definition,
  id,
  migrate,
  secretChanges,
  secrets,
  slug,
  someContract,
  start,
  versionNo,
} from './schemas.ts'

const common = { domain: 'contracts', tier: 'machine-control' } as const
const authors = { credential: 'bearer', reach: { to: 'machine', role: 'admin', inPerson: true } } as const
const whole = answered(Type.Object({ contract: contractView, warnings: Type.Array(contractWarning) }))

const example = {
  v: 1,
  name: 'Daily count',
  context: { n: { type: 'integer', initial: 0 } },
  states: { counting: { initial: true } },
  transitions: [
    {
      id: 'count',
      from: 'counting',
      to: 'counting',
      trigger: { kind: 'cron', expression: '0 6 * * *' },
      actions: [{ kind: 'set', n: { $: 'context.n + 1' } }],
    },
  ],
}

/** The header by which a change of this very version is asked for. */
const tagged = <T extends { readonly contract: { readonly version: string } }>(body: T) =>
  answer({ headers: { ETag: `"${body.contract.version}"` }, body })

const PARAMETERS_MAX = 32
const TEMPLATE_CHARS_MAX = 64
const parameters = () =>
  preset(
    Type.Record(Type.String({ pattern: '^[a-z][a-z0-9_]{0,31}$' }), json(), {
      maxProperties: PARAMETERS_MAX,
      additionalProperties: false,
      default: {},
      description: 'Values for the places of the template, as it describes them.',
    }),
  )
const template = (description: string) => text(TEMPLATE_CHARS_MAX, { minLength: 1, description })

const create = endpoint({
  ...common,
  id: 'contracts.create',
  route: 'POST /api/chain/{slug}/contracts',
  access: authors,
  idempotent: true,
  summary: 'A contract of a template, with values in its places. It waits to be started unless `start` says so.',
  audit: { event: 'contract_created', input: ['slug', 'template', 'start'] },
  input: closed({
    slug: slug(),
    template: template('Id of the template.'),
    parameters: parameters(),
    start: start(),
    secrets: secrets(),
  }),
  result: whole,
  status: 201,
  faults: [...authoring, 'CAPACITY_EXCEEDED'],
  example: { slug: 'pump-7', template: 'heartbeat' },
  handle({ contracts }, { input: { slug: name, ...order }, caller, once }) {
    return once((repeat) => contracts.fromTemplate({ caller, slug: name }, order, repeat))
  },
})

const deploy = endpoint({
  domain: 'contracts',
  tier: 'computation',
  id: 'contracts.template-deploy',
  route: 'POST /api/contracts/templates/{id}/deploy',
  access: authors,
  idempotent: true,
  summary: 'The same, of a template that the path names, on a machine that the body names.',
  audit: { event: 'contract_created', input: ['slug', 'id', 'start'] },
  input: closed({
    id: template('Id of the template.'),
    slug: slug(),
    parameters: parameters(),
    start: start(),
    secrets: secrets(),
  }),
  result: whole,
  status: 201,
  faults: [...authoring, 'CAPACITY_EXCEEDED'],
  example: { id: 'heartbeat', slug: 'pump-7' },
  handle({ contracts }, { input: { slug: name, id: of, ...order }, caller, once }) {
    return once((repeat) => contracts.fromTemplate({ caller, slug: name }, { ...order, template: of }, repeat))
  },
})

const custom = endpoint({
  ...common,
  id: 'contracts.custom',
  route: 'POST /api/chain/{slug}/contracts/custom',
  access: authors,
  idempotent: true,
  summary: 'A contract of a definition of one’s own. It waits to be started unless `start` says so.',
  audit: { event: 'contract_created', input: ['slug', 'start'] },
  input: closed({ slug: slug(), definition: definition(), start: start(), secrets: secrets() }),
  result: whole,
  status: 201,
  faults: [...authoring, 'CAPACITY_EXCEEDED'],
  example: { slug: 'pump-7', definition: example },
  handle({ contracts }, { input: { slug: name, ...order }, caller, once }) {
    return once((repeat) => contracts.create({ caller, slug: name }, order, repeat))
  },
})

const imported = endpoint({
  ...common,
  id: 'contracts.import',
  route: 'POST /api/chain/{slug}/contracts/import',
  access: authors,
  idempotent: true,
  summary: 'A contract out of an exported file: its definition alone, with nothing of what it did elsewhere.',
  audit: { event: 'contract_created', input: ['slug', 'start'] },
  input: closed({
    slug: slug(),
    contract: Type.Unknown({ description: 'The file as it was exported.' }),
    start: start(),
    secrets: secrets(),
  }),
  result: whole,
  status: 201,
  faults: [...authoring, 'CAPACITY_EXCEEDED'],
  example: { slug: 'pump-7', contract: { format: 'tickmesh/contract-file/1' } },
  handle({ contracts }, { input: { slug: name, ...order }, caller, once }) {
    return once((repeat) => contracts.imported({ caller, slug: name }, order, repeat))
  },
})

/** What a change goes by, if it says so. */
const matching = ({ headers: { ifMatch } }: Pick<Call<never>, 'headers'>) => ({ ifMatch })

const patch = endpoint({
  ...common,
  id: 'contracts.patch',
  route: 'PATCH /api/chain/{slug}/contracts/{id}',
  access: authors,
  matches: true,
  summary: 'Another definition, as a new version. State and context stay where they fit; what does not is to be said.',
  audit: { event: 'contract_changed', input: ['slug', 'id'] },
  input: closed({
    slug: slug(),
    id: id(),
    definition: Type.Optional(definition()),
    migrate: migrate(),
    secrets: secretChanges(),
  }),
  result: whole,
  sends: ['ETag'],
  faults: [...authoring, 'VERSION_CONFLICT'],
  example: { slug: 'pump-7', id: someContract, definition: example },
  async handle({ contracts }, call) {
    const { slug: name, id: contract, ...order } = call.input
    if (Object.keys(order).length === 0) {
      const message = 'say what is to change: definition, migrate or secrets'
      throw new Fault('INVALID_INPUT', message, { errors: [{ path: '/definition', message }] })
    }
    const asking = { caller: call.caller, slug: name, id: contract }
    return tagged(await contracts.patch(asking, order, matching(call)))
  },
})

const rollback = endpoint({
  ...common,
  id: 'contracts.rollback',
  route: 'POST /api/chain/{slug}/contracts/{id}/rollback',
  access: authors,
  idempotent: true,
  matches: true,
  summary: 'Brings an earlier version back, as a new one: history goes on in one line.',
  audit: { event: 'contract_changed', input: ['slug', 'id'] },
  input: closed({
    slug: slug(),
    id: id(),
    version: versionNo('Number of the version that is to come back.'),
    migrate: migrate(),
  }),
  result: whole,
  faults: [...authoring, 'VERSION_CONFLICT'],
  example: { slug: 'pump-7', id: someContract, version: 1 },
  handle({ contracts }, call) {
    const { slug: name, id: contract, version: to, migrate: moved } = call.input
    const asking = { caller: call.caller, slug: name, id: contract }
    return call.once((repeat) => contracts.rollback(asking, { to, migrate: moved, ...matching(call) }, repeat))
  },
})

export const authorEndpoints = [create, deploy, custom, imported, patch, rollback] as const
