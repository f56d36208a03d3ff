import type { Client } from '#gateway/client.ts'
import type { Plot } from '#numerics/plot/plot.ts'
import { exits } from './exit.ts'
import { type Io, printable } from './io.ts'
import { plotText } from './plot/plot-text.ts'
import { screenOf } from './plot/screen.ts'
import { CliError, usageError } from './problem.ts'
import { fetchBundle } from './run-job.ts'

/** A sealed result: what it is of, what went in, and what came out. */
export interface Drawable {
  readonly kind: string
  readonly inputs: object
  readonly output: unknown
}

/** The result of an envelope, from its bundle: it may be a moment until the log has it. */
const sealedResult = async (client: Client, token: string, signal: AbortSignal): Promise<Drawable> => {
  const bundle = (await fetchBundle(client, token, signal)) as {
    readonly envelope: { readonly claim: { readonly kind: string } }
    readonly inputs?: object
    readonly result?: { readonly output: unknown }
  }
  const { envelope, inputs, result } = bundle
  if (inputs === undefined || result === undefined) {
    throw new CliError(exits.failure, 'the node keeps inputs and result of this envelope no more', {
      code: 'NOT_FOUND',
    })
  }
  return { kind: envelope.claim.kind, inputs, output: result.output }
}

/** A plot of a result, made here by its own solver. @throws CliError `NOT_FOUND` where it has none of this number. */
const plotOf = async ({ kind, inputs, output }: Drawable, index: number): Promise<Plot> => {
  const { solverByName } = await import('#numerics/solvers/index.ts')
  const { resolveInput } = await import('#numerics/runtime/input.ts')
  const solver = solverByName(kind)
  const plots = solver?.plots?.(resolveInput(solver, inputs), output as never) ?? []
  const plot = plots[index]
  if (plot !== undefined) return plot
  const there = plots.length === 0 ? 'no plot' : `${plots.length} plots, from number 0 on`
  throw new CliError(exits.failure, `NOT_FOUND: ${kind} has ${there}`, {
    code: 'NOT_FOUND',
    details: { plots: plots.length },
  })
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with one
const ESCAPED = /(\u001B\[[\d;]*m)/

/** Names in a plot may come from elsewhere: of what steers a terminal its own colours alone get through. */
const safe = (text: string): string =>
  text
    .split(ESCAPED)
    .map((part) => (ESCAPED.test(part) ? part : printable(part)))
    .join('')

/** Draws a result on stdout. @param result the result itself, where it is at hand; else that of the envelope */
export const drawInTerminal = async (
  io: Io,
  client: Client,
  { token, index, result, signal }: { token: string; index: number; result?: Drawable; signal: AbortSignal },
): Promise<void> => {
  if (io.json) throw usageError('a plot in the terminal is no JSON: save it as .svg, .png or .csv')
  const plot = await plotOf(result ?? (await sealedResult(client, token, signal)), index)
  io.out(safe(plotText(plot, screenOf(process.stdout, process.env))))
}
