import { authorEndpoints } from './author.ts'
import { firingEndpoints } from './firing.ts'
import { publicEndpoints } from './public.ts'
import { readEndpoints } from './reads.ts'
import { simulateEndpoints } from './simulate.ts'
import { statusEndpoints } from './status.ts'

/** Contracts: what owners want to happen by itself. */
export const contractEndpoints = [
  ...authorEndpoints,
  ...readEndpoints,
  ...statusEndpoints,
  ...firingEndpoints,
  ...publicEndpoints,
  ...simulateEndpoints,
] as const
