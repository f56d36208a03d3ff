import { anchorEndpoints } from './anchors.ts'
import { entryEndpoints } from './entries.ts'
import { factEndpoints } from './facts.ts'
import { feedEndpoints } from './feeds.ts'
import { lifecycleEndpoints } from './lifecycle.ts'
import { memberEndpoints } from './members.ts'
import { readEndpoints } from './reads.ts'
import { siteEndpoints } from './site.ts'
import { submittedEndpoints } from './submitted.ts'
import { tallyEndpoints } from './tally.ts'

/** State machines, with their roles, keys, sealed members and public feeds. */
export const machineEndpoints = [
  ...lifecycleEndpoints,
  ...entryEndpoints,
  ...readEndpoints,
  ...memberEndpoints,
  ...feedEndpoints,
  ...anchorEndpoints,
  ...tallyEndpoints,
  ...siteEndpoints,
  ...factEndpoints,
  ...submittedEndpoints,
] as const
