import type { Log } from '#core/telemetry.ts'
import { sleep } from '#core/wait.ts'
import { KeyFileRefused } from '#domain/identity/node-keys.ts'
import { ListenError } from '#gateway/server.ts'
import { MeshRefused } from '#mesh/refused.ts'
import { CorruptRow } from '#store/corrupt-row.ts'
import { DirectoryInUse, DirectoryRefused } from '#store/lock.ts'
import { StoreRefused } from '#store/open.ts'
import { nodeClock } from './clock.ts'
import type { LoadedConfig } from './config.ts'
import { followHeapRoom } from './heap-room.ts'
import { createNode, type Node } from './node.ts'

/** How a node came to its end. */
export type Ending = 'stopped' | 'forced'

/** A start that failed for a reason which its message tells a person: a lock, a port, a key file, foreign data. */
export const isStartRefusal = (error: unknown): error is Error =>
  [CorruptRow, DirectoryInUse, DirectoryRefused, KeyFileRefused, ListenError, MeshRefused, StoreRefused].some(
    (it) => error instanceof it,
  )

/** A node of this process, with the machine's clock and timers, and heaps that follow its load. */
export const startNode = (loaded: LoadedConfig, log: Log): Promise<Node> => {
  followHeapRoom()
  return createNode(loaded, { clock: nodeClock(), sleep, log, follows: true })
}

/** A terminal and npm both pass one Ctrl-C on: within this time a second signal is the first one's echo. */
const SIGNAL_ECHO_MS = 500

/**
 * Waits for SIGTERM or SIGINT and stops the node: the first one in order, a second one, or the end of the given time,
 * at once.
 *
 * @returns `forced` when it could not be stopped in order; the caller then leaves with a failure.
 */
export const untilStopped = async (node: Node, log: Log, timeoutMs: number): Promise<Ending> => {
  const first = Promise.withResolvers<string>()
  const second = Promise.withResolvers<'forced'>()
  let armed = false
  const onSignal = (name: string): void => {
    if (armed) second.resolve('forced')
    else first.resolve(name)
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  try {
    log.info({ signal: await first.promise }, 'stopping')
    const over = new AbortController()
    void sleep(SIGNAL_ECHO_MS, over.signal).then(() => {
      armed = true
    })
    const late = sleep(timeoutMs, over.signal).then(() => 'forced' as const)
    const done = node[Symbol.asyncDispose]().then(() => 'stopped' as const)
    const ending = await Promise.race([done, late, second.promise]).finally(() => over.abort())
    log.info({ ending }, 'stopped')
    return ending
  } finally {
    process.off('SIGTERM', onSignal)
    process.off('SIGINT', onSignal)
  }
}
