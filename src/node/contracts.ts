import type { Clock } from '#core/clock.ts'
import type { Log } from '#core/telemetry.ts'
import type { Sleep } from '#core/wait.ts'
import { type Contracts, openContracts } from '#domain/contracts/service.ts'
import type { NodeKeys } from '#domain/identity/node-keys.ts'
import type { Services } from '#domain/services.ts'
import type { Store } from '#store/store.ts'
import type { Metrics } from './metrics.ts'
import { noZone, spanAround, zoneTable } from './zones.ts'

interface Base {
  readonly ports: { readonly clock: Clock; readonly sleep: Sleep; readonly log: Log }
  readonly keys: NodeKeys
  readonly store: Store
  readonly metrics: Metrics
}

/** The contracts of a node. */
export const contractsOf = (
  { ports: { clock, sleep, log }, keys, store, metrics }: Base,
  { compute, economy, machines }: Pick<Services, 'compute' | 'economy' | 'machines'>,
): Promise<Contracts> =>
  openContracts({
    ...{ store, economy, machines, compute, clock, sleep, log, meter: metrics },
    vault: keys.vault,
    repeatSecret: keys.secret('repeat'),
    signer: keys.signer,
    zones: { span: spanAround, table: zoneTable, refusal: (zone) => noZone(zone).message },
  })
