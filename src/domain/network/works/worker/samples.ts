import { toHex } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import { sha256 } from '#crypto'
import type { Parts } from '#domain/compute/parts.ts'
import type { KeptState } from '#domain/compute/task.ts'
import { stateAt } from '#domain/network/works/parts.ts'
import { servedUntil } from '#domain/network/works/served.ts'
import type { Blobs } from '#domain/network/works/types.ts'
import type { Store } from '#store/store.ts'
import type { TakenRow } from '#store/works.ts'

/** A state by its number and name. */
export interface NamedState {
  readonly i: number
  readonly sha256: string
}

/** States of a run, made again from the nearest that is kept, and served from now on. */
export const serveStates = async (
  { store, blobs, parts }: { readonly store: Store; readonly blobs: Blobs; readonly parts: Parts },
  { row, inputs, states }: { readonly row: TakenRow; readonly inputs: Json; readonly states: readonly number[] },
  signal: AbortSignal,
): Promise<readonly NamedState[]> => {
  const { result, offer } = row
  const count = result?.work.work.steps?.count ?? 0
  if (result === null || states.some((i) => i >= count)) throw new Fault('INVALID_INPUT', 'The run has no such state.')
  const run = { kind: offer.offer.kind, inputs }
  const nearest = async (i: number): Promise<readonly KeptState[]> => {
    const from = result.kept.findLast((it) => it.i <= i)
    const bytes = from && (await blobs.get({ kind: 'bytes', sha256: from.sha256 }))
    return from === undefined || bytes === undefined ? [] : [{ i: from.i, bytes }]
  }
  const named: NamedState[] = []
  const until = servedUntil(Math.max(offer.offer.deadline, row.published ?? 0, store.now().meshTick))
  for (const i of [...new Set(states)].sort((a, b) => a - b)) {
    const bytes = await stateAt(parts, run, { i, kept: await nearest(i), signal })
    const name = toHex(sha256(bytes))
    await store.commit((tx) => blobs.put(tx, { kind: 'bytes', sha256: name }, bytes, until))
    named.push({ i, sha256: name })
  }
  return named
}
