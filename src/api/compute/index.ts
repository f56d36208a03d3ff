import { catalogueEndpoints } from './catalogue.ts'
import { codecEndpoints } from './codecs.ts'
import { constantEndpoints } from './constants.ts'
import { jobEndpoints } from './jobs.ts'
import { kernelEndpoints } from './kernel.ts'
import { operateEndpoints } from './operate.ts'
import { picture } from './picture.ts'
import { solverEndpoints } from './solver-endpoints.ts'
import { verifyEndpoints } from './verify.ts'

/** The compute domain: kernel, constants, operators, solvers, jobs, evidence. */
export const computeEndpoints = [
  ...kernelEndpoints,
  ...constantEndpoints,
  ...operateEndpoints,
  ...solverEndpoints,
  ...jobEndpoints,
  ...verifyEndpoints,
  picture,
  ...catalogueEndpoints,
  ...codecEndpoints,
] as const
