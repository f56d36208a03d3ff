import { channelHeadView } from './shown.ts'
import type { Envelope } from '#core/claim.ts'
import { Fault } from '#core/fault.ts'
import type { ChannelHead, ChannelRow } from '#store/rows/channel.ts'

/** A sealed tick with everything that its output is made of. */
export interface SealedTick {
  readonly head: ChannelHead
  /** JSON text of the result. */
  readonly output: string
  readonly evidence: Envelope
}

/** What whoever follows a channel is shown of a tick. */
export interface ChannelOutput {
  readonly contentType: string
  readonly text: string
}

/** The output of a tick in the format of its channel. */
export const outputOf = (
  row: Pick<ChannelRow, 'id' | 'output_format' | 'content_type'>,
  { head, output, evidence }: SealedTick,
): ChannelOutput => {
  if (row.output_format !== 'json') throw new Fault('INVALID_INPUT', 'This node fills no templates.')
  const place = JSON.stringify({ channel: row.id, ...channelHeadView(head) }).slice(0, -1)
  const text = `${place},"output":${output},"envelope":${JSON.stringify(evidence)}}`
  return { contentType: row.content_type, text }
}
