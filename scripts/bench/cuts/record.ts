import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Call, noteRecord, readJournal } from './journal.ts'

const SOURCE = fileURLToPath(new URL('./recorder.c', import.meta.url))
/** Where the launcher keeps what was compiled, so that many processes start quickly. */
const COMPILED = fileURLToPath(new URL('../../../.build/compiled', import.meta.url))
const COMPILER = 'cc'
const JOURNAL = 'TICKMESH_CUTS_JOURNAL'
const BELOW = 'TICKMESH_CUTS_BELOW'

/** What records calls, compiled into a folder. @returns its path. @throws Error with what the compiler says */
export const compileRecorder = (folder: string): string => {
  const library = join(folder, 'recorder.so')
  const flags = ['-O2', '-std=gnu11', '-Wall', '-Wextra', '-Werror', '-shared', '-fPIC']
  execFileSync(COMPILER, [...flags, SOURCE, '-o', library, '-ldl', '-lpthread'], { stdio: 'pipe' })
  return library
}

/** Says in a recorded program what it has acknowledged. */
export const acknowledge = (note: object): void => {
  const journal = process.env[JOURNAL]
  if (journal === undefined) throw new Error('this program is not recorded')
  appendFileSync(journal, noteRecord(JSON.stringify(note)))
}

/** Where a recording is made. */
export interface Recording {
  readonly recorder: string
  readonly journal: string
  /** The directory whose changes are recorded; absolute, and no link. */
  readonly below: string
}

/** The environment that records a program. */
export const recordedEnv = ({ recorder, journal, below }: Recording): Readonly<Record<string, string>> => ({
  ...{ LD_PRELOAD: recorder, [JOURNAL]: journal, [BELOW]: below },
  ...{ NODE_COMPILE_CACHE: COMPILED, UV_USE_IO_URING: '0' },
})

/** Runs a script to its end and records it. @throws Error where it fails */
export const record = async (
  recording: Recording,
  script: string,
  words: readonly string[],
): Promise<readonly Call[]> => {
  const env = { ...process.env, ...recordedEnv(recording) }
  const child = spawn(process.execPath, ['--no-warnings', script, ...words], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${script} ${words.join(' ')} ended with ${code}`)
  return readJournal(recording.journal, recording.below)
}
