/*
 * Goal: an archive holds exactly the rows of one moment, and one that is altered, cut, or made to deceive is refused
 * with a code, at every byte. Method: archives of small stores, compared row by row; each byte of one changed, each
 * length of it cut; archives put together by hand whose digests fit and whose content does not.
 */
import assert from 'node:assert/strict'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { utf8 } from '#core/bytes.ts'
import { decrypted, encrypted } from '#store/backup/age.ts'
import { composed } from '#store/backup/compose.ts'
import {
  AGE_FAMILY,
  type ArchiveHead,
  BLOCK_BYTES_MAX,
  documentBytes,
  type End,
  HEADER_BYTES,
  MAGIC,
  packBlock,
} from '#store/backup/format.ts'
import { packedBlocks, readArchive } from '#store/backup/read.ts'
import { type BackupCode, BackupRefused } from '#store/backup/refused.ts'
import { encodeRows } from '#store/backup/row-codec.ts'
import { partSums } from '#store/backup/write.ts'
import { CorruptRow } from '#store/corrupt-row.ts'
import { openDatabase, type RawRow } from '#store/database.ts'
import { databaseDirectory } from '#store/lock.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { archiveFrom, collect, inChunks, KEY_FILES, readAll, rowsIn, sealed, storeWith } from './archives.ts'
import { appendText, give, open } from './kit.ts'

const test = suite('store: archives')

const isRefused =
  (code: BackupCode, part?: RegExp) =>
  (cause: unknown): boolean => {
    assert.ok(cause instanceof BackupRefused, String(cause))
    assert.equal(cause.code, code, cause.message)
    if (part !== undefined) assert.match(cause.message, part)
    return true
  }

test('an archive has every row, in order, and equal data give equal bytes, however they are read', async () => {
  using dir = tempDir()
  const first = await storeWith(dir.path, 40)
  const again = await storeWith(dir.path, 40)
  assert.deepEqual(again, first)
  const rows = await rowsIn(dir.path)
  for (const chunk of [1, 7, 4_096, first.length]) {
    const read = await readAll(first, chunk)
    assert.deepEqual(read.rows, rows)
    assert.deepEqual(read.files, ['identity.key', 'vault.key'])
    assert.ok(read.ended)
  }
})

test('a snapshot is one moment: what is written while it is read is not in it, and nothing waits for it', async () => {
  using dir = tempDir()
  await using store = await open(dir.path)
  await store.commit((tx) => give(tx, 'zid1a', 5))
  for (let i = 0; i < 3_000; i++) void store.commit((tx) => appendText(tx, `before ${i} ${'x'.repeat(400)}`))
  await store.commit((tx) => appendText(tx, 'the last'))
  const size = store.log.size
  const before = await archiveFrom(store)
  {
    await using snapshot = store.snapshot()
    for (let i = 0; i < 500; i++) await store.commit((tx) => appendText(tx, `after ${i}`))
    await store.commit((tx) => give(tx, 'zid1a', 7))
    const { archiveOf } = await import('#store/backup/write.ts')
    assert.deepEqual(await collect(archiveOf(snapshot, { release: '1.2.3' })), before)
  }
  assert.ok(store.log.size > size)
  for await (const piece of readArchive(inChunks(before))) {
    if (piece.kind === 'head') assert.equal(piece.head.logs[0]?.size, size)
  }
}, 30_000)

test('every byte that is changed and every length that is cut is refused', async () => {
  using dir = tempDir()
  const whole = await storeWith(dir.path, 3)
  const random = seeded()
  const damage = new Set<BackupCode>(['BACKUP_DAMAGED', 'BACKUP_UNKNOWN', 'BACKUP_NEWER', 'BACKUP_LOCKED'])
  const refused = async (bytes: Uint8Array, what: string): Promise<void> => {
    const outcome = await readAll(bytes).then(
      () => 'taken',
      (cause: unknown) => (cause instanceof BackupRefused ? cause.code : String(cause)),
    )
    assert.ok(damage.has(outcome as BackupCode), `${what}: ${outcome}`)
  }
  for (let at = 0; at < whole.length; at++) {
    const altered = Uint8Array.from(whole)
    altered[at] = (altered[at] as number) ^ (1 << random.integer(0, 7))
    await refused(altered, `byte ${at} of ${whole.length}`)
  }
  for (let length = 0; length < whole.length; length++) await refused(whole.subarray(0, length), `cut to ${length}`)
  await refused(Buffer.concat([whole, utf8('x')]), 'one byte more')
  await refused(Buffer.concat([whole, whole]), 'twice')
}, 60_000)

