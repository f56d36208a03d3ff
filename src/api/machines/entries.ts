import Type, { type TObject } from 'typebox'
import { answered, type Call, endpoint } from '#api/endpoint.ts'
import type { Repeat } from '#core/once.ts'
import { anything, closed, count, hex64, oneOf, preset, text } from '#core/schema.ts'
import { type RecordedView, recorded } from '#domain/machines/views.ts'
import { slug, writing } from './schemas.ts'

const TYPE_CHARS_MAX = 64
const TEXT_CHARS_MAX = 1_024

const common = {
  domain: 'state-machines',
  tier: 'machine-control',
  access: { credential: 'bearer', reach: { to: 'machine', role: 'operator' } },
  idempotent: true,
  result: answered(recorded),
  status: 201,
} as const

/** A recorded entry, as its writer is told. */
export const recordedAnswer = ({ answer }: { readonly answer: RecordedView }): RecordedView => answer

/** Who writes to which machine, and how a repeat is known. */
export const writingOf = ({ caller }: Pick<Call<TObject>, 'caller'>, machine: string, repeat: Repeat) => ({
  caller,
  slug: machine,
  scope: repeat.scope,
  idempotencyKey: repeat.key,
})

const data = Type.Record(Type.String(), anything(), {
  description:
    'What contracts read: kept, in at most 4,096 bytes of RFC 8785; open if the machine is public, else sealed.',
})

const event = endpoint({
  ...common,
  id: 'machines.event',
  route: 'POST /api/chain/{slug}/event',
  summary: "Records an event by its payload's hash, which is not kept, and with data that contracts read, which are.",
  input: closed({
    slug: slug(),
    type: preset(text(TYPE_CHARS_MAX, { minLength: 1, default: 'event', description: 'Name of the event.' })),
    payload: Type.Optional(anything({ description: 'Any JSON; what is kept is SHA-256 of its RFC 8785 bytes.' })),
    hash: Type.Optional(hex64({ description: 'The hash, if the payload is not sent.' })),
    data: Type.Optional(data),
    note: Type.Optional(text(TEXT_CHARS_MAX, { description: 'Free text; sealed, for the owner alone.' })),
  }),
  faults: writing,
  example: { slug: 'pump-7', type: 'reading', data: { pressure_Pa: 101_325 } },
  async handle({ machines }, call) {
    const { slug: name, ...order } = call.input
    return recordedAnswer(await call.once((repeat) => machines.event(writingOf(call, name, repeat), order)))
  },
})

const state = endpoint({
  ...common,
  id: 'machines.record-state',
  route: 'POST /api/chain/{slug}/state',
  summary: "Records a snapshot of the machine's state by its hash.",
  input: closed({ slug: slug(), state_hash: hex64({ description: 'SHA-256 of the state, 64 hex digits.' }) }),
  faults: writing,
  example: { slug: 'pump-7', state_hash: '0'.repeat(64) },
  async handle({ machines }, call) {
    const { slug: name, state_hash: hash } = call.input
    return recordedAnswer(await call.once((repeat) => machines.recordState(writingOf(call, name, repeat), hash)))
  },
})

const file = endpoint({
  ...common,
  id: 'machines.file',
  route: 'POST /api/chain/{slug}/file',
  summary: 'Records a file by its hash. The file stays where it is; its name is sealed.',
  input: closed({
    slug: slug(),
    hash: hex64({ description: 'SHA-256 of the file.' }),
    bytes: Type.Optional(count({ description: 'Its length.' })),
    media_type: Type.Optional(text(TYPE_CHARS_MAX, { description: 'Its media type.' })),
    name: Type.Optional(text(TEXT_CHARS_MAX, { description: 'Its name; sealed, for the owner alone.' })),
  }),
  faults: writing,
  example: { slug: 'pump-7', hash: '1'.repeat(64), bytes: 1_287, media_type: 'text/csv' },
  async handle({ machines }, call) {
    const { slug: name, ...order } = call.input
    return recordedAnswer(await call.once((repeat) => machines.file(writingOf(call, name, repeat), order)))
  },
})

const connection = endpoint({
  ...common,
  id: 'machines.connection',
  route: 'POST /api/chain/{slug}/connection',
  summary: 'Records a connection of the machine; with whom is sealed.',
  input: closed({
    slug: slug(),
    direction: oneOf(['inbound', 'outbound'], { description: 'Who called whom.' }),
    address: Type.Optional(text(TEXT_CHARS_MAX, { description: 'The other end; sealed.' })),
    agent: Type.Optional(text(TEXT_CHARS_MAX, { description: 'Its program; sealed.' })),
    note: Type.Optional(text(TEXT_CHARS_MAX, { description: 'Free text; sealed.' })),
  }),
  faults: writing,
  example: { slug: 'pump-7', direction: 'inbound', address: '192.0.2.7' },
  async handle({ machines }, call) {
    const { slug: name, ...order } = call.input
    return recordedAnswer(await call.once((repeat) => machines.connection(writingOf(call, name, repeat), order)))
  },
})

const rejection = endpoint({
  ...common,
  tier: 'computation',
  id: 'machines.rejection-log',
  route: 'POST /api/chain/rejection-log',
  summary: "Puts a refusal that a client met on a machine's record.",
  input: closed({
    slug: slug(),
    code: text(TYPE_CHARS_MAX, { minLength: 1, description: 'Code of the refusal.' }),
    hash: Type.Optional(hex64({ description: 'SHA-256 of what was refused.' })),
    reason: Type.Optional(text(TEXT_CHARS_MAX, { description: 'Free text; sealed.' })),
  }),
  faults: writing,
  example: { slug: 'pump-7', code: 'PRECISION_NOT_MET' },
  async handle({ machines }, call) {
    const { slug: name, ...order } = call.input
    return recordedAnswer(await call.once((repeat) => machines.rejection(writingOf(call, name, repeat), order)))
  },
})

export const entryEndpoints = [event, state, file, connection, rejection] as const
