import type { Command } from '#cli/command.ts'

/**
 * First words whose commands load little: a call that begins with one of them loads these alone, and not what all the
 * others need, every solver among it. Whatever is not here is looked for among all of {@link commands}.
 */
export const alone: Readonly<Record<string, () => Promise<readonly Command[]>>> = {
  init: async () => [(await import('./init.ts')).init],
  start: async () => [(await import('./start.ts')).start],
  stop: async () => [(await import('./stop.ts')).stop],
  'owner-link': async () => [(await import('./owner-link.ts')).ownerLink],
  status: async () => [(await import('./status.ts')).status],
  doctor: async () => [(await import('./doctor.ts')).doctor],
  peers: async () => [(await import('./peers.ts')).peers],
  solve: async () => [(await import('./solve.ts')).solve],
  compute: async () => [(await import('./compute.ts')).compute],
  auto: async () => [(await import('./auto.ts')).auto],
  verify: async () => [(await import('./verify.ts')).verify],
  envelopes: async () => (await import('./envelopes.ts')).envelopes,
  keys: async () => (await import('./keys.ts')).keys,
  credits: async () => (await import('./credits.ts')).credits,
  config: async () => [(await import('./config-show.ts')).configShow],
  fsck: async () => [(await import('./fsck.ts')).fsck],
  backup: async () => (await import('./backup.ts')).backup,
  upgrade: async () => [(await import('./upgrade.ts')).upgrade],
  service: async () => (await import('./service.ts')).service,
}

/** The commands among which a call finds its own. @param words of the call, options among them. */
export const commandsFor = async ([word = '']: readonly string[]): Promise<readonly Command[]> => {
  const own = Object.hasOwn(alone, word) ? alone[word] : undefined
  return own === undefined ? (await import('./index.ts')).commands : await own()
}
