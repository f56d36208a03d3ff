/**
 * Goal: `npm run mesh -- n` brings up nodes that find each other, tells it, and leaves nothing behind. Method: the
 * script as a process of its own, on free ports and a temporary directory; it is over when its output ends.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'

const test = suite('mesh script')

interface Summary {
  readonly nodes: readonly { readonly name: string; readonly url: string; readonly compatible: number }[]
}

const start = (args: readonly string[], signal: AbortSignal): ChildProcess =>
  spawn(process.execPath, ['scripts/mesh.ts', ...args], {
    signal,
    killSignal: 'SIGTERM',
    stdio: ['ignore', 'pipe', 'pipe'],
  })

const isDown = (url: string): Promise<boolean> =>
  fetch(`${url}/healthz`).then(
    () => false,
    () => true,
  )

test('two nodes come up, see each other, and a signal to the script stops both', async (signal) => {
  using dir = tempDir()
  const child = start(['2', '--json', '--dir', dir.path], signal)
  const ended = once(child, 'exit')
  let said = ''
  child.stderr!.on('data', (chunk) => {
    said = `${said}${chunk}`.slice(-2_000)
  })
  let last: Summary | undefined
  for await (const line of createInterface({ input: child.stdout! })) {
    last = JSON.parse(line) as Summary
    if (last.nodes.every((it) => it.compatible === 1)) child.kill('SIGTERM')
  }
  assert.deepEqual(await ended, [0, null], said)
  assert.deepEqual(
    last!.nodes.map((it) => it.name),
    ['node1', 'node2'],
  )
  for (const { url } of last!.nodes) assert.ok(await isDown(url), `${url} has ended`)
  assert.deepEqual(readdirSync(dir.path).sort(), ['node1', 'node2'], '--dir is kept')
}, 60_000)

test('wrong arguments are a usage error', async (signal) => {
  for (const args of [['0'], ['17'], ['2', '3'], ['--seconds', 'x'], ['--strange']]) {
    const child = start(args, signal)
    child.stdout!.resume()
    child.stderr!.resume()
    assert.deepEqual(await once(child, 'exit'), [2, null], args.join(' '))
  }
}, 30_000)

test.run()
