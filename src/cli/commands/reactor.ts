import type { ResultOf } from '#api/result-of.ts'
import { type Command, command } from '#cli/command.ts'
import { waitOptions } from '#cli/compute-options.ts'
import { connect } from '#cli/connection.ts'
import { cell, listText } from '#cli/describe.ts'
import { endpointCommand } from '#cli/endpoint-command.ts'
import { exits } from '#cli/exit.ts'
import { parseAssignments, wholeOption } from '#cli/input.ts'
import { jsonText, printable } from '#cli/io.ts'
import { CliError, usageError } from '#cli/problem.ts'

const ID = /^[0-9a-f]{32}$/
const rowColumns = ['step', 'tick', 'errorPct', 'errorSum', 'value', 'state', 'token_id']
const id = { name: '[reactor]', help: 'its id; the newest one of this key when left out' } as const

/** The id that a word gives. @throws CliError for what is none. */
const idOf = ([word]: readonly string[]): { readonly reactor?: string } => {
  if (word === undefined) return {}
  if (ID.test(word)) return { reactor: word }
  throw usageError(`"${word}" is no id of a reactor`)
}

type Trajectory = ResultOf<'compute.reactor-trajectory'>

/** What a trajectory was found to be, in words. */
const wordsOf = (
  { valid, count, entries, broken }: Trajectory['verified'],
  rerun: Trajectory['rerun'],
): readonly string[] => {
  const chain = valid
    ? `verified: ${count} states follow from one another, ${entries} entries of the chain say the same`
    : `BROKEN at step ${broken?.step}: ${broken?.why}`
  if (rerun === null) return [chain]
  const { from, to, differs_at } = rerun
  return [
    chain,
    differs_at === null
      ? `computed again from step ${from} to ${to}: the same digests`
      : `DIFFERS at step ${differs_at}`,
  ]
}

const create = endpointCommand({
  path: 'reactor create',
  endpoint: 'compute.reactor',
  args: [
    { name: '[solver]', help: 'what is stepped, e.g. heat; predator and prey when left out', choices: 'solvers' },
    { name: '[inputs...]', help: 'name=value or group.name=value, as `tickmesh solve` takes them', choices: 'inputs' },
  ],
  examples: [
    'tickmesh reactor create',
    'tickmesh reactor create heat nx=96 ny=96 steps=20 --steps 50 --machine plate-1 --observers \'["maxTemperature"]\'',
    'tickmesh reactor create lorenz --stretch 5 --stops \'[{"of":"errorSum","op":">","than":0.01}]\'',
  ],
  prepare: async (input, { args: [solver, ...words] }) => {
    const given = parseAssignments(words, { nested: true, base: (input['inputs'] ?? {}) as Record<string, unknown> })
    return { ...input, ...(solver !== undefined && { solver }), ...(words.length > 0 && { inputs: given }) }
  },
})

const step = command({
  path: 'reactor step',
  settings: 'node',
  summary: 'Take one step: run, check, seal, and put the new state into the chain.',
  args: [id],
  options: [
    { flags: '--at <n>', help: 'the number that the step must get: whoever repeats the command takes no second one' },
    ...waitOptions,
    { flags: '--detach', help: 'only begin the job and print its id; `tickmesh jobs wait` comes back to it' },
    {
      flags: '--idempotency-key <text>',
      help: 'names this call: a repeat is answered as the first time, and charged once',
    },
  ],
  examples: [
    'tickmesh reactor step',
    'tickmesh reactor step 0123456789abcdef0123456789abcdef --at 4 --bundle four.json',
  ],
  async run(invocation) {
    const at = wholeOption(invocation.options['at'], '--at')
    const input = { ...idOf(invocation.args), ...(at !== undefined && { step: at }) }
    const { runRoute } = await import('#cli/run-route.ts')
    return runRoute(invocation, { ...connect(invocation), path: '/api/svc/reactor/step', input })
  },
})

const observe = command({
  path: 'reactor observe',
  settings: 'node',
  summary: 'Step once a tick and show each step in a line, until the contract, --steps or Ctrl-C ends it.',
  args: [id],
  options: [
    { flags: '--steps <n>', help: 'steps to take; those that the contract has left when left out' },
    { flags: '--after <n>', help: 'begin after this step; with the next one when left out' },
  ],
  examples: ['tickmesh reactor observe', 'tickmesh reactor observe --steps 5 --json | jq .errorSum'],
  async run(invocation) {
    const { io, options, signal } = invocation
    const steps = wholeOption(options['steps'], '--steps')
    const after = wholeOption(options['after'], '--after')
    const { client } = connect(invocation)
    // What a reader that left does not read would be charged for all the same.
    const until = AbortSignal.any([signal, io.gone])
    const input = {
      ...idOf(invocation.args),
      ...(steps !== undefined && { steps }),
      ...(after !== undefined && { after }),
    }
    for await (const { event, data } of client.stream('compute.reactor-watch', input, { signal: until })) {
      const row = data as Readonly<Record<string, unknown>>
      if (event === 'error') {
        const { code = 'STREAM_ENDED', detail = 'the stream ended' } = row as { code?: string; detail?: string }
        throw new CliError(exits.failure, `${code}: ${detail}`, { code })
      }
      if (event === 'end') {
        io.say(`${row['status']} after step ${row['step']} of ${row['steps']}; errors add up to ${row['errorSum']} %`)
        return exits.ok
      }
      io.out(io.json ? jsonText({ ok: true, ...row }) : printable(rowColumns.map((it) => cell(row[it])).join('  ')))
      await io.drained()
    }
    return exits.ok
  },
})

/** Stateful loops over a solver: made from a contract, stepped, observed, read and followed. */
export const reactor: readonly Command[] = [
  create,
  endpointCommand({
    path: 'reactor list',
    endpoint: 'compute.reactors',
    list: ['reactors', ['id', 'solver', 'status', 'step', 'steps', 'errorSum', 'machine', 'moved_tick']],
    examples: ['tickmesh reactor list', 'tickmesh reactor list --json | jq -r .reactors[0].id'],
  }),
  step,
  observe,
  endpointCommand({
    path: 'reactor state',
    endpoint: 'compute.reactor-state',
    words: ['reactor'],
    examples: ['tickmesh reactor state', 'tickmesh reactor state --json | jq .input'],
  }),
  endpointCommand({
    path: 'reactor trajectory',
    endpoint: 'compute.reactor-trajectory',
    words: ['reactor'],
    text: ({ rows, verified, rerun }) => [listText(rows, rowColumns), ...wordsOf(verified, rerun)].join('\n'),
    examples: ['tickmesh reactor trajectory', 'tickmesh reactor trajectory --rerun true --limit 500'],
    exit: ({ verified, rerun }) => (verified.valid && rerun?.agrees !== false ? exits.ok : exits.failure),
  }),
  endpointCommand({
    path: 'reactor telemetry',
    endpoint: 'compute.reactor-telemetry',
    words: ['reactor'],
    examples: ['tickmesh reactor telemetry'],
  }),
  endpointCommand({
    path: 'reactor next',
    endpoint: 'compute.reactor-next',
    words: ['reactor'],
    secrets: ['share'],
    examples: [
      'tickmesh reactor next --after 3 --wait 60',
      'tickmesh reactor next 0123456789abcdef0123456789abcdef --node 12D3KooW… --share-file plate.share --json',
    ],
  }),
]
