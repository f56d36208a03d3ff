import { type Command, command, type Invocation } from '#cli/command.ts'
import { completionScript, completionTables, type Shell, shells } from '#cli/completion.ts'
import { connect } from '#cli/connection.ts'
import { exits } from '#cli/exit.ts'
import { jsonText } from '#cli/io.ts'
import { usageError } from '#cli/problem.ts'
import { solverInputs, solverNames } from '#cli/solver-inputs.ts'
import type { Client } from '#gateway/client.ts'

/** A person waits at the TAB key. */
const TIMEOUT_MS = 1_000
/** A shell expands the words it is given: nothing but these letters ever gets there. */
const PLAIN = /^[\w.=-]{1,96}$/

/** Pages of operators that are asked for at once, and their rows. */
const OPERATOR_PAGES = 5
const OPERATOR_ROWS = 500
/** Envelopes that a list of tokens begins with, the newest. */
const TOKENS_MAX = 50

type Lookup = (client: Client, signal: AbortSignal) => Promise<readonly string[]>

/** The ids of all operators, in a few pages. */
const operatorIds: Lookup = async (client, signal) => {
  const pages = Array.from({ length: OPERATOR_PAGES }, (_, i) =>
    client.call('compute.operators', { limit: OPERATOR_ROWS, offset: i * OPERATOR_ROWS }, { signal }),
  )
  return (await Promise.all(pages)).flatMap(({ operators }) => operators.map(({ id }) => id))
}

/** The tokens of the newest envelopes of one's own. */
const ownTokens: Lookup = async (client, signal) => {
  const { zid } = await client.call('economy.credits', {}, { signal })
  const { envelopes } = await client.call('economy.envelopes', { zid, limit: TOKENS_MAX, offset: 0 }, { signal })
  return envelopes.map((it) => it.token_id)
}

const lookups: ReadonlyMap<string, Lookup> = new Map<string, Lookup>([
  [
    'machines',
    async (client, signal) => (await client.call('machines.list', {}, { signal })).machines.map((it) => it.slug),
  ],
  ['jobs', async (client, signal) => (await client.call('compute.jobs', {}, { signal })).jobs.map((it) => it.id)],
  ['operators', operatorIds],
  ['tokens', ownTokens],
])

/** What this release knows by itself: no node is asked. */
const known: Readonly<Record<string, (before: readonly string[]) => readonly string[]>> = {
  solvers: solverNames,
  inputs: (before) => {
    // A solver is called solve, like the command before it: the name stands behind the command.
    const [name = ''] = before.slice(before.findIndex((word) => word === 'solve' || word === 'create') + 1)
    const given = new Set(before.map((word) => word.replace(/=.*/s, '=')))
    return solverInputs(name).filter((word) => !given.has(word.replace(/=.*/s, '=')))
  },
}

const looked = async (invocation: Invocation): Promise<readonly string[]> => {
  const [kind = '', ...before] = invocation.args
  if (Object.hasOwn(known, kind)) return known[kind]?.(before).filter((word) => PLAIN.test(word)) ?? []
  const find = lookups.get(kind)
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
    args: [
      { name: '<kind>', help: [...Object.keys(known), ...lookups.keys()].join(' | ') },
      { name: '[before...]', help: 'the words of the call so far' },
    ],
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
