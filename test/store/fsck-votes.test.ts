/**
 * Goal: no row of votes can be changed or go missing without fsck naming it; a stake without its lock and a lock
 * without its stake are named as that. Method: the directory of a node with a draft, a vote that was counted and one
 * that is open, with locks in each of their states.
 */
import assert from 'node:assert/strict'
import { Level } from 'level'
import { opDigest } from '#core/token/op.ts'
import { WINDOW_TICKS_MIN } from '#core/vote/documents.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { keyOf, type Row, type TableName, tables } from '#store/layout.ts'
import { databaseDirectory } from '#store/lock.ts'
import { countKeys } from '#store/rows/vote.ts'
import { databaseKey, decodeRow, encodeRow, parseDatabaseKey } from '#store/rows.ts'
import { testNode } from '../kit/node.ts'
import { proposed } from '../kit/proposal.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { until } from '../kit/until.ts'
import { wealthyAccount } from '../kit/wealth.ts'

const test = suite('store: fsck of votes')
const MS = 120_000

const { row, cases } = proposed

/** A directory with votes. @returns the vote that is open */
const fill = async (directory: string, signal: AbortSignal): Promise<string> => {
  await using it = await testNode({ directory })
  const { client, movable } = await wealthyAccount(it, { movable: 3 })
  const [one = '', two = '', three = ''] = movable
  const open = async (): Promise<string> => {
    const { id } = await client.call('network.propose', { row, cases, window_ticks: WINDOW_TICKS_MIN })
    await client.call('network.open-vote', { id })
    return id
  }
  const counts = async (id: string): Promise<void> => {
    await it.advanceTicks(1)
    await until(async () => {
      await it.node.beat()
      return (await client.call('network.proposal', { id })).stakes[0]?.counting === 'unwitnessed'
    }, signal)
  }
  const over = await open()
  await client.call('network.stake', { id: over, side: 'yes', token_ids: [one] })
  await counts(over)
  await it.advanceTicks(WINDOW_TICKS_MIN + 1)
  await client.call('network.resolve', { id: over })
  const id = await open()
  await client.call('network.stake', { id, side: 'no', token_ids: [two] })
  await counts(id)
  // Its leaf is under no checkpoint yet.
  await client.call('network.stake', { id, side: 'no', token_ids: [three] })
  await client.call('network.propose', { row, cases })
  return id
}

/** A directory that can be tampered with. */
const opened = async (directory: string) => {
  const level = new Level<string, Uint8Array>(databaseDirectory(directory), {
    valueEncoding: 'view',
    compression: false,
  })
  const rows = new Map<string, Uint8Array>()
  for await (const [key, value] of level.iterator()) rows.set(key, new Uint8Array(value))
  await level.close()
  const tamper = async (work: (it: typeof level) => Promise<unknown>): Promise<void> => {
    await level.open()
    await work(level)
    await level.close()
  }
  const bad = async (): Promise<string> => {
    const found = (await fsck({ directory })).bad
    return found === null ? '' : `${found.table}: ${found.what}`
  }
  const get = <N extends TableName>(table: N, key: string): Row<N> | undefined => {
    const value = rows.get(databaseKey(table, key))
    return value === undefined ? undefined : decodeRow(table, key, value)
  }
  return { rows, tamper, bad, get }
}

const votes = (Object.keys(tables) as TableName[]).filter((it) => /^y.$/.test(tables[it].prefix))

test(
  'rows that are changed or gone are named',
  async (signal) => {
    using dir = tempDir()
    await fill(dir.path, signal)
    const { rows, tamper, bad } = await opened(dir.path)
    assert.equal(await bad(), '')
    const seen = new Set<TableName>()
    for (const [key, value] of rows) {
      const parsed = parseDatabaseKey(key)
      if (parsed === undefined || !votes.includes(parsed.table)) continue
      seen.add(parsed.table)
      await tamper((it) => it.del(key))
      assert.notEqual(await bad(), '', `${key} is gone`)
      const flipped = value.map((byte, i) => (i === value.length - 1 ? byte ^ 1 : byte))
      await tamper((it) => it.put(key, flipped))
      assert.notEqual(await bad(), '', `${key} is changed`)
      await tamper((it) => it.put(key, value))
    }
    assert.equal(await bad(), '')
    assert.deepEqual(
      votes.filter((it) => !seen.has(it)),
      [],
    )
  },
  MS,
)

test(
  'a stake without its lock and a lock without its stake are named as that, and a well-formed lie by what it breaks',
  async (signal) => {
    using dir = tempDir()
    const id = await fill(dir.path, signal)
    const { rows, tamper, bad, get } = await opened(dir.path)
    const put = <N extends TableName>(table: N, key: string, value: Row<N> | undefined) =>
      tamper((it) => {
        const name = databaseKey(table, key)
        return value === undefined ? it.del(name) : it.put(name, encodeRow(table, key, value))
      })
    const restore = (): Promise<void> =>
      tamper(async (it) => {
        for await (const key of it.keys()) if (!rows.has(key)) await it.del(key)
        for (const [key, value] of rows) await it.put(key, value)
      })
    const keysOf = (table: TableName): readonly string[] =>
      [...rows.keys()].flatMap((it) => {
        const parsed = parseDatabaseKey(it)
        return parsed?.table === table ? [parsed.key] : []
      })
    const ops = keysOf('stakeOp').map((key) => ({ key, row: get('stakeOp', key)! }))
    assert.deepEqual(ops.map(({ row: it }) => it.state).sort(), ['locked', 'returned', 'staked'])
    const staked = ops.find(({ row: it }) => it.state === 'staked')!

    // A lock that was never made.
    const { op } = staked.row.signed
    const made = { ...staked.row, signed: { ...staked.row.signed, op: { ...op, valid_to: op.valid_to - 1 } } }
    const never = opDigest(made.signed.op)
    await put('stakeOp', never, { ...made, state: 'locked', stake: null })
    await put('stakeOpen', never, true)
    await put('voteCount', countKeys.ops, 4)
    assert.match(await bad(), /^stakeOp: a stake without its lock/)
    await restore()

    // A stake that is gone, with all that counts it.
    await put('stake', keyOf(id, staked.row.stake ?? ''), undefined)
    await put('voteCount', countKeys.stakes(id), 0)
    await put('voteCount', countKeys.stakesAll, 1)
    assert.match(await bad(), /^stakeOp: a lock without its stake/)
    await restore()

    // A stake of this node that knows of no lock.
    await put('stakeOp', staked.key, { ...staked.row, state: 'locked', stake: null })
    assert.match(await bad(), /^stake: a stake without its lock/)
    await restore()

    // Another side than was signed.
    const key = keyOf(id, staked.row.stake ?? '')
    const kept = get('stake', key)!
    const turned = { ...kept.signed, stake: { ...kept.signed.stake, side: 'yes' as const } }
    await put('stake', key, { ...kept, signed: turned })
    assert.match(await bad(), /^stake: The stake is not signed by the key/)
    await restore()

    // A longer window.
    const proposal = get('proposal', id)!
    await put('proposal', id, { ...proposal, proposal: { ...proposal.proposal, window_ticks: 200_000 } })
    assert.match(await bad(), /^proposal: it has another id/)
    await restore()
    assert.equal(await bad(), '')
  },
  MS,
)

test.run()
