import { command, type Invocation } from '#cli/command.ts'
import { computeOptions } from '#cli/compute-options.ts'
import { computing, connect } from '#cli/connection.ts'
import { readInput } from '#cli/input.ts'
import { printable } from '#cli/io.ts'
import { usageError } from '#cli/problem.ts'
import { NodeRefusal } from '#gateway/client.ts'

const PATH = '/api/svc/compute'

/** Words that are no id of an operator are looked up: what they find stands before the refusal. */
const sayFound = async (invocation: Invocation, words: string): Promise<void> => {
  const { io, signal } = invocation
  if (io.json) return
  const { foundText, lookUp } = await import('#cli/look-up.ts')
  const found = foundText(await lookUp(connect(invocation).client, words, signal), io.columns)
  if (found !== undefined) io.complain(printable(found))
}

export const compute = command({
  path: 'compute',
  settings: 'node',
  summary: 'Evaluate 1 to 3 operators and get a sealed result.',
  args: [
    {
      name: '<operators>',
      help: 'ids with commas between, e.g. GR37; KO42 is added; `tickmesh operators` lists them',
      choices: 'operators',
    },
    {
      name: '[inputs...]',
      help: 'name=value; with unit and uncertainty if it has: r="5 km", m="5.0 ± 0.1 kg"; GR37.M=… where names collide',
    },
  ],
  options: [
    ...computeOptions,
    { flags: '--solve-for <symbol>', help: 'the quantity wanted, when it is not the usual one' },
  ],
  examples: [
    'tickmesh compute GR37 mass=1.98892e30',
    'tickmesh compute NM21 m1=5.972e24 m2=1000 r="6780 km"',
    'tickmesh compute NM19 m="5.0 ± 0.1 kg" a="2.00(5) m/s^2"',
  ],
  async run(invocation) {
    const [operators = '', ...words] = invocation.args
    const wanted = invocation.options['solveFor']
    if (words.length > 0 && !words.some((word) => word.includes('='))) {
      const loose = [operators, ...words].join(' ')
      await sayFound(invocation, loose)
      throw usageError(`an operator is given by its id, an input as name=value; a question is: tickmesh "${loose}"`)
    }
    const input = {
      operators: operators.split(',').map((it) => it.trim()),
      inputs: await readInput(invocation, words, { nested: false }),
      ...(typeof wanted === 'string' && { solve_for: wanted }),
    }
    const { runRoute } = await import('#cli/run-route.ts')
    try {
      return await computing(invocation, (to) => runRoute(invocation, { ...to, path: PATH, input }))
    } catch (error) {
      if (error instanceof NodeRefusal && error.code === 'UNKNOWN_OPERATOR' && input.operators.length === 1)
        await sayFound(invocation, operators)
      throw error
    }
  },
})
