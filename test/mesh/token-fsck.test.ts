/**
 * Goal: no row of tokens of other homes can be changed, and none that others stand on can go, without fsck naming it.
 * Method: the directory of a node that holds tokens, an op whose answer was lost, an arrival whose home is away, tokens
 * of its own for a member of another node that has not heard of them, and what proves that a home spent a token twice.
 */
import assert from 'node:assert/strict'
import { Level } from 'level'
import { keepTokenProof } from '#domain/network/token-evidence.ts'
import { TOKEN_EVIDENCE_PLACES } from '#store/away.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { type Row, seqKey, seqOf, type TableName, tables } from '#store/layout.ts'
import { databaseDirectory } from '#store/lock.ts'
import { decodeRow, encodeRow, parseDatabaseKey } from '#store/rows.ts'
import { refusal } from '../domain/house.ts'
import { spentTwice } from '../domain/network/twice-kit.ts'
import { altered, leavesOf, replaced } from '../kit/alterations.ts'
import { testNode } from '../kit/node.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { acquainted, enrich, listOf, member, passing, sound } from './token-kit.ts'
import { cutAfter, joinInMemory } from './token-wire.ts'
import { joining } from './witness-kit.ts'

const test = suite('mesh: fsck of tokens')
const random = seeded()
const MS = 60_000

/** A directory with rows in every table of tokens of other homes, and of what the other nodes were not told. */
const fill = async (directory: string, signal: AbortSignal): Promise<void> => {
  await using a = await testNode({ settings: { 'p2p.enabled': true } })
  await using b = await joining([a], { directory })
  const [ann, bob] = [await member(a), await member(b)]
  await acquainted([a, b], [ann, bob], signal)
  joinInMemory(a, [b])
  joinInMemory(b, [a])
  const tokens = await enrich(a, ann, 3)
  const [first = '', second = '', third = ''] = tokens
  await ann.client.call('economy.send', { to: bob.zid, token_ids: [first, second] })
  await passing(
    [a, b],
    async () => (await listOf(bob)).every((it) => it.arrival === 'received') && (await listOf(bob)).length === 2,
    signal,
  )
  await bob.client.call('economy.file', { folder: 'far', token_ids: [first] })
  await b.node.store.commit((tx) => keepTokenProof(tx, spentTwice(random, { home: random.bytes(32) })))
  let question = 0
  joinInMemory(b, [a], () => {
    question += 1
    return cutAfter(question === 1 ? undefined : 1)
  })
  const lost = await refusal(() => b.node.services.economy.moves.send(bob.caller, { to: ann.zid, token_ids: [second] }))
  assert.equal(lost.details['pending'], true)
  // What is told and cannot be fetched, since the home is away again.
  joinInMemory(b, [])
  await ann.client.call('economy.send', { to: bob.zid, token_ids: [third] })
  await passing([a, b], async () => b.node.store.peek('awayPlace', 'all') !== undefined && (await open(b)), signal)
  // What a node that is away has still to be told: two ops, and between them one that goes the other way.
  const [own = '', back = ''] = await enrich(b, bob, 2)
  for (const token of [own, back]) await bob.client.call('economy.send', { to: ann.zid, token_ids: [token] })
  assert.notEqual(b.node.store.peek('notice', ann.zid)?.first, b.node.store.peek('notice', ann.zid)?.last)
}

const open = async ({ node: { store } }: Awaited<ReturnType<typeof testNode>>): Promise<boolean> => {
  for await (const [, { listed }] of store.range('awayArrival')) if (!listed) return true
  return false
}

/** What may go unseen: it says what is left to do, or what was seen on the way. */
const optional: ReadonlySet<string> = new Set([
  ...['awayOfToken', 'awayArrival', 'awayPending', 'notice'],
  // What stands in no place is kept for good; a ring may begin anew.
  ...['awayEvidenceSlot', 'awayEvidenceNext'],
])

test(
  'rows that are changed or gone are named',
  async (signal) => {
    using dir = tempDir()
    await fill(dir.path, signal)
    await sound(dir.path)
    const level = new Level<string, Uint8Array>(databaseDirectory(dir.path), {
      valueEncoding: 'view',
      compression: false,
    })
    const rows: (readonly [string, Uint8Array])[] = []
    for await (const [key, value] of level.iterator()) rows.push([key, new Uint8Array(value)])
    await level.close()
    const tamper = async (work: (it: typeof level) => Promise<unknown>): Promise<void> => {
      await level.open()
      await work(level)
      await level.close()
    }
    const isSound = async (): Promise<boolean> => (await fsck({ directory: dir.path })).ok
    const seen = new Set<string>()
    for (const [key, value] of rows) {
      const parsed = parseDatabaseKey(key)
      if (parsed === undefined || !/^q.$/.test(tables[parsed.table as TableName].prefix)) continue
      const { table, key: name } = parsed as { table: TableName; key: string }
      seen.add(table)
      if (!optional.has(table)) {
        await tamper((it) => it.del(key))
        assert.equal(await isSound(), false, `${table} ${name} is gone`)
      }
      const row = decodeRow(table, name, value)
      for (const wrong of row instanceof Uint8Array ? [flipped(row)] : wrongsOf(table, row)) {
        await tamper((it) => it.put(key, encodeRow(table, name, wrong as Row<typeof table>)))
        const { bad } = await fsck({ directory: dir.path })
        assert.ok(bad !== null, `${table} ${name} is changed`)
        if (exact.has(table)) assert.deepEqual([bad.table, bad.key], [table, name])
      }
      await tamper((it) => it.put(key, value))
    }
    assert.ok(await isSound())
    const all = (Object.keys(tables) as TableName[]).filter((it) => /^q.$/.test(tables[it].prefix))
    assert.deepEqual(
      all.filter((it) => !seen.has(it)),
      [],
    )
  },
  MS,
)

/** What stands by itself, so that no other row can be accused in its stead. */
const exact: ReadonlySet<string> = new Set(['notice', 'awayEvidence'])

const flipped = (bytes: Uint8Array): Uint8Array => bytes.map((byte, i) => (i === 3 ? byte ^ 1 : byte))

/** The row with another value in the place that says most; of what stands by itself, in every place. */
const wrongsOf = (table: TableName, row: unknown): readonly unknown[] => {
  if (table === 'notice') {
    const { first, last } = row as Row<'notice'>
    const [before, after] = [seqKey(seqOf(first) - 1), seqKey(seqOf(last) + 1)]
    return [
      ...[
        { first: before, last },
        { first: after, last },
        { first, last: before },
      ],
      ...[
        { first, last: after },
        { first: last, last: first },
      ],
    ]
  }
  if (table === 'awayEvidence') return leavesOf(row).map(([path, old]) => replaced(row, path, altered(old)))
  if (table === 'awayEvidenceNext') return [TOKEN_EVIDENCE_PLACES]
  if (typeof row === 'number') return [table === 'awayFolder' ? row + 1 : 0]
  if (typeof row === 'string') return [altered(row)]
  if (table === 'awayArrival') return [{ ...(row as object), done: 9_999 }]
  const [path, old] = leavesOf(row).find(([, it]) => typeof it === 'string' && /^[0-9a-f]{32,}$/.test(it)) ?? [[], row]
  return [replaced(row, path, altered(old))]
}

test.run()
