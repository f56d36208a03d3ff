// Goal: of any number of processes that start at once on one directory exactly one holds it, also over what a dead one
// left, and the rest are told who does. Method: processes that all try at one moment, round after round; then LevelDB's
// own lock with ours taken away, as on a disk that two machines share.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { makeDirectory } from '#store/lock.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { open } from './kit.ts'

const test = suite('store: lock')

const CHILD = fileURLToPath(new URL('lock-child.ts', import.meta.url))
const CHILDREN = 4
const ROUNDS = 60

/** A process that tries to take a directory whenever it is told to, and says what came of it. */
const contender = (signal: AbortSignal) => {
  const child = spawn(process.execPath, [CHILD], { signal, stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const say = async (word: string): Promise<string> => {
    child.stdin.write(`${word}\n`)
    return String((await lines.next()).value)
  }
  return {
    say,
    pid: String(child.pid),
    [Symbol.asyncDispose]: async (): Promise<void> => {
      const ended = once(child, 'exit')
      child.stdin.end()
      await ended
    },
  }
}

/** What a dead process left in a directory. */
const leave = (directory: string, text: string): void => {
  mkdirSync(directory)
  writeFileSync(join(directory, 'node.lock'), text)
}

test('of processes that try at once exactly one gets the directory, and the others hear its pid', async (signal) => {
  using dir = tempDir()
  await using started = new AsyncDisposableStack()
  const all = Array.from({ length: CHILDREN }, () => started.use(contender(signal)))
  for (let round = 0; round < ROUNDS; round++) {
    const at = join(dir.path, String(round))
    if (round % 2 === 1) leave(at, '{"pid":4194305,"started":null}')
    const answers = await Promise.all(all.map(({ say }) => say(`take ${at}`)))
    const holder = answers.indexOf('taken')
    const expected = all.map((_, i) => (i === holder ? 'taken' : `held by ${all[holder]?.pid}`))
    assert.deepEqual(answers, expected, `round ${round}`)
    assert.deepEqual(readdirSync(at), ['node.lock'])
    await Promise.all(all.map(({ say }) => say('release')))
    assert.deepEqual(readdirSync(at), [])
  }
}, 60_000)

test('a lock that is torn or of a dead process is taken over, and nothing is left aside', async () => {
  using dir = tempDir()
  const path = join(dir.path, 'node.lock')
  for (const left of ['', '{"pid":', '{"pid":4194305,"started":null}', 'null', '[]']) {
    writeFileSync(path, left)
    await using _store = await open(dir.path)
    assert.deepEqual(readdirSync(dir.path).sort(), ['db', 'node.lock'], JSON.stringify(left))
  }
})

test("with our lock out of sight the database's own still keeps a second process out, in words", async (signal) => {
  using dir = tempDir()
  await using _store = await open(dir.path)
  rmSync(join(dir.path, 'node.lock'))
  await using other = contender(signal)
  assert.match(await other.say(`open ${dir.path}`), /^StoreRefused: .* is open in another process$/)
})

test('a directory that cannot be made is refused by name and at once, also where mkdir would never end', () => {
  using dir = tempDir()
  const file = join(dir.path, 'file')
  writeFileSync(file, '')
  const deep = join(dir.path, 'a', 'b')
  makeDirectory(deep)
  makeDirectory(deep)
  assert.equal(statSync(deep).mode & 0o777, 0o700)
  for (const path of ['/proc/x', '/proc/self/x/y', file, join(file, 'x'), join(dir.path, ...'x'.repeat(100))]) {
    assert.throws(() => makeDirectory(path), { name: 'DirectoryRefused' }, path)
  }
  assert.deepEqual(readdirSync(dir.path).sort(), ['a', 'file'])
})

test.run()
