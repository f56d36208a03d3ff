import Type from 'typebox'
import { closed, count, json, oneOf, text } from '#core/schema.ts'
import type { View } from '#core/view.ts'
import { parameter } from '#routing/contracts/parameter.ts'

/** A template: a definition with places to fill, what each place takes, and a scenario that it is shown by. */

/** What templates are for. */
export const CATEGORIES = [
  'monitoring',
  'escalation',
  'approval',
  'billing',
  'finance',
  'maintenance',
  'energy',
  'scheduling',
  'safety',
  'quality',
  'logistics',
  'research',
  'notification',
] as const

const ID = '^[a-z][a-z0-9-]{0,63}$'
const WORDS_MAX = 64

const words = (description: string) =>
  Type.Array(text(64, { minLength: 1 }), { maxItems: WORDS_MAX, uniqueItems: true, description })

/** One thing that happens in a scenario: an event, an oracle’s value, or somebody who asks for a transition. */
const step = closed({
  at: count({ description: 'Ticks after the start.' }),
  event: Type.Optional(text(64)),
  data: Type.Optional(Type.Record(Type.String(), json())),
  oracle: Type.Optional(text(32)),
  value: Type.Optional(json()),
  transition: Type.Optional(text(64)),
})

/** What somebody who reads the scenario may rely on; texts and whole numbers as they are, others within a millionth. */
const expectation = closed({
  state: text(64),
  context: Type.Optional(Type.Record(Type.String(), json())),
  fired: Type.Array(text(64), { description: 'Transitions taken, in their order, those of `always` among them.' }),
  refused: Type.Optional(Type.Array(text(32), { description: 'Reasons, in their order.' })),
  transfers: Type.Optional(Type.Array(closed({ to: text(64), amount: Type.Integer() }))),
  emits: Type.Optional(Type.Array(text(64), { description: 'Names of events, in their order.' })),
  notifies: Type.Optional(Type.Integer({ minimum: 0, description: 'Calls of addresses.' })),
  calls: Type.Optional(Type.Integer({ minimum: 0, description: 'Calls of contracts.' })),
})

/** A day of a contract’s life, and how it ends. Computations really run. */
const scenario = closed({
  says: text(400, { minLength: 1 }),
  parameters: Type.Record(Type.String(), json()),
  start_unix: count({ description: 'Unix seconds.' }),
  steps: Type.Array(step, { maxItems: 256 }),
  until: count({ description: 'Ticks after the start.' }),
  expect: expectation,
})

/** A file of `protocols/contracts`. */
export const template = closed({
  v: Type.Literal(1),
  id: Type.String({ pattern: ID }),
  category: oneOf(CATEGORIES),
  title: text(80, { minLength: 1 }),
  summary: text(400, { minLength: 1 }),
  keywords: words('What it is searched by, beside title and summary.'),
  words: closed({
    sure: words('Phrases of a sentence that hardly mean anything else.'),
    likely: words('Phrases that speak for it.'),
    hint: Type.Optional(words('Words that speak for it beside others.')),
    not: Type.Optional(words('Phrases that speak against it.')),
  }),
  parameters: Type.Record(Type.String({ pattern: '^[a-z][a-z0-9_]{0,31}$' }), parameter, { maxProperties: 32 }),
  definition: Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object' }),
  scenario,
})

export type Template = View<typeof template>
