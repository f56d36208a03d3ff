import { gossip, readMeshStatus } from './mesh.ts'

/** Endpoints of the network domain. */
export const network = [gossip, readMeshStatus] as const
