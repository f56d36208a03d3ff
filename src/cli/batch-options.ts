import type { Command } from './command.ts'

type Options = NonNullable<Command['options']>

const to: Options[number] = {
  flags: '--to <folder>',
  help: 'save what proves that none of many runs is missing, and their bundles, for `tickmesh verify <folder>`',
  choices: 'files',
}

const cancel: Options[number] = {
  flags: '--cancel',
  help: 'end the runs of --idempotency-key: what is not sealed costs nothing and is refused; what is sealed is shown',
}

/** Options of a solver that is run for several values. */
export const varyOptions: Options = [
  {
    flags: '--vary <inputs...>',
    help: 'run it for several values of one input or two: nx=32..512:5, nx=16..256:5log (factors), nx=32,64,128',
  },
  to,
  cancel,
]

/** Options of what opens a batch. */
export const batchOptions: Options = [
  to,
  cancel,
  {
    flags: '--idempotency-key <text>',
    help: 'names this batch: the same call reads it again, and charges nothing twice. At random when left out',
  },
]
