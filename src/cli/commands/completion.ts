import { type Command, command, type Invocation } from '#cli/command.ts'
import { completionScript, completionTables, type Shell, shells } from '#cli/completion.ts'
import { connect } from '#cli/connection.ts'
import { exits } from '#cli/exit.ts'
import { jsonText } from '#cli/io.ts'
import { usageError } from '#cli/problem.ts'
import type { Client } from '#gateway/client.ts'

/** A person waits at the TAB key. */
const TIMEOUT_MS = 2_000
/** A shell expands the words it is given: nothing but these letters ever gets there. */
const PLAIN = /^[a-z0-9-]{1,64}$/

type Lookup = (client: Client, signal: AbortSignal) => Promise<readonly string[]>

const lookups: ReadonlyMap<string, Lookup> = new Map<string, Lookup>([
  [
    'machines',
    async (client, signal) => (await client.call('machines.list', {}, { signal })).machines.map((it) => it.slug),
  ],
  [
    'solvers',
    async (client, signal) => (await client.call('compute.solvers', {}, { signal })).solvers.map((it) => it.name),
  ],
  ['jobs', async (client, signal) => (await client.call('compute.jobs', {}, { signal })).jobs.map((it) => it.id)],
])

const looked = async (invocation: Invocation): Promise<readonly string[]> => {
  const find = lookups.get(invocation.args[0] ?? '')
  if (find === undefined) return []
  try {
    const { client } = connect(invocation, { retriesMax: 0, timeoutMs: TIMEOUT_MS })
    return (await find(client, invocation.signal)).filter((word) => PLAIN.test(word))
  } catch {
    return [] // Whatever is wrong, a TAB key is no place to say so.
  }
}

/** Scripts for shells, made of the commands' own literals. */
export const completion = (all: () => Promise<readonly Command[]>): readonly Command[] => [
  command({
    path: 'completion',
    summary: 'Print a script that completes commands, options and values in a shell.',
    args: [{ name: '<shell>', help: shells.join(' | '), choices: shells }],
    settings: 'none',
    examples: ['source <(tickmesh completion bash)', 'tickmesh completion fish | source'],
    async run({ io, args: [shell = ''] }) {
      if (!(shells as readonly string[]).includes(shell)) throw usageError(`the shells are ${shells.join(', ')}`)
      const script = completionScript(shell as Shell, completionTables(await all()))
      io.out(io.json ? jsonText({ ok: true, shell, script }) : script.trimEnd())
      return exits.ok
    },
  }),
  command({
    path: '__complete',
    summary: 'Names that the node knows, for completion scripts.',
    args: [{ name: '<kind>', help: [...lookups.keys()].join(' | ') }],
    hidden: true,
    examples: [],
    async run(invocation) {
      const words = await looked(invocation)
      if (invocation.io.json) invocation.io.out(jsonText({ ok: true, words }))
      else if (words.length > 0) invocation.io.out(words.join('\n'))
      return exits.ok
    },
  }),
]
