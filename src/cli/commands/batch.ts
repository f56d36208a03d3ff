import type { BatchInput } from '#cli/batch-lines.ts'
import { batchOptions } from '#cli/batch-options.ts'
import { command } from '#cli/command.ts'
import { computing } from '#cli/connection.ts'
import { exits } from '#cli/exit.ts'
import { readBounded } from '#cli/files.ts'
import { CliError, usageError } from '#cli/problem.ts'

/** Bytes of a file of calls; a node takes no larger body. */
const FILE_BYTES_MAX = 1_048_576

const lineOf = (text: string, line: number): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw usageError(`line ${line + 1} is no JSON`)
  }
}

/** What a file asks for: an object with calls or a sweep, a list of calls, or a call a line. @throws CliError */
const askedIn = (text: string): BatchInput => {
  try {
    const whole = JSON.parse(text) as BatchInput | BatchInput['calls'] | { readonly route: string }
    if (Array.isArray(whole)) return { calls: whole as NonNullable<BatchInput['calls']> }
    if (typeof whole === 'object' && whole !== null && ('calls' in whole || 'sweep' in whole)) return whole
  } catch {
    // More than one value: lines.
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return { calls: lines.map(lineOf) as NonNullable<BatchInput['calls']> }
}

export const batch = command({
  path: 'batch',
  settings: 'node',
  summary: 'Run up to 1,000 calls that are opened together, so that none can be left out afterwards.',
  args: [
    {
      name: '<file>',
      help: 'calls {"route", "input"}: one a line, or a JSON list; or {"sweep": …}. - is stdin',
      choices: 'files',
    },
  ],
  options: batchOptions,
  examples: [
    'tickmesh batch calls.ndjson',
    'tickmesh batch calls.ndjson --to study --json',
    'tickmesh batch calls.ndjson --idempotency-key study-1 --cancel',
    'tickmesh solve heat --vary nx=32..512:5 --to study',
    'tickmesh verify study --key 12D3KooW…',
  ],
  async run(invocation) {
    const [file = ''] = invocation.args
    const bytes = await readBounded(file, FILE_BYTES_MAX, invocation.signal)
    if (bytes === undefined) {
      throw new CliError(exits.failure, `${file} is larger than ${FILE_BYTES_MAX} bytes`, { code: 'INPUT_TOO_LARGE' })
    }
    const input = askedIn(new TextDecoder().decode(bytes))
    const { runBatch } = await import('#cli/run-batch.ts')
    return computing(invocation, ({ client }) => runBatch(invocation, { client, input, columns: [] }))
  },
})
