import Type from 'typebox'
import { answer, answered, endpoint, idempotencyFaults } from '#api/endpoint.ts'
import { codesOf } from '#core/fault.ts'
import {
  anything,
  closed,
  integer,
  json,
  oneOf,
  orNull,
  pageLimit,
  pageOffset,
  preset,
  slug,
  text,
} from '#core/schema.ts'
import { fillingTypes } from '#core/template/place.ts'
import {
  besideTick,
  channel,
  channelPage,
  channelStatuses,
  INTERVAL_TICKS_MAX,
  outputHeaders,
  TEMPLATE_CHARS_MAX,
} from '#domain/channels/views.ts'
import type { Sealed, Unsealed } from '#domain/compute/types.ts'
import {
  computedResult,
  computedText,
  computeFaults,
  orderFaults,
  sealHeaders,
  sealing,
  solvingFaults,
} from './answer.ts'
import { besideOperators } from './operate.ts'

/** Channels: hosted computations that tick, and seal each tick. */
const common = { domain: 'compute', tier: 'computation' } as const

/** A channel as examples name it. */
export const someChannel = '00112233445566778899aabbccddeeff'

const NAME_CHARS_MAX = 64
const OPERATORS_MAX = 3
const CONTRACT_CHARS_MAX = 64

/** The channel that a path names. */
export const channelId = () =>
  text(NAME_CHARS_MAX, { minLength: 1, title: 'StreamId', description: 'Id of the channel.' })

const values = (description: string, more: { readonly default?: object } = {}) =>
  Type.Record(Type.String(), json(), { maxProperties: NAME_CHARS_MAX, description, ...more })

const INPUTS =
  'Inputs of the solver or of the operators. `{"$": "expression"}` may stand for a value: it is worked out anew for ' +
  'each tick from `tick`, `count`, `head` and `oracle`.'

/** What may be said of a channel at its creation and later. */
const changeable = {
  autotick: Type.Optional(Type.Boolean({ description: 'Whether it ticks by itself, on the grid of mesh ticks.' })),
  tickIntervalTicks: Type.Optional(
    integer({ minimum: 1, maximum: INTERVAL_TICKS_MAX, description: 'Mesh ticks from one due tick to the next; 1.' }),
  ),
  outputFormat: Type.Optional(oneOf(['json', 'template'], { description: 'How the output is shown; json.' })),
  contentType: Type.Optional(
    oneOf(fillingTypes, { description: 'Media type of what a template makes; text/plain. That of json is its own.' }),
  ),
  template: Type.Optional(
    orNull(text(TEMPLATE_CHARS_MAX), { description: 'Text with places `{{path|filter}}`: protocols/wire/channel.md.' }),
  ),
} as const

const reading = ['NOT_FOUND', 'SCOPE_REQUIRED'] as const
const changing = [...reading, 'MACHINE_NOT_ACTIVE', 'NODE_BUSY', 'NODE_STOPPING', ...codesOf('commit')] as const
const computes = ['TEMPLATE_INVALID', ...computeFaults, ...solvingFaults, ...orderFaults, 'NOT_STEPPABLE'] as const
const unique = <T extends string>(codes: readonly T[]): readonly T[] => [...new Set(codes)]

const create = endpoint({
  ...common,
  id: 'compute.stream-create',
  route: 'POST /api/svc/stream/channels',
  also: ['POST /stream/channels'],
  access: { credential: 'bearer', reach: { to: 'account' } },
  idempotent: true,
  summary: 'A channel over a solver or operators. Its key is shown this once; nothing runs and nothing is charged yet.',
  audit: { event: 'stream_created', input: ['slug', 'solver', 'autotick'] },
  input: closed({
    slug: Type.Optional(
      slug({
        description: 'Machine whose chain gets an entry of each tick; one that all channels share when left out.',
      }),
    ),
    solver: Type.Optional(text(NAME_CHARS_MAX, { minLength: 1, description: 'The solver that is run; or operators.' })),
    operators: Type.Optional(
      Type.Array(text(NAME_CHARS_MAX), { minItems: 1, maxItems: OPERATORS_MAX, description: 'Ids of operators.' }),
    ),
    inputs: preset(values(`${INPUTS} Solvers have defaults for what is left out.`, { default: {} })),
    mode: preset(
      oneOf(['fresh', 'continue'], {
        default: 'fresh',
        description: 'Whether each tick computes anew, or takes up where the last one ended, whose errors add up.',
      }),
    ),
    onBound: preset(
      oneOf(['stop', 'restart'], {
        default: 'stop',
        description: 'What becomes of one that is carried on when its errors pass 0.1 %: an end, or a new epoch.',
      }),
    ),
    contract: Type.Optional(
      text(CONTRACT_CHARS_MAX, {
        description: 'Contract of that machine that gets an event `stream_tick` of each tick.',
      }),
    ),
    oracles: preset(
      values('What expressions read as `oracle.<name>`: contracts and machines of this node.', { default: {} }),
    ),
    ...changeable,
  }),
  result: answered(Type.Object({ stream: channel, key: Type.String({ description: 'The key of the channel.' }) })),
  status: 201,
  faults: unique([...changing, ...computes, 'CAPACITY_EXCEEDED', 'RATE_LIMITED', 'SLUG_TAKEN']),
  example: { operators: ['GR37'], inputs: { mass: 1.98892e30 } },
  handle({ channels }, { input, caller, once }) {
    return once((repeat) => channels.create(caller, input, repeat))
  },
})

