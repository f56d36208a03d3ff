import type { Exit } from './exit.ts'

/** What `--json` says of a failure beside its sentence. */
export interface CliErrorOptions {
  /** Stable, upper case. */
  readonly code: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** An error of the command line that is told in one line, with its exit code and what `--json` says of it. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly exit: Exit
  readonly code: string
  readonly details: Readonly<Record<string, unknown>>

  constructor(exit: Exit, message: string, { code, details = {} }: CliErrorOptions) {
    super(message)
    this.exit = exit
    this.code = code
    this.details = details
  }
}

/** Words that the user got wrong. */
export const usageError = (message: string): CliError => new CliError(2, message, { code: 'USAGE' })
