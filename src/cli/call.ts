import { explain } from './explain.ts'
import { processIo } from './io.ts'
import { runProgram } from './program.ts'

/** Flags of an error must be known before, or even though, the words could not be parsed. */
const given = (argv: readonly string[], ...flags: readonly string[]): boolean => {
  const end = argv.indexOf('--')
  return argv.slice(0, end === -1 ? undefined : end).some((word) => flags.includes(word))
}

/** A call of the program, from its words to its exit code; what goes wrong is told on the way. */
export const call = async (argv: readonly string[]): Promise<number> => {
  try {
    return await runProgram(argv)
  } catch (error) {
    return explain(processIo({ json: given(argv, '--json'), quiet: given(argv, '-q', '--quiet') }), error)
  }
}
