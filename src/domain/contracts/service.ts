import { createAuthor } from './author.ts'
import type { ContractContext, ContractPorts } from './context.ts'
import { openEngine } from './engine/service.ts'
import { createExport } from './files.ts'
import { createContractHub } from './hub.ts'
import { createPublic } from './public.ts'
import { createReads } from './reads.ts'
import { createSimulation } from './simulate.ts'
import { createSoundness } from './sound.ts'
import { createStatus } from './status.ts'
import { openContractStore } from './store.ts'
import { createTurns, createVersions } from './versions.ts'

export interface ContractOptions extends ContractPorts {
  /** 32 bytes of the node's, by which a repeated call is known whose input holds secrets. */
  readonly repeatSecret: Uint8Array
}

/** The contracts of one node: what its owners want to happen by itself. */
export const openContracts = async ({ repeatSecret, ...ports }: ContractOptions) => {
  const hub = createContractHub()
  const contracts = await openContractStore(ports.store, hub)
  const context: ContractContext = { ...ports, contracts, hub }
  const soundness = createSoundness(context)
  const { judge } = soundness
  const { transferIn } = ports.machines
  // Nothing is read or sent outside yet: an oracle of a url is stale.
  const outward = { read: async () => undefined, transfer: transferIn }
  const { engine, calls } = openEngine(context, outward)
  return {
    ...createAuthor(context, judge, repeatSecret),
    ...createTurns(context, judge),
    ...createVersions(context),
    ...createStatus(context),
    ...createReads(context),
    ...createExport(context),
    ...createPublic(context),
    ...createSimulation(context, soundness),
    ...calls,
    ...engine,
  }
}

export type Contracts = Awaited<ReturnType<typeof openContracts>>
