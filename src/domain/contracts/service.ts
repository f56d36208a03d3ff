import type { Signer } from '#ports/crypto.ts'
import { createAuthor } from './author.ts'
import type { ContractContext, ContractPorts } from './context.ts'
import { openEngine } from './engine/service.ts'
import { createExport } from './files.ts'
import { createHistory } from './history.ts'
import { createContractHub } from './hub.ts'
import { noteGivenUp } from './outward/gave-up.ts'
import { createOutward, type OutwardService } from './outward/service.ts'
import { createPublic } from './public.ts'
import { createReads } from './reads.ts'
import { openSecret } from './secrets.ts'
import { createSimulation } from './simulate.ts'
import { createSoundness } from './sound.ts'
import { createStatus } from './status.ts'
import { openContractStore } from './store.ts'
import { createTurns, createVersions } from './versions.ts'

export interface ContractOptions extends ContractPorts {
  /** 32 bytes of the node's, by which a repeated call is known whose input holds secrets. */
  readonly repeatSecret: Uint8Array
  /** Signs notifications. */
  readonly webhook: Signer
  /** The setting `contracts.targets`. */
  readonly targets: readonly string[]
}

/** Notifications and readings of contracts, with secrets that leave this node in no other way. */
const outwardOf = (
  context: ContractContext,
  { webhook: signer, targets }: Pick<ContractOptions, 'webhook' | 'targets'>,
): OutwardService => {
  const { store, log, machines, contracts } = context
  const secretOf = (id: string, name: string): string | undefined => {
    const row = contracts.peek(id)
    return row === undefined ? undefined : openSecret(context, row, name)
  }
  return createOutward({ store, log, signer, targets, secretOf, gaveUp: noteGivenUp(machines.enter) })
}

/** The contracts of one node: what its owners want to happen by itself. */
export const openContracts = async ({ repeatSecret, webhook, targets, ...ports }: ContractOptions) => {
  const hub = createContractHub()
  const contracts = await openContractStore(ports.store, hub)
  const context: ContractContext = { ...ports, contracts, hub }
  const outward = outwardOf(context, { webhook, targets })
  const soundness = createSoundness({ ...context, assertTarget: outward.assertTarget })
  const { judge } = soundness
  const { engine, calls } = openEngine(context, { read: outward.read, transfer: ports.machines.transferIn })
  return {
    ...createAuthor(context, judge, repeatSecret),
    ...createTurns(context, judge),
    ...createVersions(context),
    ...createStatus(context),
    ...createReads(context),
    ...createExport(context),
    ...createHistory(context),
    ...createPublic(context),
    ...createSimulation(context, soundness),
    ...calls,
    ...engine,
    /** Once a tick: what is due is decided, and what is to be sent goes out. */
    beat: (): void => {
      engine.beat()
      outward.run().catch((error: unknown) => context.log.error({ error }, 'outbox_failed'))
    },
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await engine[Symbol.asyncDispose]()
      await outward[Symbol.asyncDispose]()
    },
  }
}

export type Contracts = Awaited<ReturnType<typeof openContracts>>
