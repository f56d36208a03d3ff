import { writeSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { cpuSecondsOfSession } from './test-cpu.ts'
import { type Mark, markLine } from './test-mark.ts'

// Runs test files under uvu, one after another in this process: `test-batch.ts test core/merkle.test.ts …`. What is
// loaded, compiled and warm for one is so for the next. Marks in both streams say where a file begins and ends.

/** What the files want done when all are over (test/kit/end.ts). */
const END = Symbol.for('tickmesh.tests.end')

interface Shared {
  [END]?: (() => Promise<unknown>)[]
  UVU_DEFER?: number
  UVU_INDEX?: number
  UVU_QUEUE?: unknown[][]
}
const shared = globalThis as Shared
shared.UVU_DEFER = 1 // uvu waits for `exec`
shared.UVU_INDEX = 0
const { exec } = await import('uvu')

// Written past `process.stdout`, which a test may hold meanwhile.
const mark = (it: Mark): void => {
  for (const stream of [1, 2]) writeSync(stream, markLine(it))
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { bail: { type: 'boolean' } } })
const [dir = '', ...files] = positionals
let from = 0
for (const file of files) {
  mark({ begins: file })
  shared.UVU_QUEUE?.splice(0, Number.POSITIVE_INFINITY, [file])
  await import(pathToFileURL(resolve(dir, file)).href)
  await exec(values.bail)
  if (file === files.at(-1)) for (const work of shared[END] ?? []) await work()
  const now = cpuSecondsOfSession()
  mark({ ends: file, code: process.exitCode === 1 ? 1 : 0, seconds: now - from })
  from = now
}
