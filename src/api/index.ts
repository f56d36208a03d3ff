import { computeEndpoints } from './compute/index.ts'
import { plainEndpoints } from './plain.ts'

/** Every operation of the node, once: routes, validation, credentials, description, manifest and client derive. */
export const endpoints = [...computeEndpoints, ...plainEndpoints] as const
