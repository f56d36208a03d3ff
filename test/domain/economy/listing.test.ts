/*
 * Goal: lists of envelopes answer at once while a long move is under way, with what it decided: never a part of it,
 * with the right totals, folders and pages; and home and state narrow them.
 * Method: after every durable write the writer stands still, and both lists are read in every way there is to read one.
 * Each reading is that of before the leaf or that of after it, as a plain filter over the envelopes gives them. A start
 * after a crash is read before it has written anything.
 */
import assert from 'node:assert/strict'
import type { Caller } from '#core/caller.ts'
import { breathe } from '#core/wait.ts'
import type { EnvelopeItem } from '#domain/economy/views.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { fixedClock } from '../../kit/clock.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { callerOf, type House, lockOp, openHouse, openRooms, ownerCaller, refusal, sealOne, wealthy } from '../house.ts'

const test = suite('economy: lists')

/** Three batches of rows. */
const SENT = 300
/** Of each of both accounts, in turn. */
const LATER = 15
const PAGE = 37

interface Who {
  readonly zid: string
  readonly caller: Caller
}
type Query = Parameters<House['economy']['envelopes']>[2]
type Narrowed = Omit<Query, 'limit' | 'offset' | 'before'>

/** What an envelope is, as far as lists sort and show it. */
type Known = Pick<EnvelopeItem, 'token_id' | 'folder' | 'owner' | 'spend_seq' | 'movable' | 'tick'> & { index: number }
const knownOf = ({ token_id, folder, owner, spend_seq, movable, tick, index }: EnvelopeItem): Known => ({
  ...{ token_id, folder, owner, spend_seq, movable, tick, index },
})

/** All pages, one after another. */
const walked = async (house: House, { zid, caller }: Who, query: Narrowed) => {
  const found: Known[] = []
  const totals = new Set<number>()
  let before: string | undefined
  do {
    const page = await house.economy.envelopes(zid, caller, { ...query, limit: PAGE, offset: 0, before })
    found.push(...page.envelopes.map(knownOf))
    totals.add(page.total)
    before = page.next ?? undefined
  } while (before !== undefined)
  return { found, totals: [...totals] }
}

const queries: readonly Narrowed[] = [
  {},
  { movable: true },
  { folder: '' },
  { folder: 'kept' },
  { folder: 'kept', movable: true },
  { q: 'a' },
  { state: 'final' },
  { state: 'final', movable: true },
  { state: 'promised' },
]

/** A list, read in every way, in one moment each. */
const reading = async (house: House, who: Who) => {
  const { zid, caller } = who
  const one = async (query: Narrowed) => {
    const page = await house.economy.envelopes(zid, caller, { ...query, limit: 1_000, offset: 0 })
    return { query, total: page.total, found: page.envelopes.map(knownOf) }
  }
  const skipping = house.economy.envelopes(zid, caller, { limit: 5, offset: 111 })
  const pages = queries.map(one)
  const folders = house.economy.folders(zid, caller)
  return {
    pages: await Promise.all(pages),
    skipped: (await skipping).envelopes.map(knownOf),
    folders: (await folders).folders,
  }
}
type Reading = Awaited<ReturnType<typeof reading>>

const means = (it: Known, { folder, movable, q, state }: Narrowed): boolean =>
  (folder === undefined || it.folder === folder) &&
  (movable !== true || it.movable) &&
  (q === undefined || it.token_id.startsWith(q)) &&
  // Since they were sealed, some ticks have passed.
  (state === undefined || state === 'final')

/** The same by a plain filter. Hashes too may begin with what is looked for, so that is compared apart. */
const expected = (all: readonly Known[], { zid }: Who): Reading => {
  const mine = all.filter((it) => it.owner === zid).toSorted((a, b) => b.index - a.index)
  const names = [...new Set(mine.map((it) => it.folder))].toSorted()
  return {
    pages: queries.map((query) => {
      const found = mine.filter((it) => means(it, query))
      return { query, total: found.length, found: found.slice(0, 1_000) }
    }),
    skipped: mine.slice(111, 116),
    folders: names.map((folder) => ({ folder, count: mine.filter((it) => it.folder === folder).length })),
  }
}

/** Found by token id alone. */
const byToken = ({ pages, ...rest }: Reading): unknown => ({
  ...rest,
  pages: pages.map(({ query, total, found }) => {
    const { q } = query
    const some = q === undefined ? found : found.filter((it) => it.token_id.startsWith(q))
    return { query, total: total - (found.length - some.length), found: some }
  }),
})

