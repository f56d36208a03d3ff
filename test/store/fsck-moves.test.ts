/*
 * Goal: fsck names whatever does not fit between ops, coins, owners, locks and intents. Method: a directory in which
 * envelopes moved, written by the real services; its rows are then made to disagree behind the store's back, each time
 * so that all that is not about the move still fits. A home that applies two ops at one count of a token's changes
 * writes all of their rows by the same function as an honest one, and skips the decision.
 */
import assert from 'node:assert/strict'
import { Level } from 'level'
import { fromHex } from '#core/bytes.ts'
import type { Caller } from '#core/caller.ts'
import type { Json } from '#core/canonical.ts'
import { signValue } from '#core/keys.ts'
import { packSorted, placeAt, type TokenPlace, tokensRoot } from '#core/token/list.ts'
import { opDigest, opPurpose, type SignedOp, type TokenOp } from '#core/token/op.ts'
import { createAppend } from '#domain/economy/moving/append.ts'
import { moveToken } from '#domain/economy/moving/rows.ts'
import { type FsckReport, fsck } from '#store/fsck/fsck.ts'
import { keyOf, type Row, seqKey, type TableName } from '#store/layout.ts'
import { databaseDirectory } from '#store/lock.ts'
import { chunkKey, putList } from '#store/op-lists.ts'
import { databaseKey, decodeRow, encodeRow, parseDatabaseKey } from '#store/rows.ts'
import { type House, lockOp, newAccount, openHouse, wealthy } from '../domain/house.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'

const test = suite('fsck: moves')

const FACE = 5
/** Two batches of rows and a part of a third. */
const LONG = 300

const withLevel = async <T>(directory: string, work: (level: Level<string, Uint8Array>) => Promise<T>): Promise<T> => {
  const level = new Level<string, Uint8Array>(databaseDirectory(directory), {
    keyEncoding: 'utf8',
    valueEncoding: 'view',
    compression: false,
  })
  await level.open()
  try {
    return await work(level)
  } finally {
    await level.close()
  }
}

type Edit = readonly [key: string, value: Uint8Array | undefined]

/** The rows of a closed directory, and how they are changed for one look of fsck. */
const openRows = async (directory: string) => {
  const rows = new Map<string, Uint8Array>()
  await withLevel(directory, async (level) => {
    for await (const [key, value] of level.iterator()) rows.set(key, new Uint8Array(value))
  })
  const get = <N extends TableName>(table: N, key: string): Row<N> => {
    const value = rows.get(databaseKey(table, key))
    assert.ok(value !== undefined, `${table} ${key}`)
    return decodeRow(table, key, value)
  }
  const put = <N extends TableName>(table: N, key: string, row: Row<N>): Edit => [
    databaseKey(table, key),
    encodeRow(table, key, row),
  ]
  const write = (edits: readonly Edit[]): Promise<void> =>
    withLevel(directory, async (level) => {
      for (const [key, value] of edits) await (value === undefined ? level.del(key) : level.put(key, value))
    })
  return {
    get,
    put,
    edit: <N extends TableName>(table: N, key: string, change: (row: Row<N>) => Row<N>): Edit =>
      put(table, key, change(get(table, key))),
    del: (table: TableName, key: string): Edit => [databaseKey(table, key), undefined],
    keysOf: (table: TableName): readonly string[] =>
      [...rows.keys()].map(parseDatabaseKey).flatMap((it) => (it?.table === table ? [it.key] : [])),
    /** What fsck says of changed rows; they are as before afterwards. */
    said: async (...edits: readonly Edit[]): Promise<string> => {
      await write(edits)
      const report = await fsck({ directory })
      await write(edits.map(([key]): Edit => [key, rows.get(key)]))
      return named(report)
    },
  }
}

const named = ({ ok, bad }: FsckReport): string => {
  assert.equal(ok, false)
  assert.ok(bad !== null)
  return `${bad.table} ${bad.key}: ${bad.what}`
}

/** Three envelopes of which one is tied by a vote, one is sent, and one stays as it is. */
const fill = async (directory: string) => {
  await using house = await openHouse(directory)
  const [from, to] = [await wealthy(house, 3), await newAccount(house, 'to')]
  const [tied = '', sent = '', still = ''] = from.tokens
  const lock = await house.economy.moves.apply(
    await lockOp(house, from.caller, { token_id: tied, until: 9_007_199_254_740_991 }),
  )
  const move = await house.economy.moves.send(from.caller, { to: to.zid, token_ids: [sent] })
  assert.ok(lock.serial !== null && move.move.serial !== null, 'their leaves are in the log of this node')
  const [locked, moved] = [seqKey(lock.serial), seqKey(move.move.serial)]
  return { from: from.zid, to: to.zid, tied, sent, still, locked, moved, digest: move.move.op_digest }
}

