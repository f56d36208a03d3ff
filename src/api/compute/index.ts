import { autoEndpoints } from './auto.ts'
import { batchEndpoints } from './batch.ts'
import { catalogueEndpoints } from './catalogue.ts'
import { channelDoorEndpoints } from './channel-links.ts'
import { channelSocket } from './channel-socket.ts'
import { channelEndpoints } from './channels.ts'
import { codecEndpoints } from './codecs.ts'
import { constantEndpoints } from './constants.ts'
import { jobEndpoints } from './jobs.ts'
import { kernelEndpoints } from './kernel.ts'
import { operateEndpoints } from './operate.ts'
import { picture } from './picture.ts'
import { reactorEndpoints } from './reactor.ts'
import { solverEndpoints } from './solver-endpoints.ts'
import { verifyEndpoints } from './verify.ts'

/** The compute domain: kernel, constants, operators, solvers, jobs, evidence. */
export const computeEndpoints = [
  ...kernelEndpoints,
  ...constantEndpoints,
  ...operateEndpoints,
  ...autoEndpoints,
  ...solverEndpoints,
  ...batchEndpoints,
  ...reactorEndpoints,
  ...channelEndpoints,
  ...channelDoorEndpoints,
  channelSocket,
  ...jobEndpoints,
  ...verifyEndpoints,
  picture,
  ...catalogueEndpoints,
  ...codecEndpoints,
] as const
