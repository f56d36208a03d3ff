import { constantEndpoints } from './compute/constants.ts'
import { kernelEndpoints } from './compute/kernel.ts'
import { economyEndpoints } from './economy/index.ts'
import { explorerEndpoints } from './explorer/index.ts'
import { identityEndpoints } from './identity/index.ts'
import { network } from './network/index.ts'

/** Every operation of the node, once. Routes, validation, credentials, description, manifest and client derive from it. */
export const endpoints = [
  ...kernelEndpoints,
  ...constantEndpoints,
  ...economyEndpoints,
  ...identityEndpoints,
  ...network,
  ...explorerEndpoints,
] as const
