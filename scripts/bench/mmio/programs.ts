import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { pageRegisters, type Register } from '#core/mmio/table.ts'

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** The folder of the header and of the Python module. */
export const MADE = here('../../../protocols/mmio')
const PYTHON_READER = here('reader.py')
const WRITER = here('../mmio-writer.ts')
/** Where the launcher keeps what was compiled, so that many processes start quickly. */
const COMPILED = here('../../../.build/compiled')

/** Whether a program can be run on this machine. */
export const isThere = (program: string): boolean => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0

/** What makes a program of C, or of C as C++. */
export const languages = {
  c: { compiler: 'cc', flags: ['-std=c11', '-x', 'c'] },
  cpp: { compiler: 'g++', flags: ['-std=c++17', '-x', 'c++'] },
} as const

const WARNINGS = ['-Wall', '-Wextra', '-Werror', '-pedantic']

/** How a source is compiled. */
export interface Compiling {
  readonly language?: keyof typeof languages
  readonly flags?: readonly string[]
}

/** Compiles a source against the header, every warning an error. @returns the path of the program. @throws Error */
export const compiled = (source: string, program: string, { language = 'c', flags = [] }: Compiling = {}): string => {
  const { compiler, flags: own } = languages[language]
  execFileSync(compiler, ['-O2', ...WARNINGS, ...own, `-I${MADE}`, ...flags, source, '-o', program], { stdio: 'pipe' })
  return program
}

/** The statement of C that prints a register as `name value`; numbers so that they can be read back to the last bit. */
const printOf = ({ name, type, width }: Register): string => {
  if (type === 'bytes') return `hex("${name}", page.${name}, ${width});`
  if (type === 'text') return `printf("${name} %s\\n", page.${name});`
  if (type === 'f32' || type === 'f64') return `printf("${name} %.17g\\n", (double)page.${name});`
  return `printf("${name} %" PRIu64 "\\n", (uint64_t)page.${name});`
}

/** Writes the source of the reader in C into a folder, with every register of the table in it. @returns its path. */
const readerSource = (folder: string): string => {
  const source = join(folder, 'reader.c')
  const statements = pageRegisters.map(printOf).join('\n  ')
  writeFileSync(source, readFileSync(here('reader.c'), 'utf8').replace('/*@ print */', statements))
  return source
}

/** The reader in C, compiled into a folder. @returns its path. @throws Error with what the compiler says. */
export const cReader = (folder: string, how: Compiling = {}): string => {
  const place = join(folder, ['reader', how.language ?? 'c', ...(how.flags ?? [])].join('-'))
  mkdirSync(place, { recursive: true })
  return compiled(readerSource(place), join(place, 'reader'), how)
}

/** A program that runs; its lines are those of both outputs. */
export interface Running extends Disposable {
  readonly child: ChildProcess
  /** Fulfilled when it says this line. @throws Error where it ends without. */
  says(line: string): Promise<void>
  /** Fulfilled when it is over. */
  readonly ended: Promise<{ readonly status: number | null; readonly lines: readonly string[] }>
}

/** Starts a program, which is killed at the end of the block. */
export const running = (program: string, ...words: readonly string[]): Running => {
  const env = { ...process.env, NODE_COMPILE_CACHE: COMPILED }
  const child = spawn(program, words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const lines: string[] = []
  const waiting = new Map<string, () => void>()
  const read = async (input: Readable): Promise<void> => {
    for await (const line of createInterface({ input })) {
      lines.push(line)
      waiting.get(line)?.()
    }
  }
  const ended = Promise.all([once(child, 'exit'), read(child.stdout), read(child.stderr)]).then(([[status]]) => ({
    status,
    lines,
  }))
  return {
    child,
    ended,
    says: async (line) => {
      const said = new Promise<true>((resolve) => {
        waiting.set(line, () => resolve(true))
      })
      if (lines.includes(line)) return
      const outcome = await Promise.race([said, ended])
      if (outcome !== true && !lines.includes(line)) throw new Error(`${program} ended: ${lines.join(', ')}`)
    },
    [Symbol.dispose]: () => {
      child.kill('SIGKILL')
    },
  }
}

/** Makes the file beside a page that counts it: the tick of the newest whole page, pages, nanoseconds; u64 each. */
export const emptyCount = (directory: string): string => {
  const file = join(directory, 'done')
  writeFileSync(file, new Uint8Array(24))
  return file
}

/** What the count says now: the tick of the newest whole page, pages written, nanoseconds that it took. */
export const countIn = (directory: string): { readonly tick: bigint; readonly pages: number; readonly ns: number } => {
  const bytes = readFileSync(join(directory, 'done'))
  return {
    tick: bytes.readBigUInt64LE(0),
    pages: Number(bytes.readBigUInt64LE(8)),
    ns: Number(bytes.readBigUInt64LE(16)),
  }
}

/** Starts what writes pages as fast as it can; it says `begins`. @param end how it kills itself: see the writer. */
export const writer = (directory: string, tick: number, ...end: readonly (string | number)[]): Running =>
  running(process.execPath, '--no-warnings', WRITER, directory, `${tick}`, ...end.map(String))

/**
 * Starts the reader in Python, which says `begins` and in the end what it counted.
 *
 * @param torn copies that it sees refused by their sum alone before it ends.
 */
export const pythonReader = (directory: string, count: number, torn = 0): Running =>
  running('python3', PYTHON_READER, MADE, directory, `${count}`, `${torn}`)

/** What a reader counted. */
export interface Counted {
  readonly pages: number
  /** Of them those of another tick than the page before. */
  readonly distinct: number
  /** Pages whose values do not fit each other. */
  readonly wrong: number
  /** Pages older than the one before. */
  readonly fell: number
  /** Ticks that a page was behind the newest that was whole before it was read, at most. */
  readonly behind: number
  /** Calls that ended without a page. */
  readonly busy: number
  /** Copies that were refused: the word odd, the word moved, the sum wrong. */
  readonly odd: number
  readonly moved: number
  readonly torn: number
  readonly ns: number
}

/** What a reader says in the end. */
export const countedBy = async ({ ended }: Running): Promise<Counted> => {
  const { status, lines } = await ended
  if (status !== 0) throw new Error(`the reader ended with ${status}: ${lines.join('\n')}`)
  return JSON.parse(lines.at(-1) ?? '') as Counted
}
