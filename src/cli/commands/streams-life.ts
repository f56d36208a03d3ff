import type { Command, Invocation } from '#cli/command.ts'
import { cell, describe, listText } from '#cli/describe.ts'
import { endpointCommand } from '#cli/endpoint-command.ts'
import { parseAssignments, readSource, wholeOption } from '#cli/input.ts'
import { usageError } from '#cli/problem.ts'
import { fillingTypes } from '#core/template/place.ts'

type Input = { [name: string]: unknown }

const some = '0123456789abcdef0123456789abcdef'
const id = { name: '<id>', help: 'id of the stream, as `streams create` told it' } as const
const inputs = {
  name: '[inputs...]',
  help: `name=value, as \`tickmesh solve\` takes them; name='{"$":"expression"}' is worked out anew for each tick`,
  choices: 'inputs',
} as const

/** Options that `create` and `patch` say in the same words. */
const showing: NonNullable<Command['options']> = [
  { flags: '--interval <n>', help: 'mesh ticks from one due tick to the next; 77 are about a minute' },
  {
    flags: '--template <file>',
    help: 'what is shown of each tick, with places {{path|filter}}; - is stdin',
    choices: 'files',
  },
  { flags: '--content-type <type>', help: 'media type of what the template makes; text/plain', choices: fillingTypes },
  { flags: '--output-format <text>', help: 'json, or template, which a template means', choices: ['json', 'template'] },
]
/** Members that those options give. */
const shown = ['tickIntervalTicks', 'template', 'contentType', 'outputFormat'] as const

/** What the options of {@link showing} say. */
const showingOf = async ({ options, signal }: Invocation): Promise<Input> => {
  const interval = wholeOption(options['interval'], '--interval')
  const { template, contentType, outputFormat } = options
  const text =
    typeof template === 'string' ? await readSource(template === '-' ? '-' : `@${template}`, signal) : undefined
  const format = outputFormat ?? (text === undefined ? undefined : 'template')
  return {
    ...(interval !== undefined && { tickIntervalTicks: interval }),
    ...(text !== undefined && { template: text }),
    ...(contentType !== undefined && { contentType }),
    ...(format !== undefined && { outputFormat: format }),
  }
}

/** The words of a call as inputs, on top of those of `--data`; of operators a name may have dots in it. */
const inputsOf = (given: Input, words: readonly string[], { nested }: { readonly nested: boolean }): Input =>
  words.length === 0
    ? {}
    : { inputs: parseAssignments(words, { nested, base: (given['inputs'] ?? {}) as Record<string, unknown> }) }

const prepareCreate = async (input: Input, invocation: Invocation): Promise<Input> => {
  const { operators, autotick } = invocation.options
  const [first, ...others] = invocation.args
  const ids = typeof operators === 'string' ? operators.split(',').map((it) => it.trim()) : undefined
  // Of operators no solver is named: the first word is an input already.
  const solver = first === undefined || first.includes('=') ? undefined : first
  if (solver !== undefined && ids !== undefined) throw usageError('a stream is over a solver or over operators')
  const words = solver === undefined && first !== undefined ? [first, ...others] : others
  return {
    ...input,
    ...(solver !== undefined && { solver }),
    ...(ids !== undefined && { operators: ids }),
    ...inputsOf(input, words, { nested: ids === undefined }),
    ...(autotick === true && { autotick: true }),
    ...(await showingOf(invocation)),
  }
}

const create = endpointCommand({
  path: 'streams create',
  endpoint: 'compute.stream-create',
  words: ['solver', 'operators', 'inputs', 'autotick', ...shown],
  args: [
    { name: '[solver]', help: 'what is computed at each tick, e.g. heat; or --operators', choices: 'solvers' },
    inputs,
  ],
  options: [
    {
      flags: '--operators <ids>',
      help: 'up to three operators, with commas, in place of a solver',
      choices: 'operators',
    },
    { flags: '--autotick', help: 'it ticks by itself, on the grid of mesh ticks' },
    ...showing,
  ],
  prepare: prepareCreate,
  secret: 'key',
  examples: [
    `tickmesh streams create --operators GR37 mass='{"$":"1e30 + 1e27 * count"}' --quiet > radius.key`,
    'tickmesh streams create lotka --mode continue --autotick --interval 77 --slug pond-1',
    'tickmesh streams create --operators GR37 mass=1.98892e30 --template radius.csv --content-type text/csv',
  ],
})

const patch = endpointCommand({
  path: 'streams patch',
  endpoint: 'compute.stream-patch',
  words: ['id', 'inputs', ...shown],
  args: [id, { ...inputs, help: `${inputs.help}. They take the place of all that were there` }],
  options: showing,
  prepare: async (input, invocation) => {
    const [stream, ...words] = invocation.args
    const nested = !words.some((word) => /^[A-Z]{2,}\d+\./.test(word))
    return { ...input, id: stream, ...inputsOf(input, words, { nested }), ...(await showingOf(invocation)) }
  },
  text: ({ stream }) => describe(stream),
  examples: [
    `tickmesh streams patch ${some} --autotick true --interval 77`,
    `tickmesh streams patch ${some} --status open`,
    `tickmesh streams patch ${some} --template radius.html --content-type text/html`,
  ],
})

const tick = endpointCommand({
  path: 'streams tick',
  endpoint: 'compute.stream-tick',
  words: ['id'],
  text: (sealed) => {
    const { stream, value, unit, check, envelope } = sealed as typeof sealed & Readonly<Record<string, unknown>>
    const measured = check === null || check === undefined ? undefined : (check as { measured?: unknown }).measured
    return describe({
      ...{ epoch: stream.epoch, count: stream.count, value, unit },
      ...{ errorPct: cell(measured), errorSum: stream.errorSum, status: stream.status },
      ...{ token_id: cell((envelope as { token_id?: unknown } | null)?.token_id), state: stream.state },
    })
  },
  examples: [`tickmesh streams tick ${some}`, `tickmesh streams tick ${some} --count 4`],
})

const listed = ['id', 'computes', 'status', 'epoch', 'count', 'head.value', 'head.unit', 'missed', 'slug'] as const

/** What a stream is from its making to its end. */
export const streamsLife: readonly Command[] = [
  create,
  endpointCommand({
    path: 'streams list',
    endpoint: 'compute.streams',
    text: ({ streams, ...page }) => {
      const rows = streams.map((it) => ({ ...it, computes: it.solver ?? it.operators?.join(',') }))
      return `${describe(page)}\n${listText(rows, listed)}`
    },
    examples: ['tickmesh streams list', 'tickmesh streams list --status stopped --json | jq -r .streams[].id'],
  }),
  endpointCommand({
    path: 'streams show',
    endpoint: 'compute.stream',
    words: ['id'],
    text: ({ stream }) => describe(stream),
    examples: [`tickmesh streams show ${some}`, `tickmesh streams show ${some} --json | jq .stream.head`],
  }),
  tick,
  patch,
  endpointCommand({
    path: 'streams close',
    endpoint: 'compute.stream-close',
    words: ['id'],
    question: ({ id: stream }) => `Close the stream ${stream} for good? Its links open nothing after that.`,
    text: ({ stream }) => describe({ id: stream.id, status: stream.status, sealed: stream.sealed }),
    examples: [`tickmesh streams close ${some} --yes`],
  }),
]
