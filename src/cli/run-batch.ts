import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { proofLine } from '#core/batch/proof-line.ts'
import { quantity } from './answer.ts'
import {
  type BatchAnswerLine,
  type BatchCallOf,
  type BatchInput,
  batchLines,
  type CallLine,
  type ClosingLine,
  isClosing,
  isOpening,
  type OpeningLine,
  provedClosing,
} from './batch-lines.ts'
import type { Invocation } from './command.ts'
import type { Connection } from './connection.ts'
import { type Exit, exits } from './exit.ts'
import { writeWhole } from './files.ts'
import { jsonText, printable, table } from './io.ts'
import { CliError, usageError } from './problem.ts'
import { fetchBundle } from './run-job.ts'

/** Figures of a value in a table. */
const FIGURES = 10

/** A batch on its way to the node. */
export interface BatchRun extends Pick<Connection, 'client'> {
  readonly input: BatchInput
  /** Inputs that stand in columns of the table. */
  readonly columns: readonly string[]
}

const at = (input: unknown, name: string): unknown =>
  name.split('.').reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], input)

const short = (value: number | null, unit: string): string =>
  quantity(value === null ? null : Number(value.toPrecision(FIGURES)), unit)

const rowOf = ({ index, route, input, answer, problem, outcome }: CallLine, columns: readonly string[]) => [
  String(index),
  ...(columns.length === 0 ? [route.replace('POST /api/svc/', '')] : columns.map((it) => String(at(input, it) ?? ''))),
  answer === undefined ? `${outcome}: ${problem?.code ?? ''}` : short(answer.value, answer.unit),
  answer === undefined ? '' : `${answer.precisionActual.toPrecision(2)} %`,
  answer === undefined ? '' : String(answer.envelope.face_value),
  answer?.envelope.token_id ?? '',
]

const headOf = (columns: readonly string[]): readonly string[] => [
  'call',
  ...(columns.length === 0 ? ['route'] : columns),
  'value',
  'error',
  'price',
  'envelope',
]

/** What was read of a batch. */
interface ReadBatch {
  readonly opening: OpeningLine
  readonly calls: readonly CallLine[]
  readonly closing: ClosingLine
}

/** Reads a batch to its end; with `--json` each line is printed as it comes. */
const readAll = async ({ io }: Invocation, lines: AsyncIterable<BatchAnswerLine>): Promise<ReadBatch> => {
  let opening: OpeningLine | undefined
  let closing: ClosingLine | undefined
  const calls: CallLine[] = []
  try {
    for await (const line of lines) {
      if (io.json) {
        io.out(jsonText(line))
        await io.drained()
      }
      if (isOpening(line)) opening = line
      else if (isClosing(line)) closing = line
      else calls.push(line)
      io.redraw(`${calls.length} of ${opening?.calls ?? '?'}`)
    }
  } finally {
    io.redraw('')
  }
  if (opening === undefined || closing === undefined) throw new Error('a batch is read from its opening to its closing')
  return { opening, calls, closing }
}

const lineText = (line: object): string => JSON.stringify(proofLine(line as Readonly<Record<string, unknown>>))

/** Saves the lines that prove a batch whole, and beside them a bundle of each envelope. */
const saveInto = async (
  { io, signal }: Invocation,
  directory: string,
  { of, read }: { readonly of: BatchCallOf; readonly read: ReadBatch },
): Promise<void> => {
  io.say('waiting for the checkpoint of this tick …')
  const closing = (await provedClosing(of, read.opening.calls)) ?? read.closing
  const lines = [read.opening, ...read.calls, closing].map(lineText)
  mkdirSync(directory, { recursive: true })
  writeWhole(join(directory, 'batch.ndjson'), `${lines.join('\n')}\n`)
  try {
    for (const { index, answer } of read.calls) {
      if (answer === undefined) continue
      const { token_id: token, kind } = answer.envelope
      io.redraw(`receipt ${index + 1} of ${read.calls.length}`)
      const bundle = await fetchBundle(of.client, token, signal)
      writeWhole(join(directory, `${kind}-${token}.json`), `${JSON.stringify(bundle)}\n`)
    }
  } finally {
    io.redraw('')
  }
}

/** Says how a batch that goes on without its reader is read again. */
const goesOn = (error: unknown, signal: AbortSignal, key: string): unknown => {
  if (!signal.aborted || !(signal.reason instanceof CliError)) return error
  const { exit, message, code } = signal.reason
  const how =
    `the batch goes on; the same call with --idempotency-key ${key} reads it, and charges nothing twice; ` +
    'with --cancel it ends it'
  return new CliError(exit, `${message}: ${how}`, { code, details: { idempotency_key: key } })
}

/** Opens a batch, shows its answers, and saves what proves that none is missing. @returns 0 where all are sealed */
export const runBatch = async (invocation: Invocation, { client, input, columns }: BatchRun): Promise<Exit> => {
  const { io, options, signal } = invocation
  const named = typeof options['idempotencyKey'] === 'string' ? options['idempotencyKey'] : undefined
  const cancel = options['cancel'] === true
  if (cancel && named === undefined) throw usageError('--cancel takes the --idempotency-key of the batch')
  const key = named ?? crypto.randomUUID()
  const of: BatchCallOf = { client, input, idempotencyKey: key, cancel, signal }
  const directory = typeof options['to'] === 'string' ? options['to'] : undefined
  try {
    const read = await readAll(invocation, batchLines(of))
    const { opening, calls, closing } = read
    if (!io.json) io.out(printable(table([headOf(columns), ...calls.map((it) => rowOf(it, columns))])))
    for (const { index, problem } of calls) if (problem) io.say(`call ${index}: ${problem.detail}`)
    const { sealed, refused, failed } = closing
    const paid = calls.reduce((sum, { answer }) => sum + (answer?.envelope.face_value ?? 0), 0)
    io.say(`${opening.calls} calls: ${sealed} sealed, ${refused} refused, ${failed} failed; ${paid} credits`)
    if (directory !== undefined) {
      await saveInto(invocation, directory, { of, read })
      io.say(
        `saved ${directory}; verify that none is missing with: tickmesh verify ${directory} --key <whom you trust>`,
      )
    } else io.say('that none is missing can be proved: the same with --to <folder>')
    return sealed === calls.length ? exits.ok : exits.failure
  } catch (error) {
    throw goesOn(error, signal, key)
  }
}
