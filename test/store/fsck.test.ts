/*
 * Goal: fsck finds nothing wrong with what a node wrote, and names the first bad record of anything else. Method: a
 * directory with every kind of row, written by the real services; then one byte of it is flipped, one row changed or
 * one row removed at a time, both through LevelDB and in LevelDB's own files, and the report is read.
 */
import assert from 'node:assert/strict'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Level } from 'level'
import { zidOf } from '#core/keys.ts'
import { createContact } from '#domain/messaging/contact.ts'
import { CorruptRow } from '#store/corrupt-row.ts'
import { type FsckReport, fsck } from '#store/fsck/fsck.ts'
import { KEPT_BYTES_MAX } from '#store/kept.ts'
import { type Row, type TableName, tables } from '#store/layout.ts'
import { liveFiles } from '#store/level-files.ts'
import { DirectoryInUse, databaseDirectory } from '#store/lock.ts'
import { StoreRefused } from '#store/open.ts'
import { databaseKey, decodeRow, encodeRow, parseDatabaseKey } from '#store/rows.ts'
import { claimOnce, poorAccount } from '../domain/claiming.ts'
import { callerOf, type House, lockOp, newAccount, openHouse, ownerCaller, sealOne, wealthy } from '../domain/house.ts'
import type { FixedClock } from '../kit/clock.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'

const test = suite('fsck')

/** A directory with rows in every table that the services write. */
/** A public machine with an entry in each of some ticks, and one whose head is still due when the node stops. */
const fillMachines = async (house: House): Promise<void> => {
  const { machines, clock, store } = house
  const { caller } = await newAccount(house, 'machines')
  await machines.create(caller, { slug: 'pump', is_public: true })
  for (let i = 0; i < 3; i++) {
    const writing = { caller, slug: 'pump', scope: 'test', idempotencyKey: undefined }
    await machines.event(writing, { type: 'reading', payload: { i } })
    await machines.recordState(writing, 'a'.repeat(64))
    clock.advanceTicks(1)
    await store.closeTick()
  }
  await machines.create(caller, { slug: 'late', is_public: false })
  const zid = zidOf(house.keys.publicKey)
  await machines.addAdmin({ caller, slug: 'late' }, zid, 'viewer')
  await machines.anchor({ caller, slug: 'pump', scope: 'test', idempotencyKey: undefined }, 'late')
}

/** An envelope that went to another account, and one that is tied for a time. */
const fillMoves = async (house: House): Promise<void> => {
  const [from, to] = [await wealthy(house, 3), await newAccount(house, 'moves')]
  const [token_id = '', ...others] = from.tokens
  await house.economy.moves.apply(await lockOp(house, from.caller, { token_id, until: 9_007_199_254_740_991 }))
  await house.economy.moves.send(from.caller, { to: to.zid, token_ids: others })
}

const fill = async (directory: string): Promise<FixedClock> => {
  await using house = await openHouse(directory)
  const { economy, identity, store, clock } = house
  const { caller, zid } = await newAccount(house)
  await economy.grant(ownerCaller(house), { zid, credits: 50, reason: 'test' }, { scope: 'economy.grant', key: 'once' })
  const demo = callerOf(house, (await identity.mintDemoKey('a')).key)
  for (let i = 0; i < 3; i++) {
    await Promise.all([
      sealOne(house, { caller, published: i === 1 }),
      sealOne(house, { caller: demo }),
      sealOne(house, { caller: { kind: 'anonymous', bucket: 'x' } }),
    ])
    clock.advanceTicks(1)
    await store.closeTick()
  }
  await economy.file(caller, { folder: 'heat', count: 2 })
  await sealOne(house, { caller, inputsBytes: KEPT_BYTES_MAX })
  await createContact(store).send({ message: 'to the owner' }, 'x')
  await fillMachines(house)
  const { caller: poor } = await poorAccount(house, 'claims')
  await house.machines.create(poor, { slug: 'zz', is_public: false })
  await claimOnce(house, poor)
  await fillMoves(house)
  return clock
}

const raw = async (directory: string): Promise<Level<string, Uint8Array>> => {
  const level = new Level<string, Uint8Array>(databaseDirectory(directory), {
    keyEncoding: 'utf8',
    valueEncoding: 'view',
    compression: false,
  })
  await level.open()
  return level
}

/** Changes rows behind the store's back. */
const tamper = async (
  directory: string,
  work: (level: Level<string, Uint8Array>) => Promise<unknown>,
): Promise<void> => {
  const level = await raw(directory)
  await work(level)
  await level.close()
}

