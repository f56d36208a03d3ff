// Goal: a last batch that a power cut broke off is left out by the start and is no damage to fsck, whichever parts of
// it came to the disk; what was acknowledged is never left out in silence. Method: write-ahead logs of a real store in
// which pages of the last batch are missing, by the committed seed; others in which bytes differ or are gone before it.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32c } from '#core/crc32c.ts'
import { putBlob } from '#store/blobs.ts'
import { CorruptRow } from '#store/corrupt-row.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { databaseDirectory } from '#store/lock.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { open } from './kit.ts'

const test = suite('store: a batch broken off')
const random = seeded()

const PAGE_BYTES = 4_096
/** LevelDB's, in its logs. */
const BLOCK_BYTES = 32_768
/** Several blocks, so that a batch lies there in several fragments. */
const BLOB_BYTES = 5 * BLOCK_BYTES
const ROUNDS = 16
const SECTOR_BYTES = 512

/** The one write-ahead log of a data directory. */
const logIn = (directory: string): string => {
  const files = databaseDirectory(directory)
  const logs = readdirSync(files).filter((it) => it.endsWith('.log'))
  assert.equal(logs.length, 1)
  return join(files, logs[0] as string)
}

interface Written {
  readonly path: string
  /** Names of the blobs, and where in the log each begins; its end is the last of these. */
  readonly names: readonly string[]
  readonly places: readonly number[]
}

/** A store with a large blob in each of some batches. */
const written = async (directory: string, blobs: number): Promise<Written> => {
  await using store = await open(directory)
  const path = logIn(directory)
  const names: string[] = []
  const places = [statSync(path).size]
  for (let i = 0; i < blobs; i++) {
    // No sector of it is zero by itself.
    const bytes = random.bytes(BLOB_BYTES).map((byte) => byte | 1)
    names.push(await store.commit((tx) => putBlob(tx.put, bytes)))
    places.push(statSync(path).size)
  }
  return { path, names, places }
}

/** Names of the blobs that a start finds. */
const found = async (directory: string, names: readonly string[]): Promise<readonly string[]> => {
  await using store = await open(directory)
  const rows = await Promise.all(names.map((name) => store.get('blob', name)))
  return names.filter((_, i) => rows[i] !== undefined)
}

test('whatever pages of the last batch are missing, the start leaves it out and fsck finds nothing', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    using dir = tempDir()
    const { path, names, places } = await written(dir.path, 2)
    const bytes = readFileSync(path)
    const [from, to] = [places[1] as number, places[2] as number]
    const pages = Math.ceil((to - from) / PAGE_BYTES)
    const missing = Array.from({ length: pages }, () => random.next() < 0.5)
    // The first page alone in one round: everything after it is whole.
    if (round === 0) missing.fill(false)
    missing[round === 0 ? 0 : random.integer(0, pages - 1)] = true
    for (let page = 0; page < pages; page++) {
      const at = Math.max(from, (Math.floor(from / PAGE_BYTES) + page) * PAGE_BYTES)
      const end = (Math.floor(at / PAGE_BYTES) + 1) * PAGE_BYTES
      if (missing[page] === true) bytes.fill(0, at, Math.min(to, end))
    }
    writeFileSync(path, bytes)
    assert.deepEqual((await fsck({ directory: dir.path })).bad, null)
    assert.deepEqual(await found(dir.path, names), names.slice(0, 1))
  }
})

test('a byte that differs in the last batch, where none is missing, is named by fsck', async () => {
  using dir = tempDir()
  const { path, places } = await written(dir.path, 2)
  const bytes = readFileSync(path)
  const at = random.integer((places[1] as number) + 64, (places[2] as number) - 1)
  bytes[at] = (bytes[at] as number) ^ 0x10
  writeFileSync(path, bytes)
  const { ok, bad } = await fsck({ directory: dir.path })
  assert.equal(ok, false)
  assert.ok(bad?.table === 'blob' || bad?.table === 'file', bad?.table)
})

test('a batch before the last that is damaged or has a gap keeps the node from starting', async () => {
  for (const what of ['a byte', 'a page', 'blocks'] as const) {
    using dir = tempDir()
    const { path, places } = await written(dir.path, 3)
    const bytes = readFileSync(path)
    const [from, to] = [places[1] as number, places[2] as number]
    const at = random.integer(from + 64, to - PAGE_BYTES)
    if (what === 'a byte') bytes[at] = (bytes[at] as number) ^ 1
    else if (what === 'a page') bytes.fill(0, at, at + PAGE_BYTES)
    else bytes.fill(0, Math.ceil(from / BLOCK_BYTES) * BLOCK_BYTES, Math.floor(to / BLOCK_BYTES) * BLOCK_BYTES)
    writeFileSync(path, bytes)
    assert.equal((await fsck({ directory: dir.path })).ok, false, what)
    await assert.rejects(open(dir.path), CorruptRow, what)
  }
})

/** A record of a log, as LevelDB writes one that is within a block. */
const recordOf = (data: Uint8Array): Uint8Array => {
  const bytes = Buffer.alloc(7 + data.length)
  bytes.writeUInt16LE(data.length, 4)
  bytes[6] = 1
  bytes.set(data, 7)
  const sum = crc32c(bytes, 6, bytes.length)
  bytes.writeUInt32LE((((sum >>> 15) | (sum << 17)) + 0xa282ead8) >>> 0, 0)
  return bytes
}

test('an edit of the manifest that was broken off is cut off; one with other bytes is refused', async () => {
  for (const isCut of [true, false]) {
    using dir = tempDir()
    const { names } = await written(dir.path, 1)
    const files = databaseDirectory(dir.path)
    const manifest = join(files, readFileSync(join(files, 'CURRENT'), 'utf8').trim())
    const edit = recordOf(random.bytes(4 * SECTOR_BYTES).map((byte) => byte | 1))
    const whole = Buffer.concat([readFileSync(manifest), edit])
    if (isCut) whole.fill(0, 2 * SECTOR_BYTES, 3 * SECTOR_BYTES)
    else whole[2 * SECTOR_BYTES] = 0x20
    writeFileSync(manifest, whole)
    assert.equal((await fsck({ directory: dir.path })).ok, isCut)
    if (isCut) assert.deepEqual(await found(dir.path, names), names)
    else await assert.rejects(open(dir.path), CorruptRow)
  }
})

test.run()
