import { command } from '#cli/command.ts'
import { configOf } from '#cli/connection.ts'
import { exits } from '#cli/exit.ts'
import { present } from '#cli/io.ts'
import { beginLean } from '#cli/lean.ts'
import { notifyReady } from '#cli/notify.ts'
import { CliError, codeOfName } from '#cli/problem.ts'
import { sleep } from '#core/wait.ts'
import { announce } from '#node/runtime.ts'

export const start = command({
  path: 'start',
  summary: 'Run a node with its interface and page, until SIGINT or SIGTERM.',
  settings: 'all',
  ownSignals: true,
  examples: [
    'tickmesh start',
    'tickmesh start --http-port 0 --data-dir ./second --bootstrap /ip4/127.0.0.1/tcp/7771/p2p/12D3KooW…',
  ],

  async run(invocation) {
    beginLean()
    const { io } = invocation
    const { dataDirectory, config, ...rest } = configOf(invocation)
    // Every other command is spared the half of the program that only a node needs.
    const { createLog } = await import('#node/log.ts')
    const log = createLog(config.log, process.stderr)
    const { isStartRefusal, startNode, untilStopped } = await import('#node/run.ts')
    const node = await startNode({ dataDirectory, config, ...rest }, log).catch((error: unknown) => {
      if (isStartRefusal(error)) throw new CliError(exits.failure, error.message, { code: codeOfName(error) })
      throw error
    })
    const ended = untilStopped(node, log, config.stop.timeoutMs) // listens before anyone is told that the node is there
    const announced = announce(dataDirectory, { pid: process.pid, url: node.url, node: node.nodeId })
    present(io, { ok: true, ready: node.url, node: node.nodeId, pid: process.pid }, () => `ready ${node.url}`)
    io.say(`node  ${node.nodeId}`)
    for (const address of node.mesh?.addresses() ?? []) io.say(`mesh  ${address}`)
    // What is no terminal is kept: a journal, a container's log. A link is no thing to keep.
    const owner = process.stderr.isTTY === true ? node.ownerLink() : '`tickmesh owner-link` gives a link'
    io.say(`owner ${owner}  (opens the page as the owner, once)`)
    await notifyReady(node.url, log)
    const over = new AbortController()
    const { keepPace } = await import('#node/pace.ts')
    const paced = keepPace(node.services.compute, dataDirectory, { log, sleep, signal: over.signal })
    const ending = await ended
    over.abort()
    await paced
    announced[Symbol.dispose]()
    if (ending === 'forced') process.exit(exits.failure)
    return exits.ok
  },
})
