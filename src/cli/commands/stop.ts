import { command } from '#cli/command.ts'
import { configOf } from '#cli/connection.ts'
import { exits } from '#cli/exit.ts'
import { present } from '#cli/io.ts'
import { CliError } from '#cli/problem.ts'
import { pause } from '#core/wait.ts'
import { presenceOn } from '#node/runtime.ts'

const LOOK_MS = 50
/** Beyond the node's own time for stopping: it then ends itself. */
const GRACE_MS = 2_000

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

export const stop = command({
  path: 'stop',
  summary: 'Stop the node of the data directory in order, and wait until it has let its data go.',
  examples: ['tickmesh stop', 'tickmesh stop --data-dir ./second'],
  async run(invocation) {
    const { io, signal } = invocation
    const { dataDirectory: directory, config } = configOf(invocation)
    const details = { data_directory: directory }
    const presence = presenceOn(directory)
    if (presence.kind === 'held') {
      const message = `process ${presence.pid} holds ${directory} and is no node that is ready; try again in a moment`
      throw new CliError(exits.tryLater, message, { code: 'NODE_NOT_READY', details })
    }
    if (presence.kind !== 'running') {
      throw new CliError(exits.network, `no node runs on ${directory}`, { code: 'NO_NODE', details })
    }
    const { pid } = presence.runtime
    process.kill(pid, 'SIGTERM')
    const looks = Math.ceil((config.stop.timeoutMs + GRACE_MS) / LOOK_MS)
    for (let look = 0; look < looks; look++) {
      const now = presenceOn(directory)
      if (!('pid' in now) && (now.kind !== 'running' || now.runtime.pid !== pid)) {
        present(io, { ok: true, pid, data_directory: directory }, () => `stopped process ${pid}`)
        return exits.ok
      }
      // Its address outlives its lock by a moment; of a process that is gone altogether it would stay.
      if (now.kind === 'gone' && !isAlive(pid)) break
      await pause(LOOK_MS, signal)
    }
    const message = `process ${pid} was told to stop and has not ended in order; see its log`
    throw new CliError(exits.failure, message, { code: 'NOT_STOPPED', details: { ...details, pid } })
  },
})
