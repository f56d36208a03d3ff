// Goal: set-up runs one at a time, outlives a dead owner, knows what it depends on, and sees when none of it changed.
// Method: the real lock and the real listing in a folder of their own; a child process is the other owner.

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { pruneCompiled } from '../../scripts/setup.mjs'
import { filesUnder, listing } from '../../scripts/setup-files.mjs'
import { takeLock } from '../../scripts/setup-lock.mjs'
import { isAsSeen, remember, statsOf } from '../../scripts/setup-seen.mjs'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { until } from '../kit/until.ts'

const test = suite('setup')

const quiet = (): void => {}
const program = (path: string, body: string): string[] => [
  process.execPath,
  '--input-type=module',
  '-e',
  `import { takeLock } from ${JSON.stringify(new URL('../../scripts/setup-lock.mjs', import.meta.url).href)}
   const release = await takeLock(${JSON.stringify(path)}, { msMax: 1000, say: () => {} })
   process.stdout.write('held'); ${body}`,
]
const holder = (path: string, body: string) => {
  const [node = '', ...args] = program(path, body)
  return spawn(node, args)
}

test('a free lock is taken and given back without a trace', async () => {
  using dir = tempDir()
  const release = await takeLock(`${dir.path}/lock`, { msMax: 0, say: quiet })
  assert.deepEqual(readdirSync(dir.path), ['lock'])
  release()
  assert.deepEqual(readdirSync(dir.path), [])
})

test('the second waits until the first is done', async () => {
  using dir = tempDir()
  const path = `${dir.path}/lock`
  const other = holder(path, `process.stdin.once('data', () => { release(); process.exit() })`)
  await once(other.stdout, 'data')
  const said: string[] = []
  const say = (text: string): void => {
    said.push(text)
    other.stdin.write('go')
  }
  const release = await takeLock(path, { msMax: 5_000, say })
  assert.deepEqual(said, [`process ${other.pid} is setting up; waiting for it …`])
  release()
  assert(!existsSync(path))
})

test('a wait has an end, which names the owner', async () => {
  using dir = tempDir()
  const release = await takeLock(`${dir.path}/lock`, { msMax: 0, say: quiet })
  await assert.rejects(takeLock(`${dir.path}/lock`, { msMax: 0, say: quiet }), new RegExp(`process ${process.pid}`))
  release()
})

test('a killed owner is taken over from', async () => {
  using dir = tempDir()
  const path = `${dir.path}/lock`
  const other = holder(path, `setInterval(() => {}, 1000)`)
  await once(other.stdout, 'data')
  other.kill('SIGKILL')
  await once(other, 'exit')
  const said: string[] = []
  const release = await takeLock(path, { msMax: 0, say: (text) => said.push(text) })
  assert.deepEqual(said, [`took over from process ${other.pid}, which is gone`])
  release()
  assert.deepEqual(readdirSync(dir.path), [])
})

