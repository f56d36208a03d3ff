/*
 * Goal: a restore gives back what was archived, loses nothing of what was there, refuses what would fork the log, and
 * leaves a directory whole wherever it is cut off. Method: small stores restored into empty, used, foreign and damaged
 * directories; every state between two of its renames made by hand; a child that restores until kill −9.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { utf8 } from '#core/bytes.ts'
import { nodeIdOf } from '#core/keys.ts'
import { createSigner } from '#ports/signer.node.ts'
import { headOf, standing } from '#store/backup/head.ts'
import { keyFileNames, readKeyFiles } from '#store/backup/key-files.ts'
import { settleRestore } from '#store/backup/moves.ts'
import { writeNewFile } from '#store/backup/new-file.ts'
import { type BackupCode, BackupRefused } from '#store/backup/refused.ts'
import { type Restored, restore } from '#store/backup/restore.ts'
import { CorruptRow } from '#store/corrupt-row.ts'
import { openDatabase } from '#store/database.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { DirectoryInUse, databaseDirectory, lockDirectory } from '#store/lock.ts'
import { openStore } from '#store/open.ts'
import { fixedClock } from '../kit/clock.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { archiveFrom, inChunks, KEY_FILES, rowsIn, storeWith } from './archives.ts'
import { appendText, NODE, open } from './kit.ts'

const test = suite('store: restore')

const isRefused =
  (code: BackupCode, words?: RegExp) =>
  (cause: unknown): boolean => {
    assert.ok(cause instanceof BackupRefused, String(cause))
    assert.equal(cause.code, code, cause.message)
    if (words !== undefined) assert.match(cause.message, words)
    return true
  }

const restored = (directory: string, archive: Uint8Array, force = false): Promise<Restored> =>
  restore({ directory, source: inChunks(archive), force })

const putKeys = (directory: string): void => {
  for (const { name, bytes } of KEY_FILES) writeFileSync(join(directory, name), bytes, { mode: 0o600 })
}

/** Names in a directory that a restore has left behind. */
const litter = (directory: string): readonly string[] =>
  readdirSync(directory).filter((name) => /^restor/.test(name) || name.endsWith('.part'))

test('into a directory that is not there: every row, the keys for this user alone, and the node goes on', async () => {
  using from = tempDir()
  using to = tempDir()
  const archive = await storeWith(from.path, 30)
  const directory = join(to.path, 'a', 'b')
  const { head, aside, files } = await restored(directory, archive)
  assert.equal(aside, undefined)
  assert.equal(head.node, NODE)
  assert.deepEqual(files, ['identity.key', 'vault.key'])
  assert.deepEqual(await rowsIn(directory), await rowsIn(from.path))
  for (const { name, bytes } of KEY_FILES) {
    assert.deepEqual(new Uint8Array(readFileSync(join(directory, name))), bytes)
    assert.equal(statSync(join(directory, name)).mode & 0o777, 0o600)
  }
  assert.deepEqual(litter(directory), [])
  await using store = await open(directory)
  assert.equal(store.log.size, 30)
  await store.commit((tx) => appendText(tx, 'one more'))
})

test('over its own past: what was there is moved aside, whole, as often as it is done', async () => {
  using dir = tempDir()
  const early = await storeWith(dir.path, 5)
  putKeys(dir.path)
  const late = await storeWith(dir.path, 9)
  const rows = await rowsIn(dir.path)
  const { aside } = await restored(dir.path, late)
  assert.equal(aside, join(dir.path, 'replaced-1'))
  assert.deepEqual(await rowsIn(aside), rows)
  assert.deepEqual(keyFileNames(aside), ['identity.key', 'vault.key'])
  assert.equal((await restored(dir.path, early, true)).aside, join(dir.path, 'replaced-2'))
  assert.equal((await restored(dir.path, late)).aside, join(dir.path, 'replaced-3'))
  assert.deepEqual(await rowsIn(dir.path), rows)
})

