import { command } from '#cli/command.ts'
import { configOf } from '#cli/connection.ts'
import { exits } from '#cli/exit.ts'
import { present } from '#cli/io.ts'
import { beginLean } from '#cli/lean.ts'
import { notifyReady } from '#cli/notify.ts'
import { CliError, codeOfName } from '#cli/problem.ts'
import { programWords } from '#cli/start-words.ts'
import { namedRows } from '#cli/wrap.ts'
import { sleep } from '#core/wait.ts'
import type { Node } from '#node/node.ts'
import { announce } from '#node/runtime.ts'

/** A first call over HTTP, which needs no key: the Schwarzschild radius of the Sun. */
const TRIAL = '{"operators":["GR37"],"inputs":{"mass":1.98892e30}}'

/** What the node is, and what to do with it: the page, a key, one call over HTTP, one command. */
const whatNext = (
  { url, nodeId, mesh, ownerLink }: Pick<Node, 'url' | 'nodeId' | 'mesh' | 'ownerLink'>,
  isTerminal: boolean,
): readonly string[] =>
  namedRows(
    [
      ['node', nodeId],
      ...(mesh?.addresses() ?? []).map((address) => ['mesh', address] as const),
      // What is no terminal is kept: a journal, a container's log. A link is no thing to keep.
      [
        'owner',
        `${isTerminal ? ownerLink() : '`tickmesh owner-link` gives a link'}  (opens the page as the owner, once)`,
      ],
      ['page', url],
      ['key', `${url}/api/demo-key has one to try; the page makes your own, under Settings`],
      ['curl', `curl -s ${url}/api/svc/prove -H content-type:application/json -d '${TRIAL}'`],
      ['next', `${programWords()} solve heat --plot -   (in a second terminal; it needs no key)`],
    ],
    undefined,
  ).split('\n')

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
    const announced = announce(dataDirectory, {
      pid: process.pid,
      url: node.url,
      node: node.nodeId,
      registers: node.registers,
    })
    present(io, { ok: true, ready: node.url, node: node.nodeId, pid: process.pid }, () => `ready ${node.url}`)
    for (const line of whatNext(node, process.stderr.isTTY === true)) io.say(line)
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
