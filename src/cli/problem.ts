import { type Exit, exits } from './exit.ts'

/** What `--json` says of a failure beside its sentence. */
export interface CliErrorOptions {
  /** Stable, upper case. */
  readonly code: string
  readonly details?: Readonly<Record<string, unknown>>
  /** Address of the page that says more. */
  readonly see?: string
  /** The sentence as a person reads it, where programs are told the node's own. */
  readonly plain?: string
}

/** An error of the command line that is told in one line, with its exit code and what `--json` says of it. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly exit: Exit
  readonly code: string
  readonly details: Readonly<Record<string, unknown>>
  readonly see: string | undefined
  readonly plain: string

  constructor(exit: Exit, message: string, { code, details = {}, see, plain = message }: CliErrorOptions) {
    super(message)
    this.exit = exit
    this.code = code
    this.details = details
    this.see = see
    this.plain = plain
  }
}

/** Words that the user got wrong. */
export const usageError = (message: string): CliError => new CliError(2, message, { code: 'USAGE' })

/** The name of an error class as codes are written: `DirectoryInUse` is `DIRECTORY_IN_USE`. */
export const codeOfName = ({ name }: Error): string => name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()

/** A failure of the store as a command tells it; any other as it is. @param damage the exit where rows are damaged */
export const storeProblem = async (error: unknown, damage: Exit): Promise<unknown> => {
  const { isCorrupt, isOutOfReach } = await import('#node/fsck.ts')
  if (isCorrupt(error)) {
    const details = { table: error.table, key: error.key, what: error.what }
    return new CliError(damage, `the rows are damaged: ${error.message}`, { code: 'CORRUPT_ROW', details })
  }
  if (isOutOfReach(error)) return new CliError(exits.failure, error.message, { code: codeOfName(error) })
  return error
}
