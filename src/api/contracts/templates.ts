import Type from 'typebox'
import { answered, endpoint } from '#api/endpoint.ts'
import { anything, closed, oneOf, pageLimit, pageOffset, text } from '#core/schema.ts'
import { categoryCounts, generated, templatePage, templateView } from '#domain/contracts/views/templates.ts'
import { CATEGORIES } from '#numerics/contracts/templates/template.ts'

/** Templates of contracts, and the way from a sentence to one. */
const common = { domain: 'contracts', tier: 'computation' } as const
const open = { ...common, access: { credential: 'none' } } as const

const QUERY_CHARS_MAX = 64
const SENTENCE_CHARS_MAX = 500
const PARAMETERS_MAX = 32

const list = endpoint({
  ...open,
  id: 'contracts.templates',
  lasts: true,
  route: 'GET /api/contracts/templates',
  summary: 'Templates of contracts by words and category, best first; without words by id.',
  input: closed({
    category: Type.Optional(oneOf(CATEGORIES, { description: 'Only this category.' })),
    q: Type.Optional(text(QUERY_CHARS_MAX, { description: 'Words of title, keywords, summary or category.' })),
    limit: pageLimit(),
    offset: pageOffset(),
  }),
  result: answered(templatePage),
  faults: [],
  example: { q: 'pump', limit: 10 },
  handle: ({ contractTemplates }, { input }) => contractTemplates.templates(input),
})

const categories = endpoint({
  ...open,
  id: 'contracts.template-categories',
  lasts: true,
  route: 'GET /api/contracts/templates/categories',
  summary: 'What templates are for, and how many there are of each.',
  input: closed({}),
  result: answered(categoryCounts),
  faults: [],
  example: {},
  handle: ({ contractTemplates }) => contractTemplates.templateCategories(),
})

const one = endpoint({
  ...open,
  id: 'contracts.template',
  lasts: true,
  route: 'GET /api/contracts/templates/{id}',
  summary: 'One template: what each of its places takes, its definition and scenario, and an example that is filled.',
  input: closed({ id: text(QUERY_CHARS_MAX, { minLength: 1, description: 'Id of the template.' }) }),
  result: answered(templateView),
  faults: ['NOT_FOUND'],
  example: { id: 'pump-drift' },
  handle: ({ contractTemplates }, { input }) => contractTemplates.template(input.id),
})

const generate = endpoint({
  ...common,
  access: { credential: 'bearer', reach: { to: 'anyone' } },
  id: 'contracts.generate',
  route: 'POST /api/contracts/generate',
  summary: 'Turns a sentence into a template with its places filled, or asks back. It deploys nothing.',
  input: closed({
    sentence: text(SENTENCE_CHARS_MAX, { minLength: 1, description: 'What shall happen by itself, in English.' }),
    template: Type.Optional(
      text(QUERY_CHARS_MAX, { minLength: 1, description: 'Id of the template, where it is known.' }),
    ),
    parameters: Type.Optional(
      Type.Record(Type.String({ maxLength: QUERY_CHARS_MAX }), anything(), {
        maxProperties: PARAMETERS_MAX,
        description: 'Values that go before what the sentence says: numbers, or texts with a unit as `3 bar`.',
      }),
    ),
  }),
  result: answered(generated),
  faults: ['NOT_FOUND', 'CONTRACT_INVALID'],
  example: { sentence: 'Tell me when pump 7 drifts by more than 20 kPa from 300 kPa' },
  handle: ({ contractTemplates }, { input }) => contractTemplates.generate(input),
})

export const templateEndpoints = [list, categories, one, generate] as const
