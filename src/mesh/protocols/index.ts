import type { Protocol } from '#mesh/protocol.ts'
import { statusProtocol } from './status.ts'

/** Every stream protocol of this node. */
export const protocols: readonly Protocol[] = [statusProtocol]
