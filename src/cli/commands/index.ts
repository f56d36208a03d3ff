import type { Command } from '#cli/command.ts'
import { auto } from './auto.ts'
import { backup } from './backup.ts'
import { catalogue } from './catalogue.ts'
import { completion } from './completion.ts'
import { compute } from './compute.ts'
import { configShow } from './config-show.ts'
import { credits } from './credits.ts'
import { doctor } from './doctor.ts'
import { envelopes } from './envelopes.ts'
import { fsck } from './fsck.ts'
import { init } from './init.ts'
import { jobs } from './jobs.ts'
import { keys } from './keys.ts'
import { machineChain } from './machine-chain.ts'
import { machineEntries } from './machine-entries.ts'
import { machineFollow } from './machine-follow.ts'
import { machineMembers } from './machine-members.ts'
import { machines } from './machines.ts'
import { ownerLink } from './owner-link.ts'
import { peers } from './peers.ts'
import { reactor } from './reactor.ts'
import { service } from './service.ts'
import { solve } from './solve.ts'
import { start } from './start.ts'
import { status } from './status.ts'
import { stop } from './stop.ts'
import { upgrade } from './upgrade.ts'
import { verify } from './verify.ts'

/** Every command of `tickmesh`, in the order of `--help`. */
export const commands: readonly Command[] = [
  init,
  start,
  stop,
  ownerLink,
  status,
  doctor,
  peers,
  solve,
  compute,
  auto,
  ...catalogue,
  ...jobs,
  ...reactor,
  verify,
  ...envelopes,
  ...machines,
  ...machineEntries,
  ...machineChain,
  machineFollow,
  ...machineMembers,
  ...keys,
  ...credits,
  configShow,
  fsck,
  ...backup,
  upgrade,
  ...service,
  ...completion(() => commands),
]
