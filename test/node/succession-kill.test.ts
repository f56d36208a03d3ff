// Goal: a rotation that is killed leaves the old node or the new one, whole, whatever it was doing. Method: a child
// rotates one directory's key again and again and is killed with SIGKILL while the new key waits beside the old one,
// or just after, by turns of the event loop from the seed; then the directory is settled, checked row by row, and
// opened.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { NEXT_KEY_FILE, settleRotation } from '#domain/identity/succession.ts'
import { nodeClock } from '#node/clock.ts'
import { supersessionsOf } from '#store/eras.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { openRooms } from '../domain/house.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'

const test = suite('node/succession: kill')

const ROUNDS = Number(process.env['TICKMESH_KILL_ROUNDS'] ?? 4)
/** A round is two or three rotations, each of which waits for the end of a tick. */
const MS_MAX = 60_000 + ROUNDS * 10_000
/** Turns of the event loop between the new key's file and the kill: some fall before the batch, some after it. */
const TURNS_MAX = 400

/** Waits until a rotation has written its new key, which is when it becomes delicate, and then some turns. */
const untilDelicate = async (directory: string, turns: number): Promise<void> => {
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  while (!existsSync(join(directory, NEXT_KEY_FILE))) await turn()
  for (let i = 0; i < turns; i++) await turn()
}

/** Lets a child rotate until it acknowledged some, and kills it. @returns the old and new node of each. */
const rotateAndKill = async (directory: string, acks: number, late: number) => {
  const script = fileURLToPath(new URL('./succession-child.ts', import.meta.url))
  const child = spawn(process.execPath, [script, directory], { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = new Promise<NodeJS.Signals | null>((resolve) => child.once('close', (_, signal) => resolve(signal)))
  const acknowledged: string[][] = []
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const words = line.split(' ')
      if (words.length === 2 && words.every((it) => it.length === 52)) acknowledged.push(words)
      if (acknowledged.length === acks) {
        await untilDelicate(directory, late)
        child.kill('SIGKILL')
      }
    }
  } finally {
    child.kill('SIGKILL')
  }
  assert.equal(await closed, 'SIGKILL')
  return acknowledged
}

test(
  'whatever it was doing, the old node or the new one stands',
  async () => {
    using dir = tempDir()
    const random = seeded()
    let known = 0
    const cut = { before: 0, between: 0, after: 0 }
    for (let round = 0; round < ROUNDS; round++) {
      const acknowledged = await rotateAndKill(dir.path, random.integer(1, 3), random.integer(0, TURNS_MAX))
      const waits = existsSync(join(dir.path, NEXT_KEY_FILE))
      const report = await fsck({ directory: dir.path })
      assert.deepEqual(report.bad, null)
      await settleRotation(dir.path)
      assert.equal(existsSync(join(dir.path, NEXT_KEY_FILE)), false)
      await using house = await openRooms(dir.path, nodeClock())
      const made = supersessionsOf(house.store).map(({ succession: it }) => [it.old_node, it.new_node])
      // All that was acknowledged, in order, and one more if the kill came between its batch and its word.
      const fresh = made.slice(known)
      assert.ok(fresh.length - acknowledged.length <= 1, `${acknowledged.length} told, ${fresh.length} made`)
      assert.deepEqual(fresh.slice(0, acknowledged.length), acknowledged)
      assert.equal(house.keys.nodeId, made.at(-1)?.[1])
      known = made.length
      const moved = fresh.length > acknowledged.length
      cut[waits ? (moved ? 'between' : 'before') : 'after'] += 1
    }
    console.log(
      `${known} rotations; kills before the batch, between it and the key's file, after: ${JSON.stringify(cut)}`,
    )
  },
  MS_MAX,
)

test.run()
