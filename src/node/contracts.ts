import type { Clock } from '#core/clock.ts'
import type { Log } from '#core/telemetry.ts'
import type { Sleep } from '#core/wait.ts'
import type { Zones } from '#domain/contracts/context.ts'
import { type Contracts, openContracts } from '#domain/contracts/service.ts'
import type { NodeKeys } from '#domain/identity/node-keys.ts'
import { webhookSigner } from '#domain/identity/webhook-key.ts'
import type { Services } from '#domain/services.ts'
import type { Store } from '#store/store.ts'
import type { Metrics } from './metrics.ts'
import type { Config } from './settings.ts'
import { noZone, spanAround, zoneTable } from './zones.ts'

interface Base {
  readonly config: Config
  readonly ports: { readonly clock: Clock; readonly sleep: Sleep; readonly log: Log; readonly zones?: Zones }
  readonly keys: NodeKeys
  readonly store: Store
  readonly metrics: Metrics
}

/** Time zones as the engine of this process knows them. */
const ownZones: Zones = { span: spanAround, table: zoneTable, refusal: (zone) => noZone(zone).message }

/** The contracts of a node, which act once a tick. */
export const contractsOf = async (
  { config, ports: { clock, sleep, log, zones = ownZones }, keys, store, metrics }: Base,
  {
    compute,
    economy,
    machines,
    each,
  }: Pick<Services, 'compute' | 'economy' | 'machines'> & { readonly each: (work: () => void) => void },
): Promise<Contracts> => {
  const contracts = await openContracts({
    ...{ store, economy, machines, compute, clock, sleep, log, meter: metrics },
    vault: keys.vault,
    repeatSecret: keys.secret('repeat'),
    signer: keys.signer,
    webhook: webhookSigner(keys),
    targets: config.contracts.targets,
    zones,
  })
  each(contracts.beat)
  return contracts
}