test('a coin without its move, and a move without its coin', async () => {
  using dir = tempDir()
  const { from, to, still, moved, digest } = await fill(dir.path)
  assert.equal((await fsck({ directory: dir.path })).bad, null)
  const rows = await openRows(dir.path)
  const { transfers } = rows.get('writer', 'state')
  const last = rows.get('transfer', seqKey(transfers - 1))
  assert.deepEqual([last.ref, last.reason, last.amount], [digest, 'transfer', FACE])
  const balances = (of: number, ofTo: number | undefined): readonly Edit[] => [
    rows.edit('balance', keyOf('coin', from), (it) => it + of),
    ofTo === undefined ? rows.del('balance', keyOf('coin', to)) : rows.put('balance', keyOf('coin', to), ofTo),
  ]
  const counted = (by: number): Edit => rows.edit('writer', 'state', (it) => ({ ...it, transfers: transfers + by }))
  const strange = '0'.repeat(64)
  assert.equal(
    await rows.said(
      rows.put('transfer', seqKey(transfers), { ...last, ref: strange }),
      counted(1),
      ...balances(-FACE, 2 * FACE),
    ),
    `move ${strange}: coins moved without the op`,
  )
  const bare = `move ${moved}: its coins did not move with it`
  assert.equal(
    await rows.said(rows.del('transfer', seqKey(transfers - 1)), counted(-1), ...balances(FACE, undefined)),
    bare,
  )
  const less = { ...last, amount: last.amount - 1 }
  assert.equal(await rows.said(rows.put('transfer', seqKey(transfers - 1), less), ...balances(1, FACE - 1)), bare)
  const twice = rows.put('transfer', seqKey(transfers), last)
  assert.equal(
    await rows.said(twice, counted(1), ...balances(-FACE, 2 * FACE)),
    `move ${digest}: coins moved without the op`,
  )
  // For a reason that no op has, so that no op is missed.
  const given = { ...last, reason: 'lock', ref: still }
  assert.equal(
    await rows.said(rows.put('transfer', seqKey(transfers), given), counted(1), ...balances(-FACE, 2 * FACE)),
    // Both accounts are off, and the first of them is named.
    from < to
      ? `balance ${keyOf('coin', from)}: it is ${FACE}, and the envelopes of this account weigh ${2 * FACE}`
      : `balance ${keyOf('coin', to)}: it is ${2 * FACE}, and the envelopes of this account weigh ${FACE}`,
  )
  const away = { ...given, credit: 'withheld', amount: 2 * FACE }
  assert.equal(
    await rows.said(
      ...[rows.put('transfer', seqKey(transfers), away), counted(1)],
      ...[rows.put('balance', keyOf('coin', from), 0), rows.put('balance', keyOf('coin', 'withheld'), 2 * FACE)],
    ),
    `balance ${keyOf('coin', from)}: it is 0, and the envelopes of this account weigh ${2 * FACE}`,
  )
  const all = { ...given, debit: to, credit: 'nobody', amount: FACE }
  assert.equal(
    await rows.said(
      ...[rows.put('transfer', seqKey(transfers), all), counted(1)],
      ...[rows.put('balance', keyOf('coin', to), 0), rows.put('balance', keyOf('coin', 'nobody'), FACE)],
    ),
    `balance ${keyOf('coin', 'nobody')}: it is ${FACE}, and the envelopes of this account weigh 0`,
  )
})

test('a lock and an owner without an op, or with another than its op made', async () => {
  using dir = tempDir()
  const { from, to, tied, sent, still, locked, moved } = await fill(dir.path)
  const rows = await openRows(dir.path)
  const lock = { kind: 'vote', ref: 'test', until: null } as const
  const wrong = (token: string): string => `envelope ${token}: its owner or lock is not what its ops made of it`
  const envelope = (token: string, part: Partial<Row<'envelope'>>): Edit =>
    rows.edit('envelope', token, (it) => ({ ...it, ...part }))
  const missing = `moveOfToken ${keyOf(still, seqKey(1))}: the row is missing`
  assert.equal(await rows.said(envelope(still, { lock })), wrong(still))
  assert.equal(await rows.said(envelope(still, { lock, spend_seq: 1 })), missing)
  assert.equal(await rows.said(envelope(tied, { lock: null })), wrong(tied))
  assert.equal(await rows.said(envelope(tied, { lock })), wrong(tied))
  assert.equal(await rows.said(envelope(still, { listed_under: to })), wrong(still))
  assert.equal(await rows.said(envelope(still, { listed_under: to, spend_seq: 1 })), missing)
  assert.equal(await rows.said(envelope(sent, { listed_under: from })), wrong(sent))
  // What changed a token is an op that lists it, at that count, and that its owner could have had applied.
  const blamed = (token: string, seq: number, place: string) =>
    rows.put('moveOfToken', keyOf(token, seqKey(seq)), place)
  const unlisted = (token: string): string =>
    `envelope ${token}: an op that is said to have changed it does not list it`
  assert.equal(await rows.said(envelope(still, { lock, spend_seq: 1 }), blamed(still, 1, locked)), unlisted(still))
  assert.equal(await rows.said(envelope(sent, { spend_seq: 2 }), blamed(sent, 2, moved)), unlisted(sent))
  assert.equal(
    await rows.said(rows.del('move', locked), rows.del('moveOfToken', keyOf(tied, seqKey(1)))),
    `moveOfToken ${keyOf(tied, seqKey(1))}: the row is missing`,
  )
  assert.equal(await rows.said(rows.del('move', locked)), `move ${locked}: token ${tied} names it, and it is missing`)
})

