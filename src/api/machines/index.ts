import { entryEndpoints } from './entries.ts'
import { lifecycleEndpoints } from './lifecycle.ts'
import { readEndpoints } from './reads.ts'

export const machineEndpoints = [...lifecycleEndpoints, ...entryEndpoints, ...readEndpoints] as const
