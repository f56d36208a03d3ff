import type { Json } from '#core/canonical.ts'
import { templateValues } from '#core/channel/shown.ts'
import type { Envelope } from '#core/claim.ts'
import { Fault } from '#core/fault.ts'
import { recent } from '#core/recent.ts'
import { fillPlaced } from '#core/template/fill.ts'
import { parsePlaced } from '#core/template/parse.ts'
import { type FillingType, type PlacedText, Unfilled } from '#core/template/place.ts'
import type { ChannelHead, ChannelRow } from '#store/rows/channel.ts'
import { channelHeadView } from './shown.ts'

/** Templates that are kept read, by media type and text. */
const READ_MAX = 1_024

/** A sealed tick with everything that its output is made of. */
export interface SealedTick {
  readonly head: ChannelHead
  /** JSON text of the result. */
  readonly output: string
  /** The envelope, asked for by a format that shows it. */
  readonly evidence: () => Envelope
}

/** What whoever follows a channel is shown of a tick. */
export interface ChannelOutput {
  readonly contentType: string
  readonly text: string
}

type Shows = Pick<ChannelRow, 'id' | 'output_format' | 'content_type' | 'template'>

const known = recent<string, PlacedText>(READ_MAX)

const invalid = (errors: readonly { readonly line: number; readonly column: number; readonly message: string }[]) =>
  new Fault('TEMPLATE_INVALID', errors[0]?.message, {
    errors: errors.map(({ line, column, message }) => ({ path: '/template', line, column, message })),
  })

/** Reads the template of a channel. @throws Fault TEMPLATE_INVALID with every fault and its place */
export const readTemplate = ({ template, content_type }: Shows): PlacedText => {
  const key = `${content_type}\n${template}`
  const found = known.get(key)
  if (found !== undefined) return found
  const read = parsePlaced(template ?? '', content_type as FillingType)
  if ('faults' in read) throw invalid(read.faults)
  known.set(key, read.parsed)
  return read.parsed
}

const filledText = (row: Shows, { head, output }: SealedTick): string => {
  const values = templateValues({ channel: row.id, head: channelHeadView(head), output: JSON.parse(output) as Json })
  try {
    return fillPlaced(readTemplate(row), values)
  } catch (cause) {
    if (!(cause instanceof Unfilled)) throw cause
    throw invalid([cause, ...cause.others])
  }
}

/**
 * The output of a tick in the format of its channel: the tick with its result and its envelope, or what the template
 * makes of tick and result.
 *
 * @throws Fault TEMPLATE_INVALID for a template that this result does not fill.
 */
export const outputOf = (row: Shows, tick: SealedTick): ChannelOutput => {
  const { content_type: contentType } = row
  if (row.output_format === 'template') return { contentType, text: filledText(row, tick) }
  const place = JSON.stringify({ channel: row.id, ...channelHeadView(tick.head) }).slice(0, -1)
  return { contentType, text: `${place},"output":${tick.output},"envelope":${JSON.stringify(tick.evidence())}}` }
}
