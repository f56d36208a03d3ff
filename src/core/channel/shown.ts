import type { Json } from '#core/canonical.ts'
import { meshTickStart } from '#core/tick.ts'
import { secondsOf } from '#core/time.ts'

/** A tick that a template shows. */
interface ShownTick {
  /** Id of the channel. */
  readonly channel: string
  /** The tick as readers see it. */
  readonly head: { readonly mesh_tick: number }
  /** Its result; undefined where it is not at hand. */
  readonly output: Json | undefined
}

/** What the template of a channel is filled from: the tick with its result, and when its mesh tick began. */
export const templateValues = ({ channel, head, output }: ShownTick): Readonly<Record<string, Json>> => ({
  channel,
  ...(head as Readonly<Record<string, Json>> & ShownTick['head']),
  unix: secondsOf(meshTickStart(head.mesh_tick)),
  ...(output !== undefined && { output }),
})
