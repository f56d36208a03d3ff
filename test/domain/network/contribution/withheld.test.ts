/*
 * Goal: a bond that fell by the node's own check loses its envelopes for good, once, with its coins, and nothing else
 * does; counts of who contributes betray nobody; fsck names what does not fit.
 * Method: the owner of a real store, and another ZID whose bond has its home here and whose events come as those of its
 * node; the ledger's sums; rows changed behind the store's back.
 */
import assert from 'node:assert/strict'
import { Level } from 'level'
import { fromHex, toHex } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import { HOUSE } from '#core/ids.ts'
import { nodeIdOf, publicKeyOfSeed, signValue } from '#core/keys.ts'
import { packSorted, placesOf, tokensRoot } from '#core/token/list.ts'
import { opPurpose, type TokenOp } from '#core/token/op.ts'
import { BOND_TOKENS, type Bond, bondName } from '#core/work/bond.ts'
import { DISPUTE_TICKS, SERVE_TICKS } from '#core/work/exposure.ts'
import { censusOf } from '#domain/network/contribution/census.ts'
import { partOf } from '#domain/network/contribution/locks.ts'
import type { HeardMode } from '#domain/network/contribution/types.ts'
import { lastingTypeOf } from '#domain/network/events/index.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { keyOf, type Row, type TableName } from '#store/layout.ts'
import { databaseDirectory } from '#store/lock.ts'
import { databaseKey, decodeRow, encodeRow } from '#store/rows.ts'
import { suite } from '../../../kit/suite.ts'
import { tempDir } from '../../../kit/temp.ts'
import { newAccount, refusal } from '../../house.ts'
import { type Bonded, FACE, openBonded, rich, sealMany, spendFree } from './kit.ts'

const test = suite('contribution: withheld')

const CHALLENGE = 'c'.repeat(64)
const RULING = 'd'.repeat(64)
const PAGE = { limit: 1, offset: 0 }

const said = async (directory: string): Promise<string | null> => {
  const { bad } = await fsck({ directory })
  return bad === null ? null : `${bad.table} ${bad.what}`
}

const facesOf = ({ store }: Bonded, tokens: Iterable<string>): number =>
  [...tokens].reduce((sum, it) => sum + (store.peek('envelope', it)?.face ?? 0), 0)

test('a fallen bond loses envelopes and coins, once, and of soulbound ones the house pays', async () => {
  using dir = tempDir()
  {
    await using house = await openBonded(dir.path)
    const { bound, movable } = await rich(house, { soulbound: 300, movable: 900 })
    const { contribution, owner, store, economy } = house
    const { bond } = await contribution.bond(owner, { token_ids: [...bound, ...movable.slice(0, 700)] })
    await contribution.setMode(owner, 'contributing')
    const balances = () => [owner.zid, HOUSE, 'withheld'].map((it) => store.balance('coin', it))
    const [mine = 0, house0 = 0] = balances()
    const supply = store.supply('coin')
    const events = store.events.size
    const modes: string[] = []
    contribution.onMode((it) => modes.push(it))

    assert.equal(
      (await refusal(() => contribution.withhold({ bond: 'e'.repeat(64), challenge: CHALLENGE, ruling: null }))).code,
      'NOT_FOUND',
    )
    await Promise.all([1, 2, 3].map(() => contribution.withhold({ bond, challenge: CHALLENGE, ruling: RULING })))
    const [free, tied] = [facesOf(house, movable.slice(0, 700)), facesOf(house, bound)]
    assert.deepEqual(balances(), [mine - free, house0 - tied, free + tied])
    assert.equal(store.supply('coin'), supply - free - tied, 'what is withheld is no supply')
    assert.equal(store.events.size, events + 1, 'said once')
    for (const it of [...bound, ...movable.slice(0, 700)]) {
      const row = store.peek('envelope', it)
      assert.deepEqual([row?.lock, row?.spend_seq], [{ kind: 'withheld', ref: RULING, until: null }, 2])
    }
    assert.ok(movable.slice(700).every((it) => store.peek('envelope', it)?.lock === null))
    assert.deepEqual(
      [contribution.mode, modes.join(), (await contribution.status(owner, PAGE)).bond],
      ['idle', 'idle', null],
    )
    assert.equal((await refusal(() => contribution.release(owner))).code, 'NOT_BONDED')
    assert.equal((await refusal(() => contribution.setMode(owner, 'contributing'))).code, 'NOT_BONDED')

    const other = await newAccount(house, 'other')
    const sent = await refusal(() => economy.moves.send(owner, { to: other.zid, token_ids: [movable[0] ?? ''] }))
    assert.deepEqual([sent.code, sent.details['kind']], ['ENVELOPE_LOCKED', 'withheld'])
    const again = await refusal(() => contribution.bond(owner, { token_ids: [...bound, ...movable.slice(0, 700)] }))
    assert.deepEqual([again.code, again.details['kind']], ['ENVELOPE_LOCKED', 'withheld'])
    const few = await refusal(() => contribution.bond(owner, {}))
    assert.equal(few.code, 'BOND_TOO_SMALL')
  }
  assert.equal(await said(dir.path), null)
}, 120_000)