test('random bytes are no archive, with the first line of one or without', async () => {
  const random = seeded()
  for (let round = 0; round < 300; round++) {
    const noise = random.bytes(random.integer(0, 400))
    await assert.rejects(readAll(noise), isRefused('BACKUP_UNKNOWN'))
    await assert.rejects(readAll(Buffer.concat([MAGIC, noise])), isRefused('BACKUP_DAMAGED'))
  }
})

/** The blocks of an archive, unpacked by nobody. */
const blocksOf = async (whole: Uint8Array): Promise<Record<'head' | 'rows' | 'file' | 'end', Uint8Array[]>> => {
  const found = { head: [], rows: [], file: [], end: [] } as Record<'head' | 'rows' | 'file' | 'end', Uint8Array[]>
  for await (const { header, whole: block } of packedBlocks(inChunks(whole))) found[header.kind].push(block)
  return found
}

test('blocks out of order, twice, missing or of no kind are refused though the digest fits', async () => {
  using dir = tempDir()
  const whole = await storeWith(dir.path, 3)
  const { head, rows, file, end } = await blocksOf(whole)
  const [h, r, f, e] = [head[0]!, rows[0]!, file[0]!, end[0]!]
  await readAll(sealed([...head, ...rows, ...file, ...end]))
  const strange = Uint8Array.from(r)
  strange[0] = 9
  const wrong: readonly (readonly [string, readonly Uint8Array[]])[] = [
    ['nothing', []],
    ['no head', [r, e]],
    ['head twice', [h, h, r, e]],
    ['no rows', [h, e]],
    ['no end', [h, r]],
    ['end twice', [h, r, ...file, e, e]],
    ['rows after a file', [h, r, f, r, e]],
    ['rows twice', [h, r, r, ...file, e]],
    ['a file twice', [h, r, f, f, e]],
    ['files in another order', [h, r, ...file.toReversed(), e]],
    ['a file missing', [h, r, f, e]],
    ['no kind', [h, strange, e]],
  ]
  for (const [what, blocks] of wrong) {
    await assert.rejects(readAll(sealed(blocks)), isRefused('BACKUP_DAMAGED'), what)
  }
  await assert.rejects(readAll(sealed([h, r, e], utf8('tickmesh/backup/2\n'))), isRefused('BACKUP_NEWER'))
  await assert.rejects(readAll(sealed([h, r, e], utf8('tickmesh/vault/11\n\n'))), isRefused('BACKUP_UNKNOWN'))
})

const row = (key: string, value = 'v'): RawRow => [utf8(key), utf8(value)]

/** An archive with this head, these rows and files, whose counts and digests all fit. */
const made = async (
  head: ArchiveHead,
  rows: readonly RawRow[],
  files: readonly (readonly [string, string])[] = [],
): Promise<Uint8Array> => {
  const raw = encodeRows(rows)
  const sums = partSums()
  try {
    sums.add(rows, raw)
  } catch {
    // Keys of no table are what is tried.
  }
  const end: End = { v: 1, rows: rows.length, parts: sums.parts(), files: [] }
  const blocks = await Promise.all(files.map(([name, content]) => packBlock('file', utf8(`${name}\n${content}`))))
  const [front, body, last] = [
    await packBlock('head', documentBytes(head)),
    await packBlock('rows', raw),
    await packBlock('end', documentBytes(end)),
  ]
  return sealed([front, body, ...blocks, last])
}

const headOf = async (whole: Uint8Array): Promise<ArchiveHead> => {
  for await (const piece of readArchive(inChunks(whole))) if (piece.kind === 'head') return piece.head
  return assert.fail('no head')
}

