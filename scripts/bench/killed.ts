import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** Where the launcher keeps what was compiled, so that many processes start quickly. */
const COMPILED = fileURLToPath(new URL('../../.build/compiled', import.meta.url))

/**
 * Runs a script and kills it at random within a time after it says `begins`.
 *
 * @returns its other lines.
 * @throws Error where it ended before it was killed.
 */
export const untilKilled = async (
  script: string,
  args: readonly string[],
  msSpan: number,
): Promise<readonly string[]> => {
  const child = spawn(process.execPath, ['--no-warnings', script, ...args], {
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    if (line !== 'begins') lines.push(line)
    else setTimeout(() => child.kill('SIGKILL'), randomInt(msSpan))
  }
  const [, signal] = await ended
  if (signal !== 'SIGKILL') throw new Error('the child ended before it was killed')
  return lines
}
