import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Ended } from '../cli/terminal.ts'

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
const MS_PER_SECOND = 1000

/** Somebody at a terminal: what is typed is a line of a shell as it stands, and counts as one step. */
export interface Typist {
  types(line: string, env?: Readonly<Record<string, string>>): Promise<Ended>
}

/** A home of somebody who has the program and nothing else. @returns the folder they work in */
export const homeWithProgram = (home: string): string => {
  const bin = join(home, 'bin')
  const desk = join(home, 'desk')
  for (const folder of [bin, desk]) mkdirSync(folder)
  writeFileSync(join(bin, 'tickmesh'), `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`)
  chmodSync(join(bin, 'tickmesh'), 0o755)
  return desk
}

/** Runs a line in a shell that has nothing of this process but where its programs are. */
const inShell = async (home: string, line: string, env: Readonly<Record<string, string>>): Promise<Ended> => {
  const path = `${join(home, 'bin')}:${process.env['PATH'] ?? ''}`
  const child = spawn('bash', ['--noprofile', '--norc', '-c', line], {
    cwd: join(home, 'desk'),
    env: { PATH: path, HOME: home, LANG: 'C.UTF-8', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [[code], stdout, stderr] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)])
  return { code: code as number | null, stdout, stderr }
}

/**
 * A task that is done by typing, with a bound in lines. The lines and how long they took are printed; more lines than
 * the bound fail it.
 *
 * @param home made by {@link homeWithProgram}.
 */
export const typedTask = async (
  name: string,
  { home, linesMax }: { readonly home: string; readonly linesMax: number },
  body: (typist: Typist) => Promise<void>,
): Promise<void> => {
  const typed: string[] = []
  const begin = performance.now()
  await body({
    types: (line, env = {}) => {
      typed.push(line)
      return inShell(home, line, env)
    },
  })
  const seconds = ((performance.now() - begin) / MS_PER_SECOND).toFixed(1)
  console.log(`TASK ${name}: ${typed.length} steps of ${linesMax}, ${seconds} s`)
  for (const line of typed) console.log(`  $ ${line.split('\n')[0]}`)
  assert(typed.length <= linesMax, `${name}: ${typed.length} lines, at most ${linesMax}`)
}
