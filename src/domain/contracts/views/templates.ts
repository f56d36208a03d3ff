import Type from 'typebox'
import { count, finite, json, model, oneOf, orNull } from '#core/schema.ts'
import type { View } from '#core/view.ts'
import { parameter } from '#numerics/contracts/templates/parameter.ts'
import { CATEGORIES } from '#numerics/contracts/templates/template.ts'

/** What is told of templates, and of a sentence that became one. */

const rowMembers = {
  id: Type.String(),
  category: oneOf(CATEGORIES),
  title: Type.String(),
  summary: Type.String(),
  keywords: Type.Array(Type.String()),
}
const row = model('ContractTemplateRow', {
  ...rowMembers,
  parameters: Type.Array(Type.String(), { description: 'Names of all.' }),
  required: Type.Array(Type.String(), { description: 'Names of those without a default.' }),
})

/** A page of templates. */
export const templatePage = Type.Object({
  total: count({ description: 'Found in all.' }),
  limit: count(),
  offset: count(),
  templates: Type.Array(row),
})
export type TemplatePage = View<typeof templatePage>

/** How many templates there are, by category. */
export const categoryCounts = Type.Object({
  total: count(),
  categories: Type.Array(Type.Object({ category: oneOf(CATEGORIES), count: count() })),
})
export type CategoryCounts = View<typeof categoryCounts>

const definition = (description: string) => json({ description })
const values = Type.Record(Type.String(), json())

/** One template, whole. */
export const templateView = Type.Object({
  ...rowMembers,
  parameters: Type.Record(Type.String(), parameter, { description: 'What each place takes.' }),
  definition: definition('With its places: {"$param": name}, a dollar and {name} in texts, "$if": name.'),
  scenario: json({ description: 'What happens to it, tick by tick, and what comes of that.' }),
  example: Type.Object(
    { parameters: values, definition: definition('As it would be deployed.') },
    { description: 'Filled with defaults, and with examples of what is required.' },
  ),
})
export type TemplateView = View<typeof templateView>

const named = Type.Object({ id: Type.String(), title: Type.String(), category: oneOf(CATEGORIES) })

/** What a sentence became. Nothing is deployed. */
export const generated = model('GeneratedContract', {
  template: orNull(named, { description: 'The template that the sentence asks for; null where that is not sure.' }),
  because: Type.Array(Type.String(), { description: 'Phrases of the sentence that speak for it.' }),
  confidence: finite({ minimum: 0, maximum: 1 }),
  parameters: Type.Array(
    Type.Object({
      name: Type.String(),
      value: orNull(json()),
      from: oneOf(['given', 'sentence', 'default', 'empty', 'missing']),
      said: orNull(Type.String(), { description: 'What of the sentence it was read from.' }),
      because: orNull(Type.String(), { description: 'The words beside it, or what its form is.' }),
    }),
    { description: 'Every parameter of the template, and where its value came from.' },
  ),
  definition: orNull(definition('Filled.'), { description: 'Null while something is missing.' }),
  faults: Type.Array(Type.Object({ path: Type.String(), reason: Type.String() }), {
    description: 'What the linter says of the definition.',
  }),
  missing: Type.Array(
    Type.Object({ name: Type.String(), type: Type.String(), description: Type.String(), example: json() }),
  ),
  unread: Type.Array(Type.String(), { description: 'Amounts, addresses and times that no parameter took.' }),
  corrections: Type.Array(Type.Object({ from: Type.String(), to: Type.String() }), {
    description: 'Slips of the keys that were taken for known words.',
  }),
  alternatives: Type.Array(Type.Object({ ...named.properties, confidence: finite({ minimum: 0, maximum: 1 }) }), {
    description: 'Other templates that it may ask for, best first.',
  }),
  needs: orNull(
    Type.Object({
      question: Type.String(),
      choices: Type.Array(Type.Object({ template: Type.String(), title: Type.String() })),
    }),
    { description: 'What has to be answered first: by `template` or `parameters` of the next call.' },
  ),
})
export type Generated = View<typeof generated>