/** An account whose node is elsewhere, and whose envelopes have their home here: it signs, and its node says so. */
const stranger = async (house: Bonded) => {
  const account = await newAccount(house, 'stranger')
  if (!('zid' in account.caller)) throw new Error('an account has a ZID')
  await spendFree(house, account.caller)
  const tokens = await sealMany(house, account.caller, { count: BOND_TOKENS, funding: 'paid' })
  const { seed } = await house.identity.exportKey(account.caller)
  const node = nodeIdOf(publicKeyOfSeed(fromHex('1'.repeat(64))))
  const random = '2'.repeat(32)
  const name = bondName(node, random)
  const apply = (part: object, seq: number) => {
    const list = packSorted(tokens.map((token_id) => ({ token_id, spend_seq: seq })))
    const { meshTick } = house.store.now()
    const members = {
      ...{ home: house.store.log.origin, ref: `bond:${name}`, until: null, tokens_root: tokensRoot(list) },
      ...{ count: tokens.length, mesh_tick: meshTick, valid_to: meshTick + 100, ...part },
    }
    const op = Object.fromEntries(Object.entries(members).filter(([, it]) => it !== undefined)) as unknown as TokenOp
    const signature = signValue(fromHex(seed), opPurpose(op), op as unknown as Json)
    const public_key = toHex(publicKeyOfSeed(fromHex(seed)))
    return house.economy.moves.apply({ op, list: [...placesOf(list)], signature, public_key })
  }
  const hear = (type: 'bond' | 'bond.release' | 'withheld', payload: Json, from = node) => {
    const event = { v: 1 as const, type, sourceNodeId: from, seq: 7, tick: house.store.now().meshTick, payload }
    const lasting = lastingTypeOf(type)
    const wrong = lasting?.check(event, payload)
    if (wrong === undefined) return house.store.commit((tx) => lasting?.apply(tx, event, payload)).then(() => undefined)
    return Promise.resolve(wrong)
  }
  return { ...account, tokens, node, random, name, apply, hear }
}

test('a home holds the locks of a bond of another node until its release is over, and withholds it', async () => {
  using dir = tempDir()
  {
    await using house = await openBonded(dir.path)
    const { contribution, store, clock } = house
    const it = await stranger(house)
    const locked = await it.apply({ op: 'lock' }, 0)
    const payload: Bond = {
      ...{
        bond: it.name,
        random: it.random,
        policy: 'open',
        total: BOND_TOKENS,
        parts: [partOf(locked.receipt.receipt)],
      },
    }
    assert.equal((await refusal(() => it.apply({ op: 'unlock' }, 1))).code, 'ENVELOPE_LOCKED', 'no bond is known')
    assert.match((await it.hear('bond', payload as unknown as Json, house.keys.nodeId)) ?? '', /name/)
    assert.match(
      (await it.hear('bond', { ...payload, parts: [{ ...payload.parts[0], count: 999 }] } as unknown as Json)) ?? '',
      /add up/,
    )
    assert.equal(await it.hear('bond', payload as unknown as Json), undefined)
    assert.equal(await it.hear('bond', payload as unknown as Json), undefined, 'twice is once')
    assert.equal(store.peek('bondCount', 'all'), 1)
    const { meshTick } = store.now()
    const release = { bond: it.name, unlocks_at: meshTick + 50 }
    await it.hear('bond.release', release, house.keys.nodeId)
    assert.equal(store.peek('bond', it.name)?.released, null, 'its author alone releases it')
    await it.hear('bond.release', release)
    const end = meshTick + DISPUTE_TICKS + SERVE_TICKS
    assert.equal(store.peek('bond', it.name)?.released?.unlocks_at, end, 'a home counts itself')
    await it.hear('bond.release', { ...release, unlocks_at: end + 20 })
    await it.hear('bond.release', { ...release, unlocks_at: meshTick + 20 })
    assert.equal(store.peek('bond', it.name)?.released?.unlocks_at, end + 20, 'never earlier')
    clock.advanceTicks(DISPUTE_TICKS + SERVE_TICKS + 19)
    assert.equal((await refusal(() => it.apply({ op: 'unlock' }, 1))).code, 'ENVELOPE_LOCKED')
    const list = await contribution.list(it.name, payload.parts[0]?.tokens_root ?? '')
    assert.equal(list === undefined ? '' : tokensRoot(list), payload.parts[0]?.tokens_root)

    const before = store.balance('coin', it.zid)
    await contribution.withhold({ bond: it.name, challenge: CHALLENGE, ruling: null })
    assert.equal(store.balance('coin', 'withheld'), FACE * BOND_TOKENS)
    const own = it.tokens.filter((token) => store.peek('envelope', token)?.soulbound === false)
    assert.equal(store.balance('coin', it.zid), before - FACE * own.length, "of soulbound ones the coin is the house's")
    assert.equal(store.peek('bond', it.name)?.said.length, 1, 'its own word stands with those of other homes')
    clock.advanceTicks(10)
    assert.equal((await refusal(() => it.apply({ op: 'unlock' }, 1))).code, 'SUPERSEDED')
    assert.equal((await refusal(() => it.apply({ op: 'unlock' }, 2))).code, 'SUPERSEDED')
    assert.equal(
      (await refusal(() => it.apply({ op: 'transfer', to: house.owner.zid, ref: undefined }, 2))).code,
      'ENVELOPE_LOCKED',
    )
  }
  assert.equal(await said(dir.path), null)
}, 120_000)

