/** Exit codes of every command; `--help` shows them. */
export const exits = {
  ok: 0,
  failure: 1,
  usage: 2,
  verificationFailed: 3,
  couldNotCheck: 4,
} as const

export type Exit = (typeof exits)[keyof typeof exits]

export const exitTable = `Exit codes:
  0  ok
  1  failure: the node or the command refused, or something broke
  2  usage: the words of the call are off
  3  verification failed: the receipt is wrong, and the failing step is named
  4  could not check: a key, a file or an input is missing`
