// Goal: when the rules of a zone are others than those of its table, later instants go by the new rules and earlier
// ones stay; that is written down once for each change, and decided again elsewhere. Method: a real node on one
// directory that is started again with other knowledge of zones, or learns of it on the way; histories are replayed.
import assert from 'node:assert/strict'
import { exportHistory } from '#cli/contract-history.ts'
import { type ContractExport, contractExportOf } from '#core/contract/export.ts'
import type { FireRow } from '#core/contract/fire-row.ts'
import { computeHere } from '#node/contract-work.ts'
import { noZone, spanAround, zoneTable } from '#node/zones.ts'
import { type ZoneTable, zoneDigest } from '#numerics/contracts/cron/cron.ts'
import { replayContract } from '#numerics/contracts/fire/replay.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { type TestNode, testNode } from '../../../kit/node.ts'
import { suite } from '../../../kit/suite.ts'
import { tempDir } from '../../../kit/temp.ts'
import { counting, firesOf, pass, rowsOf, stage } from './engine-kit.ts'

const test = suite('domain: contracts, zones that change')

const DAY_TICKS = 111_197
const HALF_TICKS = 55_600
const HOUR = 3_600
const YEAR_NS = 31_557_600_000_000_000n
const daily = { kind: 'cron', expression: '0 6 * * *', timezone: 'Europe/Berlin' }

/** Berlin as a law has it that keeps clocks an hour ahead, in the past too; other zones as they are. */
const ahead = {
  span: spanAround,
  table: (zone: string, span: { readonly from: number; readonly until: number }): ZoneTable | undefined => {
    const table = zoneTable(zone, span)
    if (table === undefined || zone !== 'Europe/Berlin') return table
    const changes = table.changes.map(({ at, offset }) => ({ at, offset: offset + HOUR }))
    return { ...table, offset: table.offset + HOUR, changes }
  },
  refusal: (zone: string) => noZone(zone).message,
}

const changesOf = async (it: TestNode, id: string) =>
  (await rowsOf(it, id)).filter(
    (row): row is Extract<FireRow, { outcome: 'zone_changed' }> => row.outcome === 'zone_changed',
  )

const dues = async (it: TestNode, id: string): Promise<readonly number[]> =>
  (await firesOf(it, id)).map(({ due }) => due ?? 0)

const settle = async (it: TestNode): Promise<void> => {
  await it.advanceTicks(1)
  await it.node.services.contracts.idle()
}

type Owner = Awaited<ReturnType<typeof stage>>['owner']

const replayed = (file: ContractExport) =>
  replayContract(file, { recompute: (order) => computeHere(order, { keyless: false }) })

/** What a stranger finds who decides everything again, beside what the node itself finds. */
const assertRepeatable = async (it: TestNode, owner: Owner, id: string): Promise<ContractExport> => {
  assert.equal((await owner.call('contracts.verify', { slug: 'open', id })).differs, null)
  await it.advanceTicks(1)
  const asked = { slug: 'open', id, signal: new AbortController().signal, tell: () => undefined }
  const file = contractExportOf(JSON.parse(JSON.stringify(await exportHistory(owner, asked))))
  assert.equal(replayed(file).differs, null)
  return file
}

