import { varyOptions } from '#cli/batch-options.ts'
import { command, type Invocation } from '#cli/command.ts'
import { computeOptions } from '#cli/compute-options.ts'
import { computing } from '#cli/connection.ts'
import { exits } from '#cli/exit.ts'
import { readInput } from '#cli/input.ts'
import { CliError, usageError } from '#cli/problem.ts'
import { inputAt } from '#cli/refused-input.ts'
import { didYouMean, shortened, slipsOf } from '#core/near-names.ts'
import { type Client, NodeRefusal } from '#gateway/client.ts'

/** The route of a solver. @throws CliError naming the solvers there are, when this is none. */
const routeOf = async (client: Client, name: string, signal: AbortSignal): Promise<string> => {
  try {
    const { route } = await client.call('compute.solver', { name }, { signal })
    return route.replace('POST ', '')
  } catch (error) {
    if (!(error instanceof NodeRefusal && error.code === 'NOT_FOUND')) throw error
    const known = (await client.call('compute.solvers', {}, { signal })).solvers.map((it) => it.name)
    const suggestions = slipsOf(name, known)
    const list = suggestions.length === 0 ? ` This node has ${known.join(', ')}.` : didYouMean(suggestions)
    const message = `there is no solver "${shortened(name)}".${list}`
    throw new CliError(exits.usage, message, { code: 'UNKNOWN_SOLVER', details: { known, suggestions } })
  }
}

/** Several numbers where one belongs: `80,90,100`. */
const SEVERAL = /^[-+.\deE]+(?:,[-+.\deE]+)+$/

/** What is refused since it names several values for one input says how several are run; any other error as it is. */
const ofSeveral = (error: unknown, solver: string, words: readonly string[]): unknown => {
  if (!(error instanceof NodeRefusal && error.code === 'INVALID_INPUT')) return error
  const { problem, message, url } = error
  const input = inputAt(String(problem['path'] ?? ''))
  const value = words.find((word) => word.startsWith(`${input}=`))?.slice(input.length + 1)
  if (value === undefined || !SEVERAL.test(value)) return error
  const hint = `One call takes one value; several: tickmesh solve ${solver} --vary ${input}=${value}`
  return new NodeRefusal({ ...problem, detail: `${message} ${hint}`, hint }, url)
}

/** Where it is to be computed. Who sends inputs to strangers says so in so many words. */
const preferOf = ({ options: { where, consent } }: Invocation): { readonly prefer?: string } => {
  if (where !== undefined && where !== 'here' && where !== 'mesh') throw usageError('--where takes here or mesh')
  if (where !== 'mesh' && consent === true) throw usageError('--consent goes with --where mesh')
  if (where !== 'mesh') return {}
  if (consent === true) return { prefer: 'where=mesh; consent' }
  throw usageError('--where mesh shows the inputs to the node that computes, and to whoever checks it: add --consent')
}

/** Options that are about one run. */
const ofOneRun = ['full', 'bundle', 'plot', 'plotIndex', 'wait', 'detach', 'quote', 'where', 'consent'] as const

/** Runs a solver once for each value of the inputs that are varied, all opened together. */
const sweep = async (invocation: Invocation, solver: string, words: readonly string[]): Promise<number> => {
  const { options, signal } = invocation
  const one = ofOneRun.find((name) => options[name] !== undefined)
  if (one !== undefined)
    throw usageError(`--${one.replace('plotIndex', 'plot-index')} is about one run, --vary of many`)
  const { variedInputs } = await import('#cli/vary.ts')
  const { vary, inputs } = variedInputs([options['vary'] ?? ''].flat() as readonly string[])
  const input = await readInput(invocation, [...words, ...inputs], { nested: true })
  const { runBatch } = await import('#cli/run-batch.ts')
  const columns = vary.map(({ name }) => name)
  return computing(invocation, async ({ client }) => {
    const route = `POST ${await routeOf(client, solver, signal)}`
    return runBatch(invocation, { client, input: { sweep: { route, input, vary } }, columns })
  })
}

export const solve = command({
  path: 'solve',
  settings: 'node',
  summary: 'Run a solver on the node and get a sealed result.',
  args: [
    { name: '<solver>', help: 'its name, e.g. heat; `tickmesh solvers` lists them', choices: 'solvers' },
    {
      name: '[inputs...]',
      help: 'name=value or group.name=value; what is left out has the documented default',
      choices: 'inputs',
    },
  ],
  options: [
    ...computeOptions,
    ...varyOptions,
    {
      flags: '--where <place>',
      help: 'who computes: `here`, the node itself, or `mesh`, another node that contributes, checked by this one',
      choices: ['here', 'mesh'],
    },
    {
      flags: '--consent',
      help: 'with --where mesh: the node that computes, and whoever checks it, may read the inputs',
    },
  ],
  examples: [
    'tickmesh solve heat',
    'tickmesh solve heat nx=256 ny=256 steps=400 initial.kind=box --bundle heat.json',
    'tickmesh solve heat steps=5000 --quote',
    'tickmesh solve heat steps=5000 --where mesh --consent',
    'tickmesh solve heat --vary nx=32..512:5 --to study',
  ],
  async run(invocation) {
    const [solver = '', ...words] = invocation.args
    if (invocation.options['vary'] !== undefined) return sweep(invocation, solver, words)
    for (const name of ['to', 'cancel']) {
      if (invocation.options[name] !== undefined) throw usageError(`--${name} goes with --vary`)
    }
    const prefer = preferOf(invocation)
    const input = await readInput(invocation, words, { nested: true })
    const { runRoute } = await import('#cli/run-route.ts')
    try {
      return await computing(invocation, async (to) =>
        runRoute(invocation, { ...to, path: await routeOf(to.client, solver, invocation.signal), input, ...prefer }),
      )
    } catch (error) {
      throw ofSeveral(error, solver, words)
    }
  },
})
