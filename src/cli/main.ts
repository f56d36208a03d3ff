import { exits } from './exit.ts'
import { explain } from './explain.ts'
import { processIo } from './io.ts'
import { runProgram } from './program.ts'

/** Flags of an error must be known before, or even though, the words could not be parsed. */
const given = (argv: readonly string[], ...flags: readonly string[]): boolean => {
  const end = argv.indexOf('--')
  return argv.slice(0, end === -1 ? undefined : end).some((word) => flags.includes(word))
}

const main = async (argv: readonly string[]): Promise<number> => {
  try {
    return await runProgram(argv)
  } catch (error) {
    return explain(processIo({ json: given(argv, '--json'), quiet: given(argv, '-q', '--quiet') }), error)
  }
}

// Whoever read no further (`| head`) is left alone: the command ends as it would have, and a node runs on.
let broken = false
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return
    broken = true
    process.exitCode = exits.failure
  })
}
const code = await main(process.argv.slice(2))
process.exitCode = broken ? exits.failure : code
