import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { command } from '#cli/command.ts'
import { configOf } from '#cli/connection.ts'
import { exits } from '#cli/exit.ts'
import { present, table } from '#cli/io.ts'
import { CliError, codeOfName } from '#cli/problem.ts'
import { programWords, startWords } from '#cli/start-words.ts'

export const init = command({
  path: 'init',
  summary: 'Make a data directory with the keys of a new node, without starting it; what is there stays.',
  examples: ['tickmesh init', 'tickmesh init --data-dir ./second && tickmesh start --data-dir ./second'],
  async run(invocation) {
    const { io } = invocation
    const { dataDirectory: directory } = configOf(invocation)
    const { keyFiles, makeKeys } = await import('#node/init.ts')
    const created = !existsSync(join(directory, keyFiles.identity))
    let node: string
    try {
      node = makeKeys(directory)
    } catch (error) {
      if (!(error instanceof Error && /^(KeyFile|Directory)Refused$/.test(error.name))) throw error
      throw new CliError(exits.failure, error.message, { code: codeOfName(error) })
    }
    present(io, { ok: true, data_directory: directory, node, created }, () =>
      table([
        ['data', directory],
        ['node', node],
      ]),
    )
    io.say(created ? 'the keys in it are the node: keep a copy of them' : 'it stood already; nothing was changed')
    io.say(`next: ${startWords()}, and in a second terminal: ${programWords()} solve heat --bundle heat.json`)
    return exits.ok
  },
})
