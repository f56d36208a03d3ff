import type { Store } from '#store/store.ts'
import { tell } from './notes.ts'

/** What a program does while it is recorded. */
export interface Workload {
  readonly name: string
  /** Cuts of the bench. */
  readonly cuts: number
  /** How much of it the bench does. */
  readonly size: number
  /** Puts there what was on disk before. */
  prepare?(below: string): Promise<void>
  /** Does it, in a process of its own, and acknowledges. */
  run(below: string, size: number): Promise<void>
  /** What is asked of the directory beside its acknowledgements; each text is a loss. */
  examine?(below: string): Promise<readonly string[]>
}

/** Acknowledges the newest signed heads of a store, as every interface shows them. */
export const tellHeads = ({ log, events }: Pick<Store, 'log' | 'events'>): void => {
  for (const { origin, checkpoint } of [log, events]) {
    if (checkpoint === undefined) continue
    const { size, root, note } = checkpoint
    tell({ is: 'head', origin, size, root, note })
  }
}
