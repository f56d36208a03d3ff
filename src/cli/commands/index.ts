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

/** First words that are no commands themselves, with what `--help` says of them. */
export const groups: Readonly<Record<string, string>> = {
  keys: 'API keys of the account, and the key that others pin.',
  credits: 'Balances, and grants by the owner.',
  jobs: 'Computations that go on after the call that began them.',
  reactor: 'A solver stepped again and again from where it ended, each step sealed and chained.',
  machines: 'State machines: hash-linked chains, their members, keys and feeds.',
  'machines state': 'State snapshots by their hash.',
  'machines members': 'Who has which role.',
  'machines keys': 'API keys of one machine (zsm_…).',
  'machines anchors': 'Heads of machines in the chain of another one.',
  config: 'Settings.',
  backup: 'Archives of data and keys.',
  service: 'The node as a service of systemd.',
}
