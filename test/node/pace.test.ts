// Goal: a node measures how fast its machine is once, keeps it, and goes by it after a restart; what it cannot read is
// measured anew, and whoever stops it does not wait. Method: real nodes on one directory, with the machine's own clock
// and waits that are over at once.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { silentLog } from '#node/log.ts'
import { keepPace } from '#node/pace.ts'
import { testNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'

/** Each measurement takes two seconds of a quiet machine. */
const test = suite('node/pace')
const MEASURES_MS_MAX = 120_000

const atOnce = async (): Promise<void> => undefined
const around = (signal: AbortSignal) => ({ log: silentLog, sleep: atOnce, signal })

/** What a node on the directory says that a run takes, before and after it looked at its pace. */
const quoted = async (directory: string, signal: AbortSignal): Promise<readonly [before: number, after: number]> => {
  await using it = await testNode({ directory, realTime: true })
  const { compute } = it.node.services
  const ask = async (): Promise<number> => {
    const { expected_seconds } = await it.client.call('compute.quote', { route: 'POST /api/svc/heat', input: {} })
    return expected_seconds
  }
  const before = await ask()
  await keepPace(compute, directory, around(signal))
  return [before, await ask()]
}

test(
  'it is measured once, kept, and taken up at the next start',
  async (signal: AbortSignal) => {
    using dir = tempDir()
    const [before, after] = await quoted(dir.path, signal)
    const kept = JSON.parse(readFileSync(join(dir.path, 'pace.json'), 'utf8')) as { slowness: number }
    assert.ok(Math.abs(after / before - kept.slowness) < 1e-9, `${before} ${after} ${kept.slowness}`)
    // A mark that no measurement would give shows that none was made.
    writeFileSync(join(dir.path, 'pace.json'), JSON.stringify({ ...kept, slowness: 1_000 }))
    const [, taken] = await quoted(dir.path, signal)
    assert.ok(Math.abs(taken / before - 1_000) < 1e-6)
  },
  MEASURES_MS_MAX,
)

test(
  'of another machine, or torn, it is measured anew',
  async (signal: AbortSignal) => {
    for (const text of ['{"machine":"an abacus","slowness":1000}', '{"slow']) {
      using dir = tempDir()
      writeFileSync(join(dir.path, 'pace.json'), text)
      const [before, after] = await quoted(dir.path, signal)
      assert.ok(after < before * 500, text)
    }
  },
  MEASURES_MS_MAX,
)

test('a node that is stopped measures nothing', async () => {
  using dir = tempDir()
  const [before, after] = await quoted(dir.path, AbortSignal.abort())
  assert.equal(before, after)
  assert.throws(() => readFileSync(join(dir.path, 'pace.json')))
})

test.run()