test('new rules hold for later instants alone, and are written down once however often the node starts', async () => {
  using dir = tempDir()
  const before = async () => {
    const at = await stage({ directory: dir.path })
    await using it = at.it
    const make = async (start: boolean, zone: object = {}) => {
      const definition = counting({ ...daily, ...zone })
      return (await at.owner.call('contracts.custom', { slug: 'open', definition, start })).contract.id
    }
    const runs = await make(true)
    const [paused, elsewhere, frozen] = [
      await make(false),
      await make(true, { timezone: 'Asia/Tokyo' }),
      await make(true),
    ]
    await pass(it, 2 * DAY_TICKS, DAY_TICKS)
    await at.owner.call('contracts.freeze', { slug: 'open', id: frozen })
    return {
      runs,
      paused,
      elsewhere,
      frozen,
      key: at.key,
      old: await dues(it, runs),
      instant: it.node.store.now().instant,
    }
  }
  const { runs, paused, elsewhere, frozen, key, old, instant } = await before()
  assert.equal(old.length, 2)
  // It stops as soon as it has started: what it wrote by then is whole.
  await (await testNode({ directory: dir.path, start: instant + 1_000_000n, zones: ahead }))[Symbol.asyncDispose]()
  for (let i = 0; i < 2; i += 1) {
    await using it = await testNode({
      directory: dir.path,
      start: instant + BigInt(i + 1) * 10_000_000_000n,
      zones: ahead,
    })
    const owner = it.as(key)
    await settle(it)
    for (const id of [runs, paused]) assert.equal((await changesOf(it, id)).length, 1, id)
    for (const id of [elsewhere, frozen]) assert.equal((await changesOf(it, id)).length, 0, id)
    const { fires } = await owner.call('contracts.next-fires', { slug: 'open', id: runs })
    assert.deepEqual(fires[0]?.due, (old[1] ?? 0) + 24 * HOUR - HOUR)
    const file = await assertRepeatable(it, owner, runs)
    const [changed] = await changesOf(it, runs)
    assert(Object.keys(file.zones).includes(changed?.after ?? ''), 'the export carries the new table')
    const whole = ahead.table('Europe/Berlin', spanAround(Number(instant / 1_000_000_000n)))!
    const after = zoneDigest(whole)
    const rewritten = file.rows.map((row) => (row.outcome === 'zone_changed' ? { ...row, after } : row))
    const altered = replayed({ ...file, rows: rewritten, zones: { ...file.zones, [after]: whole } })
    assert.deepEqual([altered.differs?.no, altered.differs?.member], [changed?.no, 'after'], 'what was before stays')
    const { rows } = await owner.call('contracts.audit', { slug: 'open', id: runs })
    assert.equal(rows.filter(({ outcome }) => outcome === 'zone_changed').length, 1)
  }
  await using it = await testNode({ directory: dir.path, start: instant + 40_000_000_000n, zones: ahead })
  const owner = it.as(key)
  await pass(it, 2 * DAY_TICKS, DAY_TICKS)
  const [third = 0, fourth = 0] = (await dues(it, runs)).slice(2)
  assert.deepEqual([third - (old[1] ?? 0), fourth - third], [23 * HOUR, 24 * HOUR])
  assert.deepEqual((await dues(it, runs)).slice(0, 2), old)
  await owner.call('contracts.resume', { slug: 'open', id: paused })
  await pass(it, DAY_TICKS, DAY_TICKS)
  for (const id of [runs, paused]) await assertRepeatable(it, owner, id)
  await it[Symbol.asyncDispose]()
  assert.equal((await fsck({ directory: dir.path })).bad, null)
})

test('a node that learns of new rules on the way looks once a day, and moves what is to be left out', async () => {
  let rules = zoneTable
  const zones = { ...ahead, table: (...of: Parameters<typeof zoneTable>) => rules(...of) }
  const at = await stage({ zones })
  await using it = at.it
  const { id } = (await at.owner.call('contracts.custom', { slug: 'open', definition: counting(daily), start: true }))
    .contract
  await settle(it)
  rules = ahead.table
  await settle(it)
  assert.equal((await changesOf(it, id)).length, 0)
  const [next] = (await at.owner.call('contracts.next-fires', { slug: 'open', id })).fires
  await pass(it, DAY_TICKS, DAY_TICKS)
  assert.equal((await changesOf(it, id)).length, 1)
  assert.deepEqual(await dues(it, id), [next?.due])
  // Back again: another change, whose table is neither of the two.
  await at.owner.call('contracts.skip-next', { slug: 'open', id })
  const skipped = it.node.store.peek('contract', id)?.skip?.due ?? 0
  rules = zoneTable
  await pass(it, 3 * HALF_TICKS, HALF_TICKS)
  const rows = await rowsOf(it, id)
  const [first, second] = await changesOf(it, id)
  assert.deepEqual([second?.before, rows.filter(({ outcome }) => outcome === 'zone_changed').length], [first?.after, 2])
  assert.equal(rows.filter(({ outcome }) => outcome === 'skipped').length, 1)
  assert(skipped > 0)
  await at.owner.call('contracts.patch', {
    slug: 'open',
    id,
    definition: counting({ ...daily, expression: '0 7 * * *' }),
  })
  assert.equal(it.node.store.peek('contract', id)?.zones, undefined, 'a version begins with a table of its own')
  await pass(it, DAY_TICKS, DAY_TICKS)
  await assertRepeatable(it, at.owner, id)
})

