import type { Json } from '#core/canonical.ts'
import { templateValues } from '#core/channel/shown.ts'
import { fillPlaced } from '#core/template/fill.ts'
import { parsePlaced } from '#core/template/parse.ts'
import { type FillingType, fillingTypes, type PlacedText, Unfilled } from '#core/template/place.ts'
import { lineStarts } from '#ui/contracts/json-map.ts'
import type { JudgedText, ShownFault } from '#ui/contracts/judge.ts'
import type { ShownStream, ShownStreamHead } from './channel.ts'
import type { StreamOutput } from './use-stream.ts'

/** A fault of a template at its line and column, as the area marks it. */
export interface PlacedFault extends ShownFault {
  readonly line: number
  readonly column: number
}

/** A template that was looked at: its faults, or how it is filled. */
export interface JudgedTemplate {
  readonly judged: JudgedText
  readonly faults: readonly PlacedFault[]
  readonly parsed?: PlacedText
}

/** The type of a stream's template; plain text before it has one. */
export const typeOf = ({ contentType, outputFormat }: ShownStream): FillingType =>
  (outputFormat === 'template' ? fillingTypes.find((it) => it === contentType) : undefined) ?? 'text/plain'

/** What a fault is about, from where it is: a whole place, a word, or one sign. */
const SIGN = /^(?:\{\{[^}\n]*\}\}|\w+)/

/** Looks at a template as the node does before it takes one. */
export const judgeTemplate = (text: string, contentType: FillingType): JudgedTemplate => {
  const read = parsePlaced(text, contentType)
  const starts = lineStarts(text)
  const faults = 'faults' in read ? read.faults : []
  const placed = faults.map(({ line, column, message }): PlacedFault => {
    const from = Math.min((starts[line - 1] ?? 0) + column - 1, text.length)
    const [sign = ''] = SIGN.exec(text.slice(from)) ?? []
    const span = { from, to: Math.min(from + Math.max(sign.length, 1), text.length) }
    return { path: '', reason: message, line, column, span }
  })
  const judged = { text, faults: placed, earlier: false, model: undefined, lines: new Map() }
  return { judged, faults: placed, ...('parsed' in read && { parsed: read.parsed }) }
}

/** What the newest output tells of the result: a template that stands keeps it to itself. */
const resultIn = (stream: ShownStream, output: StreamOutput | undefined): Json | undefined => {
  if (stream.outputFormat !== 'json' || output === undefined) return undefined
  const { output: result = null } = JSON.parse(output.text) as { readonly output?: Json }
  return result
}

/** What a template makes of the newest tick, or why it does not fit it. */
export const filledFrom = (
  parsed: PlacedText,
  {
    stream,
    head,
    output,
  }: { readonly stream: ShownStream; readonly head: ShownStreamHead; readonly output: StreamOutput | undefined },
): { readonly text: string } | { readonly wrong: readonly string[] } => {
  try {
    return { text: fillPlaced(parsed, templateValues({ channel: stream.id, head, output: resultIn(stream, output) })) }
  } catch (error) {
    if (!(error instanceof Unfilled)) throw error
    const all = [error, ...error.others]
    return { wrong: all.map(({ line, column, message }) => `Line ${line}, column ${column}: ${message}`) }
  }
}
