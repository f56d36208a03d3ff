import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))

/** A node in a process of its own. */
export interface ChildNode {
  readonly url: string
  readonly process: ChildProcess
  /** The owner's key, from the data directory. */
  readonly ownerKey: string
  /** Seconds from the start of the process to its `ready` line. */
  readonly readySeconds: number
  /** Sends a signal and waits for the end. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

/**
 * Starts a node on a data directory, on free ports, and waits until it says that it is ready.
 *
 * @param nodeArgs options of Node itself.
 */
export const startChildNode = async (
  directory: string,
  more: Readonly<Record<string, string>> = {},
  nodeArgs: readonly string[] = [],
): Promise<ChildNode> => {
  const from = performance.now()
  const child = spawn(process.execPath, [...nodeArgs, PROGRAM, 'start'], {
    env: {
      ...process.env,
      TICKMESH_DATA: directory,
      TICKMESH_HTTP_PORT: '0',
      TICKMESH_P2P_PORT: '0',
      TICKMESH_LOG: 'error',
      ...more,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const ready = Promise.withResolvers<string>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('ready ')) ready.resolve(line.slice('ready '.length))
  })
  child.once('exit', (code) => ready.reject(new Error(`the node ended with ${code} before it was ready`)))
  const url = await ready.promise
  return {
    url,
    process: child,
    ownerKey: readFileSync(join(directory, 'owner.key'), 'utf8').trim(),
    readySeconds: (performance.now() - from) / 1000,
    end: async (signal) => {
      child.kill(signal)
      await ended
    },
  }
}
