import { readFileSync, writeFileSync } from 'node:fs'
import { type Command, command, type Invocation } from '#cli/command.ts'
import { connect } from '#cli/connection.ts'
import { exits } from '#cli/exit.ts'
import { present, table } from '#cli/io.ts'
import { CliError } from '#cli/problem.ts'
import { withProgress } from '#cli/progress.ts'
import { fetchBundle, type JobDocument, runAsJob } from '#cli/run-job.ts'

/** `name=value` words as one input: numbers, booleans and JSON where they parse, text otherwise. */
export const parseAssignments = (words: readonly string[]): Record<string, unknown> => {
  const input: Record<string, unknown> = {}
  for (const word of words) {
    const at = word.indexOf('=')
    if (at < 1) throw new CliError(exits.usage, `an input is name=value; got "${word}"`)
    const name = word.slice(0, at)
    if (Object.hasOwn(input, name)) throw new CliError(exits.usage, `the input ${name} is given twice`)
    const text = word.slice(at + 1)
    try {
      input[name] = JSON.parse(text)
    } catch {
      input[name] = text
    }
  }
  return input
}

/** Inputs of a file (`-` is stdin), with those of the command line on top. */
export const readInput = async ({ io, options }: Invocation, words: readonly string[]) => {
  const file = options['inputFile']
  const given = parseAssignments(words)
  if (typeof file !== 'string') return given
  let text: string
  try {
    text = file === '-' ? new TextDecoder().decode(await io.readStdin()) : readFileSync(file, 'utf8')
  } catch {
    throw new CliError(exits.failure, `${file} cannot be read`)
  }
  try {
    return { ...(JSON.parse(text) as Record<string, unknown>), ...given }
  } catch {
    throw new CliError(exits.usage, `${file} is not a JSON object`)
  }
}

/** Members of an answer that stand in lines of their own, or that only a verifier reads. */
const apart = new Set(['envelope', 'check', 'signature', 'bundle', 'svcProof', '_kernelUrl', 'precisionActual'])

/** A scalar as it is, an array by its length; other members stay in the bundle. */
const shown = (value: unknown): string | undefined => {
  if (Array.isArray(value)) return `${value.length} values`
  return value === null || typeof value === 'object' ? undefined : String(value)
}

const describe = (answer: JobDocument['answer'], saved: string | undefined): string => {
  const { envelope, check } = answer
  const rows = Object.entries(answer).flatMap(([name, value]) => {
    const text = apart.has(name) ? undefined : shown(value)
    return text === undefined ? [] : [[name, text]]
  })
  if (check !== undefined && check !== null) rows.push(['check', `${check.measured} % against ${check.against}`])
  if (envelope === undefined || envelope === null) rows.push(['envelope', 'none'])
  else {
    const { token_id, state, face_value, funding, hash } = envelope
    rows.push(['envelope', `${token_id} (${state}, ${face_value} credits, ${funding})`], ['hash', hash])
  }
  if (saved !== undefined) rows.push(['saved', saved])
  return table(rows)
}

export const options: NonNullable<Command['options']> = [
  { flags: '--input-file <file>', help: 'read the input from a JSON file; - is stdin' },
  { flags: '--bundle <file>', help: 'wait for the seal and save the bundle, for `tickmesh verify`' },
]

/** Runs a compute route as a job, with a progress line, and saves its bundle when that was asked for. */
export const runRoute = async (invocation: Invocation, path: string, input: unknown): Promise<number> => {
  const { io, signal } = invocation
  const { client } = connect(invocation)
  const job = await withProgress(io, (tell) => runAsJob({ client, path, input, signal, tell }))
  const { answer } = job
  const file = invocation.options['bundle']
  if (typeof file === 'string') {
    const token = answer.envelope?.token_id
    if (token === undefined) throw new CliError(exits.failure, 'this answer has no envelope, so there is no bundle')
    io.say('waiting for the checkpoint of this tick …')
    writeFileSync(file, `${JSON.stringify(await fetchBundle(client, token, signal))}\n`)
  }
  present(io, { ok: true, answer, bundle: file ?? null }, () =>
    describe(answer, typeof file === 'string' ? file : undefined),
  )
  return exits.ok
}

export const solve = command({
  path: 'solve',
  summary: 'Run a solver on the node and get a sealed result.',
  args: [
    { name: '<solver>', help: 'its name, e.g. heat; `tickmesh solvers` lists them' },
    { name: '[inputs...]', help: 'name=value; what is left out has the documented default' },
  ],
  options,
  examples: ['tickmesh solve heat', 'tickmesh solve heat nx=256 ny=256 steps=400 --bundle heat.json'],
  run: async (invocation) => {
    const [solver, ...words] = invocation.args
    return runRoute(invocation, `/api/svc/${encodeURIComponent(solver ?? '')}`, await readInput(invocation, words))
  },
})
