import type { ContractContext, ContractPorts } from './context.ts'
import { createContractHub } from './hub.ts'
import { openContractStore } from './store.ts'

/** The contracts of one node: what its owners want to happen by itself. */
export const openContracts = async (ports: ContractPorts) => {
  const hub = createContractHub()
  const contracts = await openContractStore(ports.store, hub)
  const context: ContractContext = { ...ports, contracts, hub }
  return {
    /** Streams that are open over a contract now. */
    readers: (id: string): number => context.hub.readers(id),
    /** Nothing of it outlives a call yet. */
    [Symbol.asyncDispose]: async (): Promise<void> => undefined,
  }
}

export type Contracts = Awaited<ReturnType<typeof openContracts>>
