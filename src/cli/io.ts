/** Version of the shape of every `--json` answer; raised when a member changes its meaning. */
export const JSON_SCHEMA_VERSION = 1

/** Where a command reads and writes: data on `out`, talk on `err`. */
export interface Io {
  readonly json: boolean
  readonly quiet: boolean
  /** Whether `--yes` has answered every question. */
  readonly yes: boolean
  /** Columns of the terminal that stdout is; undefined where it is none. */
  readonly columns: number | undefined
  /** Aborts when nobody reads stdout any more: what would write for ever ends then. */
  readonly gone: AbortSignal
  /** One piece of data on stdout, as it is. */
  out(text: string): void
  /** Resolves when what is on its way to stdout is small again, or when nobody reads it any more. */
  drained(): Promise<void>
  /** One line of talk on stderr; silent with `--quiet`. */
  say(text: string): void
  /** One line on stderr that must be said. */
  complain(text: string): void
  /** Redraws the progress line on stderr, or ends it when the text is empty. Does nothing off a terminal. */
  redraw(text: string): void
  /** Asks the person at the terminal; undefined where none is, and with `--no-input`. */
  readonly ask: ((question: string, signal: AbortSignal) => Promise<string>) | undefined
}

const ERASE_LINE = '\r\u001B[2K'
/** Columns of a terminal that does not say how wide it is. */
export const COLUMNS = 80

/** Characters that steer a terminal, but for the end of a line and a tab; the last ones turn the order of a line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const STEERING = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/g

/** Text that came from elsewhere (a file, a node) must not redraw the reader's terminal. */
export const printable = (text: string): string => text.replace(STEERING, '\uFFFD')

/** The global options that say how a command talks. */
export interface IoOptions {
  readonly json: boolean
  readonly quiet: boolean
  readonly yes?: boolean
  /** False: nobody is asked, even at a terminal. */
  readonly input?: boolean
}

const askAtTerminal = async (question: string, signal: AbortSignal): Promise<string> => {
  const { createInterface } = await import('node:readline/promises')
  using lines = createInterface({ input: process.stdin, output: process.stderr })
  return await lines.question(printable(question), { signal })
}

/** stdout and stderr of this process. */
export const processIo = ({ json, quiet, yes = false, input = true }: IoOptions): Io => {
  const { stdout, stderr, stdin, env } = process
  const redraws = stderr.isTTY === true && !quiet && env['TERM'] !== 'dumb'
  const gone = new AbortController()
  stdout.once('error', () => gone.abort())
  return {
    json,
    quiet,
    yes,
    columns: stdout.isTTY === true ? stdout.columns || COLUMNS : undefined,
    gone: gone.signal,
    ask: input && stdin.isTTY === true && stderr.isTTY === true ? askAtTerminal : undefined,
    out: (text) => void stdout.write(`${text}\n`),
    drained: async () => {
      if (!stdout.writableNeedDrain || gone.signal.aborted) return
      const { promise, resolve } = Promise.withResolvers<void>()
      stdout.once('drain', resolve)
      gone.signal.addEventListener('abort', () => resolve(), { once: true })
      await promise
    },
    say: (text) => {
      if (!quiet) stderr.write(`${printable(text)}\n`)
    },
    complain: (text) => void stderr.write(`${printable(text)}\n`),
    redraw: (text) => {
      // A line that wraps could not be erased again.
      if (redraws) stderr.write(`${ERASE_LINE}${text.slice(0, (stderr.columns || COLUMNS) - 1)}`)
    },
  }
}

/** An answer as `--json` prints it: one object that names its schema version first. */
export const jsonText = (value: object): string => {
  const schema = JSON_SCHEMA_VERSION
  return JSON.stringify(Object.assign({ schema }, value, { schema }))
}

/** Prints an answer once: as text for people, or as JSON. */
export const present = (io: Io, value: object, text: () => string): void =>
  io.out(io.json ? jsonText(value) : printable(text()))

/** Columns aligned by padding; the last one ragged. */
export const table = (rows: readonly (readonly string[])[]): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) => row.map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i] ?? 0))).join('  '))
    .join('\n')
}