test('paths, strange keys, disorder and a newer release are refused though all digests fit', async () => {
  using dir = tempDir()
  const head = await headOf(await storeWith(dir.path, 1))
  await readAll(await made(head, [row('a/version'), row('b/genesis')]))
  const refuses = async (whole: Promise<Uint8Array>, code: BackupCode, part: RegExp): Promise<void> => {
    await assert.rejects(readAll(await whole), isRefused(code, part))
  }
  for (const rows of [
    [row('b/x'), row('a/x')],
    [row('a/x'), row('a/x')],
  ]) {
    await refuses(made(head, rows), 'BACKUP_DAMAGED', /out of order/)
  }
  await refuses(made(head, [row('')]), 'BACKUP_DAMAGED', /has no key/)
  for (const key of ['/x', 'x', 'A/x', '../x', 'toolonganame/x', '\u0000/x']) {
    await refuses(made(head, [row(key)]), 'BACKUP_DAMAGED', /of no table/)
  }
  const names = [
    '../identity.key',
    '/etc/x.key',
    'a/b.key',
    'db',
    'identity.key.',
    'x.sh',
    '.key',
    'ID.key',
    `${'a'.repeat(60)}.key`,
  ]
  for (const name of names) {
    await refuses(made(head, [row('a/x')], [[name, 'x']]), 'BACKUP_DAMAGED', /a name that no key file has/)
  }
  await refuses(made({ ...head, schema: 99 }, [row('a/x')]), 'BACKUP_NEWER', /schema 99/)
  for (const strange of [
    { ...head, v: 2 },
    { ...head, more: 1 },
    { ...head, schema: 0 },
    { ...head, node: 'x' },
    { ...head, logs: 7 },
    { ...head, logs: [{ ...head.logs[0], size: -1 }] },
    [],
    null,
  ]) {
    await refuses(made(strange as never, [row('a/x')]), 'BACKUP_DAMAGED', /^head/)
  }
  const spaced = await packBlock('head', utf8(JSON.stringify(head, null, 1)))
  await assert.rejects(readAll(sealed([spaced])), isRefused('BACKUP_DAMAGED', /^head/))
})

test('counts and digests of tables and files are held against what was read', async () => {
  using dir = tempDir()
  const head = await headOf(await storeWith(dir.path, 1))
  const rows = [row('a/version'), row('b/genesis')]
  const raw = encodeRows(rows)
  const sums = partSums()
  sums.add(rows, raw)
  const parts = sums.parts()
  const good: End = { v: 1, rows: 2, parts, files: [] }
  const [a, b] = [parts[0]!, parts[1]!]
  const zeros = '0'.repeat(64)
  const lies: readonly End[] = [
    { ...good, rows: 3 },
    { ...good, parts: [a] },
    { ...good, parts: [b, a] },
    { ...good, parts: [a, b, { ...b, prefix: 'c' }] },
    { ...good, parts: [a, { ...b, sha256: zeros }] },
    { ...good, parts: [{ ...a, rows: 2 }, b] },
    { ...good, parts: [{ ...a, bytes: a.bytes + 1 }, b] },
    { ...good, files: [{ name: 'identity.key', bytes: 1, sha256: zeros }] },
  ]
  const front = await packBlock('head', documentBytes(head))
  const body = await packBlock('rows', raw)
  await readAll(sealed([front, body, await packBlock('end', documentBytes(good))]))
  for (const end of lies) {
    const last = await packBlock('end', documentBytes(end))
    await assert.rejects(readAll(sealed([front, body, last])), isRefused('BACKUP_DAMAGED'), JSON.stringify(end))
  }
})

test('a block takes no more memory than it says, and says no more than a block may', async () => {
  using dir = tempDir()
  const whole = await storeWith(dir.path, 1)
  const { head } = await blocksOf(whole)
  const bomb = await packBlock('rows', new Uint8Array(64 * 1_048_576))
  assert.ok(bomb.length < 20_000, 'it weighs nothing')
  await assert.rejects(readAll(sealed([head[0]!, bomb])), isRefused('BACKUP_DAMAGED'))
  const lying = Buffer.from(bomb)
  lying.writeUInt32BE(1_000, 1)
  await assert.rejects(readAll(sealed([head[0]!, lying])), isRefused('BACKUP_DAMAGED', /size|unpacked/))
  lying.writeUInt32BE(BLOCK_BYTES_MAX + 1, 1)
  await assert.rejects(readAll(sealed([head[0]!, lying])), isRefused('BACKUP_DAMAGED', /of a size that none has/))
  const hollow = Buffer.from(bomb)
  hollow.writeUInt32BE(0xffff_ffff, 5)
  await assert.rejects(readAll(sealed([head[0]!, hollow])), isRefused('BACKUP_DAMAGED', /of a size that none has/))
  const longer = Buffer.from(bomb)
  longer.writeUInt32BE(64 * 1_048_576 + 1, 1)
  await assert.rejects(readAll(sealed([head[0]!, longer])), isRefused('BACKUP_DAMAGED', /another size/))
  assert.equal(HEADER_BYTES, 9)
  const many = encodeRows(Array.from({ length: 200_000 }, (_, i) => row(`a/${i}`)))
  const full = await packBlock('rows', many)
  await assert.rejects(readAll(sealed([head[0]!, full])), isRefused('BACKUP_DAMAGED', /after it is full/))
})