test('an intent that is gone while rows are missing, that counts wrong, and that is of no op', async () => {
  using dir = tempDir()
  {
    const house = await openHouse(dir.path)
    const [from, to] = [await wealthy(house, LONG), await newAccount(house, 'to')]
    await house.economy.moves.send(from.caller, { to: to.zid, token_ids: from.tokens })
    // The process ends here, as a crash would end it: some of the rows are not written.
    await house.store[Symbol.asyncDispose]()
  }
  assert.equal((await fsck({ directory: dir.path })).bad, null)
  const rows = await openRows(dir.path)
  const [place = ''] = rows.keysOf('intent')
  const { done } = rows.get('intent', place)
  assert.ok(done < LONG, `${done} rows are written`)
  const counts = (gives: number): string => `moveOfToken : there are ${done} rows, and the leaves of ops give ${gives}`
  assert.equal(await rows.said(rows.del('intent', place)), counts(LONG))
  const counting = (to: number): Promise<string> => rows.said(rows.put('intent', place, { done: to }))
  assert.equal(await counting(done + 1), counts(done + 1))
  for (const to of [LONG, LONG + 1, -1, 0.5])
    assert.equal(await counting(to), `intent ${place}: it counts past its list`)
  if (done > 0) assert.equal(await counting(done - 1), `intent ${place}: more is done than it counts`)
  // Rows that are still to be written are as the op found them, and coins and weight count them where they belong.
  const { digest, from } = rows.get('move', place)
  const next = placeAt(rows.get('moveList', chunkKey(digest, 0)), done).token_id
  const tie = { kind: 'vote', ref: 'test', until: null } as const
  const row = rows.get('envelope', next)
  assert.equal(row.listed_under, from)
  assert.equal(
    await rows.said(rows.put('envelope', next, { ...row, lock: tie })),
    `envelope ${next}: its owner or lock is not what its ops made of it`,
  )
  const written = rows.put('envelope', next, { ...row, spend_seq: 1 })
  const blamed = rows.put('moveOfToken', keyOf(next, seqKey(1)), place)
  assert.equal(await rows.said(written, blamed), `envelope ${next}: its owner or lock is not what its ops made of it`)
  const nowhere = seqKey(1)
  assert.equal(await rows.said(rows.put('intent', nowhere, { done: 0 })), `intent ${nowhere}: its op is missing`)
}, 30_000)

/** An op on some places, signed by an account whose key the node hands out. */
const opOf = async (house: House, caller: Caller, places: readonly TokenPlace[], part: object): Promise<SignedOp> => {
  const { meshTick } = house.store.now()
  const op = {
    ...{ home: house.store.log.origin, tokens_root: tokensRoot(packSorted(places)), count: places.length, until: null },
    ...{ mesh_tick: meshTick, valid_to: meshTick + 100, ...part },
  } as unknown as TokenOp
  const { seed } = await house.identity.exportKey(caller)
  const { public_key } = await house.identity.account(caller)
  return { op, public_key, signature: signValue(fromHex(seed), opPurpose(op), op as unknown as Json) }
}

test('a second op leaf, with its receipt and coins, at one count of a token’s changes', async () => {
  for (const blamed of [undefined, 1, 2]) {
    using dir = tempDir()
    let token = ''
    let place = ''
    {
      await using house = await openHouse(dir.path)
      const [from, one, other] = [await wealthy(house, 3), await newAccount(house, 'b'), await newAccount(house, 'c')]
      token = from.tokens[0] ?? ''
      const places = [{ token_id: token, spend_seq: 0 }]
      const first = await opOf(house, from.caller, places, { op: 'transfer', to: one.zid })
      const second = await opOf(house, from.caller, places, { op: 'transfer', to: other.zid })
      await house.economy.moves.apply({ ...first, list: places })
      const append = createAppend(house.store, house.keys.signer)
      const digest = opDigest(second.op)
      // What a home does that was asked twice and says yes to both.
      const serial = await house.store.commit((tx) => {
        const { serial: at } = append(tx, second, { digest, from: from.zid, weight: FACE, beside: undefined })
        putList(tx.put, 'moveList', { digest, list: packSorted(places) })
        if (blamed !== undefined) tx.put('moveOfToken', keyOf(token, seqKey(blamed)), seqKey(at))
        return at
      })
      place = seqKey(serial)
      assert.equal(house.store.peek('move', place)?.digest, digest, 'both ops have leaf and receipt')
    }
    const found = named(await fsck({ directory: dir.path }))
    const expected = new Map([
      [undefined, 'moveOfToken : there are 1 rows, and the leaves of ops give 2'],
      [1, `envelope ${token}: its owner or lock is not what its ops made of it`],
      [2, 'moveOfToken : envelopes changed 1 times, and the leaves of ops give 2'],
    ])
    assert.equal(found, expected.get(blamed), `blamed ${blamed}`)
  }
})

