import type { Client } from '#gateway/client.ts'
import { describeAnswer } from './answer.ts'
import type { Command, Invocation } from './command.ts'
import { exits } from './exit.ts'
import { assertWritable, writeWhole } from './files.ts'
import { present, table } from './io.ts'
import { CliError } from './problem.ts'
import { withProgress } from './progress.ts'
import { fetchBundle, runAsJob } from './run-job.ts'

/** A computation by its path and what it is called with. */
export interface RouteCall {
  readonly client: Client
  readonly path: string
  readonly input: Readonly<Record<string, unknown>>
}

/** Options of every command that computes. */
export const computeOptions: NonNullable<Command['options']> = [
  { flags: '--input-file <file>', help: 'read the input from a JSON file; - is stdin' },
  { flags: '--bundle <file>', help: 'wait for the seal and save the bundle, for `tickmesh verify`' },
  { flags: '--quote', help: 'only tell price, work and expected time; runs nothing' },
]

const quote = async ({ io, signal }: Invocation, { client, path, input }: RouteCall): Promise<number> => {
  const answer = await client.call('compute.quote', { route: `POST ${path}`, input }, { signal })
  present(io, answer, () =>
    table([
      ['price', `${answer.price} credits`],
      ['operators', answer.operators.join(', ')],
      ['work', `${answer.work} units of about 1e6 operations; you may ask for ${answer.work_limit}`],
      ['expected', `${answer.expected_seconds.toPrecision(2)} s`],
    ]),
  )
  return exits.ok
}

/** Runs a compute route as a job, with a progress line, and saves its bundle when that was asked for. */
export const runRoute = async (invocation: Invocation, call: RouteCall): Promise<number> => {
  const { io, signal, options } = invocation
  if (options['quote'] === true) return quote(invocation, call)
  const file = typeof options['bundle'] === 'string' ? options['bundle'] : undefined
  // A result that could not be saved would have been paid for all the same, so this comes first.
  if (file !== undefined) assertWritable(file)
  const answer = await withProgress(io, (tell) => runAsJob({ ...call, signal, tell }))
  const token = answer.envelope?.token_id
  if (file !== undefined) {
    if (token === undefined) throw new CliError(exits.failure, 'this answer has no envelope', { code: 'NOT_SEALED' })
    io.say('waiting for the checkpoint of this tick …')
    writeWhole(file, `${JSON.stringify(await fetchBundle(call.client, token, signal))}\n`)
  }
  present(io, { ok: true, answer, bundle: file ?? null }, () => describeAnswer(answer))
  if (file !== undefined) io.say(`saved ${file}; verify it with: tickmesh verify ${file} --key <whom you trust>`)
  else if (token !== undefined) io.say(`its evidence: tickmesh envelopes bundle ${token}`)
  return exits.ok
}
