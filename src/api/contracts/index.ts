import { authorEndpoints } from './author.ts'
import { publicEndpoints } from './public.ts'
import { readEndpoints } from './reads.ts'
import { statusEndpoints } from './status.ts'

/** Contracts: what owners want to happen by itself. */
export const contractEndpoints = [...authorEndpoints, ...readEndpoints, ...statusEndpoints, ...publicEndpoints] as const
