import { command } from '#cli/command.ts'
import { options, readInput, runRoute } from './solve.ts'

export const compute = command({
  path: 'compute',
  summary: 'Evaluate 1 to 3 operators and get a sealed result.',
  args: [
    { name: '<operators>', help: 'ids, separated by commas, e.g. GR37; KO42 is added' },
    { name: '[inputs...]', help: 'name=value; a value may carry its unit: r="5 km"' },
  ],
  options: [...options, { flags: '--solve-for <symbol>', help: 'the quantity wanted, when it is not the usual one' }],
  examples: ['tickmesh compute GR37 mass=1.98892e30', 'tickmesh compute NM21 m1=5.972e24 m2=1000 r=6.78e6'],
  run: async (invocation) => {
    const [operators = '', ...words] = invocation.args
    const wanted = invocation.options['solveFor']
    return runRoute(invocation, '/api/svc/compute', {
      operators: operators.split(','),
      inputs: await readInput(invocation, words),
      ...(typeof wanted === 'string' && { solve_for: wanted }),
    })
  },
})
