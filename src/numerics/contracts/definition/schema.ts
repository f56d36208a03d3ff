import Type, { type Static, type TSchema } from 'typebox'
import type { Json } from '#core/canonical.ts'
import { patterns } from '#core/ids.ts'
import { closed, count, finite, integer, json, meshTick, oneOf, preset, slug, text } from '#core/schema.ts'
import { UNIT_LENGTH_MAX } from '#core/units.ts'
import { LENGTH_MAX } from '#numerics/operators/tokens.ts'

/** The pieces of a definition. Which of several forms a piece has says its `type` or `kind`. */

/** UTF-8 bytes of a definition's canonical form. */
export const BYTES_MAX = 65_536
export const STATES_MAX = 64
export const TRANSITIONS_MAX = 256
/** Members of a context, and of an event's data. */
export const MEMBERS_MAX = 64
/** Events, windows and oracles, of each. */
export const SOURCES_MAX = 64
export const CLAIMS_MAX = 64
/** Actions in one list. */
export const ACTIONS_MAX = 16
/** Computations of one fire: of the state that is left, the transition and the state that is entered. */
export const COMPUTATIONS_MAX = 4
/** Ticks of a day, whole: 86,400 s at 777 ms. */
const DAY_TICKS = 111_197
/** Half of a civil minute, in ticks: cron can come no faster. */
const CRON_JITTER_MAX = 38
const NAME_CHARS_MAX = 255
const TEXT_CHARS_MAX = 4_096
const CHOICES_MAX = 64
const URL_CHARS_MAX = 2_048

/** Names that expressions read. */
export const MEMBER_NAME = patterns.symbol
/** Names of events, states and transitions. */
export const WORD_NAME = '^[A-Za-z][A-Za-z0-9_-]{0,63}$'
/** Names of HTTP headers. */
const HEADER_NAME = '^[A-Za-z][A-Za-z0-9-]{0,63}$'

const optional = Type.Optional
const flag = (standing: boolean) => preset(Type.Boolean({ default: standing }))
const member = () => Type.String({ pattern: MEMBER_NAME })
const word = () => Type.String({ pattern: WORD_NAME })
const expression = () => text(LENGTH_MAX)
const url = () => text(URL_CHARS_MAX, { pattern: '^https?://[^\\s]+$' })
const pointer = () => text(LENGTH_MAX, { pattern: '^(?:/[^/]*)*$' })
const days = (standing: number) => preset(integer({ minimum: 1, maximum: DAY_TICKS, default: standing }))

const named = <T extends TSchema>(value: T, form: string, most: number) =>
  preset(Type.Record(Type.String({ pattern: form }), value, { maxProperties: most, default: {} }))
const list = <T extends TSchema>(items: T, most: number) => Type.Array(items, { maxItems: most })

/** What each type of a member may say beside it. */
const unit = optional(text(UNIT_LENGTH_MAX, { minLength: 1 }))
const kinds = {
  number: { type: Type.Literal('number'), unit, min: optional(finite()), max: optional(finite()) },
  integer: { type: Type.Literal('integer'), unit, min: optional(integer()), max: optional(integer()) },
  boolean: { type: Type.Literal('boolean') },
  text: {
    type: Type.Literal('text'),
    chars: preset(integer({ minimum: 1, maximum: TEXT_CHARS_MAX, default: 256 })),
  },
  choice: {
    type: Type.Literal('choice'),
    of: Type.Array(text(64, { minLength: 1 }), { minItems: 1, maxItems: CHOICES_MAX, uniqueItems: true }),
  },
} as const

const kept = { initial: json(), nullable: flag(false) }
const sent = { nullable: flag(false), optional: flag(false) }

/** Members of the context, by their type. */
export const contextMembers = {
  number: closed({ ...kinds.number, ...kept }),
  integer: closed({ ...kinds.integer, ...kept }),
  boolean: closed({ ...kinds.boolean, ...kept }),
  text: closed({ ...kinds.text, ...kept }),
  choice: closed({ ...kinds.choice, ...kept }),
} as const

/** Members of an event's data, by their type. */
export const dataMembers = {
  number: closed({ ...kinds.number, ...sent }),
  integer: closed({ ...kinds.integer, ...sent }),
  boolean: closed({ ...kinds.boolean, ...sent }),
  text: closed({ ...kinds.text, ...sent }),
  choice: closed({ ...kinds.choice, ...sent }),
} as const