/** Changes rows of a closed directory for one look of fsck. */
const tampering = async (directory: string) => {
  const at = new Level<string, Uint8Array>(databaseDirectory(directory), {
    ...{ keyEncoding: 'utf8', valueEncoding: 'view', compression: false },
  })
  const rows = new Map<string, Uint8Array>()
  for await (const [key, value] of at.iterator()) rows.set(key, new Uint8Array(value))
  await at.close()
  const write = async (key: string, value: Uint8Array | undefined) => {
    await at.open()
    await (value === undefined ? at.del(key) : at.put(key, value))
    await at.close()
  }
  const changed = async (table: TableName, name: string, value: Uint8Array | undefined): Promise<string | null> => {
    const key = databaseKey(table, name)
    await write(key, value)
    const found = await said(directory)
    await write(key, rows.get(key))
    return found
  }
  return {
    without: (table: TableName, name: string) => changed(table, name, undefined),
    edited: <N extends TableName>(table: N, name: string, edit: (row: Row<N>) => Row<N>) => {
      const value = rows.get(databaseKey(table, name))
      assert.ok(value !== undefined, `${table} ${name}`)
      return changed(table, name, encodeRow(table, name, edit(decodeRow(table, name, value))))
    },
  }
}

test('fsck: a bond without its lock, a lock without its bond, a sum that is another one', async () => {
  using dir = tempDir()
  let name = ''
  let token = ''
  {
    await using house = await openBonded(dir.path)
    await rich(house)
    const { contribution, owner } = house
    name = (await contribution.bond(owner, {})).bond
    token = (await contribution.status(owner, PAGE)).attestation.tokens[0]?.token_id ?? ''
    await house.store.commit((tx) => contribution.load(tx, name, { result: tx.meshTick }))
  }
  assert.equal(await said(dir.path), null)
  const rows = await tampering(dir.path)
  assert.match((await rows.without('ownBond', name)) ?? '', /its bond is missing/)
  assert.match((await rows.without('bond', name)) ?? '', /^bondCount /)
  assert.match((await rows.without('bondCount', 'all')) ?? '', /it counts 0/)
  assert.match((await rows.without('contribution', 'own')) ?? '', /it says otherwise/)
  assert.match((await rows.edited('contribution', 'own', (it) => ({ ...it, bond: null }))) ?? '', /it says otherwise/)
  assert.match((await rows.edited('ownBond', name, (it) => ({ ...it, locks: [] }))) ?? '', /it ties 0 tokens/)
  assert.match((await rows.edited('ownBond', name, (it) => ({ ...it, state: 'over' }))) ?? '', /has another lock/)
  assert.match((await rows.edited('ownBond', name, (it) => ({ ...it, state: 'locking' }))) ?? '', /before its locks/)
  assert.match(
    (await rows.edited('bond', name, (it) => ({ ...it, author: `${it.author.slice(0, -1)}x` }))) ?? '',
    /another name/,
  )
  assert.match(
    (await rows.edited('bond', name, (it) => ({ ...it, parts: it.parts.map((part) => ({ ...part, count: 999 })) }))) ??
      '',
    /add up/,
  )
  assert.match(
    (await rows.edited('envelope', token, (it) => ({ ...it, lock: null }))) ?? '',
    /envelope|movable|Movable/i,
  )
  const released = { at: 1, unlocks_at: 2, told: 2 }
  assert.equal(await rows.edited('bond', name, (it) => ({ ...it, released })), null, 'a release alone is no fault')
  assert.match(
    (await rows.edited('contribution', 'own', (it) => ({ ...it, mode: 'contributing', bond: 'f'.repeat(64) }))) ?? '',
    /contribution/,
  )
  assert.match((await rows.edited('bondLoad', name, (it) => it)) ?? 'fits', /fits/)
  {
    await using house = await openBonded(dir.path)
    await house.contribution.withhold({ bond: name, challenge: CHALLENGE, ruling: null })
  }
  const fallen = await tampering(dir.path)
  const digest = await (async () => {
    await using house = await openBonded(dir.path)
    for await (const [key] of house.store.range('withheld')) return key.split('/')[1] ?? ''
    return ''
  })()
  assert.equal(await said(dir.path), null)
  const key = keyOf(name, digest)
  assert.match((await fallen.without('withheld', key)) ?? '', /withholds what no bond lost|are withheld/)
  assert.match(
    (await fallen.edited('withheld', key, (it) => ({ ...it, coins: { ...it.coins, house: 1 } }))) ?? '',
    /other coins/,
  )
  assert.match((await fallen.edited('withheld', key, (it) => ({ ...it, challenge: RULING }))) ?? '', /something else/)
  assert.match((await fallen.edited('bond', name, (it) => ({ ...it, fallen: null }))) ?? '', /withheld/)
  assert.match(
    (await fallen.edited('envelope', token, (it) => ({
      ...it,
      lock: { kind: 'withheld', ref: RULING, until: null },
    }))) ?? '',
    /not by its lock/,
  )
  assert.match((await fallen.edited('envelope', token, (it) => ({ ...it, lock: null }))) ?? '', /moveOfToken/)
}, 180_000)

