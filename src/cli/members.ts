import { surelyFits } from '#core/plain-fit.ts'
import type { EndpointCard } from '#gateway/endpoint-of.ts'
import type { Choices } from './command.ts'
import { usageError } from './problem.ts'

type Input = { [name: string]: unknown }

/** How the text of a member becomes its value. */
type Kind = 'text' | 'whole' | 'number' | 'boolean' | 'json'

/** One member of an endpoint's input, as the command line takes it. */
export interface Member {
  readonly name: string
  readonly kind: Kind
  readonly required: boolean
  readonly help: string
  readonly choices: Choices | undefined
}

/** What of a member's schema matters here. */
interface Described {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly anyOf?: readonly Described[]
  readonly description?: string
  readonly default?: unknown
}

const kinds: Readonly<Record<string, Kind>> = {
  string: 'text',
  integer: 'whole',
  number: 'number',
  boolean: 'boolean',
}

/** The one form that is not null: null itself is said in a file of inputs. */
const plain = (schema: Described): Described => schema.anyOf?.find(({ type }) => type !== 'null') ?? schema

const helpOf = (schema: Described, form: Described): string => {
  const description = schema.description ?? form.description ?? ''
  const values = form.enum === undefined ? '' : ` (${form.enum.join(' | ')})`
  const { default: by } = schema
  const preset = by === undefined ? '' : ` [default: ${typeof by === 'object' ? JSON.stringify(by) : String(by)}]`
  return `${description}${values}${preset}`
}

const BOOLEANS = ['true', 'false'] as const

/** Members that a shell completes with what the node has. */
const lookedUp: Readonly<Record<string, Choices>> = { slug: 'machines', token_id: 'tokens' }

/** The members of an endpoint's input, in the order of its literal. */
export const membersOf = ({ input }: EndpointCard): readonly Member[] => {
  const required = new Set(input.required ?? [])
  return Object.entries(input.properties as Readonly<Record<string, Described>>).map(([name, schema]) => {
    const form = plain(schema)
    const kind = kinds[form.type ?? ''] ?? 'json'
    return {
      name,
      kind,
      required: required.has(name),
      help: helpOf(schema, form),
      choices: kind === 'boolean' ? BOOLEANS : (form.enum ?? lookedUp[name]),
    }
  })
}

/** `display_name` is `--display-name`. */
export const flagOf = (name: string): string =>
  `--${name
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replaceAll('_', '-')}`

/** `display_name` is the option `displayName`, as commander calls it. */
export const optionOf = (name: string): string =>
  flagOf(name)
    .slice(2)
    .replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

const WHOLE = /^-?\d{1,16}$/

/** The value that a text stands for. @throws CliError for a text that is none. */
export const readMember = ({ name, kind }: Pick<Member, 'name' | 'kind'>, text: string): unknown => {
  if (kind === 'text') return text
  if (kind === 'whole' && WHOLE.test(text) && Number.isSafeInteger(Number(text))) return Number(text)
  if (kind === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text)
  if (kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  if (kind === 'json') {
    try {
      return JSON.parse(text) as unknown
    } catch {
      throw usageError(`${name} is not JSON; a text is written "in quotes", and @file or - reads it from elsewhere`)
    }
  }
  const form = { whole: 'a whole number', number: 'a number', boolean: 'true or false' }[kind as 'whole']
  throw usageError(`${name} takes ${form}; got "${text}"`)
}

/**
 * Holds an input against the endpoint's own schema before it is sent: a word that could never be right, a name of no
 * machine or a missing one, is told without asking a node, and nothing in a path leads elsewhere.
 *
 * @throws CliError naming the member.
 */
export const assertFits = async ({ input: schema }: EndpointCard, input: Input): Promise<void> => {
  const { properties: known, required = [] } = schema
  const unknown = Object.keys(input).find((name) => !Object.hasOwn(known, name))
  if (unknown !== undefined) throw usageError(`there is no input ${unknown}; there is ${Object.keys(known).join(', ')}`)
  const missing = required.find((name) => !Object.hasOwn(input, name))
  if (missing !== undefined) throw usageError(`the input ${missing} is missing`)
  if (surelyFits(schema, input)) return
  // The schema library is loaded by whom it has something to say.
  const { misfit } = await import('#core/schema.ts')
  const wrong = misfit(schema as Parameters<typeof misfit>[0], input)
  if (wrong !== undefined) throw usageError(`this does not fit: ${wrong.replace(/^\//, '')}`)
}