const rowsOf = async (directory: string): Promise<(readonly [string, Uint8Array])[]> => {
  const level = await raw(directory)
  const rows: (readonly [string, Uint8Array])[] = []
  for await (const [key, value] of level.iterator()) rows.push([key, new Uint8Array(value)])
  await level.close()
  return rows
}

const bad = ({ ok, bad: it }: FsckReport): string => {
  assert.equal(ok, false)
  assert.ok(it !== null)
  return `${it.table} ${it.key}`
}

test('what a node wrote is whole, and the report counts it', async () => {
  using dir = tempDir()
  await fill(dir.path)
  const stages = new Set<string>()
  const report = await fsck({ directory: dir.path, onProgress: ({ stage }) => void stages.add(stage) })
  assert.deepEqual([report.ok, report.bad], [true, null])
  assert.deepEqual([report.envelopes, report.accounts, report.checkpoints], [15, 6, 6])
  assert.deepEqual([...stages].sort(), ['accounts', 'envelopes', 'files', 'ledger', 'logs', 'machines', 'rows'])
  const again = await fsck({ directory: dir.path })
  assert.equal(again.ok, true)
})

/** Tables of which the directory that is spoiled has no rows: each is spoiled elsewhere. */
const untouchedTables = (): readonly TableName[] => {
  const events: TableName[] = [
    'assertion',
    'assertionCount',
    'foreignBundle',
    'foreignLog',
    'foreignLogs',
    'foreignNode',
  ]
  const successions: TableName[] = ['era', 'successor', 'successorCount']
  const witnesses = (Object.keys(tables) as TableName[]).filter(
    (it) => tables[it].prefix.startsWith('w') && it !== 'peer',
  )
  // Of reactors the test beside their service does the same, since a step takes a solver.
  const reactors: TableName[] = ['reactor', 'reactorState', 'reactorStep']
  // Of batches too.
  const batches: TableName[] = ['batch', 'batchCalls', 'batchOutcome']
  // Of tokens of other homes a test of nodes does the same, since these come from another node.
  const away = (Object.keys(tables) as TableName[]).filter((it) => /^q.$/.test(tables[it].prefix))
  // Of votes the test of their own does the same, since their rows come from stakes.
  const votes = (Object.keys(tables) as TableName[]).filter((it) => /^y.$/.test(tables[it].prefix))
  // Of bonds a test of their own does the same, since one takes a thousand envelopes.
  const bonds = (Object.keys(tables) as TableName[]).filter((it) => /^b[cdhlmnow]$/.test(tables[it].prefix))
  // Of contracts the test beside their engine does the same, since only a node fires them.
  const contracts = (Object.keys(tables) as TableName[]).filter((it) => /^s[a-z]$/.test(tables[it].prefix))
  // Of a machine's token, and of what machines do by themselves, the tests of those do the same.
  const machineTokens: TableName[] = [
    ...(['machineToken', 'tokenStanding', 'tokenIssue', 'tokenRange', 'tokenRangeOf', 'tokenAvatar'] as const),
    ...(['tokenMint', 'tokenMintDue', 'machineAnchoring', 'machineAnchorDue'] as const),
  ]
  // Of hosted pages and signed transactions too.
  const pages = [...(['site', 'siteBytes', 'siteFile', 'siteKey', 'sitePage', 'txNonce', 'txNonceByExpiry'] as const)]
  // Of channels too.
  const channels: TableName[] = ['channel', 'channelHead', 'channelKey', 'channelState']
  // Of cosigned event logs a test of two nodes does the same, since a witness's word comes from outside.
  const cosigned: TableName[] = ['cosignedBy', 'cosignedLine', 'cosignedLog']
  // Of events by what they name a test of two nodes does the same, since nothing was said in it.
  const named: TableName[] = ['eventBy', 'eventByNext', 'eventBySlot']
  // Intent and draft stand only while a long move is under way: the test of moves cuts both off.
  const apart: TableName[] = ['intent', 'moveDraft', 'job', 'peer']
  // Counts are kept by a node with its ticks: the test of theirs spoils them.
  const counted: TableName[] = ['tally']
  // No work was taken or given in it, and none disputed.
  const works = [
    ...(['lent', 'lentBytes', 'lentTotal', 'taken', 'given', 'assured', 'worker'] as const),
    ...(['disputed', 'disputedNews', 'disputeCheck'] as const),
  ]
  return [
    ...[...events, ...successions, ...witnesses, ...reactors, ...batches, ...contracts, ...channels, ...machineTokens],
    ...[...pages, ...away, ...votes, ...bonds, ...cosigned, ...named, ...apart, ...counted, ...works],
  ]
}

