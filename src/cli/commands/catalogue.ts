import type { ResultOf } from '#api/result-of.ts'
import { type Command, command, type Invocation } from '#cli/command.ts'
import { connect } from '#cli/connection.ts'
import { type Exit, exits } from '#cli/exit.ts'
import { present, table } from '#cli/io.ts'
import { CliError, usageError } from '#cli/problem.ts'
import { schemaRows } from '#cli/schema-rows.ts'
import { quoted } from '#cli/teach.ts'
import { didYouMean, shortened, slipsOf } from '#core/near-names.ts'
import { type Client, NodeRefusal } from '#gateway/client.ts'
import { operatorsFind } from './operators-find.ts'
import { operatorsHistory, operatorsVersions } from './operators-history.ts'

const solvers = command({
  path: 'solvers',
  settings: 'node',
  summary: 'List the solvers of the node, or one with its inputs.',
  args: [{ name: '[name]', help: 'show this one: inputs with units, ranges and defaults', choices: 'solvers' }],
  examples: ['tickmesh solvers', 'tickmesh solvers heat'],
  async run(invocation) {
    const { io, args, signal } = invocation
    const { client } = connect(invocation)
    const [name] = args
    if (name === undefined) {
      const answer = await client.call('compute.solvers', {}, { signal })
      present(io, answer, () => table(answer.solvers.map((it) => [it.name, it.title, it.unit, it.summary])))
      return exits.ok
    }
    const answer = await client.call('compute.solver', { name }, { signal }).catch(ifNone(undefined))
    if (answer === undefined) return searchSolvers(invocation, client, name)
    present(io, answer, () => {
      const about = [`${answer.title}: ${answer.summary}`, `method: ${answer.method}`, `value in: ${answer.unit}`]
      return [...about, '', table(schemaRows(answer.input))].join('\n')
    })
    return exits.ok
  },
})

/** A row of the list; what has no value to compute says so in place of its equation. */
const brief = (it: ResultOf<'compute.operators'>['operators'][number]): readonly string[] => [
  it.id,
  it.name,
  it.refused === null ? it.equation : `${it.equation}  (refused)`,
]

/** What stands for an answer where the node says that there is none. */
const ifNone =
  <T>(otherwise: T) =>
  (error: unknown): T => {
    if (error instanceof NodeRefusal && error.code === 'NOT_FOUND') return otherwise
    throw error
  }

const noneFound = (kind: string, words: string, near: readonly string[] = []): CliError =>
  new CliError(
    exits.failure,
    `NOT_FOUND: there is no ${kind} "${shortened(words)}", and its words find none.${didYouMean(near)} ` +
      `As a question: tickmesh ${quoted(`${shortened(words)} …`)}`,
    { code: 'NOT_FOUND', details: { suggestions: near } },
  )

/** A word that is the name of no solver: the solvers whose texts have it. @throws CliError when there is none. */
const searchSolvers = async ({ io, signal }: Invocation, client: Client, words: string): Promise<Exit> => {
  const { foundText, lookUp } = await import('#cli/look-up.ts')
  const [found, { solvers: all }] = await Promise.all([
    lookUp(client, words, signal),
    client.call('compute.solvers', {}, { signal }),
  ])
  const names = all.map(({ name }) => name)
  const near = slipsOf(words, names)
  if (found.solvers.length === 0 && (near.length > 0 || found.operators.length === 0)) {
    throw noneFound('solver', words, near)
  }
  io.say(`no solver is called "${shortened(words)}"; by words:`)
  present(io, { ok: true, ...found }, () => foundText(found, io.columns) ?? '')
  return exits.ok
}

/** A word that is the id of no operator: what it finds. @throws CliError when that is nothing. */
const searchOperators = async ({ io, signal }: Invocation, client: Client, words: string): Promise<Exit> => {
  const { foundText, lookUp } = await import('#cli/look-up.ts')
  const found = await lookUp(client, words, signal)
  const text = foundText(found, io.columns)
  if (text === undefined) throw noneFound('operator', words)
  io.say(`no operator has the id "${shortened(words)}"; by words:`)
  present(io, { ok: true, ...found }, () => text)
  return exits.ok
}

const operators = command({
  path: 'operators',
  settings: 'node',
  summary: 'List the operators of the node, search them, or show one with its variables.',
  args: [{ name: '[id]', help: 'show this one; a word that is no id is searched for', choices: 'operators' }],
  options: [
    { flags: '--search <words>', help: 'by id, name, variable, equation or domain, best first' },
    { flags: '--domain <name>', help: 'only those of one domain' },
    { flags: '--digest <sha256:…>', help: 'an earlier form of the row, as `operators history` lists them' },
  ],
  examples: ['tickmesh operators ohm', 'tickmesh operators GR37', 'tickmesh operators --search gravitation'],
  async run(invocation) {
    const { io, args, signal, options } = invocation
    const { search: q, domain, digest } = options
    const [id] = args
    if ([id, q, domain].filter((it) => it !== undefined).length > 1) {
      throw usageError('give an id, --search or --domain, one of them')
    }
    if (digest !== undefined && id === undefined) throw usageError('--digest is of one operator: give its id')
    const { client } = connect(invocation)
    if (id !== undefined) {
      const asked = { id, ...(typeof digest === 'string' && { digest }) }
      const call = client.call('compute.operator', asked, { signal })
      const answer = digest === undefined ? await call.catch(ifNone(undefined)) : await call
      if (answer === undefined) return searchOperators(invocation, client, id)
      const variables = Object.entries(answer.variables)
      present(io, answer, () =>
        [
          `${answer.id}  ${answer.name}`,
          answer.equation,
          table(variables.map(([symbol, it]) => [symbol, it.unit, [it.name, ...(it.aliases ?? [])].join(', ')])),
          ...answer.requires.map(({ holds, why }) => `where: ${holds}${why === undefined ? '' : ` (${why})`}`),
          `solves for: ${answer.solves_for.join(', ') || 'nothing, it is refused'}`,
          `source: ${answer.source}`,
          `digest: ${answer.digest}`,
        ].join('\n'),
      )
      return exits.ok
    }
    if (typeof q === 'string') {
      const answer = await client.call('compute.operator-search', { q }, { signal })
      present(io, answer, () => (answer.count === 0 ? 'none found' : table(answer.operators.map(brief))))
      return exits.ok
    }
    const answer = await client.call(
      'compute.operators',
      { limit: OPERATORS_MAX, ...(typeof domain === 'string' && { domain }) },
      { signal },
    )
    present(io, answer, () => [table(answer.operators.map(brief)), `${answer.count} operators`].join('\n'))
    return exits.ok
  },
})

/** The largest page that a node gives. */
const OPERATORS_MAX = 500

export const catalogue: readonly Command[] = [solvers, operators, operatorsFind, operatorsHistory, operatorsVersions]