export const event = closed({ data: named(Type.Unknown(), MEMBER_NAME, MEMBERS_MAX) })

const WINDOW_FUNCTIONS = ['count', 'sum', 'avg', 'min', 'max', 'last'] as const

export const window = closed({
  event: word(),
  field: optional(member()),
  fn: oneOf(WINDOW_FUNCTIONS),
  ticks: integer({ minimum: 1, maximum: 1_000_000 }),
})

export const oracle = closed({
  from: Type.Unknown(),
  type: oneOf(['number', 'integer', 'boolean', 'text'] as const),
  unit,
  max_age: integer({ minimum: 1, description: 'Ticks.' }),
  on_stale: preset(oneOf(['refuse', 'last'] as const, { default: 'refuse' })),
})

/** Where an oracle reads, by kind. */
export const readings = {
  contract: closed({ kind: Type.Literal('contract'), id: text(64, { minLength: 1 }), member: member() }),
  machine: closed({ kind: Type.Literal('machine'), slug: slug(), event: word(), field: member() }),
  url: closed({ kind: Type.Literal('url'), url: url(), pointer: pointer(), secret: optional(member()) }),
} as const

const catchUp = preset(
  closed(
    {
      mode: preset(oneOf(['none', 'one', 'all'] as const, { default: 'one' })),
      window: days(DAY_TICKS),
      max: preset(integer({ minimum: 1, maximum: 100, default: 100 })),
    },
    { default: {} },
  ),
)
const overlap = preset(
  Type.Union(
    [
      Type.Literal('skip'),
      Type.Literal('replace'),
      closed({ queue: integer({ minimum: 1, maximum: 100, description: 'Fires that wait.' }) }),
    ],
    { default: 'skip' },
  ),
)
const jitter = (most: number) => preset(count({ maximum: most, default: 0, description: 'Ticks.' }))

/** Triggers by kind. */
export const triggers = {
  one_shot: closed({
    kind: Type.Literal('one_shot'),
    at_unix: optional(count({ description: 'Unix seconds.' })),
    at_tick: optional(meshTick()),
    catchUp,
    overlap,
  }),
  recurring: closed({
    kind: Type.Literal('recurring'),
    every_ticks: integer({ minimum: 1 }),
    phase: preset(count({ default: 0 })),
    jitter: jitter(Number.MAX_SAFE_INTEGER),
    catchUp,
    overlap,
  }),
  cron: closed({
    kind: Type.Literal('cron'),
    expression: text(256, { pattern: '^\\S+( +\\S+){4}$' }),
    timezone: optional(text(64, { minLength: 1 })),
    jitter: jitter(CRON_JITTER_MAX),
    catchUp,
    overlap,
  }),
  event: closed({ kind: Type.Literal('event'), event: word(), from: optional(slug()), overlap }),
  after: closed({ kind: Type.Literal('after'), ticks: integer({ minimum: 1 }), overlap }),
  always: closed({ kind: Type.Literal('always') }),
} as const

const inputs = named(json(), '^[^\\u0000]{1,64}$', 64)

/** Actions by kind, `set` apart, whose members are those of the context. */
export const actions = {
  compute: closed({
    kind: Type.Literal('compute'),
    solver: optional(Type.String({ pattern: patterns.solverName })),
    operators: optional(Type.Array(text(64, { minLength: 1 }), { minItems: 1, maxItems: 4, uniqueItems: true })),
    inputs,
    bind: optional(Type.Record(Type.String({ pattern: MEMBER_NAME }), pointer(), { maxProperties: MEMBERS_MAX })),
  }),
  emit: closed({ kind: Type.Literal('emit'), event: word(), data: named(json(), MEMBER_NAME, MEMBERS_MAX) }),
  transfer: closed({ kind: Type.Literal('transfer'), to: text(64, { minLength: 1 }), amount: json() }),
  notify: closed({
    kind: Type.Literal('notify'),
    url: url(),
    body: json(),
    headers: named(text(1_024, { pattern: '^[\\t\\x20-\\x7e]*$' }), HEADER_NAME, 16),
  }),
  call: closed({
    kind: Type.Literal('call'),
    contract: text(64, { minLength: 1 }),
    event: word(),
    data: named(json(), MEMBER_NAME, MEMBERS_MAX),
  }),
} as const

