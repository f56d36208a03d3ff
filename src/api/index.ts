import { constantEndpoints } from './compute/constants.ts'
import { kernelEndpoints } from './compute/kernel.ts'
import { explorerEndpoints } from './explorer/index.ts'
import { network } from './network/index.ts'

/** Every operation of the node, once. Routes, validation, credentials, description, manifest and client derive from it. */
export const endpoints = [...kernelEndpoints, ...constantEndpoints, ...network, ...explorerEndpoints] as const
