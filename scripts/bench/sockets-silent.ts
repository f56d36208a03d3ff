import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Target, wireOf } from './sockets-wires.ts'

const FILE = fileURLToPath(new URL('./peers/silent.py', import.meta.url))

/**
 * Connections that never read. They stand in Python, where a connection can be told to keep little: a kernel takes
 * megabytes for each otherwise, and 500 of them would be a test of its own bound for all connections.
 *
 * @returns what closes them.
 */
export const silentCrowd = async (target: Target, count: number): Promise<AsyncDisposable> => {
  const { opening, until } = wireOf(target)
  const order = JSON.stringify({ port: target.port, opening, until, count })
  const child = spawn('python3', [FILE, order], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended])) as [unknown]
  if (Number(line) !== count) throw new Error(`${String(line)} of ${count} silent ones came in`)
  return {
    [Symbol.asyncDispose]: async () => {
      child.stdin.end()
      await ended
    },
  }
}
