/** An error of the command line that is told in one line, with its exit code and members for `--json`. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly exit: number
  readonly details: Readonly<Record<string, unknown>>

  constructor(exit: number, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.exit = exit
    this.details = details
  }
}
