// Goal: what a node acknowledged survives a power cut, wherever it falls, and the next start opens what it left and
// goes on as one history. Method: programs of the node's own parts whose every write, rename and sync is recorded; a
// model of a disk that drops, tears and reorders what was not synced, by the committed seed; the data opened, checked
// and written to after each cut. A disk that does not hear syncs shows that a loss would be seen, and one that keeps
// all holds byte for byte what the program left.
import assert from 'node:assert/strict'
import type { Call } from '../../scripts/bench/cuts/journal.ts'
import { type Cut, cutOff, recorded } from '../../scripts/bench/cuts/run.ts'
import { workloadOf } from '../../scripts/bench/cuts/workloads/index.ts'
import { isThere } from '../../scripts/bench/mmio/programs.ts'
import { seed } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('store: power cuts')

const MS_MAX = 120_000
/** Workloads with how much of each is done, and the cuts; `npm run bench -- power-cuts` takes more than a thousand. */
const TRIALS = [
  ['machine writes', 2, 6],
  ['backup', 1, 8],
  ['migration', 1, 6],
] as const

const isAble = process.platform === 'linux' && isThere('cc')
const able = (title: string, body: () => Promise<void>): void => {
  if (isAble) test(title, body, MS_MAX)
  else test.skip(title, 'there is no compiler of C, or no Linux')
}

const lossesOf = (cuts: readonly Cut[]): readonly string[] =>
  cuts.flatMap(({ at, mode, losses }) => losses.map((it) => `call ${at}, ${Object.values(mode).join(' ')}: ${it}`))

for (const [name, size, cuts] of TRIALS) {
  able(`nothing that was acknowledged is lost: ${name}`, async () => {
    using recording = await recorded(workloadOf(name), size)
    const all = await cutOff(recording, { cuts, seed })
    assert.deepEqual(lossesOf(all), [])
    assert.ok(all.some(({ dropped }) => dropped.writes > 0) && all.some(({ dropped }) => dropped.names > 0))
  })
}

/** Calls that begin a write-ahead log. */
const logsBegun = (calls: readonly Call[]): readonly number[] =>
  calls.flatMap((it, i) => (it.kind === 'opened' && it.made && /^data\/db\/\d+\.log$/.test(it.path) ? [i] : []))

able('seals: nothing is lost, in the first start neither, nor in a write-ahead log that has just begun', async () => {
  using recording = await recorded(workloadOf('seals'), 16)
  const { calls } = recording
  assert.deepEqual(lossesOf(await cutOff(recording, { cuts: 8, seed })), [])

  const noteAfter = (from: number): number => calls.findIndex(({ kind }, i) => i >= from && kind === 'note') + 1
  // After any call of the first start; names that came to the disk before the bytes.
  const cuts = Array.from({ length: noteAfter(0) - 1 }, (_, i) => i + 1)
  assert.ok(cuts.length > 20)
  const early = { order: 'journal', fate: 'dropped', names: 'none' } as const
  assert.deepEqual(lossesOf(await cutOff(recording, { cuts, seed, mode: early })), [])

  // Just after the first acknowledgement of what stands in a new log; bytes that came to the disk before its name.
  const begun = logsBegun(calls)
  assert.ok(begun.length > 1, 'LevelDB began another one')
  const late = { order: 'directory', fate: 'dropped', names: 'all' } as const
  assert.deepEqual(lossesOf(await cutOff(recording, { cuts: begun.map(noteAfter), seed, mode: late })), [])
})

able('rotation: nothing is lost, and the loss is seen where the disk is deaf to syncs', async () => {
  using recording = await recorded(workloadOf('rotation'), 1)
  assert.deepEqual(lossesOf(await cutOff(recording, { cuts: 8, seed })), [])
  const unheard = await cutOff(recording, { cuts: 6, seed, deaf: 'file', mode: { fate: 'dropped' } })
  assert.notDeepEqual(lossesOf(unheard), [])
  // A journal of names would take the renames along with the syncs of files.
  const mode = { order: 'directory', names: 'all' } as const
  assert.notDeepEqual(lossesOf(await cutOff(recording, { cuts: 6, seed, deaf: 'directory', mode })), [])
})

test.run()