const list = endpoint({
  ...common,
  id: 'compute.streams',
  route: 'GET /api/svc/streams',
  also: ['GET /stream/channels'],
  access: { credential: 'bearer', reach: { to: 'account' } },
  summary: 'The channels of the account that asks, newest first, as they stand; without what may be long.',
  input: closed({
    limit: pageLimit(),
    offset: pageOffset(),
    status: Type.Optional(oneOf(channelStatuses, { description: 'Only those of this status.' })),
  }),
  result: answered(channelPage),
  faults: ['SCOPE_REQUIRED'],
  example: { limit: 10, offset: 0 },
  handle: ({ channels }, { input, caller }) => channels.list(caller, input),
})

/** Headers of a sealed tick, whatever its body is. */
const headersOf = (sealed: Sealed): Readonly<Record<string, string>> => sealHeaders(sealed)

const tick = endpoint({
  ...common,
  id: 'compute.stream-tick',
  route: 'POST /api/svc/streams/{id}/tick',
  also: ['POST /stream/channels/{id}/tick'],
  access: { credential: 'bearer', reach: { to: 'channel', may: 'tick' } },
  idempotent: true,
  ...sealing,
  summary: 'Computes and seals the next tick, charged to the owner of the channel.',
  input: closed({
    id: channelId(),
    count: Type.Optional(
      integer({ minimum: 1, description: 'The count that the tick must get in its epoch; the next when left out.' }),
    ),
  }),
  result: computedResult({ stream: besideTick }),
  faults: unique([...changing, ...computes, ...idempotencyFaults, 'TICK_TAKEN', 'CHANNEL_CLOSED']),
  example: { id: someChannel },
  async handle({ channels }, { input, caller, signal, once }) {
    const { id, count } = input
    const ticked = await once((repeat) => channels.tick({ caller, id }, count, { repeat, signal }))
    const { sealed, stream } = ticked
    // A result of operators has its value and unit itself.
    const own = sealed.envelope.kind === 'compute' ? besideOperators.own : []
    const beside = { own, more: (_: Sealed | Unsealed) => ({ stream: { ...stream } }) }
    const body = computedText(sealed, beside)
    return answer<never>({ body, type: 'application/json; charset=utf-8', headers: headersOf(sealed) })
  },
})

const state = endpoint({
  ...common,
  id: 'compute.stream',
  route: 'GET /api/svc/streams/{id}',
  also: ['GET /stream/channels/{id}'],
  access: { credential: 'bearer', reach: { to: 'channel', may: 'read' } },
  summary: 'A channel as it stands: what it computes, its head, what it missed and why it last refused.',
  input: closed({ id: channelId() }),
  result: answered(Type.Object({ stream: channel })),
  faults: [...reading],
  example: { id: someChannel },
  handle: ({ channels }, { input: { id }, caller }) => channels.state({ caller, id }),
})

const patch = endpoint({
  ...common,
  id: 'compute.stream-patch',
  route: 'PATCH /api/svc/streams/{id}',
  access: { credential: 'bearer', reach: { to: 'channel', may: 'owner' } },
  summary: 'Says otherwise what a channel computes, shows, or when it ticks; `status: open` lets a stopped one go on.',
  audit: { event: 'stream_changed', input: ['id', 'autotick', 'status'] },
  input: closed({
    id: channelId(),
    inputs: Type.Optional(values(INPUTS)),
    status: Type.Optional(oneOf(['open'], { description: 'Lets a channel go on that was stopped, or starved.' })),
    ...changeable,
  }),
  result: answered(Type.Object({ stream: channel })),
  faults: unique([...changing, ...computes, 'CHANNEL_CLOSED', 'CAPACITY_EXCEEDED']),
  example: { id: someChannel, status: 'open' },
  handle: ({ channels }, { input: { id, ...change }, caller }) => channels.patch({ caller, id }, change),
})

const close = endpoint({
  ...common,
  id: 'compute.stream-close',
  route: 'POST /api/svc/streams/{id}/close',
  also: ['POST /stream/channels/{id}/close'],
  access: { credential: 'bearer', reach: { to: 'channel', may: 'owner' } },
  idempotent: true,
  summary: 'Ends a channel for good: it takes no ticks, and its links open nothing. What it sealed stays.',
  audit: { event: 'stream_closed', input: ['id'] },
  input: closed({ id: channelId() }),
  result: answered(Type.Object({ stream: channel })),
  faults: unique([...changing, ...idempotencyFaults]),
  example: { id: someChannel },
  handle: ({ channels }, { input: { id }, caller, once }) => once((repeat) => channels.close({ caller, id }, repeat)),
})

const latest = endpoint({
  ...common,
  id: 'compute.stream-latest',
  route: 'GET /api/svc/streams/{id}/latest',
  also: ['GET /stream/channels/{id}/latest'],
  access: { credential: 'bearer', reach: { to: 'channel', may: 'read' } },
  ...sealing,
  produces: fillingTypes.filter((it) => it !== 'application/json'),
  summary: 'The newest output, in the format and with the media type of the channel.',
  input: closed({ id: channelId() }),
  result: anything({
    description: 'The newest tick with its result and its envelope, or what the template makes of it.',
  }),
  faults: [...reading],
  example: { id: someChannel },
  async handle({ channels }, { input: { id }, caller }) {
    const { text: body, contentType, sealed } = await channels.latest({ caller, id })
    return answer<never>({
      body,
      type: `${contentType}; charset=utf-8`,
      headers: { ...headersOf(sealed), ...outputHeaders },
    })
  },
})

export const channelEndpoints = [create, list, tick, state, patch, close, latest] as const
