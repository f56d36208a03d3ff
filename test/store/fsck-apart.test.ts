/*
 * Goal: fsck leaves a data directory as it found it, so that it can be asked where nothing can be written, and it looks
 * at the witness key too. Method: what a real node wrote, its files by name, bytes and time before and after; then its
 * witness key is spoiled in each way that keeps a node from starting, or that the data contradict.
 */
import assert from 'node:assert/strict'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { toHex, utf8 } from '#core/bytes.ts'
import { publicKeyOfSeed } from '#core/keys.ts'
import { cosignatureLine, parseNote } from '#core/note.ts'
import { witnessVerifier } from '#core/witness-key.ts'
import { sha256 } from '#crypto'
import { openDatabase } from '#store/database.ts'
import { openAside } from '#store/fsck/database-copy.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { databaseDirectory } from '#store/lock.ts'
import { makeLog } from '../domain/network/log-kit.ts'
import { testNode } from '../kit/node.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'

const test = suite('fsck: apart')
const random = seeded()
const MS_MAX = 30_000
/** A device whose disk is always full. */
const FULL = '/dev/full'

/** Writes what a node writes in two ticks. @returns its id. */
const nodeIn = async (directory: string): Promise<string> => {
  await using it = await testNode({ directory })
  await it.advanceTicks(2)
  return it.node.nodeId
}

/** Every file below a folder with its bytes and times. */
const stateOf = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).map((it) => {
    const path = join(it.parentPath, it.name)
    const { mtimeNs, ctimeNs, mode } = statSync(path, { bigint: true })
    const content = it.isFile() ? toHex(sha256(readFileSync(path))) : ''
    return `${path} ${mode} ${mtimeNs} ${ctimeNs} ${content}`
  })

test(
  'nothing in the directory changes, and nothing stays in the temporary folder',
  async () => {
    using dir = tempDir()
    using temporary = tempDir()
    await nodeIn(dir.path)
    const before = stateOf(dir.path)
    const old = process.env['TMPDIR']
    process.env['TMPDIR'] = temporary.path
    try {
      assert.deepEqual((await fsck({ directory: dir.path })).bad, null)
    } finally {
      if (old === undefined) delete process.env['TMPDIR']
      else process.env['TMPDIR'] = old
    }
    assert.deepEqual(stateOf(dir.path), before)
    assert.deepEqual(readdirSync(temporary.path), [])
  },
  MS_MAX,
)

test(
  'a table that a killed process began and nothing names yet is not written over',
  async () => {
    using dir = tempDir()
    await nodeIn(dir.path)
    const files = databaseDirectory(dir.path)
    const numbers = readdirSync(files).map((name) => Number.parseInt(name.replace(/^\D*/, ''), 10) || 0)
    // The next numbers, of which LevelDB takes one when it turns its log into a table.
    for (let i = 1; i <= 8; i++) {
      writeFileSync(join(files, `${String(Math.max(...numbers) + i).padStart(6, '0')}.ldb`), 'begun')
    }
    const before = stateOf(dir.path)
    assert.deepEqual((await fsck({ directory: dir.path })).bad, null)
    assert.deepEqual(stateOf(dir.path), before)
  },
  MS_MAX,
)

test(
  'a temporary folder that takes nothing accuses no record, and says what helps',
  async () => {
    using dir = tempDir()
    await nodeIn(dir.path)
    const old = process.env['TMPDIR']
    process.env['TMPDIR'] = join(dir.path, 'is-not-there')
    try {
      await assert.rejects(fsck({ directory: dir.path }), { name: 'StoreRefused', message: /TMPDIR/ })
    } finally {
      if (old === undefined) delete process.env['TMPDIR']
      else process.env['TMPDIR'] = old
    }
  },
  MS_MAX,
)

