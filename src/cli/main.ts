import { call } from './call.ts'
import { exits } from './exit.ts'

// Whoever read no further (`| head`) is left alone: the command ends as it would have, and a node runs on.
let broken = false
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return
    broken = true
    process.exitCode = exits.failure
  })
}
const code = await call(process.argv.slice(2))
process.exitCode = broken ? exits.failure : code
