import { accessSync, constants } from 'node:fs'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))

/**
 * What keeps a node small, measured by `npm run bench -- memory`; each is left as it is where it was set by hand.
 * Short-lived objects get a room of 16 MiB at most; how far the heaps grow in fact, `node/heap-room.ts` decides by
 * load.
 */
const FLAGS = ['--max-semi-space-size=16'] as const
/**
 * glibc's allocator: threads share one arena, and what is large is given back to the system when it is freed. It reads
 * these as a process begins, and never again.
 */
const VARIABLES: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '16384',
  MALLOC_TRIM_THRESHOLD_: '65536',
  MALLOC_TOP_PAD_: '65536',
}

/** Whether this process was begun with a flag, whatever its value. */
const hasFlag = (flag: string): boolean => {
  const name = flag.split('=')[0] ?? flag
  return [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].some((it) => it.replaceAll('_', '-').includes(name))
}

/**
 * Begins this process anew with what keeps it small, in its own place: pid, parent, streams, working directory and
 * arguments stay, so signals and exit codes need nobody who passes them on. Does nothing in a process that began so,
 * or where the system cannot do that. Whatever this process holds is lost: call it before anything is opened.
 */
export const beginLean = (): void => {
  const flags = FLAGS.filter((it) => !hasFlag(it))
  const missing = Object.keys(VARIABLES).some((name) => process.env[name] === undefined)
  // A channel to the parent (`fork`) does not outlive the change.
  if ((flags.length === 0 && !missing) || process.execve === undefined || process.channel !== undefined) return
  accessSync(process.execPath, constants.X_OK) // a failed change ends the process without a word
  const words = [...process.execArgv, ...flags, MAIN, ...process.argv.slice(2)]
  process.execve(process.execPath, [process.execPath, ...words], { ...VARIABLES, ...process.env })
}
