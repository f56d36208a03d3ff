import type { Command } from './command.ts'

/** The options that say whom to trust, of every command that verifies. */
export const trustOptions: NonNullable<Command['options']> = [
  { flags: '--key <key>', help: "whom you trust: a log's vkey, a public key in hex, a node id, or a file with one" },
  {
    flags: '--policy <file>',
    help: 'a C2SP tlog-policy: whose logs count and which witnesses must have signed (--key alone asks for none)',
  },
  {
    flags: '--successions <file>',
    help: 'key successions you know of: what a superseded key signed later is refused',
  },
]
