// Goal: heaps are lean from the start and at rest, and roomy under load, without going to and fro. Method: courses
// of load against what was set; the real flag in a process of its own.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createHeapRoom } from '#node/heap-room.ts'
import { suite } from '../kit/suite.ts'

const test = suite('node/heap-room')

const [LEAN, ROOMY] = ['--optimize-for-size', '--no-optimize-for-size']

/** What was set after each look at a course of load. */
const setBy = (course: readonly number[]): readonly (string | undefined)[] => {
  const set: string[] = []
  let at = 0
  const room = createHeapRoom({ utilization: () => course[at] as number, setFlag: (flag) => void set.push(flag) })
  assert.deepEqual(set.splice(0), [LEAN])
  return course.map((_, i) => {
    at = i
    room.look()
    return set.splice(0).at(-1)
  })
}

const many = <T>(count: number, it: T): T[] => Array.from({ length: count }, () => it)

test('one busy look is none; two give room, once', () => {
  assert.deepEqual(setBy([0, 1, 0, 1, 1, 1, 1]), [...many(4, undefined), ROOMY, undefined, undefined])
})

test('a pause leaves the room, and ten quiet seconds take it', () => {
  const quiet = many(12, 0.1)
  const told = setBy([1, 1, ...quiet, 0.9, ...quiet, 0.1, 0.1])
  assert.equal(told[1], ROOMY)
  assert.deepEqual(told.slice(2, -2), many(told.length - 4, undefined))
  assert.deepEqual(told.slice(-2), [LEAN, undefined])
})

test('the engine takes both flags while it runs, and the watch lets the process end', () => {
  const module = fileURLToPath(new URL('../../src/node/heap-room.ts', import.meta.url))
  const program = `
    const { createHeapRoom, followHeapRoom } = await import(${JSON.stringify(module)})
    followHeapRoom()
    const { setFlagsFromString } = await import('node:v8')
    let load = 1
    const room = createHeapRoom({ utilization: () => load, setFlag: setFlagsFromString })
    for (let i = 0; i < 40; i++) { load = i < 20 ? 1 : 0; room.look(); Array.from({ length: 1e5 }, () => ({})) }
    console.log('ended')`
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  })
  assert.deepEqual([status, stdout], [0, 'ended\n'], stderr)
})

test.run()