test('a killed owner whose parent never asks for its end is taken over from', async (signal) => {
  if (!existsSync('/proc/self/stat')) return // only Linux shows such a process
  using dir = tempDir()
  const path = `${dir.path}/lock`
  // The shell becomes a sleep, which has a child that it does not know of.
  const parent = spawn('sh', ['-c', '"$@" & exec sleep 60', 'sh', ...program(path, 'setInterval(() => {}, 1000)')])
  await once(parent.stdout, 'data')
  const [pid] = readdirSync(path).map((owner) => Number(owner.split('-')[0]))
  process.kill(pid!, 'SIGKILL')
  await until(() => readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z '), signal)
  const release = await takeLock(path, { msMax: 0, say: quiet })
  release()
  parent.kill()
})

test('a pid that lives again under another program is not the owner', async () => {
  if (!existsSync('/proc/self/stat')) return // only Linux tells when a process started
  using dir = tempDir()
  mkdirSync(`${dir.path}/lock`)
  writeFileSync(`${dir.path}/lock/${process.pid}-1`, '')
  const release = await takeLock(`${dir.path}/lock`, { msMax: 0, say: quiet })
  release()
})

test('a listing changes with a byte, a name and a new file, and not with the order of the names given', () => {
  using dir = tempDir()
  const a = `${dir.path}/a.ts`
  mkdirSync(`${dir.path}/sub`)
  writeFileSync(a, 'one')
  writeFileSync(`${dir.path}/sub/b.ts`, 'two')
  writeFileSync(`${dir.path}/.swap`, 'an editor')
  const now = (): string => listing(filesUnder([dir.path]))
  const before = now()
  assert.equal(before.split('\n').length, 3)
  assert.equal(listing(filesUnder([dir.path]).toReversed()), before)
  assert.match(before, /^7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed {2}.*\/a\.ts$/m)
  writeFileSync(a, 'onE')
  const changed = now()
  assert.notEqual(changed, before)
  writeFileSync(`${dir.path}/c.ts`, '')
  assert.notEqual(now(), changed)
  assert.deepEqual(filesUnder([`${dir.path}/missing`, a]), [a])
})

/** Writes until the clock of the files has moved on, as it has between two commands. */
const write = (path: string, text: string): void => {
  const before = statSync(path, { throwIfNoEntry: false })?.ctimeMs
  do writeFileSync(path, text)
  while (statSync(path).ctimeMs === before)
}

test('what was seen holds until a file is written, dated back, added or removed, and is read in one form', () => {
  using dir = tempDir()
  const [a, folder, file] = [`${dir.path}/a.ts`, `${dir.path}/sub`, `${dir.path}/kept/seen`]
  mkdirSync(folder)
  write(a, 'one')
  const roots = [a, folder, `${dir.path}/missing`]
  const look = (): boolean => {
    remember(roots, statsOf(roots), { file, nowMs: Date.now() + 60_000 })
    return isAsSeen(file)
  }
  assert(!isAsSeen(file))
  remember(roots, statsOf(roots), { file, nowMs: statSync(a).ctimeMs + 1 })
  assert(!isAsSeen(file), 'a file that changed this moment may change again unseen')
  assert(look())

  const { atime, mtime } = statSync(a)
  write(a, 'two')
  utimesSync(a, atime, mtime)
  assert(!isAsSeen(file), 'of the same size and date')
  assert(look())
  write(`${folder}/.swap`, 'an editor')
  assert(isAsSeen(file))
  write(`${folder}/b.ts`, '')
  assert(!isAsSeen(file))
  assert(look())
  rmSync(`${folder}/b.ts`)
  assert(!isAsSeen(file))
  assert(look())
  mkdirSync(`${dir.path}/missing`)
  assert(!isAsSeen(file))
  write(file, 'torn')
  assert(!isAsSeen(file))
})

test('compiled code is kept up to a bound, and goes as a whole beyond it', () => {
  using dir = tempDir()
  const compiled = `${dir.path}/compiled`
  mkdirSync(`${compiled}/v24`, { recursive: true })
  for (const name of ['a', 'b']) writeFileSync(`${compiled}/v24/${name}.cache`, '12345')
  writeFileSync(`${dir.path}/beside`, '12345')
  pruneCompiled(compiled, 10)
  assert.equal(filesUnder([compiled]).length, 2)
  pruneCompiled(compiled, 9)
  assert.deepEqual(filesUnder([dir.path]), [`${dir.path}/beside`])
  pruneCompiled(compiled, 9)
})

test('what a step runs says nothing when it succeeds, and all it said when it fails', () => {
  const setup = JSON.stringify(new URL('../../scripts/setup.mjs', import.meta.url).href)
  const ended = (code: number) => {
    const program = `console.log('added 332 packages'); console.error('chunks are large'); process.exit(${code})`
    const body = `import { run } from ${setup}
      await run(process.execPath, ['-e', ${JSON.stringify(program)}]).catch((error) => console.error(error.message))`
    return spawnSync(process.execPath, ['--input-type=module', '-e', body], { encoding: 'utf8' })
  }
  assert.deepEqual([ended(0).stdout, ended(0).stderr], ['', ''])
  const { stdout, stderr } = ended(3)
  assert.equal(stdout, '')
  for (const words of ['added 332 packages', 'chunks are large', 'ended with 3']) assert.ok(stderr.includes(words))
})

test.run()
