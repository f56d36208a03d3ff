import { contractEndpoints } from './contracts/index.ts'
import { economyEndpoints } from './economy/index.ts'
import { explorerEndpoints } from './explorer/index.ts'
import { identityEndpoints } from './identity/index.ts'
import { machineEndpoints } from './machines/index.ts'
import { messagingEndpoints } from './messaging/index.ts'
import { network } from './network/index.ts'

/** All operations but those of `compute`, which bring every solver with them: for who calls none of these. */
export const plainEndpoints = [
  ...contractEndpoints,
  ...economyEndpoints,
  ...identityEndpoints,
  ...machineEndpoints,
  ...messagingEndpoints,
  ...network,
  ...explorerEndpoints,
] as const