test('one flipped byte in any row names that row', async () => {
  using dir = tempDir()
  await fill(dir.path)
  const rows = await rowsOf(dir.path)
  const random = seeded()
  const seen = new Set<TableName>()
  for (const [key, value] of rows) {
    const { table, key: name } = parseDatabaseKey(key)!
    const fresh = !seen.has(table)
    seen.add(table)
    if (!fresh && random.next() > 0.15) continue
    const flipped = new Uint8Array(value)
    const at = random.integer(0, value.length - 1)
    flipped[at] = (flipped[at] ?? 0) ^ (1 << random.integer(0, 7))
    await tamper(dir.path, (level) => level.put(key, flipped))
    assert.equal(bad(await fsck({ directory: dir.path })), `${table} ${name}`, `byte ${at}`)
    await tamper(dir.path, (level) => level.put(key, value))
  }
  assert.equal((await fsck({ directory: dir.path })).ok, true)
  assert.deepEqual(
    Object.keys(tables)
      .filter((it) => !seen.has(it as TableName))
      .sort(),
    untouchedTables().toSorted(),
  )
}, 60_000)

test('no row can go missing unseen', async () => {
  using dir = tempDir()
  await fill(dir.path)
  const optional: readonly string[] = ['quota', 'usage', 'blob', 'folder']
  for (const [key, value] of await rowsOf(dir.path)) {
    const { table } = parseDatabaseKey(key)!
    if (optional.includes(table) && table !== 'blob' && table !== 'folder') continue
    await tamper(dir.path, (level) => level.del(key))
    const report = await fsck({ directory: dir.path })
    assert.equal(report.ok, false, key)
    await tamper(dir.path, (level) => level.put(key, value))
  }
}, 60_000)

test('a row that is well formed and wrong is named by what contradicts it', async () => {
  using dir = tempDir()
  await fill(dir.path)
  const rows = await rowsOf(dir.path)
  /** Changes the first row of a table and says what the report names. */
  const change = async <N extends TableName>(table: N, edit: (row: Row<N>) => Row<N>): Promise<string> => {
    const [key, value] = rows.find(([it]) => parseDatabaseKey(it)?.table === table)!
    const name = parseDatabaseKey(key)!.key
    const wrong = encodeRow(table, name, edit(decodeRow(table, name, value)))
    await tamper(dir.path, (level) => level.put(databaseKey(table, name), wrong))
    const named = bad(await fsck({ directory: dir.path }))
    await tamper(dir.path, (level) => level.put(key, value))
    return named.split(' ')[0] ?? ''
  }
  assert.equal(await change('balance', (it) => it + 1), 'balance')
  assert.equal(await change('transfer', (it) => ({ ...it, amount: it.amount + 1 })), 'balance')
  assert.equal(await change('leaf', (it) => Uint8Array.from(it, (byte, i) => (i === 30 ? byte ^ 1 : byte))), 'leaf')
  assert.equal(await change('node', (it) => it.map((byte, i) => (i === 0 ? byte ^ 1 : byte))), 'leaf')
  assert.equal(await change('checkpoint', (it) => ({ ...it, root: '0'.repeat(64) })), 'checkpoint')
  assert.equal(await change('checkpoint', (it) => ({ ...it, note: it.note.replace(/.=*\n$/, 'A\n') })), 'checkpoint')
  assert.equal(await change('leafByHash', (it) => it + 1), 'leafByHash')
  assert.equal(await change('writer', (it) => ({ ...it, transfers: it.transfers + 1 })), 'transfer')
  assert.equal(await change('envelope', (it) => ({ ...it, face: it.face + 1 })), 'envelope')
  assert.equal(await change('envelope', (it) => ({ ...it, value: 2 })), 'envelope')
  assert.equal(await change('envelope', (it) => ({ ...it, unit: 'J' })), 'envelope')
  assert.equal(await change('envelope', ({ unit: _, ...it }) => it), 'envelope')
  const strange = { key: '0'.repeat(16), slug: 'nowhere' }
  assert.equal(await change('envelope', (it) => ({ ...it, sealed_by: strange })), 'envelope')
  assert.equal(await change('envelope', (it) => ({ ...it, shared: false as never })), 'envelope')
  assert.equal(await change('envelope', (it) => ({ ...it, published: !it.published })), 'envelopePublished')
  assert.equal(await change('folder', (it) => it + 1), 'folder')
  assert.equal(await change('envelopeByOwner', () => 'f'.repeat(32)), 'envelopeByOwner')
  assert.equal(await change('account', (it) => ({ ...it, public_key: 'a'.repeat(64) })), 'account')
  assert.equal(await change('schema', (it) => it + 1), 'schema')
  await tamper(dir.path, (level) => level.put('zz/unheard of', new Uint8Array(4)))
  assert.equal(bad(await fsck({ directory: dir.path })), 'unknown zz/unheard of')
}, 60_000)

