import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Mark, parted } from './test-mark.ts'
import type { Ending } from './test-verdict.ts'

const OUTPUT_CHARS_MAX = 1_000_000
/** What one process compiled is there for the next, as the launcher has it: two thirds of what a test's start costs. */
const COMPILED = fileURLToPath(new URL('../.build/compiled', import.meta.url))

/** Room for what lives shortly, in MiB: of what tests make, nearly all does. A tenth less is spent on collecting it. */
const FLAGS = ['--max-semi-space-size=32']

const CHILD = fileURLToPath(new URL('./test-batch.ts', import.meta.url))

const running = new Set<number>()

/** Ends a process of tests with all that it started. */
const end = (pid: number): void => {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.on(signal, () => {
    for (const pid of running) end(pid)
    process.exit(code)
  })
}

/** What test files are run with. */
export interface TestRun {
  /** Folder of the tests, and the files below it: they share one process, in this order. */
  readonly dir: string
  readonly files: readonly string[]
  /** What its random values follow from. */
  readonly seed: string
  /** How long one file may take. */
  readonly watchdogMs: number
  /** Whether the first failure ends the process. */
  readonly bail?: boolean
}

/** What is known of a file that began. */
interface Begun {
  readonly file: string
  readonly from: number
  output: string
  /** Streams in which its end was read. */
  ended: number
  told: boolean
}

const STREAMS = 2

/** Keeps the files' output apart, and tells of each that has ended by itself, the last one excepted. */
const reader = (files: readonly string[], { onBegin, onEnding }: { onBegin(): void; onEnding(it: Ending): void }) => {
  const begun: Begun[] = []
  const named = (file: string): Begun => {
    const found = begun.find((it) => it.file === file)
    if (found !== undefined) return found
    const it: Begun = { file, from: performance.now(), output: '', ended: 0, told: false }
    begun.push(it)
    onBegin()
    return it
  }
  const tell = (it: Begun, how: Pick<Ending, 'code' | 'signal' | 'cpuSeconds'>): void => {
    if (it.told) return
    it.told = true
    const { file, output, from } = it
    const before = begun.slice(0, begun.indexOf(it)).map((earlier) => earlier.file)
    onEnding({ file, output, before, seconds: (performance.now() - from) / 1_000, ...how })
  }
  const cpu = new Map<string, number>()
  const onMark = (mark: Mark): string => {
    if ('begins' in mark) return named(mark.begins).file
    const it = named(mark.ends)
    cpu.set(mark.ends, mark.seconds)
    if (++it.ended === STREAMS && it.file !== files.at(-1)) {
      tell(it, { code: mark.code, signal: null, cpuSeconds: mark.seconds })
    }
    return it.file
  }
  return {
    keep: (text: string): void => {
      const last = begun.at(-1) ?? named(files[0] as string)
      last.output = (last.output + text).slice(-OUTPUT_CHARS_MAX)
    },
    /** Takes one stream. */
    stream: (): ((piece: string) => void) => {
      let at = files[0] as string
      return parted(
        (text) => {
          if (text === '') return
          const it = named(at)
          it.output = (it.output + text).slice(-OUTPUT_CHARS_MAX)
        },
        (mark) => {
          at = onMark(mark)
        },
      )
    },
    /** The process is gone: whoever began has ended. @returns the files that did not begin */
    close: (code: number | null, signal: string | null): readonly string[] => {
      if (begun.length === 0) named(files[0] as string)
      for (const it of begun) tell(it, { code, signal, cpuSeconds: cpu.get(it.file) })
      return files.slice(begun.length)
    },
  }
}

/**
 * Runs test files under uvu in one process of their own, and tells how each ended.
 * @returns the files that had not begun when the process ended before its time
 */
export const runFiles = (
  { dir, files, seed, watchdogMs, bail = false }: TestRun,
  onEnding: (ending: Ending) => void,
): Promise<readonly string[]> =>
  new Promise((resolve, reject) => {
    // Nodes that are started without a word about it leave no files in memory.
    const quiet = { TICKMESH_MMIO_ENABLED: 'false' }
    const env = { NODE_COMPILE_CACHE: COMPILED, ...process.env, NO_COLOR: '1', TICKMESH_TEST_SEED: seed, ...quiet }
    // A group of its own, so that what a test starts and forgets ends with it.
    const child = spawn(process.execPath, [...FLAGS, CHILD, ...(bail ? ['--bail'] : []), dir, ...files], {
      detached: true,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const { pid } = child
    if (pid === undefined) return void child.on('error', reject)
    running.add(pid)
    const watchdog = setTimeout(() => {
      read.keep(`\nkilled after ${watchdogMs / 1_000} s\n`)
      end(pid)
    }, watchdogMs)
    const read = reader(files, { onBegin: () => watchdog.refresh(), onEnding })
    child.stdout.setEncoding('utf8').on('data', read.stream())
    child.stderr.setEncoding('utf8').on('data', read.stream())
    child.on('exit', () => {
      clearTimeout(watchdog)
      end(pid)
    })
    child.on('close', (code, signal) => {
      running.delete(pid)
      resolve(read.close(code, signal))
    })
  })
