import { computeEndpoints } from './compute/index.ts'
import { economyEndpoints } from './economy/index.ts'
import { explorerEndpoints } from './explorer/index.ts'
import { identityEndpoints } from './identity/index.ts'
import { machineEndpoints } from './machines/index.ts'
import { messagingEndpoints } from './messaging/index.ts'
import { network } from './network/index.ts'

/** Every operation of the node, once: routes, validation, credentials, description, manifest and client derive. */
export const endpoints = [
  ...computeEndpoints,
  ...economyEndpoints,
  ...identityEndpoints,
  ...machineEndpoints,
  ...messagingEndpoints,
  ...network,
  ...explorerEndpoints,
] as const