/** Flips one bit of a file. */
const flip = (path: string, at: number, bit: number): void => {
  const bytes = readFileSync(path)
  bytes[at] = (bytes[at] ?? 0) ^ (1 << bit)
  writeFileSync(path, bytes)
}

const filesOf = (directory: string, form: RegExp): string[] =>
  readdirSync(databaseDirectory(directory)).filter((it) => form.test(it))

test('one flipped byte in LevelDB’s own files is found wherever it is, and in a value it names the row', async () => {
  using dir = tempDir()
  const clock = await fill(dir.path)
  const random = seeded()
  // Opening turns the write-ahead log into a table; a second run then leaves both kinds of file.
  await tamper(dir.path, (level) => level.put('zz', new Uint8Array(0)))
  await tamper(dir.path, (level) => level.del('zz'))
  {
    await using house = await openHouse(dir.path, clock)
    await newAccount(house)
  }
  assert.equal((await fsck({ directory: dir.path })).ok, true)
  // A table that a compaction has replaced may still lie about; nothing reads it.
  const live = liveFiles(databaseDirectory(dir.path))
  const tablesAndLogs = [...live.tables, ...live.logs, ...filesOf(dir.path, /^MANIFEST-\d+$/)]
  let named = 0
  for (const file of tablesAndLogs) {
    const path = join(databaseDirectory(dir.path), file)
    const { length } = readFileSync(path)
    // The footer's padding and the places behind it say nothing; the magic number ends the file.
    const end = file.endsWith('.ldb') ? length - 48 : length
    for (let i = 0; i < 40 && end > 0; i++) {
      using copy = tempDir()
      cpSync(dir.path, copy.path, { recursive: true })
      const at = random.integer(0, end - 1)
      flip(join(databaseDirectory(copy.path), file), at, random.integer(0, 7))
      const report = await fsck({ directory: copy.path })
      assert.equal(report.ok, false, `${file} byte ${at} of ${length}`)
      if (report.bad?.table !== 'file') named += 1
    }
  }
  assert.ok(named > 20, `${named} rows were named`)
}, 120_000)

test('a start refuses a write-ahead log that is damaged before its end', async () => {
  using dir = tempDir()
  await fill(dir.path)
  const [log] = filesOf(dir.path, /^\d+\.log$/)
  const path = join(databaseDirectory(dir.path), String(log))
  flip(path, 600, 3)
  await assert.rejects(openHouse(dir.path), CorruptRow)
})

test('a start accepts a write-ahead log that a crash cut off', async () => {
  using dir = tempDir()
  await fill(dir.path)
  const [log] = filesOf(dir.path, /^\d+\.log$/)
  const path = join(databaseDirectory(dir.path), String(log))
  const bytes = readFileSync(path)
  writeFileSync(path, bytes.subarray(0, bytes.length - 100))
  assert.equal((await fsck({ directory: dir.path })).ok, true)
  await using house = await openHouse(dir.path)
  assert.ok(house.store.log.size > 0)
})

test('nothing to check, and a node that runs on it, are said at once', async () => {
  using dir = tempDir()
  await assert.rejects(fsck({ directory: dir.path }), StoreRefused)
  await using _house = await openHouse(dir.path)
  await assert.rejects(fsck({ directory: dir.path }), DirectoryInUse)
})

test('a missing table file is named', async () => {
  using dir = tempDir()
  await fill(dir.path)
  await tamper(dir.path, async () => undefined)
  const [table] = filesOf(dir.path, /\.ldb$/)
  rmSync(join(databaseDirectory(dir.path), String(table)))
  assert.match(bad(await fsck({ directory: dir.path })), /^file /)
})

test.run()
