import { type Command, command } from '#cli/command.ts'
import { waitOptions } from '#cli/compute-options.ts'
import { connect } from '#cli/connection.ts'
import { CliError, usageError } from '#cli/problem.ts'
import { pause } from '#core/wait.ts'
import { NodeUnreachable } from '#gateway/client.ts'
import { isJobId } from './jobs.ts'
import { machineFollow } from './machine-follow.ts'

/** Connections that may fail in a row before a job is given up: about a minute, in which a node has started again. */
const RECONNECTS_MAX = 20
const RECONNECT_MS = 3_000

const isAway = (error: unknown): boolean =>
  error instanceof NodeUnreachable || (error instanceof CliError && error.code === 'UNREACHABLE')

const job = command({
  path: 'watch job',
  settings: 'node',
  summary: 'Follow a job to its end, over an interruption of the node too, and show its result.',
  args: [{ name: '<id>', help: 'its id, as `jobs list` shows it', choices: 'jobs' }],
  options: waitOptions,
  examples: ['tickmesh watch job 0123456789abcdef0123456789abcdef'],
  async run(invocation) {
    const { io, args, signal } = invocation
    const [id = ''] = args
    if (!isJobId(id)) throw usageError(`"${id}" is no id of a job`)
    const { readJob } = await import('#cli/run-job.ts')
    const { rejoin } = await import('#cli/run-route.ts')
    const to = connect(invocation)
    for (let failed = 0; ; failed++) {
      try {
        return await rejoin(invocation, to, await readJob(to.client, id, signal))
      } catch (error) {
        if (!isAway(error) || failed >= RECONNECTS_MAX) throw error
        if (failed === 0) io.say(`${(error as Error).message}; waiting for it`)
      }
      await pause(RECONNECT_MS, signal)
    }
  },
})

/** What goes on, followed as it does. */
export const watch: readonly Command[] = [
  {
    ...machineFollow,
    path: 'watch machine',
    summary: 'The same as `machines follow`: entries of a machine as they happen, over any interruption.',
    examples: ['tickmesh watch machine pump-7', 'tickmesh watch machine pump-7 --from 0 --json | jq .seq'],
  },
  job,
]
