import { daemonEndpoints } from './daemon.ts'
import { interfaceEndpoints } from './interface.ts'

export const explorerEndpoints = [...daemonEndpoints, ...interfaceEndpoints] as const
