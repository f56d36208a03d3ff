import type { Command } from '#cli/command.ts'
import { catalogue } from './catalogue.ts'
import { compute } from './compute.ts'
import { configShow } from './config-show.ts'
import { credits } from './credits.ts'
import { doctor } from './doctor.ts'
import { envelopes } from './envelopes.ts'
import { fsck } from './fsck.ts'
import { keys } from './keys.ts'
import { solve } from './solve.ts'
import { start } from './start.ts'
import { status } from './status.ts'
import { verify } from './verify.ts'

/** Every command of `tickmesh`, in the order of `--help`. */
export const commands: readonly Command[] = [
  start,
  status,
  doctor,
  solve,
  compute,
  ...catalogue,
  verify,
  ...envelopes,
  ...keys,
  ...credits,
  configShow,
  fsck,
]

/** First words that are no commands themselves, with what `--help` says of them. */
export const groups: Readonly<Record<string, string>> = {
  keys: 'API keys of the account, and the key that others pin.',
  credits: 'Balances, and grants by the owner.',
  config: 'Settings.',
}