test('an older head, another history and another node are refused, and nothing changes', async () => {
  using dir = tempDir()
  using other = tempDir()
  const { path } = dir
  const early = await storeWith(path, 5)
  await storeWith(path, 9)
  putKeys(path)
  const rows = await rowsIn(path)
  const refuses = async (archive: Uint8Array, code: BackupCode, words: RegExp): Promise<void> => {
    const before = readdirSync(path)
    await assert.rejects(restored(path, archive), isRefused(code, words))
    assert.deepEqual(readdirSync(path), before)
    assert.deepEqual(await rowsIn(path), rows)
  }
  await refuses(early, 'LOG_ROLLED_BACK', /9 leaves of tickmesh\.log.*and the archive 5/)

  const fork = await (async () => {
    await using store = await open(other.path)
    for (let i = 0; i < 12; i++) await store.commit((tx) => appendText(tx, `another leaf ${i}`))
    return await archiveFrom(store, KEY_FILES)
  })()
  await refuses(fork, 'LOG_ROLLED_BACK', /has other leaves here/)

  using strange = tempDir()
  const seed = new Uint8Array(32).fill(9)
  const signer = createSigner(seed)
  const foreign = await (async () => {
    await using store = await openStore({ directory: strange.path, clock: fixedClock(), signer })
    await store.commit((tx) => appendText(tx, 'of another node'))
    const identity = { name: 'identity.key', bytes: utf8(Buffer.from(seed).toString('hex')) }
    return await archiveFrom(store, [identity])
  })()
  await refuses(foreign, 'OTHER_NODE', new RegExp(nodeIdOf(signer.publicKey)))
  const { head } = await restored(path, foreign, true)
  assert.equal(head.node, nodeIdOf(signer.publicKey))
  assert.deepEqual(keyFileNames(path), ['identity.key'], 'no key of the other node is left in its place')
})

test('how far the data go must be readable, or forced', async () => {
  using dir = tempDir()
  const archive = await storeWith(dir.path, 5)
  putKeys(dir.path)
  const files = databaseDirectory(dir.path)
  const log = readdirSync(files).find((name) => name.endsWith('.log')) ?? assert.fail('a write-ahead log')
  const bytes = readFileSync(join(files, log))
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 1
  writeFileSync(join(files, log), bytes)
  await assert.rejects(restored(dir.path, archive), isRefused('HEAD_UNKNOWN'))
  const { aside } = await restored(dir.path, archive, true)
  assert.deepEqual(readFileSync(join(aside ?? '', 'db', log)), bytes, 'the damaged data are kept')
  assert.deepEqual((await fsck({ directory: dir.path })).bad?.table ?? null, (await fsckOfFresh())?.table ?? null)
})

/** The test's own leaves are no ledger entries, so fsck names the first one in any of these stores. */
const fsckOfFresh = async () => {
  using dir = tempDir()
  await storeWith(dir.path, 5)
  return (await fsck({ directory: dir.path })).bad
}

test('keys: those of the archive or of the directory, but of this node', async () => {
  using from = tempDir()
  const bare = await storeWith(from.path, 3, [])
  {
    using to = tempDir()
    await assert.rejects(restored(to.path, bare), isRefused('BACKUP_KEYS', /no identity\.key/))
    assert.deepEqual(readdirSync(to.path), [])
    putKeys(to.path)
    const { aside, files } = await restored(to.path, bare)
    assert.deepEqual([aside, files], [undefined, []])
    assert.deepEqual(keyFileNames(to.path), ['identity.key', 'vault.key'])
  }
  using to = tempDir()
  const wrong = [{ name: 'identity.key', bytes: utf8('0'.repeat(64)) }]
  await assert.rejects(restored(to.path, await storeWith(from.path, 3, wrong)), isRefused('BACKUP_KEYS', /the keys of/))
  const none = [{ name: 'identity.key', bytes: utf8('not a key') }]
  await assert.rejects(restored(to.path, await storeWith(from.path, 3, none)), isRefused('BACKUP_KEYS'))
  assert.deepEqual(readdirSync(to.path), [])
})