/** What becomes of a check whose copy has no room for what its opening writes. */
const outOfRoom = async (): Promise<void> => {
  using dir = tempDir()
  using temporary = tempDir()
  await nodeIn(dir.path)
  const files = databaseDirectory(dir.path)
  const old = process.env['TMPDIR']
  process.env['TMPDIR'] = temporary.path
  try {
    using aside = openAside(files)
    const [copy = ''] = readdirSync(temporary.path)
    // The next table, into which the log is turned, leads to a disk that is full.
    const last = Math.max(...readdirSync(files).map((name) => Number(/\d+/.exec(name)?.[0] ?? 0)))
    for (let n = last + 1; n < last + 10; n++) {
      symlinkSync(FULL, join(temporary.path, copy, `${String(n).padStart(6, '0')}.ldb`))
    }
    await assert.rejects(aside.open(), { name: 'StoreRefused', message: /no room .*TMPDIR.*[Nn]o space/ })
  } finally {
    if (old === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = old
  }
}

const title = 'a temporary folder that runs out of room accuses no record either, and says what helps'
if (existsSync(FULL)) test(title, outOfRoom, MS_MAX)
else test.skip(title, `there is no ${FULL}`)

test(
  'a restore that was cut off is left to the next start',
  async () => {
    using dir = tempDir()
    await nodeIn(dir.path)
    const intent = { staging: `restoring-${'0'.repeat(16)}`, aside: 'replaced-1', old: ['db'], fresh: [] }
    writeFileSync(join(dir.path, 'restore.json'), JSON.stringify(intent))
    const before = stateOf(dir.path)
    await assert.rejects(fsck({ directory: dir.path }), { name: 'StoreRefused', message: /a restore .* cut off/ })
    assert.deepEqual(stateOf(dir.path), before)
  },
  MS_MAX,
)

test(
  'a witness key that a node could not start with, or that is the identity key, is named',
  async () => {
    using dir = tempDir()
    await nodeIn(dir.path)
    const file = join(dir.path, 'witness.key')
    const good = readFileSync(file)
    const found = async () => {
      const { bad, witness_key } = await fsck({ directory: dir.path })
      return bad === null ? witness_key : `${bad.table} ${bad.key}: ${bad.what}`
    }
    assert.equal(await found(), 'unused')
    writeFileSync(file, 'no key\n')
    assert.match(String(await found()), /^file witness\.key: it does not hold a key/)
    writeFileSync(file, good)
    chmodSync(file, 0o644)
    assert.match(String(await found()), /^file witness\.key: it can be read by others \(mode 644\)/)
    chmodSync(file, 0o600)
    copyFileSync(join(dir.path, 'identity.key'), file)
    assert.match(String(await found()), /^file witness\.key: it is the identity key/)
    rmSync(file)
    assert.equal(await found(), 'none')
  },
  MS_MAX,
)

test(
  'what the data say the witness cosigned is held against its key',
  async () => {
    using dir = tempDir()
    const node = await nodeIn(dir.path)
    const seed = new Uint8Array(Buffer.from(readFileSync(join(dir.path, 'witness.key'), 'utf8').trim(), 'hex'))
    const other = new Uint8Array(32).fill(9)
    const log = makeLog(random, 3)
    const head = log.note()
    const { text } = parseNote(head)
    const lineOf = (key: Uint8Array): string =>
      cosignatureLine(text, witnessVerifier(node, publicKeyOfSeed(key)), key, 1_800_000_000)
    const found = async (note: string) => {
      {
        await using database = await openDatabase(databaseDirectory(dir.path), false)
        const key = toHex(sha256(utf8(log.origin)))
        const row = { origin: log.origin, size: log.size, root: toHex(log.root()), note }
        await database.write([{ table: 'witnessed', key, row }])
      }
      const { bad, witness_key } = await fsck({ directory: dir.path })
      return bad === null ? witness_key : `${bad.table}: ${bad.what}`
    }
    assert.equal(await found(head + lineOf(seed)), 'fits')
    assert.equal(await found(head + lineOf(other)), 'other')
    assert.match(String(await found(head)), /^witnessed: this node has not cosigned it/)
    const line = lineOf(seed)
    const at = line.length - 10
    const forged = `${line.slice(0, at)}${line[at] === 'A' ? 'B' : 'A'}${line.slice(at + 1)}`
    assert.match(String(await found(head + forged)), /^witnessed: .*does not verify/)
  },
  MS_MAX,
)

test.run()
