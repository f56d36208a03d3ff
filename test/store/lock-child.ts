import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { createInterface } from 'node:readline'
import { DirectoryInUse, lockDirectory } from '#store/lock.ts'
import { type Random, seeded } from '../kit/random.ts'

// Takes and releases a directory by lines of stdin, for a test that lets several processes try at once.

const CALLS = ['linkSync', 'readFileSync', 'renameSync', 'rmSync', 'unlinkSync', 'writeFileSync'] as const
/** The longest that a call waits for the disk. */
const WAIT_MS_MAX = 3

/** Calls after which this process is killed; undefined: it lives on. */
let left: number | undefined

/** A disk that answers late, now this process and now another: they meet at every point of what they do. */
const slowDown = (random: Random): void => {
  const sleep = new Int32Array(new SharedArrayBuffer(4))
  for (const name of CALLS) {
    const real = fs[name] as (...given: unknown[]) => unknown
    const slow = (...given: unknown[]): unknown => {
      if (String(given[0]).startsWith('/proc/')) return real(...given)
      Atomics.wait(sleep, 0, 0, random.integer(0, WAIT_MS_MAX))
      if (left !== undefined && left-- === 0) process.kill(process.pid, 'SIGKILL')
      return real(...given)
    }
    Object.assign(fs, { [name]: slow })
  }
  syncBuiltinESMExports()
}

let held: Disposable | undefined

const take = (directory: string): string => {
  try {
    held = lockDirectory(directory)
    return 'taken'
  } catch (cause) {
    if (cause instanceof DirectoryInUse) return `held by ${cause.pid}`
    throw cause
  }
}

const [, , seed] = process.argv
if (seed !== undefined) slowDown(seeded(Number(seed)))

for await (const line of createInterface({ input: process.stdin })) {
  const [word, directory = '', killedAfter] = line.split(' ')
  if (word === 'take') {
    left = killedAfter === undefined ? undefined : Number(killedAfter)
    console.log(take(directory))
    left = undefined
  }
  if (word === 'open') {
    // Loaded where it is wanted alone: most of these processes start and die without it.
    const { open } = await import('./kit.ts')
    const said = await open(directory).then(
      async (store) => {
        await store[Symbol.asyncDispose]()
        return 'opened'
      },
      (cause: Error) => `${cause.name}: ${cause.message}`,
    )
    console.log(said)
  }
  if (word === 'release') {
    held?.[Symbol.dispose]()
    held = undefined
    console.log('released')
  }
}
