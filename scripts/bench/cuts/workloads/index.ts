import type { Workload } from '../workload.ts'
import { backup } from './backup.ts'
import { machines } from './machines.ts'
import { migration } from './migration.ts'
import { node } from './node.ts'
import { rotation } from './rotation.ts'
import { seals } from './seals.ts'
import { sync } from './sync.ts'
import { witness } from './witness.ts'

/** What is cut off. */
export const workloads: readonly Workload[] = [seals, machines, sync, witness, backup, rotation, migration, node]

/** The workload of a name. @throws Error where there is none. */
export const workloadOf = (name: string): Workload => {
  const found = workloads.find((it) => it.name === name)
  if (found === undefined) throw new Error(`there is no workload ${name}`)
  return found
}