test('a change of secrets alone is no new version, whatever the clocks say, and the new rules stay', async () => {
  let rules = zoneTable
  const at = await stage({ zones: { ...ahead, table: (...of: Parameters<typeof zoneTable>) => rules(...of) } })
  await using it = at.it
  const tells = {
    kind: 'notify',
    url: 'https://example.org/',
    headers: { Authorization: 'Bearer {{secret.token}}' },
    body: {},
  }
  const plain = counting(daily)
  const [fire] = plain.transitions
  // Nobody is called: its trigger is far away.
  const far = { ...fire, id: 'far', trigger: { kind: 'recurring', every_ticks: 1_000_000 }, actions: [tells] }
  const definition = { ...plain, transitions: [...plain.transitions, far] }
  const order = { slug: 'open', definition, start: true, secrets: { token: 'a' } }
  const { id } = (await at.owner.call('contracts.custom', order)).contract
  rules = ahead.table
  await pass(it, DAY_TICKS, DAY_TICKS)
  assert.equal((await changesOf(it, id)).length, 1)
  const zones = it.node.store.peek('contract', id)?.zones
  const next = async () => (await at.owner.call('contracts.next-fires', { slug: 'open', id })).fires[0]?.due
  const due = await next()
  const patched = await at.owner.call('contracts.patch', { slug: 'open', id, secrets: { token: 'b' } })
  assert.equal(patched.contract.version_no, 1)
  assert.deepEqual([it.node.store.peek('contract', id)?.zones, await next()], [zones, due])
  await pass(it, DAY_TICKS, DAY_TICKS)
  await assertRepeatable(it, at.owner, id)
  const again = await at.owner.call('contracts.patch', { slug: 'open', id, definition })
  assert.equal(again.contract.version_no, 2, 'what is given begins with the clocks of now')
})

test('a table whose last years come near is renewed, and nothing of before changes', async () => {
  using dir = tempDir()
  const before = async () => {
    const at = await stage({ directory: dir.path })
    await using it = at.it
    const { id } = (await at.owner.call('contracts.custom', { slug: 'open', definition: counting(daily), start: true }))
      .contract
    await pass(it, DAY_TICKS, DAY_TICKS)
    return { id, key: at.key, instant: it.node.store.now().instant }
  }
  const { id, key, instant } = await before()
  const tables = async (years: bigint) => {
    await using it = await testNode({ directory: dir.path, start: instant + years * YEAR_NS })
    await settle(it)
    await pass(it, DAY_TICKS, DAY_TICKS)
    const rows = await changesOf(it, id)
    const file = await assertRepeatable(it, it.as(key), id)
    return rows.map(({ before: old, after }) => [old, after].map((name) => (file.zones[name] as ZoneTable).until))
  }
  const early = await tables(0n)
  assert.deepEqual(early, [])
  const [[old = 0, fresh = 0] = []] = await tables(3n)
  assert.equal(new Date(fresh * 1_000).getUTCFullYear() - new Date(old * 1_000).getUTCFullYear(), 3)
  assert.equal((await tables(4n)).length, 1)
})

test.run()
