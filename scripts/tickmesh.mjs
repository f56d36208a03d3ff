#!/usr/bin/env node
// The command `tickmesh`: sets up what is stale in a clone, then runs the program, in this process where this is a Node
// that runs its sources, else on the installed one. Plain JavaScript for Node 20.
import module from 'node:module'
import { compiledFolder, isNewEnough, isPacked, MAIN, nodeOfDependencies, plainFlag } from './packed.mjs'
import { isAsSeen, ROOT } from './setup-seen.mjs'

const cwd = process.cwd() // file names on the command line are relative to here
const packed = isPacked()
process.chdir(ROOT)
if (!packed && !isAsSeen()) await setUp()
process.chdir(cwd)

// What was compiled for one command is there for the next: half of the time of a short one. A node does without: it
// would hold all of that in memory for as long as it runs.
const compiled = process.env['NODE_COMPILE_CACHE'] ?? compiledFolder()
if (isNewEnough()) await runHere()
else await runApart()

async function setUp() {
  const setup = await import('./setup.mjs')
  try {
    await setup.setUp()
  } catch (error) {
    console.error(`setup: ${/** @type {Error} */ (error).message}`)
    process.exit(1)
  }
}

/** Runs the program in this process; a package begins anew, since how threads read sources is said at a start alone. */
async function runHere() {
  if (packed && process.execve !== undefined) {
    const words = [...process.execArgv, plainFlag(), MAIN, ...process.argv.slice(2)]
    process.execve(process.execPath, [process.execPath, ...words], environment())
  }
  if (packed) return runApart(process.execPath)
  module.enableCompileCache(compiled)
  await import(new URL('../src/cli/main.ts', import.meta.url).href)
}

/** @returns {NodeJS.ProcessEnv} */
function environment() {
  return { ...process.env, ...(process.argv.includes('start') ? {} : { NODE_COMPILE_CACHE: compiled }) }
}

/** Runs the program on the installed Node, and ends as it ends. */
async function runApart(node = nodeOfDependencies() ?? process.execPath) {
  const { spawn } = await import('node:child_process')
  const words = [...(packed ? [plainFlag()] : []), MAIN, ...process.argv.slice(2)]
  const child = spawn(node, words, { cwd, env: environment(), stdio: 'inherit' })
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