test('a row whose sum does not fit is not put into an archive', async () => {
  using dir = tempDir()
  await storeWith(dir.path, 2)
  {
    const { Level } = await import('level')
    const level = new Level<string, string>(databaseDirectory(dir.path), { compression: false })
    await level.put('u/zid1a/2026-11', 'not what was written')
    await level.close()
  }
  await using database = await openDatabase(databaseDirectory(dir.path), false)
  await assert.rejects(archiveFrom(database), (cause) => cause instanceof CorruptRow && cause.key.startsWith('u/'))
})

test('a database without the first rows of a node gives no archive', async () => {
  using dir = tempDir()
  await using database = await openDatabase(databaseDirectory(dir.path), true)
  await assert.rejects(archiveFrom(database), isRefused('BACKUP_EMPTY'))
})

test('what a node sent is passed on only whole', async () => {
  using dir = tempDir()
  const whole = await (async () => {
    await storeWith(dir.path, 5)
    await using store = await open(dir.path)
    return await archiveFrom(store)
  })()
  const cut = composed(inChunks(whole.subarray(0, whole.length - 1)), {
    files: () => KEY_FILES,
    onWhole: () => assert.fail(),
  })
  await assert.rejects(collect(cut), isRefused('BACKUP_DAMAGED', /cut short/))
  const bent = Uint8Array.from(whole)
  bent[whole.length - 40] = (bent[whole.length - 40] as number) ^ 1
  const altered = composed(inChunks(bent), { files: () => KEY_FILES, onWhole: () => assert.fail() })
  await assert.rejects(collect(altered), isRefused('BACKUP_DAMAGED'))
})

test('encrypted: opens with what it was made for, with nothing else, and no byte of it may change', async () => {
  using dir = tempDir()
  const whole = await storeWith(dir.path, 3)
  const identity = await generateX25519Identity()
  const recipients = [await identityToRecipient(identity)]
  const secret = await collect(await encrypted(inChunks(whole), { recipients }))
  assert.deepEqual(secret.subarray(0, AGE_FAMILY.length), AGE_FAMILY)
  assert.equal(Buffer.from(secret).includes(Buffer.from(MAGIC)), false)
  const opened = async (bytes: Uint8Array, identities: readonly string[]): Promise<Uint8Array> =>
    collect(await decrypted(inChunks(bytes, 997), { identities }))
  assert.deepEqual(await opened(secret, [identity]), whole)
  assert.deepEqual(await opened(whole, []), whole, 'what is not encrypted needs nothing')
  await assert.rejects(opened(secret, []), isRefused('BACKUP_LOCKED'))
  await assert.rejects(opened(secret, [await generateX25519Identity()]), isRefused('BACKUP_LOCKED'))
  await assert.rejects(opened(secret, ['no identity']), isRefused('BACKUP_LOCKED'))
  await assert.rejects(encrypted(inChunks(whole), { recipients: ['age1x'] }), isRefused('BACKUP_LOCKED'))
  await assert.rejects(encrypted(inChunks(whole), { passphrase: 'short' }), isRefused('BACKUP_LOCKED'))
  for (let at = 0; at < secret.length; at += 11) {
    const bent = Uint8Array.from(secret)
    bent[at] = (bent[at] as number) ^ 1
    await assert.rejects(
      opened(bent, [identity]).then((found) => readAll(found)),
      (cause) => cause instanceof BackupRefused,
      `byte ${at}`,
    )
  }
  for (const length of [30, 100, 200, 300, secret.length - 1]) {
    await assert.rejects(
      opened(secret.subarray(0, length), [identity]).then((found) => readAll(found)),
      (cause) => cause instanceof BackupRefused,
      `cut to ${length}`,
    )
  }
  const endless = Buffer.concat([utf8('age-encryption.org/v1\n-> '), Buffer.alloc(200_000, 'x')])
  await assert.rejects(opened(endless, [identity]), isRefused('BACKUP_DAMAGED', /header has no end/))
}, 60_000)

test.run()
