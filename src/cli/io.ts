import type { Json } from '#core/canonical.ts'

/** Version of the shape of every `--json` answer; raised when a member changes its meaning. */
export const JSON_SCHEMA_VERSION = 1

/** Where a command reads and writes: data on `out`, talk on `err`. */
export interface Io {
  readonly json: boolean
  readonly quiet: boolean
  /** Whether talk goes to a terminal, so that a progress bar may redraw its line. */
  readonly terminal: boolean
  /** One piece of data on stdout. */
  out(text: string): void
  /** One line of talk on stderr; silent with `--quiet`. */
  say(text: string): void
  /** Redraws the progress line, or ends it when the text is empty. Does nothing off a terminal. */
  redraw(text: string): void
  readStdin(): Promise<Uint8Array>
}

/** The streams of this process: data on stdout, talk on stderr, and a progress line only where someone watches. */
export const processIo = ({ json, quiet }: { readonly json: boolean; readonly quiet: boolean }): Io => {
  const terminal = process.stderr.isTTY === true && !quiet
  return {
    json,
    quiet,
    terminal,
    out: (text) => void process.stdout.write(`${text}\n`),
    say: (text) => {
      if (!quiet) process.stderr.write(`${text}\n`)
    },
    redraw: (text) => {
      if (terminal) process.stderr.write(text === '' ? '\r\u001B[2K' : `\r\u001B[2K${text}`)
    },
    readStdin: async () => {
      const parts: Buffer[] = []
      for await (const part of process.stdin) parts.push(part as Buffer)
      return new Uint8Array(Buffer.concat(parts))
    },
  }
}

/** Prints an answer once: as text for people, or as one JSON object that names its schema version. */
export const present = (io: Io, value: Readonly<Record<string, unknown>>, text: () => string): void => {
  io.out(io.json ? JSON.stringify({ schema: JSON_SCHEMA_VERSION, ...(value as Record<string, Json>) }) : text())
}

/** Columns aligned by padding; the last one ragged. */
export const table = (rows: readonly (readonly string[])[]): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) => row.map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i] ?? 0))).join('  '))
    .join('\n')
}
