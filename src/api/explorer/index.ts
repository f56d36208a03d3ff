import { badgeEndpoints } from './badge.ts'
import { daemonEndpoints } from './daemon.ts'
import { interfaceEndpoints } from './interface.ts'
import { logEndpoints } from './log.ts'
import { logTileEndpoints } from './log-tiles.ts'
import { snapshot } from './snapshot.ts'
import { sourceEndpoints } from './source.ts'

export const explorerEndpoints = [
  ...daemonEndpoints,
  ...interfaceEndpoints,
  ...sourceEndpoints,
  ...badgeEndpoints,
  ...logTileEndpoints,
  ...logEndpoints,
  snapshot,
] as const