/** Two accounts, whose last envelopes were minted in turn; some are filed, some tied by a vote. */
const fill = async (house: House) => {
  const [a, b] = [await wealthy(house, SENT), await wealthy(house, 40)]
  const later: string[] = []
  for (const { zid } of [a, b]) await house.economy.grant(ownerCaller(house), { zid, credits: 5 * LATER })
  for (let i = 0; i < 2 * LATER; i += 1) {
    const { caller } = i % 2 === 0 ? a : b
    const { token_id } = await sealOne(house, { caller, credits: 5 })
    if (caller === a.caller) later.push(token_id)
  }
  await house.economy.file(a.caller, { folder: 'kept', token_ids: a.tokens.filter((_, i) => i % 3 === 0) })
  await house.economy.file(b.caller, { folder: 'kept', token_ids: b.tokens.slice(0, 7) })
  const { meshTick } = house.store.now()
  for (const token_id of a.tokens.slice(0, 3)) {
    await house.economy.moves.apply(await lockOp(house, a.caller, { token_id, until: meshTick + 50 }))
  }
  // Of those three a lock that has ended ties nothing, and its index row is there all the same.
  await house.economy.moves.apply(await lockOp(house, b.caller, { token_id: b.tokens[9] ?? '', until: meshTick + 2 }))
  house.clock.advanceTicks(3)
  await house.store.closeTick()
  house.clock.advanceTicks(3)
  const movable = [...a.tokens.slice(3), ...later]
  return { a, b, movable }
}

const everything = async (house: House, who: readonly Who[]): Promise<readonly Known[]> =>
  (await Promise.all(who.map((it) => walked(house, it, {})))).flatMap(({ found }) => found)

/** What a transfer makes of it. */
const sentTo = (all: readonly Known[], tokens: ReadonlySet<string>, to: string): readonly Known[] =>
  all.map((it) => (tokens.has(it.token_id) ? { ...it, owner: to, folder: '', spend_seq: it.spend_seq + 1 } : it))

/** Holds up the writer until it is let go: what is durable stays as it is. */
const freeze = ({ store }: Pick<House, 'store'>): (() => void) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  store.commit((tx) => tx.late(() => promise)).catch(() => undefined)
  return resolve
}

test('whenever a list is read, a long move is whole in it or not there, and after its leaf it is', async () => {
  using dir = tempDir()
  let onWritten: () => void = () => undefined
  const clock = fixedClock()
  {
    const house: House = { ...(await openRooms(dir.path, clock, () => onWritten())), clock }
    await using _ = house.store
    const { a, b, movable } = await fill(house)
    const before = await everything(house, [a, b])
    const going = new Set(movable.filter((_, i) => i % 25 !== 0))
    assert.ok(going.size > 256, 'a long move')
    const after = sentTo(before, going, b.zid)
    const coins = house.store.balance('coin', b.zid)
    /** After each write the writer stands still until both lists were read. */
    let written = Promise.withResolvers<() => void>()
    using freezing = new DisposableStack()
    freezing.defer(() => {
      onWritten = () => undefined
    })
    onWritten = () => written.resolve(freeze(house))
    let over = false
    const [one = ''] = going
    const send = async (): Promise<void> => {
      await house.economy.moves.send(a.caller, { to: b.zid, token_ids: [...going] })
      // Filing waits for the rows; by then the token is the other's.
      const filed = await refusal(() => house.economy.file(a.caller, { folder: 'x', token_ids: [one] }))
      assert.equal(filed.code, 'NOT_FOUND')
      over = true
      written.resolve(() => undefined)
    }
    const sending = send()
    const steps: string[] = []
    while (!over) {
      using still = new DisposableStack()
      still.defer(await written.promise)
      written = Promise.withResolvers()
      // What is durable is taken over in this turn of the event loop.
      await breathe()
      const leaf = house.store.balance('coin', b.zid) > coins
      let open = false
      for await (const __ of house.store.range('intent')) open = true
      steps.push(leaf ? (open ? 'under way' : 'written') : 'not yet')
      for (const who of [a, b]) {
        assert.deepEqual(
          byToken(await reading(house, who)),
          byToken(expected(leaf ? after : before, who)),
          steps.join(),
        )
        const { found, totals } = await walked(house, who, {})
        const [wanted] = expected(leaf ? after : before, who).pages
        assert.deepEqual([found, totals], [wanted?.found, [wanted?.total]])
      }
    }
    freezing.dispose()
    await sending
    assert.equal(steps[0], 'not yet')
    assert.ok(steps.filter((it) => it === 'under way').length >= 3, steps.join())
    assert.equal(steps.at(-1), 'written')
  }
  assert.deepEqual((await fsck({ directory: dir.path })).bad, null)
})

