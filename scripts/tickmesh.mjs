#!/usr/bin/env node
// The command `tickmesh`: sets up what is stale, then runs the program, in this process where this is a Node that runs
// its sources, else on the installed one. Plain JavaScript for Node 20.
import { existsSync } from 'node:fs'
import module from 'node:module'
import { isAsSeen, NODE_MAJOR, ROOT } from './setup-seen.mjs'

const cwd = process.cwd() // file names on the command line are relative to here
process.chdir(ROOT)
if (!isAsSeen()) await setUp()

// What was compiled for one command is there for the next: half of the time of a short one. A node does without: it
// would hold all of that in memory for as long as it runs.
const compiled = process.env['NODE_COMPILE_CACHE'] ?? `${ROOT}/.build/compiled`
const main = `${ROOT}/src/cli/main.ts`
if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR) {
  process.chdir(cwd)
  module.enableCompileCache(compiled)
  await import(new URL('../src/cli/main.ts', import.meta.url).href)
} else await runApart()

async function setUp() {
  const setup = await import('./setup.mjs')
  try {
    await setup.setUp()
  } catch (error) {
    console.error(`setup: ${/** @type {Error} */ (error).message}`)
    process.exit(1)
  }
}

/** Runs the program on the installed Node, and ends as it ends. */
async function runApart() {
  const { spawn } = await import('node:child_process')
  const ours = `${ROOT}/node_modules/.bin/node`
  const node = existsSync(ours) ? ours : process.execPath
  const words = process.argv.slice(2)
  const env = { ...process.env, ...(words.includes('start') ? {} : { NODE_COMPILE_CACHE: compiled }) }
  const child = spawn(node, [main, ...words], { cwd, env, stdio: 'inherit' })
  /** @type {readonly NodeJS.Signals[]} */
  const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the whole group; passed on, it would reach the program twice, and twice means now.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    })
  }
  child.on('error', (error) => {
    console.error(`tickmesh: ${error.message}`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1)
    for (const it of SIGNALS) process.removeAllListeners(it)
    process.kill(process.pid, signal)
  })
}
