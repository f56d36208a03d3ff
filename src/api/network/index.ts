import { contributeEndpoints } from './contribute.ts'
import { disputeEndpoints } from './disputes.ts'
import { gossip, readMeshStatus } from './mesh.ts'
import { registerEndpoints } from './mmio.ts'
import { voteEndpoints } from './votes.ts'
import { witnessEndpoints } from './witness.ts'
import { workEndpoints } from './works.ts'

/** Endpoints of the network domain. */
export const network = [
  gossip,
  readMeshStatus,
  ...witnessEndpoints,
  ...contributeEndpoints,
  ...workEndpoints,
  ...disputeEndpoints,
  ...voteEndpoints,
  ...registerEndpoints,
] as const
