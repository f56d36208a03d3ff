/**
 * Goal: kill −9 in mid-sync loses no range that was durable, leaves a directory that fsck finds whole, and the next
 * start goes on where the last one ended, up to the root that the source signed. Method: a child syncs over real
 * libp2p from this process until it is killed, a few rounds on one directory; each kill falls after a range, drawn by
 * seed.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { toHex } from '#core/bytes.ts'
import { createMesh } from '#mesh/host.ts'
import { silentLog } from '#node/log.ts'
import { openDatabase } from '#store/database.ts'
import { sourceOf } from '#store/foreign.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { databaseDirectory } from '#store/lock.ts'
import { keeper } from '../domain/network/keeper.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'

const test = suite('mesh: sync, kill −9')
const random = seeded()
const ROUNDS = 3

/** Lets a child sync until so many leaves more are durable, then kills it. @returns how many it told of. */
const syncAndKill = async (args: readonly string[], leaves: number): Promise<number> => {
  const script = fileURLToPath(new URL('./sync-child.ts', import.meta.url))
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = new Promise<NodeJS.Signals | null>((resolve) => child.once('close', (_, signal) => resolve(signal)))
  let durable = 0
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      durable += Number(line)
      if (durable >= leaves) child.kill('SIGKILL')
    }
  } finally {
    child.kill('SIGKILL')
  }
  assert.equal(await closed, 'SIGKILL')
  return durable
}

test('three kills on one directory, then the rest', async () => {
  using dir = tempDir()
  await using source = await keeper(random)
  await source.write(9_000)
  const { seed, network, clock, store } = source
  const config = { host: '127.0.0.1', port: 0, bootstrap: [], announce: [] }
  await using mesh = await createMesh({ seed, config, network, clock, log: silentLog })
  const args = [dir.path, toHex(random.bytes(32)), mesh.addresses()[0] ?? '']
  const rowNow = async () => {
    await using database = await openDatabase(databaseDirectory(dir.path), false)
    return database.peek('foreignLog', sourceOf(store.events.origin))
  }
  let size = 0
  for (let round = 0; round < ROUNDS; round++) {
    const durable = await syncAndKill(args, random.integer(1, 1_500))
    assert.deepEqual((await fsck({ directory: dir.path })).bad, null)
    const row = await rowNow()
    assert.ok((row?.size ?? 0) >= size + durable, `${row?.size} of ${size} and ${durable}`)
    size = row?.size ?? 0
  }
  if (size < store.events.size) await syncAndKill(args, store.events.size - size)
  assert.deepEqual((await fsck({ directory: dir.path })).bad, null)
  const row = await rowNow()
  assert.deepEqual([row?.size, row?.held?.root, row?.aim], [store.events.size, store.events.root, null])
}, 90_000)

test.run()
