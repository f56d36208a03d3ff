import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { command } from '#cli/command.ts'
import { configOf, RUNTIME_FILE, type Runtime } from '#cli/connection.ts'
import { exits } from '#cli/exit.ts'
import { present } from '#cli/io.ts'
import { CliError } from '#cli/problem.ts'
import { createLog } from '#node/log.ts'
import { isStartRefusal, startNode, untilStopped } from '#node/run.ts'

/** Readable by this user alone: it tells where to find the node, not how to use it. */
const RUNTIME_MODE = 0o600

export const start = command({
  path: 'start',
  summary: 'Run a node with its interface and page, until SIGINT or SIGTERM.',
  takesSettings: true,
  handlesSignals: true,
  examples: [
    'tickmesh start',
    'tickmesh start --http-port 0 --data-dir ./second --bootstrap /ip4/127.0.0.1/tcp/7771/p2p/12D3KooW…',
  ],

  async run(invocation) {
    const { io } = invocation
    const loaded = configOf(invocation)
    const log = createLog(loaded.config.log, process.stderr)
    const node = await startNode(loaded, log).catch((error: unknown) => {
      if (isStartRefusal(error)) throw new CliError(exits.failure, error.message, { code: error.name })
      throw error
    })
    const file = join(loaded.dataDirectory, RUNTIME_FILE)
    const runtime: Runtime = { pid: process.pid, url: node.url, node: node.nodeId }
    writeFileSync(file, `${JSON.stringify(runtime)}\n`, { mode: RUNTIME_MODE })
    present(io, { ok: true, ready: node.url, node: node.nodeId }, () => `ready ${node.url}`)
    io.say(`node  ${node.nodeId}`)
    for (const address of node.mesh?.addresses() ?? []) io.say(`mesh  ${address}`)
    io.say(`owner ${node.ownerLink()}  (opens the page as the owner, once)`)
    const ending = await untilStopped(node, log, loaded.config.stop.timeoutMs)
    rmSync(file, { force: true })
    if (ending === 'forced') process.exit(exits.failure)
    return exits.ok
  },
})