test('key files are plain files in the folder itself, and no more than a node has', () => {
  using dir = tempDir()
  putKeys(dir.path)
  symlinkSync('/etc/hostname', join(dir.path, 'link.key'))
  mkdirSync(join(dir.path, 'folder.key'))
  writeFileSync(join(dir.path, 'notes.txt'), 'x')
  assert.deepEqual(keyFileNames(dir.path), ['identity.key', 'vault.key'])
  writeFileSync(join(dir.path, 'large.key'), new Uint8Array(70_000))
  assert.throws(() => readKeyFiles(dir.path), isRefused('BACKUP_KEYS', /large\.key/))
  writeFileSync(join(dir.path, 'large.key'), '')
  assert.throws(() => readKeyFiles(dir.path), isRefused('BACKUP_KEYS', /0 bytes/))
})

test('while a node has the directory, and with an archive that breaks off, all stays as it is', async () => {
  using dir = tempDir()
  const archive = await storeWith(dir.path, 5)
  putKeys(dir.path)
  {
    using _ = lockDirectory(dir.path)
    await assert.rejects(restored(dir.path, archive), DirectoryInUse)
  }
  const rows = await rowsIn(dir.path)
  const names = readdirSync(dir.path)
  await assert.rejects(restored(dir.path, archive.subarray(0, archive.length - 5)), isRefused('BACKUP_DAMAGED'))
  const stop = new AbortController()
  stop.abort(new Error('interrupted'))
  await assert.rejects(
    restore({ directory: dir.path, source: inChunks(archive), force: true, signal: stop.signal }),
    /interrupted/,
  )
  assert.deepEqual(readdirSync(dir.path), names)
  assert.deepEqual(await rowsIn(dir.path), rows)
})

test('cut off between any two renames, the next opening finishes it; before the first, nothing happened', async () => {
  using from = tempDir()
  using later = tempDir()
  const archive = await storeWith(from.path, 9)
  const fresh = await rowsIn(from.path)
  const names = ['db', 'identity.key', 'vault.key']
  const moves: readonly (readonly [string, string])[] = [
    ...names.map((name) => [name, `replaced-1/${name}`] as const),
    ...names.map((name) => [`restoring-0123456789abcdef/${name}`, name] as const),
  ]
  for (let done = -1; done <= moves.length; done++) {
    const directory = join(later.path, `cut-${done}`)
    await storeWith(directory, 5)
    putKeys(directory)
    const old = await rowsIn(directory)
    const staging = join(directory, 'restoring-0123456789abcdef')
    await restored(staging, archive)
    const at = (name: string): string => join(directory, name)
    if (done >= 0) {
      const intent = { staging: 'restoring-0123456789abcdef', aside: 'replaced-1', old: names, fresh: names }
      writeFileSync(at('restore.json'), JSON.stringify(intent))
    }
    if (done > 0) mkdirSync(at('replaced-1'))
    for (const [name, to] of moves.slice(0, Math.max(0, done))) renameSync(at(name), at(to))

    await settleRestore(directory)
    assert.deepEqual(await rowsIn(directory), done < 0 ? old : fresh, `after ${done} moves`)
    if (done >= 0) assert.deepEqual(await rowsIn(at('replaced-1')), old)
    if (done >= 0) assert.deepEqual(litter(directory), [])
    await settleRestore(directory)
    await restored(directory, archive)
    assert.deepEqual(litter(directory), [], 'what never began is cleared by the next')
  }
})

