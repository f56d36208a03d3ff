import Type from 'typebox'
import { answered, endpoint } from '#api/endpoint.ts'
import { closed, count, finite, integer, json, oneOf, preset, slug, text } from '#core/schema.ts'
import { simulationView } from '#domain/contracts/views.ts'
import { definition, id, someContract } from './schemas.ts'

/** A year of ticks, which is as far as one looks. */
const TICKS_MAX = 40_587_000
const HAPPENINGS_MAX = 1_000
const NAME_CHARS_MAX = 64
const TIMELINE_ROWS_MAX = 1_000
const TIMELINE_ROWS = 200

const name = (description: string) => text(NAME_CHARS_MAX, { minLength: 1, description })
const at = () => count({ maximum: TICKS_MAX, description: 'Ticks from now.' })
const scalar = () => Type.Union([finite(), Type.String(), Type.Boolean(), Type.Null()])
const list = <P extends Parameters<typeof closed>[0]>(properties: P, description: string) =>
  preset(Type.Array(closed(properties), { maxItems: HAPPENINGS_MAX, default: [], description }))

const simulate = endpoint({
  id: 'contracts.simulate',
  route: 'POST /api/contracts/simulate',
  domain: 'contracts',
  tier: 'computation',
  access: { credential: 'bearer', reach: { to: 'own-key' } },
  summary: 'Plays what a contract would do: its clock, and what happens to it. Nothing is written, sent or charged.',
  limits: { callsPerMinute: 60, atOnce: 4 },
  input: closed({
    definition: Type.Optional(definition()),
    contract: Type.Optional(
      closed({ slug: slug(), id: id() }, { description: 'One that is deployed, from where it stands, instead.' }),
    ),
    ticks: integer({ minimum: 1, maximum: TICKS_MAX, description: 'How long it is played from now.' }),
    events: list(
      {
        at: at(),
        event: name('Its name.'),
        from: Type.Optional(slug({ description: 'The machine that it comes from; its own unless said.' })),
        data: preset(Type.Record(Type.String(), json(), { default: {}, description: 'What it carries.' })),
      },
      'Events that come.',
    ),
    readings: list({ at: at(), oracle: name('Which oracle.'), value: scalar() }, 'What oracles give from a tick on.'),
    calls: list(
      { at: at(), transition: Type.Optional(name('The transition; any of the state unless said.')) },
      'What somebody asks of it.',
    ),
    compute: preset(
      oneOf(['run', 'stub'], {
        default: 'stub',
        description:
          'run: computations run, unsealed, within what callers without a key have. stub: they bind nothing.',
      }),
    ),
    limit: preset(
      integer({ minimum: 1, maximum: TIMELINE_ROWS_MAX, default: TIMELINE_ROWS, description: 'Rows of the timeline.' }),
    ),
  }),
  result: answered(simulationView),
  faults: [
    'SCOPE_REQUIRED',
    'NOT_FOUND',
    'INVALID_INPUT',
    'CONTRACT_INVALID',
    'WORK_LIMIT_EXCEEDED',
    'DAILY_LIMIT_EXCEEDED',
    'NODE_BUSY',
    'NODE_STOPPING',
    'WORKER_LOST',
  ],
  example: { contract: { slug: 'pump-7', id: someContract }, ticks: 1_000 },
  handle: ({ contracts }, { input, caller, signal }) => contracts.simulate(input, { caller, signal }),
})

export const simulateEndpoints = [simulate] as const