test('after a crash lists are read at once, and say what the leaf said', async () => {
  using dir = tempDir()
  const clock = fixedClock()
  let after: readonly Known[] = []
  let both: readonly { zid: string; api_key: string }[] = []
  {
    const house: House = { ...(await openRooms(dir.path, clock)), clock }
    const { a, b, movable } = await fill(house)
    const before = await everything(house, [a, b])
    const going = new Set(movable)
    after = sentTo(before, going, b.zid)
    both = [a, b]
    await house.economy.moves.send(a.caller, { to: b.zid, token_ids: [...going] })
    await house.store[Symbol.asyncDispose]()
  }
  {
    const house: House = { ...(await openRooms(dir.path, clock)), clock }
    await using _ = house.store
    using still = new DisposableStack()
    still.defer(freeze(house))
    const { rows } = await house.economy.moves.resume()
    const callers = both.map(({ zid, api_key }) => ({ zid, caller: callerOf(house, api_key) }))
    const read = async (): Promise<void> => {
      for (const who of callers) {
        assert.deepEqual(byToken(await reading(house, who)), byToken(expected(after, who)))
      }
    }
    await read()
    let open = 0
    for await (const __ of house.store.range('intent')) open += 1
    assert.equal(open, 1, 'no list waited for the rows')
    still.dispose()
    await rows
    await read()
  }
  assert.deepEqual((await fsck({ directory: dir.path })).bad, null)
})

test('home and state narrow a list, alone and with the rest, with real totals', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const account = await wealthy(house, 12)
  await house.economy.file(account.caller, { folder: 'kept', token_ids: account.tokens.slice(0, 5) })
  house.clock.advanceTicks(1)
  await house.store.closeTick()
  house.clock.advanceTicks(1)
  await house.economy.grant(ownerCaller(house), { zid: account.zid, credits: 100 })
  for (let i = 0; i < 4; i += 1) await sealOne(house, { caller: account.caller, credits: 5 })
  house.clock.advanceTicks(1)
  await house.store.closeTick()
  for (let i = 0; i < 3; i += 1) await sealOne(house, { caller: account.caller, credits: 5 })
  const all = async (query: Narrowed) => {
    const { zid, caller } = account
    const page = await house.economy.envelopes(zid, caller, { ...query, limit: 1_000, offset: 0 })
    assert.equal(page.total, page.envelopes.length)
    return page.envelopes
  }
  const every = await all({})
  assert.deepEqual(new Set(every.map((it) => it.state)), new Set(['final', 'sealed', 'promised']))
  const home = house.store.log.origin
  for (const state of ['final', 'sealed', 'promised'] as const) {
    for (const rest of [{}, { movable: true }, { folder: 'kept' }, { folder: '' }, { q: 'b' }] as const) {
      const plain = (await all(rest)).filter((it) => it.state === state).map((it) => it.token_id)
      for (const at of [{ state }, { state, home }]) {
        const narrowed = (await all({ ...rest, ...at })).map((it) => it.token_id)
        assert.deepEqual(narrowed, plain, JSON.stringify({ ...rest, ...at }))
      }
    }
  }
  assert.deepEqual((await all({ home })).length, every.length)
  assert.deepEqual(await all({ home: home.replace(/\d+$/, '1') }), [])
  const two = await refusal(() =>
    house.economy.envelopes(account.zid, account.caller, { limit: 1, offset: 1, before: `e${'0'.repeat(14)}` }),
  )
  assert.equal(two.code, 'INVALID_INPUT')
  // What is added shifts nothing behind a cursor.
  const first = await house.economy.envelopes(account.zid, account.caller, { limit: 5, offset: 0 })
  await sealOne(house, { caller: account.caller, credits: 5 })
  const second = await house.economy.envelopes(account.zid, account.caller, {
    ...{ limit: 5, offset: 0, before: first.next ?? undefined },
  })
  assert.deepEqual(
    [...first.envelopes, ...second.envelopes].map((it) => it.token_id),
    every.slice(0, 10).map((it) => it.token_id),
  )
  assert.equal(second.total, every.length + 1)
})

test.run()
