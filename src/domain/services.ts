import type { ChannelDoors } from './channels/doors.ts'
import type { Channels } from './channels/service.ts'
import type { Compute } from './compute/service.ts'
import type { Contracts } from './contracts/service.ts'
import type { ContractTemplates } from './contracts/templates/service.ts'
import type { Economy } from './economy/economy.ts'
import type { Explorer } from './explorer/explorer.ts'
import type { Identity } from './identity/identity.ts'
import type { Machines } from './machines/service.ts'
import type { Messaging } from './messaging/service.ts'
import type { Contribution } from './network/contribution/types.ts'
import type { Disputes } from './network/disputes/types.ts'
import type { Registers } from './network/mmio/service.ts'
import type { Network } from './network/types.ts'
import type { Votes } from './network/votes/types.ts'
import type { Witness } from './network/witness/witness.ts'
import type { Works } from './network/works/service.ts'

/** What endpoints may call: one service per domain, each built in the composition root. */
export interface Services {
  readonly channels: Channels
  readonly channelDoors: ChannelDoors
  readonly compute: Compute
  readonly contracts: Contracts
  readonly contractTemplates: ContractTemplates
  readonly contribution: Contribution
  readonly disputes: Disputes
  readonly economy: Economy
  readonly explorer: Explorer
  readonly identity: Identity
  readonly machines: Machines
  readonly messaging: Messaging
  readonly network: Network
  readonly registers: Registers
  readonly votes: Votes
  readonly witness: Witness
  readonly works: Works
}