test('an op whose weight is not the sum of the faces, with coins and a receipt that say the same', async () => {
  using dir = tempDir()
  let place = ''
  {
    await using house = await openHouse(dir.path)
    const [from, to] = [await wealthy(house, 3), await newAccount(house, 'b')]
    const places = [{ token_id: from.tokens[0] ?? '', spend_seq: 0 }]
    const signed = await opOf(house, from.caller, places, { op: 'transfer', to: to.zid })
    const digest = opDigest(signed.op)
    const append = createAppend(house.store, house.keys.signer)
    const serial = await house.store.commit((tx) => {
      const { serial: at } = append(tx, signed, { digest, from: from.zid, weight: FACE + 1, beside: undefined })
      putList(tx.put, 'moveList', { digest, list: packSorted(places) })
      const context = { publicKey: signed.public_key, speaksFor: () => true, meshTick: tx.meshTick }
      for (const it of places) moveToken(tx, it, { op: signed.op, context, serial: seqKey(at) })
      return at
    })
    place = seqKey(serial)
  }
  assert.equal(named(await fsck({ directory: dir.path })), `move ${place}: its tokens weigh ${FACE}`)
})

test('an op whose coins come from another account than owned its tokens', async () => {
  using dir = tempDir()
  let [token, place] = ['', '']
  {
    await using house = await openHouse(dir.path)
    const [owner, payer] = [await wealthy(house, 3), await wealthy(house, 3)]
    const to = await newAccount(house, 'to')
    token = owner.tokens[0] ?? ''
    const places = [{ token_id: token, spend_seq: 0 }]
    const signed = await opOf(house, owner.caller, places, { op: 'transfer', to: to.zid })
    const digest = opDigest(signed.op)
    const append = createAppend(house.store, house.keys.signer)
    const serial = await house.store.commit((tx) => {
      const { serial: at } = append(tx, signed, { digest, from: payer.zid, weight: FACE, beside: undefined })
      putList(tx.put, 'moveList', { digest, list: packSorted(places) })
      const context = { publicKey: signed.public_key, speaksFor: () => true, meshTick: tx.meshTick }
      for (const it of places) moveToken(tx, it, { op: signed.op, context, serial: seqKey(at) })
      return at
    })
    place = seqKey(serial)
  }
  assert.equal(named(await fsck({ directory: dir.path })), `move ${place}: token ${token} was not its owner's`)
})

test('an intent on a token of somebody else, or of another weight', async () => {
  for (const wrong of ['owner', 'weight'] as const) {
    using dir = tempDir()
    let [strange, place] = ['', '']
    {
      await using house = await openHouse(dir.path)
      const [owner, other] = [await wealthy(house, 3), await wealthy(house, 3)]
      const to = await newAccount(house, 'to')
      strange = other.tokens[0] ?? ''
      const tokens = [...owner.tokens.slice(0, 2), ...(wrong === 'owner' ? [strange] : [])].sort()
      const places = tokens.map((token_id) => ({ token_id, spend_seq: 0 }))
      const signed = await opOf(house, owner.caller, places, { op: 'transfer', to: to.zid })
      const digest = opDigest(signed.op)
      const append = createAppend(house.store, house.keys.signer)
      const weight = FACE * tokens.length - (wrong === 'weight' ? 1 : 0)
      const serial = await house.store.commit((tx) => {
        const { serial: at } = append(tx, signed, { digest, from: owner.zid, weight, beside: undefined })
        putList(tx.put, 'moveList', { digest, list: packSorted(places) })
        tx.put('intent', seqKey(at), { done: 0 })
        return at
      })
      place = seqKey(serial)
    }
    const expected = {
      owner: `intent ${place}: token ${strange} is not as its op found it`,
      weight: `move ${place}: its tokens weigh ${2 * FACE}`,
    }
    assert.equal(named(await fsck({ directory: dir.path })), expected[wrong])
  }
})

test.run()
