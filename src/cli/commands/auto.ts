import { command, type Invocation } from '#cli/command.ts'
import { computeOptions } from '#cli/compute-options.ts'
import { computing, connect } from '#cli/connection.ts'
import { exits } from '#cli/exit.ts'
import { parseAssignments } from '#cli/input.ts'
import { present, table } from '#cli/io.ts'
import { usageError } from '#cli/problem.ts'
import { confirmedReading, describeReading } from '#cli/reading.ts'

const PATH = '/api/svc/auto'

/** Values of `--constant`, which may stand several times, and of the words behind the query. */
const constantsOf = ({ args, options }: Invocation): Readonly<Record<string, unknown>> => {
  const given: unknown = options['constant']
  // The shell takes a question without quotes apart.
  const loose = args.slice(1).find((word) => !word.includes('='))
  if (loose !== undefined) {
    throw usageError(`an input is name=value; got "${loose}"; a question of several words stands in quotes`)
  }
  const flagged = Array.isArray(given) ? given.map(String) : typeof given === 'string' ? [given] : []
  return parseAssignments([...args.slice(1), ...flagged], { nested: false })
}

export const auto = command({
  path: 'auto',
  settings: 'node',
  summary: 'Ask in words: the node shows what it read, asks whether that is meant, and seals the answer.',
  args: [
    { name: '<query>', help: 'the question in English; numbers with units in it are values: "… 5 km for 10 seconds"' },
    { name: '[constants...]', help: 'name=value, as with --constant' },
  ],
  options: [
    { flags: '--constant <pairs...>', help: 'name=value; a value may carry its unit: r="5 km"' },
    { flags: '--dry-run', help: 'only show how it is read and what it would cost' },
    ...computeOptions.filter(({ flags }) => !flags.startsWith('--input-file')),
  ],
  examples: [
    'tickmesh auto "satellite at altitude 400 km moving at 7.67 km/s for 90 minutes" --dry-run',
    'tickmesh auto "escape velocity of mars" --yes',
    'tickmesh auto "gravitational force between two masses" --constant m1=5.972e24 m2=1000 r="6780 km"',
  ],
  async run(invocation) {
    const { io, signal, options } = invocation
    const [query = ''] = invocation.args
    const constants = constantsOf(invocation)
    const to = connect(invocation)
    const input = { query, ...(Object.keys(constants).length > 0 && { constants }) }
    const { runRoute } = await import('#cli/run-route.ts')
    if (options['quote'] === true) return runRoute(invocation, { ...to, path: PATH, input })
    const read = await to.client.call('compute.auto', { ...input, dry: true }, { signal })
    if (options['dryRun'] === true) {
      present(
        io,
        { ok: true, ...read },
        () => `${describeReading(read.reading)}\n${table([['price', `${read.price} credits`]])}`,
      )
      return exits.ok
    }
    const confirm = await confirmedReading(io, read, signal)
    const meant = { ...input, ...(confirm !== undefined && { confirm }) }
    return computing(invocation, (it) => runRoute(invocation, { ...it, path: PATH, input: meant }))
  },
})
