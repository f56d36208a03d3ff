import type { Clock } from '#core/clock.ts'
import type { Log, Meter } from '#core/telemetry.ts'
import type { Sleep } from '#core/wait.ts'
import type { Compute } from '#domain/compute/service.ts'
import type { Economy } from '#domain/economy/economy.ts'
import type { Machines } from '#domain/machines/service.ts'
import type { ZoneTable } from '#numerics/contracts/cron/zone.ts'
import type { Signer } from '#ports/crypto.ts'
import type { SecretSealer } from '#ports/sealing.node.ts'
import type { Store } from '#store/store.ts'
import type { ContractHub } from './hub.ts'
import type { ContractStore } from './store.ts'

/** Time zones as this process knows them now. A contract asks when it gets a version, and goes by the table after. */
export interface Zones {
  /** The part of time that a table asked for at an instant covers. Unix seconds. */
  span(instant: number): { readonly from: number; readonly until: number }
  /** Undefined for a name that is no zone. */
  table(zone: string, span: { readonly from: number; readonly until: number }): ZoneTable | undefined
  /** Why a name is no zone, as a sentence with those it may be a slip of. */
  refusal(zone: string): string
}

/** What the composition root hands to contracts. */
export interface ContractPorts {
  readonly store: Store
  readonly economy: Economy
  /** The machines whose chains hold what contracts do. */
  readonly machines: Machines
  readonly compute: Compute
  /** Seals what rests in the database. */
  readonly vault: SecretSealer
  /** Signs with the node's identity key. */
  readonly signer: Signer
  readonly clock: Clock
  /** A wait that ends early, without a throw, when the signal aborts. */
  readonly sleep: Sleep
  readonly log: Log
  readonly meter: Meter
  readonly zones: Zones
}

/** What all parts of contracts stand on. */
export interface ContractContext extends ContractPorts {
  readonly contracts: ContractStore
  readonly hub: ContractHub
}
