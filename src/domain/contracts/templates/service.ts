import { assert } from '#core/assert.ts'
import type { Json } from '#core/canonical.ts'
import type { CategoryCounts, Generated, TemplatePage, TemplateView } from '#domain/contracts/views/templates.ts'
import { readCron } from '#numerics/contracts/cron/cron.ts'
import { lintContract } from '#numerics/contracts/definition/lint.ts'
import { CATEGORIES, type Template } from '#numerics/contracts/templates/template.ts'
import { shelfOf, type TemplateShelf } from '#routing/contracts/rank.ts'
import { readSentence, type SentenceReading } from '#routing/contracts/sentence.ts'
import { exampleOf, filledWith, type ReadParameters, readParameters, refuseParameters } from './fill.ts'
import { loadTemplates, templateById } from './load.ts'
import { searchTemplates, type TemplateQuery } from './search.ts'

/** A sentence, with what is known of it already. */
export interface GenerateOrder {
  readonly sentence: string
  readonly template?: string | undefined
  readonly parameters?: Readonly<Record<string, unknown>> | undefined
}

const rowOf = ({ id, category, title, summary, keywords, parameters }: Template): TemplatePage['templates'][number] => {
  const entries = Object.entries(parameters)
  const required = entries.filter(([, it]) => it.required === true).map(([name]) => name)
  return { id, category, title, summary, keywords, parameters: entries.map(([name]) => name), required }
}

const named = ({ id, title, category }: Pick<Template, 'id' | 'title' | 'category'>) => ({ id, title, category })

/** Faults that need no table of zones: a zone that is not there is found when it is deployed. */
const faultsOf = (definition: unknown): Generated['faults'] =>
  lintContract(definition, { cron: (pattern) => readCron(pattern).faults[0]?.reason }).faults.map(
    ({ path, reason }) => ({ path, reason }),
  )

const askFor = ({ parameters }: Template, [first]: readonly string[]): Generated['needs'] => {
  const it = first === undefined ? undefined : parameters[first]
  if (first === undefined || it === undefined) return null
  return { question: `What is ${first}? ${it.description}`, choices: [] }
}

/** What is asked where no template is sure: which of those that may be meant, or what it is about. */
const askWhich = (alternatives: Generated['alternatives']): NonNullable<Generated['needs']> => {
  if (alternatives.length > 0)
    return {
      question: 'Which of these is meant? Name it as `template`.',
      choices: alternatives.map(({ id, title }) => ({ template: id, title })),
    }
  const first = CATEGORIES.flatMap((category) => searchTemplates(loadTemplates(), { category }).slice(0, 1))
  return {
    question: 'What shall be watched, counted, paid, computed or told, and when?',
    choices: first.map(({ id, title }) => ({ template: id, title })),
  }
}

/** Each parameter with where its value came from. */
const sourcesOf = (
  template: Template,
  { binding }: SentenceReading,
  { given, read }: { readonly given: Readonly<Record<string, unknown>>; readonly read: ReadParameters },
): Generated['parameters'] =>
  Object.entries(template.parameters).map(([name, { default: standing }]) => {
    const value = (read.values[name] ?? null) as Json
    const it = { name, value, said: null, because: null }
    if (Object.hasOwn(given, name)) return { ...it, from: 'given' }
    const bound = binding.bound.find((other) => other.name === name)
    if (bound !== undefined) return { ...it, from: 'sentence', said: bound.text, because: bound.because }
    if (read.missing.includes(name)) return { ...it, from: 'missing' }
    return { ...it, from: standing === undefined ? 'empty' : 'default' }
  })

/** What a reading is without a template. */
const unsure = (reading: SentenceReading): Generated => {
  const alternatives = alternativesOf(reading)
  const none = { template: null, because: [], parameters: [], definition: null, faults: [], missing: [], unread: [] }
  const { confidence, corrections } = reading
  return { ...none, confidence, corrections: [...corrections], alternatives, needs: askWhich(alternatives) }
}

const alternativesOf = ({ alternatives }: SentenceReading): Generated['alternatives'] =>
  alternatives.map(({ template, confidence }) => ({ ...named(templateById(template.id)), confidence }))

const generatedOf = (reading: SentenceReading, { parameters: given = {} }: GenerateOrder): Generated => {
  if (reading.template === undefined) return unsure(reading)
  const template = templateById(reading.template.id)
  const { because, confidence, corrections, binding } = reading
  const said = Object.fromEntries(binding.bound.map(({ name, value }) => [name, value]))
  const read = readParameters(template, { ...said, ...given })
  if (read.faults.length > 0) throw refuseParameters(read.faults)
  const isWhole = read.missing.length === 0
  const definition = isWhole ? filledWith(template, read.values) : null
  return {
    template: named(template),
    because: [...because],
    confidence,
    parameters: sourcesOf(template, reading, { given, read }),
    definition,
    faults: isWhole ? faultsOf(definition) : [],
    missing: read.missing.map((name) => {
      const it = template.parameters[name]
      assert(it !== undefined, 'what is missing is a parameter')
      return { name, type: it.type, description: it.description, example: (it.example ?? null) as Json }
    }),
    unread: [...binding.unread],
    corrections: [...corrections],
    alternatives: alternativesOf(reading),
    needs: askFor(template, read.missing),
  }
}

/** The templates of contracts, and the way from a sentence to one. */
export const createTemplates = () => {
  let shelf: TemplateShelf | undefined
  const onShelf = (): TemplateShelf => {
    shelf ??= shelfOf(loadTemplates())
    return shelf
  }
  return {
    /** A page of templates, best first. */
    templates: ({ limit, offset, ...query }: TemplateQuery & Pick<TemplatePage, 'limit' | 'offset'>): TemplatePage => {
      const found = searchTemplates(loadTemplates(), query)
      return { total: found.length, limit, offset, templates: found.slice(offset, offset + limit).map(rowOf) }
    },
    /** How many there are, by category. */
    templateCategories: (): CategoryCounts => {
      const all = loadTemplates()
      const counts = CATEGORIES.map((category) => ({ category, count: searchTemplates(all, { category }).length }))
      return { total: all.length, categories: counts }
    },
    /** One template with an example. @throws Fault NOT_FOUND with names that may have been meant */
    template: (id: string): TemplateView => {
      const it = templateById(id)
      const parameters = exampleOf(it)
      const { category, title, summary, keywords, parameters: places, definition, scenario } = it
      const filled = filledWith(it, readParameters(it, parameters).values)
      return {
        ...{ id: it.id, category, title, summary, keywords: [...keywords], parameters: places },
        definition: definition as unknown as Json,
        scenario: scenario as unknown as Json,
        example: { parameters, definition: filled },
      }
    },
    /**
     * The template that a sentence asks for, filled with what it says; a question back where that is not sure. Nothing
     * is deployed.
     *
     * @throws Fault NOT_FOUND for a named template that is not there, CONTRACT_INVALID for values that do not fit.
     */
    generate: (order: GenerateOrder): Generated => {
      const { sentence, template } = order
      return generatedOf(
        readSentence(onShelf(), sentence, template === undefined ? undefined : templateById(template)),
        order,
      )
    },
  }
}

export type ContractTemplates = ReturnType<typeof createTemplates>
