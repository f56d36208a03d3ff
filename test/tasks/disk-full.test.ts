// Goal: when the disk of a node fills up, the command line says so, names the disk and what to do, and nothing that was
// sealed is lost. Method: a node as a process with its data on a small disk of its own, which is filled to the last
// byte; what is typed then, until the node works again. It mounts a disk, which only root may.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { terminalIn } from '../cli/terminal.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { homeWithProgram, typedTask } from './typed.ts'

const test = suite('tasks/disk-full')
const MS_MAX = 180_000
const DISK = '24m'
const CHUNK_BYTES = 4_096

/** A small disk at a folder; undefined where this user may mount none. */
const smallDisk = (folder: string): Disposable | undefined => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  return { [Symbol.dispose]: () => void execFileSync('umount', ['-l', folder]) }
}

/** Writes until nothing more fits. */
const fill = (path: string): void => {
  const file = openSync(path, 'w')
  const chunk = new Uint8Array(CHUNK_BYTES)
  try {
    for (;;) writeSync(file, chunk)
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC')
  } finally {
    closeSync(file)
  }
}

const mayMount = (): boolean => {
  using dir = tempDir()
  using disk = smallDisk(dir.path)
  return disk !== undefined
}

const TITLE = 'a full disk is told by its name, with what to do, and what was sealed is still there'
const body = async (): Promise<void> => {
  using home = tempDir()
  homeWithProgram(home.path)
  const disk = join(home.path, 'disk')
  mkdirSync(disk)
  using _ = smallDisk(disk)
  const data = join(disk, 'data')
  const env = { TICKMESH_DATA: data }
  const terminal = terminalIn(home.path)
  let token = 'none yet'
  await typedTask('a full disk', { home: home.path, linesMax: 9 }, async ({ types }) => {
    {
      await using node = await terminal.start({ env })
      const sealed = await types('tickmesh compute GR37 mass=6e24 --bundle receipt.json', env)
      assert.equal(sealed.code, 0, sealed.stderr)
      token = /\/r\/([0-9a-f]{32})$/m.exec(sealed.stdout)?.[1] ?? token
      fill(join(disk, 'films'))
      const refused = await types('tickmesh compute GR37 mass=7e24', env)
      assert.equal(refused.code, 1, refused.stdout)
      assert.match(refused.stderr, /The disk is full or broken/)
      const status = await types('tickmesh status', env)
      assert.match(status.stdout, /^state +running, but it takes no work$/m)
      assert.match(status.stdout, /^not ready +log: The disk is full or broken.* → make room on its disk/m)
      const doctor = await types('tickmesh doctor', env)
      assert.equal(doctor.code, 1)
      assert(doctor.stdout.includes(`0.0 GB free on the disk of ${data}`), doctor.stdout)
      assert.match(doctor.stdout, /^fail +disk .*make room/m)
      assert.match(doctor.stdout, /^fail +log +The disk is full or broken.*make room on its disk/m)
      assert.equal((await node.end('SIGTERM')).code, 0)
    }
    const whole = await types('tickmesh fsck', env)
    assert.deepEqual([whole.code, /: clean$/m.test(whole.stdout)], [0, true], whole.stdout)
    const early = await types('tickmesh start --http-port 0 --p2p-port 0', env)
    assert.equal(early.code, 1, early.stdout)
    assert(early.stderr.includes(data) && /no space left/i.test(early.stderr), early.stderr)

    rmSync(join(disk, 'films'))
    await using again = await terminal.start({ env })
    const judged = await types('tickmesh keys trusted > node.key && tickmesh verify receipt.json --key node.key', env)
    assert.equal(judged.code, 0, judged.stdout)
    const listed = await types('tickmesh envelopes', env)
    assert(listed.stdout.includes(token), listed.stdout)
    assert.equal((await types('tickmesh compute GR37 mass=8e24', env)).code, 0)
    await again.end('SIGTERM')
  })
}

if (mayMount()) test(TITLE, body, MS_MAX)
else test.skip(TITLE, 'this user may mount no disk')

test.run()