const actionList = preset(Type.Array(Type.Unknown(), { maxItems: ACTIONS_MAX, default: [] }))

export const state = closed({ initial: flag(false), terminal: flag(false), entry: actionList, exit: actionList })

export const transition = closed({
  id: word(),
  from: Type.Union([word(), Type.Array(word(), { minItems: 1, maxItems: STATES_MAX, uniqueItems: true })]),
  to: word(),
  trigger: Type.Unknown(),
  guard: optional(expression()),
  actions: actionList,
  priority: preset(integer({ minimum: -1_000, maximum: 1_000, default: 0 })),
  on_refused: optional(word()),
})

export const claim = closed({ never: expression() })

const budget = closed(
  {
    credits_per_day: optional(count()),
    fires_per_day: optional(integer({ minimum: 1 })),
    failures_in_row: preset(integer({ minimum: 1, maximum: 1_000, default: 5 })),
  },
  { default: {} },
)

const retry = closed(
  {
    attempts: preset(count({ maximum: 8, default: 0 })),
    backoff: days(10),
    factor: preset(finite({ minimum: 1, maximum: 10, default: 2 })),
    deadline: days(1_287),
  },
  { default: {} },
)

/** A definition without what its pieces hold. */
export const frame = closed({
  v: Type.Literal(1),
  name: text(NAME_CHARS_MAX, { minLength: 1 }),
  timezone: preset(text(64, { minLength: 1, default: 'UTC' })),
  context: named(Type.Unknown(), MEMBER_NAME, MEMBERS_MAX),
  events: named(Type.Unknown(), WORD_NAME, SOURCES_MAX),
  windows: named(Type.Unknown(), MEMBER_NAME, SOURCES_MAX),
  oracles: named(Type.Unknown(), MEMBER_NAME, SOURCES_MAX),
  states: Type.Record(Type.String({ pattern: WORD_NAME }), Type.Unknown(), {
    minProperties: 1,
    maxProperties: STATES_MAX,
  }),
  transitions: list(Type.Unknown(), TRANSITIONS_MAX),
  budget: preset(budget),
  retry: preset(retry),
  claims: preset(Type.Array(Type.Unknown(), { maxItems: CLAIMS_MAX, default: [] })),
})

type OneOf<T extends Readonly<Record<string, TSchema>>> = { [K in keyof T]: Static<T[K]> }[keyof T]

export type ContextMember = OneOf<typeof contextMembers>
export type DataMember = OneOf<typeof dataMembers>
export type WindowRule = Static<typeof window>
export type OracleReading = OneOf<typeof readings>
export type Oracle = Omit<Static<typeof oracle>, 'from'> & { readonly from: OracleReading }
export type Trigger = OneOf<typeof triggers>
/** `{kind: 'set', n: …}`: each other member is a value, or an expression for one. */
export interface SetAction {
  readonly kind: 'set'
  readonly [member: string]: Json
}
export type Action = OneOf<typeof actions> | SetAction
export interface State extends Omit<Static<typeof state>, 'entry' | 'exit'> {
  readonly entry: readonly Action[]
  readonly exit: readonly Action[]
}
export interface Transition extends Omit<Static<typeof transition>, 'from' | 'trigger' | 'actions'> {
  readonly from: readonly string[]
  readonly trigger: Trigger
  readonly actions: readonly Action[]
}
type Frame = Static<typeof frame>

/** A definition in its normal form: every default stands in it. */
export interface Definition extends Pick<Frame, 'v' | 'name' | 'timezone' | 'budget' | 'retry'> {
  readonly context: Readonly<Record<string, ContextMember>>
  readonly events: Readonly<Record<string, { readonly data: Readonly<Record<string, DataMember>> }>>
  readonly windows: Readonly<Record<string, WindowRule>>
  readonly oracles: Readonly<Record<string, Oracle>>
  readonly states: Readonly<Record<string, State>>
  readonly transitions: readonly Transition[]
  readonly claims: readonly Static<typeof claim>[]
}