test('an intent that says something else is not followed', async () => {
  using dir = tempDir()
  await storeWith(dir.path, 2)
  const intent = { staging: 'restoring-0123456789abcdef', aside: 'replaced-1', old: ['db'], fresh: ['db'] }
  for (const bent of [
    { ...intent, staging: '../elsewhere' },
    { ...intent, aside: '/tmp' },
    { ...intent, old: ['../db'] },
    { ...intent, fresh: ['db', '../../x'] },
    { staging: intent.staging },
    {},
  ]) {
    writeFileSync(join(dir.path, 'restore.json'), JSON.stringify(bent))
    await assert.rejects(settleRestore(dir.path), CorruptRow, JSON.stringify(bent))
    assert.ok(existsSync(databaseDirectory(dir.path)))
  }
})

const CHILD = fileURLToPath(new URL('./restore-child.ts', import.meta.url))
const ROUNDS = 6

test('kill −9 while it restores: the data are those of before or of the archive, never less', async () => {
  using dir = tempDir()
  using at = tempDir()
  const random = seeded()
  const archive = await storeWith(dir.path, 60)
  putKeys(dir.path)
  const file = join(at.path, 'x.backup')
  await writeNewFile(file, inChunks(archive))
  const rows = await rowsIn(dir.path)
  for (let round = 0; round < ROUNDS; round++) {
    const child = spawn(process.execPath, [CHILD, dir.path, file], { stdio: ['ignore', 'pipe', 'inherit'] })
    const closed = once(child, 'close')
    let lines = random.integer(1, 12)
    for await (const _ of createInterface({ input: child.stdout })) {
      lines -= 1
      if (lines <= 0) child.kill('SIGKILL')
    }
    assert.equal((await closed)[1], 'SIGKILL')
    await settleRestore(dir.path)
    assert.deepEqual(await rowsIn(dir.path), rows, `round ${round}`)
    assert.deepEqual(keyFileNames(dir.path), ['identity.key', 'vault.key'])
  }
}, 60_000)

test('a new file appears whole or not at all, in the place of none', async () => {
  using dir = tempDir()
  const file = join(dir.path, 'x.backup')
  assert.equal(await writeNewFile(file, inChunks(utf8('whole'))), 5)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  await assert.rejects(writeNewFile(file, inChunks(utf8('other'))), isRefused('BACKUP_EXISTS'))
  const broken = async function* (): AsyncGenerator<Uint8Array> {
    yield utf8('half')
    throw new Error('the source broke')
  }
  await assert.rejects(writeNewFile(join(dir.path, 'y.backup'), broken()), /broke/)
  assert.equal(readFileSync(file, 'utf8'), 'whole')
  assert.deepEqual(readdirSync(dir.path), ['x.backup'])
  if (process.getuid?.() !== 0) {
    chmodSync(dir.path, 0o500)
    await assert.rejects(writeNewFile(join(dir.path, 'z.backup'), inChunks(utf8('x'))), { code: 'EACCES' })
    chmodSync(dir.path, 0o700)
  }
})

test('which data are the past of an archive', async () => {
  using dir = tempDir()
  await storeWith(dir.path, 4)
  await using database = await openDatabase(databaseDirectory(dir.path), false)
  const head = await headOf(database, '')
  const [seal, events] = head.logs
  assert.ok(seal !== undefined && events !== undefined)
  const sized = (size: number, origin = seal.origin) => ({ ...head, logs: [{ ...seal, size, origin }, events] })
  assert.equal(standing(head, head).kind, 'behind')
  assert.equal(standing(sized(3), head).kind, 'behind')
  assert.equal(standing(sized(5), head).kind, 'ahead')
  assert.equal(standing(sized(4, 'tickmesh.log/x/1'), { ...head, logs: [seal] }).kind, 'other')
  const nextEra = { ...seal, origin: `${seal.origin}9`, size: 1 }
  assert.equal(standing({ ...head, logs: [seal, events, nextEra] }, head).kind, 'ahead', 'a later key signed here')
  assert.equal(standing(head, { ...head, logs: [seal, events, nextEra] }).kind, 'behind')
  assert.equal(standing(sized(0, 'tickmesh.log/x/1'), head).kind, 'behind', 'nothing was written')
})

test.run()
