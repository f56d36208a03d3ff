import { cosignaturesAt, cosignedNote } from '#store/cosigned.ts'
import type { Store } from '#store/store.ts'
import type { Consensus } from './views.ts'

/** The seal log as it stands. */
export const consensusOf = (store: Store): Consensus => {
  const { name, origin, size, root, checkpoint } = store.log
  return {
    origin,
    size,
    root,
    tick: store.now().tick,
    checkpoint:
      checkpoint === undefined
        ? null
        : {
            size: checkpoint.size,
            root: checkpoint.root,
            tick: checkpoint.tick,
            late: checkpoint.late,
            note: cosignedNote(store, name, checkpoint),
            witnessed: cosignaturesAt(store, name, checkpoint.size).length,
          },
    clock_behind: store.clockBehind,
  }
}
