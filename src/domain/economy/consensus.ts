import type { Store } from '#store/store.ts'
import type { Consensus } from './economy.ts'

/** The seal log as it stands. */
export const consensusOf = (store: Store): Consensus => {
  const { origin, size, root, checkpoint } = store.log
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
            note: checkpoint.note,
          },
    clock_behind: store.clockBehind,
  }
}
