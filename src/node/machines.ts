import type { Log } from '#core/telemetry.ts'
import type { NodeKeys } from '#domain/identity/node-keys.ts'
import { createMachines, type Machines } from '#domain/machines/service.ts'
import type { Services } from '#domain/services.ts'
import type { Store } from '#store/store.ts'

interface Base {
  readonly ports: { readonly log: Log }
  readonly keys: NodeKeys
  readonly store: Store
}

/** Machines and their chains, with the keys that they need: what they do by themselves comes with the ticks. */
export const machinesOf = (
  { ports: { log }, keys, store }: Base,
  { economy, each }: Pick<Services, 'economy'> & { readonly each: (work: () => void) => void },
): Machines => {
  const { nodeId, vault } = keys
  const machines = createMachines({ store, economy, nodeId, vault, repeatSecret: keys.secret('repeat') })
  let told = ''
  each(() => {
    machines.beat().catch((error: unknown) => {
      // What fails at every tick is told once.
      if (String(error) !== told) log.error({ error }, 'machines_failed')
      told = String(error)
    })
  })
  return machines
}
