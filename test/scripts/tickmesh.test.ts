// Goal: the launcher is as good as the program it starts: arguments, folder, exit code and signals go through.
// Method: the real launcher, from a folder that is not the project's, over commands that need no node,
// and over a node.

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'

const test = suite('launcher')

const LAUNCHER = fileURLToPath(new URL('../../scripts/tickmesh.mjs', import.meta.url))
const NODE_MS_MAX = 30_000

const launch = (cwd: string, ...args: readonly string[]) =>
  spawnSync(process.execPath, [LAUNCHER, ...args], { cwd, encoding: 'utf8' })

test(
  'arguments arrive, and data is all there is on stdout',
  () => {
    using dir = tempDir()
    const { status, stdout } = launch(dir.path, '--version')
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    assert.deepEqual([status, stdout.trim()], [0, version])
  },
  NODE_MS_MAX,
)

test(
  'exit codes come back: 2 for words that make no call, 3 for a receipt that is wrong',
  () => {
    using dir = tempDir()
    assert.equal(launch(dir.path, 'dance').status, 2)
    writeFileSync(`${dir.path}/not-a-bundle.json`, '{"tickmesh":"no"}')
    const { status, stdout, stderr } = launch(dir.path, 'verify', 'not-a-bundle.json')
    assert.equal(status, 3, stdout + stderr) // the file was found, so names are relative to the caller's folder
  },
  NODE_MS_MAX,
)

test(
  'SIGTERM reaches the node, which stops in order',
  async () => {
    using dir = tempDir()
    const args = [LAUNCHER, 'start', '--http-port', '0', '--p2p-port', '0', '--data-dir', `${dir.path}/data`]
    const child = spawn(process.execPath, args, { cwd: dir.path, stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(child, 'exit')
    const first = await Promise.race([once(child.stdout, 'data'), ended.then(() => ['ended'])])
    assert.match(String(first[0]), /^ready http:\/\/127\.0\.0\.1:\d+\n$/)
    child.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
  },
  NODE_MS_MAX,
)

test.run()
