import { type Command, command } from '#cli/command.ts'
import { waitOptions } from '#cli/compute-options.ts'
import { connect } from '#cli/connection.ts'
import { endpointCommand } from '#cli/endpoint-command.ts'
import { usageError } from '#cli/problem.ts'

const JOB_ID = /^[0-9a-f]{32}$/

/** Whether a word is the id of a job. */
export const isJobId = (word: string): boolean => JOB_ID.test(word)

const wait = command({
  path: 'jobs wait',
  settings: 'node',
  summary: 'Come back to a job and wait for its result; an interruption leaves it running.',
  args: [{ name: '<id>', help: 'its id, as `jobs list` shows it', choices: 'jobs' }],
  options: waitOptions,
  examples: ['tickmesh jobs wait 0123456789abcdef0123456789abcdef --bundle heat.json'],
  async run(invocation) {
    const [id = ''] = invocation.args
    if (!isJobId(id)) throw usageError(`"${id}" is no id of a job`)
    const { readJob } = await import('#cli/run-job.ts')
    const { rejoin } = await import('#cli/run-route.ts')
    const to = connect(invocation)
    return rejoin(invocation, to, await readJob(to.client, id, invocation.signal))
  },
})

/** Computations that go on after the call that began them. */
export const jobs: readonly Command[] = [
  endpointCommand({
    path: 'jobs list',
    endpoint: 'compute.jobs',
    list: ['jobs', ['id', 'state', 'route', 'created_tick', 'fraction', 'eta', 'token_id']],
    examples: ['tickmesh jobs list', 'tickmesh jobs list --limit 5 --json'],
  }),
  endpointCommand({
    path: 'jobs show',
    endpoint: 'compute.job',
    words: ['id'],
    args: [{ name: '<id>', help: 'its id, as `jobs list` shows it', choices: 'jobs' }],
    prepare: async (input, { args: [id] }) => ({ ...input, id }),
    examples: ['tickmesh jobs show 0123456789abcdef0123456789abcdef'],
  }),
  wait,
  endpointCommand({
    path: 'jobs cancel',
    endpoint: 'compute.job-cancel',
    words: ['id'],
    args: [{ name: '<id>', help: 'its id, as `jobs list` shows it', choices: 'jobs' }],
    prepare: async (input, { args: [id] }) => ({ ...input, id }),
    examples: ['tickmesh jobs cancel 0123456789abcdef0123456789abcdef'],
  }),
]
