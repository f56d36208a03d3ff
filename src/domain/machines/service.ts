import type { Ground } from './ground.ts'
import { createHub } from './hub.ts'
import { createKeeping, createLifecycle } from './lifecycle.ts'
import { createBlocks, createFigures, createPages } from './reads.ts'
import { createRecord } from './record.ts'

/** The machines of one node: an append-only, hash-linked chain each, with roles and keys of its own. */
export const createMachines = (options: Omit<Ground, 'hub'>) => {
  const ground: Ground = { ...options, hub: createHub() }
  return {
    ...createLifecycle(ground),
    ...createKeeping(ground),
    ...createRecord(ground),
    ...createBlocks(ground),
    ...createPages(ground),
    ...createFigures(ground),
  }
}

export type Machines = ReturnType<typeof createMachines>
