import { exits } from './exit.ts'
import type { Io } from './io.ts'
import { CliError } from './problem.ts'

/**
 * Asks before what cannot be taken back. `--yes` answers for the person; where nobody can be asked (no terminal, or
 * `--no-input`) nothing is done.
 *
 * @throws CliError `NOT_CONFIRMED` (usage), which names `--yes`.
 */
export const confirm = async (io: Io, question: string, signal: AbortSignal): Promise<void> => {
  if (io.yes) return
  const answer = await io.ask?.(`${question} [y/N] `, signal)
  if (answer !== undefined && /^y(es)?$/i.test(answer.trim())) return
  const why = answer === undefined ? 'nobody can be asked here' : 'it was not confirmed'
  throw new CliError(exits.usage, `${question} Nothing was done: ${why}; --yes says so beforehand`, {
    code: 'NOT_CONFIRMED',
  })
}