test('the census shows nothing under three, nor what would give one or two away', () => {
  const many = (count: number, it: HeardMode): HeardMode[] => Array.from({ length: count }, () => it)
  const [a, b, c] = ['a'.repeat(64), 'b'.repeat(64), 'c'.repeat(64)] as const
  assert.deepEqual(censusOf(many(2, { mode: 'idle', kernels: a })), { modes: [], kernels: [] })
  const mixed = [
    ...many(5, { mode: 'contributing', kernels: a }),
    ...many(4, { mode: 'contributing', kernels: b }),
    ...many(1, { mode: 'contributing', kernels: c }),
    ...many(3, { mode: 'experimenting', kernels: a }),
    ...many(2, { mode: 'idle', kernels: a }),
  ]
  assert.deepEqual(censusOf(mixed), {
    modes: [
      { mode: 'contributing', nodes: 10 },
      { mode: 'experimenting', nodes: 3 },
    ],
    kernels: [
      // With those of `b` beside it the one of `c` would follow from the sum.
      { mode: 'contributing', kernels: a, nodes: 5 },
      { mode: 'experimenting', kernels: a, nodes: 3 },
    ],
  })
  for (let seed = 0; seed < 200; seed += 1) {
    const heard = Array.from({ length: seed % 17 }, (_, i): HeardMode => {
      return {
        mode: (['idle', 'contributing', 'experimenting'] as const)[(seed * 7 + i * i) % 3] ?? 'idle',
        kernels: [a, b, c][(seed + i * 5 + (i >> 1)) % 3] ?? a,
      }
    })
    const { modes, kernels } = censusOf(heard)
    for (const { mode, nodes } of modes) {
      const of = kernels.filter((it) => it.mode === mode)
      const left = nodes - of.reduce((sum, it) => sum + it.nodes, 0)
      assert.ok(nodes >= 3 && of.every((it) => it.nodes >= 3) && (left === 0 || left >= 3), `seed ${seed}`)
    }
    assert.ok(kernels.every((it) => modes.some(({ mode }) => mode === it.mode)))
  }
})

test.run()
