import type { Command } from './command.ts'

/** Options of every command that waits for a result. */
export const waitOptions: NonNullable<Command['options']> = [
  { flags: '--full', help: 'show all of the answer, not its first figures; --json has the lists of numbers too' },
  {
    flags: '--bundle <file>',
    help: 'wait for the seal and save the bundle, for `tickmesh verify`',
    choices: 'files',
  },
  {
    flags: '--plot <file>',
    help: 'save a plot of the result: .svg, .png, or its numbers as .csv; - draws it in the terminal',
    choices: 'files',
  },
  { flags: '--plot-index <n>', help: 'which plot of the solver; 0, the most telling one, when left out' },
  { flags: '--wait <seconds>', help: 'wait no longer; the job goes on, and this ends with 75' },
]

/** Options of every command that computes. */
export const computeOptions: NonNullable<Command['options']> = [
  { flags: '--input-file <file>', help: 'read the input from a JSON file; - is stdin', choices: 'files' },
  ...waitOptions,
  { flags: '--detach', help: 'only begin the job and print its id; `tickmesh jobs wait` comes back to it' },
  { flags: '--quote', help: 'only tell price, work and expected time; runs nothing' },
  {
    flags: '--idempotency-key <text>',
    help: 'names this call: the node answers a repeat as the first time, and charges once. At random when left out',
  },
]
