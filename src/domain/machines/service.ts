import { createMakeKeyOnce } from '#domain/credentials/shown-once.ts'
import { createAnchoring } from './anchoring.ts'
import { createAnchors } from './anchors.ts'
import { createAudit } from './audit.ts'
import { createMachineClockwork } from './clockwork.ts'
import type { MachineContext } from './context.ts'
import { createFacts } from './facts.ts'
import { createFeeds, createLive } from './feeds.ts'
import { createHub } from './hub.ts'
import { createKeeping, createLifecycle } from './lifecycle.ts'
import { createListed } from './listed.ts'
import { createMachineKeys, createMembers } from './members.ts'
import { createProof } from './proof.ts'
import { createBlocks, createFigures, createPages } from './reads.ts'
import { createRecord } from './record.ts'
import { createSite } from './site/service.ts'
import { createSubmitted } from './submitted.ts'
import { createTally } from './tally/service.ts'
import { createWriting } from './writing.ts'

export interface MachineOptions extends Omit<MachineContext, 'hub' | 'listed' | 'makeKeyOnce'> {
  /** 32 bytes of the node's, of which keys are made that a repeated call is shown again. */
  readonly repeatSecret: Uint8Array
}

/** The machines of one node: an append-only, hash-linked chain each, with roles and keys of its own. */
export const createMachines = ({ repeatSecret, ...options }: MachineOptions) => {
  const context: MachineContext = {
    ...options,
    hub: createHub(),
    listed: createListed(options.store),
    makeKeyOnce: createMakeKeyOnce(options, repeatSecret),
  }
  const { mintDue, ...tally } = createTally(context)
  return {
    ...createLifecycle(context),
    ...createKeeping(context),
    ...createRecord(context),
    ...createBlocks(context),
    ...createPages(context),
    ...createFigures(context),
    ...createMembers(context),
    ...createMachineKeys(context),
    ...createAudit(context),
    ...createAnchors(context),
    ...createFeeds(context),
    ...createLive(context),
    ...createProof(context),
    ...createWriting(context),
    ...tally,
    ...createMachineClockwork(context, { mintDue, ...createAnchoring(context) }),
    ...createSite(context),
    ...createFacts(context),
    ...createSubmitted(context),
  }
}

export type Machines = ReturnType<typeof createMachines>
