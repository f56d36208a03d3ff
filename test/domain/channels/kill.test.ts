// Goal: a node that is killed between the computation of ticks and their commit has sealed each tick whole or not at
// all, and goes on from there: no count twice, none left out. Method: a node as a process with a dozen channels on
// the machine's clock, ended with SIGKILL some turns of the loop after a tick that it told; then the store is checked
// and the chain is held against what was told, and another one goes on.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { testNode } from '../../kit/node.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { entriesOf, soundStore } from './channel-kit.ts'

const test = suite('domain: channels of a node that is killed')

const ROUNDS = 2

/** What a child told before it was killed: `<channel> <epoch> <count>` and the token of each tick. */
const tickAndKill = async (directory: string, ticks: number, turns: number): Promise<readonly string[]> => {
  const script = fileURLToPath(new URL('./kill-child.ts', import.meta.url))
  const child = spawn(process.execPath, [script, directory], { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = new Promise<NodeJS.Signals | null>((resolve) => child.once('close', (_, signal) => resolve(signal)))
  const told: string[] = []
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      if (/^[0-9a-f]{32} \d+ \d+ [0-9a-f]{32}$/.test(line)) told.push(line)
      if (told.length !== ticks) continue
      for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve))
      child.kill('SIGKILL')
    }
  } finally {
    child.kill('SIGKILL')
  }
  assert.equal(await closed, 'SIGKILL')
  return told
}

/** The ticks that the chain of a directory holds, as a child tells them; those of the node that reads them among them. */
const ticksIn = async (directory: string): Promise<readonly string[]> => {
  await using it = await testNode({ directory, realTime: true })
  const entries = await entriesOf(it, 'stream_tick')
  return entries.map(({ channel, epoch, count, token_id }) => `${channel} ${epoch} ${count} ${token_id}`)
}

test('no tick is doubled and none is lost that was told, however often the node is killed', async () => {
  using dir = tempDir()
  const random = seeded()
  const told = new Set<string>()
  for (let round = 0; round < ROUNDS; round++) {
    const ticks = random.integer(20, 40)
    for (const line of await tickAndKill(dir.path, ticks, random.integer(0, 2_000))) {
      assert(!told.has(line), `${line} was told twice`)
      told.add(line)
    }
    await soundStore(dir.path)
  }
  const held = await ticksIn(dir.path)
  const places = held.map((it) => it.slice(0, it.lastIndexOf(' ')))
  assert.equal(new Set(places).size, held.length, 'no count stands twice')
  for (const line of told) assert(held.includes(line), `${line} was told and is not in the chain`)
}, 180_000)

test.run()
