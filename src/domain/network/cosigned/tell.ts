import { sourceOf } from '#store/foreign.ts'
import { cosignedByKey, cosignedLineKey } from '#store/rows/cosigned.ts'
import type { Store } from '#store/store.ts'
import { type CosignedAsk, type CosignedTold, LINES_TOLD_MAX } from './frames.ts'

/** Characters of lines that one answer holds: with names and numbers it stays below its megabyte. */
const CHARS_MAX = 786_432
/** What a line takes beside its text. */
const LINE_MORE = 32

/**
 * What this node has of a log from a serial number on, in the order in which it came here. It ends before the first
 * tree that is larger than the asker holds, since a line says nothing to somebody who cannot work out its root.
 *
 * @param room characters that are left in the answer.
 */
const toldOf = (store: Pick<Store, 'peek'>, [origin, asked, size]: CosignedAsk, room: number): CosignedTold => {
  const source = sourceOf(origin)
  const row = store.peek('cosignedLog', source)
  if (row === undefined) return [origin, asked, []]
  // Whoever asks beyond the end remembers rows that were lost here since.
  const from = asked > row.next ? 0 : asked
  const points = row.witnesses
    .flatMap((id) => {
      const list = store.peek('cosignedBy', cosignedByKey(source, id))?.points ?? []
      return list.map(([at, , serial]) => ({ id, at, serial }))
    })
    .filter((it) => it.serial >= from)
    .sort((a, b) => a.serial - b.serial)
  const lines: (readonly [number, string])[] = []
  let left = room
  for (const { id, at, serial } of points) {
    const line = store.peek('cosignedLine', cosignedLineKey(source, id, at)) ?? ''
    left -= line.length + LINE_MORE
    if (at > size || left < 0 || lines.length === LINES_TOLD_MAX) return [origin, serial, lines]
    lines.push([at, line])
  }
  return [origin, row.next, lines]
}

/** Answers a question about cosignatures of event logs: whoever keeps them may, since every line proves itself. */
export const tellCosigned = (store: Pick<Store, 'peek'>, asks: readonly CosignedAsk[]): readonly CosignedTold[] => {
  const told: CosignedTold[] = []
  let room = CHARS_MAX
  for (const ask of asks) {
    const one = toldOf(store, ask, room)
    room -= one[2].reduce((sum, [, line]) => sum + line.length + LINE_MORE, 0)
    if (one[2].length > 0 || one[1] !== ask[1]) told.push(one)
  }
  return told
}
