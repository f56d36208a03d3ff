import type { Command } from '#cli/command.ts'
import { firstWord } from '#cli/teach.ts'

type Family = () => Promise<readonly Command[]>

const none: Family = async () => []
const catalogue: Family = async () => (await import('./catalogue.ts')).catalogue
const completion: Family = async () => (await import('./completion.ts')).completion(allCommands)

/**
 * Every command of `tickmesh`, in the order of `--help`, by the first word of the call: a call loads the commands that
 * begin as it does, and not what all the others need. The version is asked of none.
 */
const families: Readonly<Record<string, Family>> = {
  init: async () => [(await import('./init.ts')).init],
  start: async () => [(await import('./start.ts')).start],
  stop: async () => [(await import('./stop.ts')).stop],
  'owner-link': async () => [(await import('./owner-link.ts')).ownerLink],
  status: async () => [(await import('./status.ts')).status],
  doctor: async () => [(await import('./doctor.ts')).doctor],
  peers: async () => [(await import('./peers.ts')).peers],
  solve: async () => [(await import('./solve.ts')).solve],
  compute: async () => [(await import('./compute.ts')).compute],
  batch: async () => [(await import('./batch.ts')).batch],
  auto: async () => [(await import('./auto.ts')).auto],
  solvers: catalogue,
  operators: catalogue,
  jobs: async () => (await import('./jobs.ts')).jobs,
  watch: async () => (await import('./watch.ts')).watch,
  reactor: async () => (await import('./reactor.ts')).reactor,
  streams: async () => (await import('./streams.ts')).streams,
  verify: async () => [(await import('./verify.ts')).verify],
  recheck: async () => [(await import('./recheck.ts')).recheck],
  export: async () => [(await import('./export.ts')).exportReceipts],
  wallet: async () => [(await import('./wallet.ts')).wallet],
  envelopes: async () => [
    ...(await import('./envelopes.ts')).envelopes,
    ...(await import('./envelopes-move.ts')).envelopeMoves,
  ],
  machines: async () => [
    ...(await import('./machines.ts')).machines,
    ...(await import('./machine-entries.ts')).machineEntries,
    ...(await import('./machine-chain.ts')).machineChain,
    (await import('./machine-follow.ts')).machineFollow,
    ...(await import('./machine-tally.ts')).machineTally,
    ...(await import('./machine-members.ts')).machineMembers,
    ...(await import('./machine-site.ts')).machineSite,
    ...(await import('./machine-tx.ts')).machineTx,
  ],
  contracts: async () => (await import('./contracts.ts')).contracts,
  keys: async () => (await import('./keys.ts')).keys,
  zid: async () => (await import('./zid.ts')).zid,
  credits: async () => (await import('./credits.ts')).credits,
  proposals: async () => (await import('./proposals.ts')).proposals,
  contribute: async () => (await import('./contribute.ts')).contribute,
  mmio: async () => (await import('./mmio.ts')).mmio,
  config: async () => [(await import('./config-show.ts')).configShow],
  fsck: async () => [(await import('./fsck.ts')).fsck],
  backup: async () => (await import('./backup.ts')).backup,
  upgrade: async () => [(await import('./upgrade.ts')).upgrade],
  service: async () => (await import('./service.ts')).service,
  completion,
  __complete: completion,
  '--version': none,
  '-V': none,
}

/** The first words of the commands that are for people. */
export const commandWords: readonly string[] = Object.keys(families).filter((word) => /^[a-z]/.test(word))

/** Whether a command, a hidden one too, begins with this word. */
export const isCommand = (word: string): boolean => Object.hasOwn(families, word)

/** All of them. */
export const allCommands = async (): Promise<readonly Command[]> =>
  (await Promise.all([...new Set(Object.values(families))].map((load) => load()))).flat()

/** The commands among which a call finds its own. @param words of the call, options among them. */
export const commandsFor = (words: readonly string[]): Promise<readonly Command[]> => {
  const word = words[firstWord(words)] ?? ''
  return isCommand(word) ? (families[word] as Family)() : allCommands()
}
