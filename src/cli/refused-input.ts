import type { NodeRefusal } from '#gateway/client.ts'

/** A value of a question and where it would have gone, as far as a refusal of it says so. */
interface Bound {
  readonly input: string
  readonly given: unknown
  readonly unit: string
}

/** What a refusal shows of how its question was read. */
interface ReadAs {
  readonly name: string
  readonly title: string
  readonly bound: readonly Bound[]
}

/** Forms of words that people know by what they stand for. */
const forms: Readonly<Record<string, string>> = {
  '^zid1[a-z2-7]{32}$': 'an account: zid1 and 32 letters or digits, as `tickmesh credits status` shows one’s own',
  '^[0-9a-f]{32}$': '32 hexadecimal digits, as `tickmesh envelopes` lists them for receipts',
  '^[0-9a-f]{64}$': '64 hexadecimal digits',
}

/** How the words of a schema are said; what is not here is left as it is. */
const sayings: readonly (readonly [form: RegExp, said: (found: string, unit: string) => string])[] = [
  [/^must be >= (\S+)$/, (bound, unit) => `must be at least ${bound}${unit}`],
  [/^must be <= (\S+)$/, (bound, unit) => `must be at most ${bound}${unit}`],
  [/^must be > (\S+)$/, (bound, unit) => `must be above ${bound}${unit}`],
  [/^must be < (\S+)$/, (bound, unit) => `must be below ${bound}${unit}`],
  [/^must be (integer)$/, () => 'must be a whole number'],
  [/^must be (number)$/, () => 'must be a number'],
  [/^must be (string)$/, () => 'must be a text'],
  [/^must be (boolean)$/, () => 'must be true or false'],
  [/^must match pattern "(.*)"$/, (pattern) => `must be ${forms[pattern] ?? `of the form ${pattern}`}`],
]

const said = (message: string, unit: string): string => {
  for (const [form, words] of sayings) {
    const [, found] = form.exec(message) ?? []
    if (found !== undefined) return words(found, unit)
  }
  return message
}

/** The input that a pointer names, as it is written in a call: `/initial/kind` is `initial.kind`. */
export const inputAt = (path: string): string =>
  path.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~')

const isReadAs = (it: unknown): it is ReadAs =>
  typeof it === 'object' && it !== null && Array.isArray((it as Partial<ReadAs>).bound)

const inUnit = (unit: string | undefined): string =>
  unit === undefined || unit === '' || unit === '1' ? '' : ` ${unit}`

interface TemplateFault {
  readonly line?: unknown
  readonly column?: unknown
  readonly message?: unknown
}

/** What is wrong with a template, each fault at its place. */
const refusedTemplate = (errors: unknown): string | undefined => {
  if (!Array.isArray(errors) || errors.length === 0) return undefined
  const faults = errors as readonly TemplateFault[]
  const lines = faults.map(({ line, column, message }) => `  template:${line}:${column}: ${message}`)
  return `${lines.length === 1 ? 'one fault' : `${lines.length} faults`}\n${lines.join('\n')}`
}

/**
 * A refused input in a sentence: what it was read as, which value is refused, and what would pass.
 *
 * @returns undefined for a refusal that names no misfit of a value.
 */
export const refusedInput = ({ code, problem }: NodeRefusal): string | undefined => {
  if (code === 'TEMPLATE_INVALID') return refusedTemplate(problem['errors'])
  const [first] = Array.isArray(problem['errors']) ? (problem['errors'] as { path?: unknown; message?: unknown }[]) : []
  const { path, message } = first ?? {}
  if (code !== 'INVALID_INPUT' || typeof path !== 'string' || typeof message !== 'string' || path === '')
    return undefined
  const input = inputAt(path)
  const read = isReadAs(problem['read_as']) ? problem['read_as'] : undefined
  const bound = read?.bound.find((it) => it.input === input)
  // Of one call among many.
  const call = typeof problem['index'] === 'number' ? `call ${problem['index']}: ` : ''
  const sentence = `${call}${input} ${said(message, inUnit(bound?.unit))}`
  const hint = typeof problem['hint'] === 'string' ? ` ${problem['hint']}` : ''
  const end = `${/[.?]$/.test(sentence) ? sentence : `${sentence}.`}${hint}`
  if (read === undefined) return end
  const given = bound === undefined ? '' : `, with ${input} = ${String(bound.given)}`
  return `Read as ${read.title} (${read.name})${given}: ${end}`
}
