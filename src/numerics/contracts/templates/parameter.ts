import Type from 'typebox'
import { closed, json, oneOf, text } from '#core/schema.ts'
import type { View } from '#core/view.ts'

/** The most characters that a text may be allowed. */
const CHARS_MAX = 1_024

/**
 * What a parameter may be. `duration`: ticks, or a text as `5 min`. `cron`: five fields. `unit`: one of the table of
 * units. `identity`: a ZID. `contract`: the id of one. `zone`: a name of the time zone database.
 */
export const PARAMETER_TYPES = [
  ...(['number', 'integer', 'boolean', 'text', 'choice', 'duration'] as const),
  ...(['cron', 'unit', 'url', 'identity', 'contract', 'zone'] as const),
] as const
export type ParameterType = (typeof PARAMETER_TYPES)[number]

const words = (description: string) =>
  Type.Optional(Type.Array(text(64, { minLength: 1 }), { maxItems: 32, uniqueItems: true, description }))

/** A place of a template that whoever uses it fills. */
export const parameter = closed({
  type: oneOf(PARAMETER_TYPES),
  description: text(200, { minLength: 1 }),
  unit: Type.Optional(text(64, { minLength: 1, description: 'Of a number: what it is converted to.' })),
  unit_by: Type.Optional(text(32, { description: 'Of a number: the parameter that says its unit.' })),
  min: Type.Optional(Type.Number({ description: 'Of a number, or of a duration in ticks.' })),
  max: Type.Optional(Type.Number()),
  of: Type.Optional(
    Type.Array(text(64, { minLength: 1 }), { minItems: 1, maxItems: 32, uniqueItems: true, description: 'Choices.' }),
  ),
  chars: Type.Optional(Type.Integer({ minimum: 1, maximum: CHARS_MAX, description: 'Most characters of a text.' })),
  default: Type.Optional(json({ description: 'Without one, and not required, it may stay empty.' })),
  required: Type.Optional(Type.Literal(true)),
  example: Type.Optional(json({ description: 'Of a required one.' })),
  said: words('Phrases of a sentence beside which its value stands.'),
  nouns: words('Of a text: what it is called, as in “pump 7”.'),
})
export type TemplateParameter = View<typeof parameter>
