import Type from 'typebox'
import { answered, endpoint, type Frame, idempotencyFaults } from '#api/endpoint.ts'
import { patterns } from '#core/ids.ts'
import { closed, count, json, pageLimit, text } from '#core/schema.ts'
import {
  auditPage,
  fireRow,
  previewView,
  superpositionView,
  takenView,
  verifiedView,
  wouldView,
} from '#domain/contracts/views/firing.ts'
import { MEMBERS_MAX } from '#numerics/contracts/definition/schema.ts'
import { changing, id, reading, slug, someContract } from './schemas.ts'

/** What makes contracts act because somebody asks, and what shows what they did or would do. */
const common = { domain: 'contracts', tier: 'machine-control' } as const
const runners = { credential: 'bearer', reach: { to: 'machine', role: 'operator' } } as const
const owners = { credential: 'bearer', reach: { to: 'machine', role: 'owner' } } as const
/** Each call decides, or reads as many rows as an audit has. */
const costly = { callsPerMinute: 120 } as const
const example = { slug: 'pump-7', id: someContract } as const
const NAME_CHARS_MAX = 64

const name = (description: string) => Type.Optional(text(NAME_CHARS_MAX, { minLength: 1, description }))
const values = (description: string) =>
  Type.Optional(
    Type.Record(Type.String({ pattern: patterns.symbol }), json(), {
      ...{ maxProperties: MEMBERS_MAX, additionalProperties: false },
      description,
    }),
  )

const firing = [
  ...changing,
  ...idempotencyFaults,
  'INVALID_INPUT',
  'CONTRACT_FIRING',
  'NO_TRANSITION',
  'GUARD_FALSE',
  'BUDGET_SPENT',
  'INSUFFICIENT_BALANCE',
] as const

const fireNow = endpoint({
  ...common,
  id: 'contracts.fire-now',
  route: 'POST /api/chain/{slug}/contracts/{id}/fire-now',
  access: runners,
  idempotent: true,
  summary: 'Takes the transition that a clock would take next, now; a paused contract too. The answer is its row.',
  input: closed({ slug: slug(), id: id(), transition: name('The transition, where several could be taken.') }),
  result: answered(Type.Object({ row: fireRow })),
  faults: firing,
  example,
  handle({ contracts }, { input: { transition: named, ...which }, caller, once, signal }) {
    const asking = { ...which, caller }
    return once((repeat) => contracts.fireNow(asking, named, { ...repeat, signal }))
  },
})

const transition = endpoint({
  ...common,
  id: 'contracts.transition',
  route: 'POST /api/chain/{slug}/contracts/{id}/transition',
  access: runners,
  idempotent: true,
  summary: 'Takes a transition by its name, or by an event that is told to this contract alone. The answer is its row.',
  input: closed({
    slug: slug(),
    id: id(),
    transition: name('The transition.'),
    event: name('The event.'),
    data: values('Data of the event.'),
  }),
  result: answered(Type.Object({ row: fireRow })),
  faults: firing,
  example: { ...example, transition: 'count' },
  handle({ contracts }, { input: { slug: machine, id: contract, ...order }, caller, once, signal }) {
    const asking = { slug: machine, id: contract, caller }
    return once((repeat) => contracts.transition(asking, order, { ...repeat, signal }))
  },
})

const dryRun = endpoint({
  ...common,
  id: 'contracts.dry-run',
  route: 'POST /api/chain/{slug}/contracts/{id}/dry-run',
  access: runners,
  summary: 'Decides on given values, or on how things stand. Nothing is written, fired or computed.',
  limits: costly,
  input: closed({
    slug: slug(),
    id: id(),
    transition: name('The transition.'),
    event: name('The event.'),
    data: values('Data of the event.'),
    state: name('The state that it is to be in.'),
    context: values('Members of the context that are to have other values.'),
    readings: values('What oracles are to give.'),
  }),
  result: answered(wouldView),
  faults: [...reading, 'INVALID_INPUT'],
  example,
  handle: ({ contracts }, { input: { slug: machine, id: contract, ...order }, caller }) =>
    contracts.dryRun({ slug: machine, id: contract, caller }, order),
})

const preview = endpoint({
  ...common,
  id: 'contracts.preview',
  route: 'GET /api/chain/{slug}/contracts/{id}/preview',
  access: owners,
  summary: 'What each transition of the present state would do now, for the owner in person.',
  input: closed({ slug: slug(), id: id() }),
  result: answered(previewView),
  faults: reading,
  example,
  handle: ({ contracts }, { input, caller }) => contracts.preview({ ...input, caller }),
})

const audit = endpoint({
  ...common,
  id: 'contracts.audit',
  route: 'GET /api/chain/{slug}/contracts/{id}/audit',
  access: owners,
  summary: 'Every fire and every change of a contract, newest first, opened, for its owner in person.',
  limits: costly,
  input: closed({
    slug: slug(),
    id: id(),
    limit: pageLimit(),
    after: Type.Optional(count({ description: 'Where the page begins: next_after of the one before.' })),
  }),
  result: answered(auditPage),
  faults: reading,
  example: { ...example, limit: 10 },
  handle: ({ contracts }, { input: { limit, after, ...which }, caller }) =>
    contracts.audit({ ...which, caller }, { limit, after }),
})

const verify = endpoint({
  ...common,
  id: 'contracts.verify',
  route: 'POST /api/chain/{slug}/contracts/{id}/verify',
  access: owners,
  summary: 'Decides every row of the audit again from what the rows say, and names the first that differs.',
  limits: { callsPerMinute: 10 },
  input: closed({ slug: slug(), id: id() }),
  result: answered(verifiedView),
  faults: reading,
  example,
  handle: ({ contracts }, { input, caller }) => contracts.verify({ ...input, caller }),
})

const transitions = endpoint({
  ...common,
  id: 'contracts.transitions-stream',
  route: 'GET /api/chain/{slug}/contracts/{id}/transitions/stream',
  access: { credential: 'bearer', reach: { to: 'machine', role: 'viewer' } },
  summary: 'Every successful transition; resumable by Last-Event-ID, with an event `gap` for what is too long ago.',
  input: closed({ slug: slug(), id: id() }),
  result: takenView,
  faults: reading,
  example,
  streams: true,
  handle: ({ contracts }, { input, caller, headers, signal }): AsyncIterable<Frame> =>
    contracts.transitions({ ...input, caller }, headers.lastEventId, signal),
})

const superposition = endpoint({
  domain: 'contracts',
  tier: 'computation',
  access: { credential: 'none' },
  id: 'contracts.public-superposition',
  route: 'GET /api/contracts/public/{id}/superposition',
  summary: 'What could come next of a contract of a public machine, and what each waits for.',
  input: closed({ id: id() }),
  result: answered(superpositionView),
  faults: ['NOT_FOUND'],
  example: { id: someContract },
  handle: ({ contracts }, { input }) => contracts.superposition(input.id),
})

export const firingEndpoints = [
  fireNow,
  transition,
  dryRun,
  preview,
  audit,
  verify,
  transitions,
  superposition,
] as const
