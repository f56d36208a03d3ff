// Goal: of any number of processes that start at once on one directory exactly one holds it, also over what a dead one
// left and where some die on the way, and the rest are told who does. Method: processes on disks that answer late by a
// seed, which all try at one moment, round after round, and some of which are killed at one call or another; then
// LevelDB's own lock with ours taken away, as on a disk that two machines share.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { makeDirectory } from '#store/lock.ts'
import { seed, seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { open } from './kit.ts'

const test = suite('store: lock')

const CHILD = fileURLToPath(new URL('lock-child.ts', import.meta.url))
const CHILDREN = 6
const ROUNDS = 48
const ROUNDS_OF_DEATH = 12
/** Calls of the file system that a process makes at most while it takes over a lock. */
const CALLS_MAX = 12
/** What was left in the directory; the first: nothing, not even the directory. */
const LEFT = [undefined, '{"pid":4194305,"started":null}', '', '{"pid":4194305,"started":null,"id":"x"}']

/** A process that tries to take a directory whenever it is told to, and says what came of it. */
const contender = (signal: AbortSignal, slowSeed?: number) => {
  const seeds = slowSeed === undefined ? [] : [String(slowSeed)]
  const child = spawn(process.execPath, [CHILD, ...seeds], { signal, stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ended = once(child, 'exit')
  return {
    say: async (word: string): Promise<string> => {
      child.stdin.write(`${word}\n`)
      const { value, done } = await lines.next()
      return done === true ? 'killed' : String(value)
    },
    pid: String(child.pid),
    [Symbol.asyncDispose]: async (): Promise<void> => {
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

type Contender = ReturnType<typeof contender>

/** All try at once: one gets it, the others hear its pid, and nothing is left beside its lock or after it. */
const assertOneTakes = async (all: readonly Contender[], at: string, round: number): Promise<void> => {
  const answers = await Promise.all(all.map(({ say }) => say(`take ${at}`)))
  const holder = answers.indexOf('taken')
  const expected = all.map((_, i) => (i === holder ? 'taken' : `held by ${all[holder]?.pid}`))
  assert.deepEqual(answers, expected, `round ${round}`)
  assert.deepEqual(readdirSync(at), ['node.lock'])
  await Promise.all(all.map(({ say }) => say('release')))
  assert.deepEqual(readdirSync(at), [])
}

test('of processes that try at once exactly one gets the directory, and the others hear its pid', async (signal) => {
  using dir = tempDir()
  await using started = new AsyncDisposableStack()
  const all = Array.from({ length: CHILDREN }, (_, i) => started.use(contender(signal, seed + i)))
  for (let round = 0; round < ROUNDS; round++) {
    const at = join(dir.path, String(round))
    const left = LEFT[round % LEFT.length]
    if (left !== undefined) leave(at, left)
    await assertOneTakes(all, at, round)
  }
}, 60_000)

test('some are killed on their way to it: never do two hold it, and those who live get it', async (signal) => {
  using dir = tempDir()
  const random = seeded()
  await using started = new AsyncDisposableStack()
  const another = (): Contender => started.use(contender(signal, random.integer(0, 1e6)))
  let all = Array.from({ length: CHILDREN }, another)
  let deaths = 0
  for (let round = 0; round < ROUNDS_OF_DEATH; round++) {
    const at = join(dir.path, String(round))
    leave(at, LEFT[1 + (round % (LEFT.length - 1))] as string)
    const words = all.map((_, i) => (i < 2 ? `take ${at} ${random.integer(0, CALLS_MAX)}` : `take ${at}`))
    const answers = await Promise.all(all.map(({ say }, i) => say(words[i] as string)))
    const holders = all.filter((_, i) => answers[i] === 'taken')
    assert.ok(holders.length <= 1, `round ${round}: ${answers}`)
    const dead = all.filter((_, i) => answers[i] === 'killed')
    deaths += dead.length
    const named = [...holders, ...dead].map(({ pid }) => `held by ${pid}`)
    assert.deepEqual(
      answers.filter((it) => it.startsWith('held') && !named.includes(it)),
      [],
      `round ${round}`,
    )
    all = all.filter((it) => !dead.includes(it))
    await Promise.all(all.map(({ say }) => say('release')))
    await assertOneTakes(all, at, round)
    while (all.length < CHILDREN) all.push(another())
  }
  assert.ok(deaths > 0)
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
