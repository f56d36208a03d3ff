import { computeEndpoints } from './compute/index.ts'
import { templateEndpoints } from './contracts/index.ts'
import { plainEndpoints } from './plain.ts'

/** Every operation of the node, once: routes, validation, credentials, description, manifest and client derive. */
export const endpoints = [...computeEndpoints, ...templateEndpoints, ...plainEndpoints] as const
