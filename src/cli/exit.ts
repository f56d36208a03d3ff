/** Exit codes of every command; `--help` shows them. */
export const exits = {
  ok: 0,
  failure: 1,
  usage: 2,
  verificationFailed: 3,
  couldNotCheck: 4,
  network: 5,
  withdrawn: 6,
  tryLater: 75,
  interrupted: 130,
  terminated: 143,
} as const

export type Exit = (typeof exits)[keyof typeof exits]

export const exitTable = `Exit codes:
  0    ok
  1    failure: the node or the command refused, or something broke
  2    usage: the words of the call, or the settings, are off (some programs say 64)
  3    verification failed: what was checked is wrong, and what fails is named
  4    could not check: a key, a file or an input is missing
  5    network: no node runs there, or it does not answer
  6    withdrawn: nothing fails, but what was sealed is known to be wrong by now
  75   try later: the node is busy, or what was waited for goes on without you
  130  interrupted (143: terminated)`

/** The exit of many checks: a wrong one outweighs one that is withdrawn, and that one that could not be made. */
export const worst = (found: readonly Exit[]): Exit =>
  [exits.verificationFailed, exits.withdrawn, exits.couldNotCheck].find((it) => found.includes(it)) ?? exits.ok
