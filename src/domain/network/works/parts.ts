import type { Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import type { Parts } from '#domain/compute/parts.ts'
import { type Checked, isChecked, type KeptState, type Parted, type RunPart } from '#domain/compute/task.ts'

/** A run of which parts are done. */
export interface RunOf {
  readonly kind: string
  readonly inputs: Json
}

/**
 * Does a part of a run, again whenever the node's own work took its thread.
 *
 * @throws as {@link Parts.run}
 */
export const partOf = async (
  parts: Parts,
  { kind, inputs }: RunOf,
  { part, signal }: { readonly part: RunPart; readonly signal: AbortSignal },
): Promise<Exclude<Parted, { readonly kind: 'preempted' }>> => {
  for (;;) {
    const parted = await parts.run({ name: kind, inputs, part }, { signal })
    if (parted.kind !== 'preempted') return parted
    signal.throwIfAborted()
  }
}

/** Bytes of the state that a part ends with. @throws Fault as {@link partOf}; INVALID_INPUT for a part that has none */
export const stateOf = async (...of: Parameters<typeof partOf>): Promise<Uint8Array> => {
  const parted = await partOf(...of)
  if (parted.kind !== 'state') throw new Fault('INVALID_INPUT', 'This part gives no state.')
  return parted.bytes
}

/** What a run ended with. @throws Fault as {@link partOf}; INVALID_INPUT for one that can have no envelope */
export const endOf = async (...of: Parameters<typeof partOf>): Promise<Checked> => {
  const parted = await partOf(...of)
  if (parted.kind === 'state' || !isChecked(parted.checked)) {
    throw new Fault('INVALID_INPUT', 'A run on these inputs is not sealed.')
  }
  return parted.checked
}

/** A state of a run, made again from the nearest of those that are at hand. @throws as {@link stateOf} */
export const stateAt = async (
  parts: Parts,
  run: RunOf,
  { i, kept, signal }: { readonly i: number; readonly kept: readonly KeptState[]; readonly signal: AbortSignal },
): Promise<Uint8Array> => {
  const nearest = kept.findLast((it) => it.i <= i)
  const bytes = nearest?.bytes ?? (await stateOf(parts, run, { part: { kind: 'init' }, signal }))
  const index = nearest?.i ?? 0
  if (index === i) return bytes
  return stateOf(parts, run, { part: { kind: 'segment', index, bytes, count: i - index }, signal })
}
