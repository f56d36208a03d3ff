import { extname } from 'node:path'
import { assert } from '#core/assert.ts'
import type { Client } from '#gateway/client.ts'
import { assertWritable, writeWhole } from './files.ts'
import { wholeOption } from './input.ts'
import { usageError } from './problem.ts'

const formats = ['svg', 'png', 'csv'] as const

/** A plot that is to be saved: what it is follows from the file's name. */
export interface PlotOrder {
  readonly file: string
  readonly format: (typeof formats)[number] | 'terminal'
  readonly index: number
}

/** The word that stands for the terminal in place of a file's name. */
const TERMINAL = '-'

/** @param index the word of an option; 0 when there is none. @throws CliError for a name that says no format. */
export const plotOrder = (file: string, index: string | boolean | undefined): PlotOrder => {
  if (file === TERMINAL) return { file, format: 'terminal', index: wholeOption(index, '--index') ?? 0 }
  const format = formats.find((it) => extname(file).toLowerCase() === `.${it}`)
  if (format === undefined) {
    throw usageError(`a plot is saved as ${formats.map((it) => `.${it}`).join(', ')}; - draws it in the terminal`)
  }
  assertWritable(file)
  return { file, format, index: wholeOption(index, '--index') ?? 0 }
}

/** Has the node draw a sealed result, and saves it. An order for the terminal is for `drawInTerminal`. */
export const savePlot = async (
  client: Client,
  token: string,
  { file, format, index }: PlotOrder,
  signal: AbortSignal,
): Promise<void> => {
  assert(format !== 'terminal', 'a plot for the terminal is drawn here')
  const body: unknown = await client.call('compute.picture', { token_id: token, format, index }, { signal })
  writeWhole(file, body instanceof Uint8Array ? body : String(body))
}
