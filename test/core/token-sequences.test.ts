/*
 * Goal: whatever ops come in whatever order, a token has one owner at one home, every count of its changes is used
 * once, locks end when they say, and the same op twice is one change. Method: three homes in memory that decide by
 * `core/token/decide.ts` and keep a log; owners who send, tie, pack and redeem, now and then with an old count, at the
 * wrong home, twice, or without owning anything. The rows are held against a plain account of what the logs say, which
 * shares no line with the decision. `npm run hunt -- core/token-sequences` takes other sequences.
 */
import assert from 'node:assert/strict'
import { toHex } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { moved, type TokenRow } from '#core/token/decide.ts'
import { packSorted, type TokenPlace, tokensRoot } from '#core/token/list.ts'
import { assertTimely, opDigest, type TokenOp } from '#core/token/op.ts'
import { type Random, seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core: sequences of ops on tokens')

/** Sequences of one run, and steps of one of them. */
const SEQUENCES = 1_000
const STEPS = 40
const HOMES = 3
const TOKENS_EACH = 4
const LIST_MAX = 3
/** Mesh ticks that a timed lock stands at most, and that an op may be applied after it was signed. */
const LOCK_TICKS_MAX = 12
const VALID_TICKS = 20

const OWNERS = ['zid1a', 'zid1b', 'zid1c', 'zid1d']
const PACKAGES = ['e'.repeat(64), 'f'.repeat(64)]
const REFS = ['vote:p', 'vote:q', 'bond:e']

/** An op and the key that signed it: here a key is the ZID it speaks for, or a package's key. */
interface Order {
  readonly op: TokenOp
  readonly places: readonly TokenPlace[]
  readonly key: string
}
interface Leaf extends Order {
  readonly digest: string
  readonly meshTick: number
}
interface Home {
  readonly origin: string
  readonly rows: Map<string, TokenRow>
  readonly log: Leaf[]
  readonly applied: Map<string, number>
}
interface World {
  readonly random: Random
  readonly homes: readonly Home[]
  readonly sent: Order[]
  meshTick: number
}

const newWorld = (random: Random): World => ({
  random,
  sent: [],
  meshTick: 1_000,
  homes: Array.from({ length: HOMES }, (_, at): Home => {
    const ids = Array.from({ length: TOKENS_EACH }, () => toHex(random.bytes(16)))
    const row = (token_id: string): TokenRow => {
      const soulbound = random.next() < 0.1
      return { token_id, owner: random.pick(OWNERS), soulbound, lock: null, spend_seq: 0 }
    }
    const rows = new Map(ids.map((id) => [id, row(id)] as const))
    return { origin: `tickmesh.dev/${'abc'[at]}`, rows, log: [], applied: new Map() }
  }),
})

/** What a home does with an op: all of its list or none, and the same op again is the same leaf. */
const apply = (home: Home, { op, places, key }: Order, meshTick: number): number => {
  const digest = opDigest(op)
  const before = home.applied.get(digest)
  if (before !== undefined) return before
  assertTimely(op, meshTick)
  if (op.home !== home.origin) throw new Fault('HOME_UNREACHABLE')
  const context = { publicKey: key, speaksFor: (owner: string) => owner === key, meshTick }
  const after = places.map((place) => moved(home.rows.get(place.token_id), place, { op, context }))
  for (const row of after) home.rows.set(row.token_id, row)
  home.applied.set(digest, home.log.length)
  return home.log.push({ op, places, key, digest, meshTick }) - 1
}

type Part = Record<string, unknown>

const partOf = ({ random, meshTick }: World, kind: TokenOp['op']): Part => {
  const until = random.next() < 0.2 ? null : meshTick + random.integer(-1, LOCK_TICKS_MAX)
  if (kind === 'transfer' || kind === 'redeem') return { to: random.pick(OWNERS), until: null }
  if (kind === 'lock') return { ref: random.pick(REFS), until }
  if (kind === 'unlock') return { ref: random.pick(REFS), until: null }
  return { ref: random.pick(PACKAGES), until: kind === 'bearer' ? until : null }
}

/** An op that somebody may well send: mostly on their own tokens as they are, now and then not. */
const drawOrder = (world: World): Order => {
  const { random, homes, meshTick } = world
  const home = random.pick(homes)
  const kind = random.pick(['transfer', 'transfer', 'lock', 'unlock', 'bearer', 'redeem', 'reclaim'] as const)
  const first = random.pick([...home.rows.values()])
  const stranger = random.next() < 0.08
  const owner = stranger ? random.pick(OWNERS) : first.owner
  const key = kind === 'redeem' ? (first.lock?.kind === 'bearer' ? first.lock.ref : random.pick(PACKAGES)) : owner
  const others = [...home.rows.values()].filter((it) => it !== first && it.owner === first.owner)
  const rows = [first, ...(random.next() < 0.3 ? others.slice(0, LIST_MAX - 1) : [])]
  const places = rows.map(({ token_id, spend_seq }) => ({
    token_id,
    spend_seq: random.next() < 0.08 ? Math.max(0, spend_seq + random.pick([-1, 1])) : spend_seq,
  }))
  const part = { ...partOf(world, kind), ...(kind === 'reclaim' && first.lock !== null ? { ref: first.lock.ref } : {}) }
  const origin = random.next() < 0.04 ? random.pick(homes).origin : home.origin
  const op = { home: origin, op: kind, tokens_root: tokensRoot(packSorted(places)), count: places.length, ...part }
  const times = { mesh_tick: meshTick, valid_to: meshTick + random.integer(0, VALID_TICKS) }
  return { op: { ...op, ...times } as unknown as TokenOp, places, key }
}

/** What the logs say, worked out without the decision: the last leaf that names a token made owner and lock. */
const told = ({ log }: Home, born: ReadonlyMap<string, string>) => {
  const spent = new Map<string, number>()
  const owners = new Map(born)
  for (const { op, places } of log) {
    for (const { token_id, spend_seq } of places) {
      assert.equal(spend_seq, spent.get(token_id) ?? 0, 'counts of changes are used one after another, each once')
      spent.set(token_id, spend_seq + 1)
      if ('to' in op) owners.set(token_id, op.to)
    }
  }
  return { spent, owners }
}

const codeOf = (work: () => unknown): string => {
  try {
    work()
  } catch (cause) {
    if (cause instanceof Fault) return cause.code
    throw cause
  }
  return ''
}

const snapshot = ({ homes }: World): string => JSON.stringify(homes.map(({ rows, log }) => [[...rows], log.length]))

const homeOf = ({ homes }: World, origin: string): Home => {
  const found = homes.find((it) => it.origin === origin)
  assert.ok(found !== undefined)
  return found
}

/** Sends what was applied once more, as it was and signed anew. */
const again = (world: World, { op, places, key }: Leaf): void => {
  const home = homeOf(world, op.home)
  const before = snapshot(world)
  assert.equal(apply(home, { op, places, key }, world.meshTick), home.applied.get(opDigest(op)), 'the same leaf')
  const anew = { ...op, mesh_tick: world.meshTick, valid_to: world.meshTick + VALID_TICKS + 1 }
  const code = codeOf(() => apply(home, { op: anew, places, key }, world.meshTick))
  const gone = op.op !== 'redeem' && places.some(({ token_id }) => home.rows.get(token_id)?.owner !== key)
  assert.equal(code, gone ? code : 'SUPERSEDED', 'a change that was made is not made again')
  assert.ok(code === 'SUPERSEDED' || code === 'NOT_FOUND', code)
  assert.equal(snapshot(world), before, 'neither changes anything')
}

/** One step: time goes on, and something is sent to some home. @returns what was said of it */
const step = (world: World): string => {
  const { random, homes, sent } = world
  world.meshTick += random.integer(0, 2)
  const [leaf] = random.next() < 0.1 ? random.pick(homes).log.slice(-1) : []
  if (leaf !== undefined) again(world, leaf)
  const old = random.next() < 0.08 && sent.length > 0
  const order = old ? random.pick(sent) : drawOrder(world)
  sent.push(order)
  const home = random.next() < 0.05 ? random.pick(homes) : homeOf(world, order.op.home)
  const before = snapshot(world)
  const [tick, wasApplied] = [world.meshTick, home.applied.has(opDigest(order.op))]
  const rows = order.places.map(({ token_id }) => home.rows.get(token_id))
  const code = codeOf(() => apply(home, order, tick))
  if (code !== '' || wasApplied) {
    assert.equal(snapshot(world), before, `${code} changes nothing`)
    return code === '' ? 'again' : code
  }
  assert.equal(home.origin, order.op.home, 'a home orders its own tokens alone')
  for (const row of rows) assertMay(row, order, tick)
  return order.op.op
}

/** What an op that was applied may do to a token as it was. */
const assertMay = (row: TokenRow | undefined, { op, key }: Order, tick: number): void => {
  assert.ok(row !== undefined, 'a home changes tokens that it has')
  const { lock, owner, soulbound } = row
  const tied = lock !== null && (lock.until === null || lock.until > tick)
  const packed = tied && lock.kind === 'bearer' ? lock.ref : undefined
  if (op.op === 'redeem') return assert.equal(packed, key, 'a package is redeemed by its key, while it is one')
  assert.equal(owner, key, 'nobody but its owner changes a token')
  if (op.op === 'reclaim') return assert.equal(packed, op.ref, 'the package that is reclaimed is the one that it is in')
  assert.notEqual(op.op, 'unlock', 'no bond was released, and a vote ends by its tick')
  assert.ok(!tied, 'what is tied is neither sent nor packed nor tied again')
  if (op.op !== 'lock') assert.ok(!soulbound, 'what is soulbound stays')
}

/** Every lock with an end is void from it on and ties until then; one without an end ties for ever. */
const assertLocksEnd = ({ homes, random }: World): void => {
  const tries = (row: TokenRow, meshTick: number): string => {
    const place = { token_id: row.token_id, spend_seq: row.spend_seq }
    const op = { op: 'transfer', to: random.pick(OWNERS) } as unknown as TokenOp
    const context = { publicKey: row.owner, speaksFor: (owner: string) => owner === row.owner, meshTick }
    return codeOf(() => moved(row, place, { op, context }))
  }
  for (const row of homes.flatMap(({ rows }) => [...rows.values()])) {
    const { lock, soulbound } = row
    if (soulbound) assert.equal(tries(row, Number.MAX_SAFE_INTEGER), 'SOULBOUND')
    else if (lock === null) assert.equal(tries(row, 0), '')
    else if (lock.until === null) assert.equal(tries(row, Number.MAX_SAFE_INTEGER), 'ENVELOPE_LOCKED')
    else assert.deepEqual([tries(row, lock.until - 1), tries(row, lock.until)], ['ENVELOPE_LOCKED', ''])
  }
}

test('three homes: one owner a token, one op a count of its changes, locks end, the same op twice is one', () => {
  const random = seeded()
  const seen = new Map<string, number>()
  for (let sequence = 0; sequence < SEQUENCES; sequence += 1) {
    const world = newWorld(random)
    const born = world.homes.map(({ rows }) => new Map([...rows.values()].map((it) => [it.token_id, it.owner])))
    for (let i = 0; i < STEPS; i += 1) {
      const what = step(world)
      seen.set(what, (seen.get(what) ?? 0) + 1)
    }
    for (const [at, home] of world.homes.entries()) {
      const { spent, owners } = told(home, born[at] ?? new Map())
      assert.deepEqual([...home.rows.keys()], [...owners.keys()], 'tokens neither come nor go')
      for (const { token_id, owner, spend_seq } of home.rows.values()) {
        assert.deepEqual([owner, spend_seq], [owners.get(token_id), spent.get(token_id) ?? 0])
      }
    }
    assertLocksEnd(world)
  }
  const kinds = ['transfer', 'lock', 'bearer', 'redeem', 'reclaim', 'again']
  const refusals = ['NOT_FOUND', 'SUPERSEDED', 'SOULBOUND', 'ENVELOPE_LOCKED', 'OP_EXPIRED', 'HOME_UNREACHABLE']
  for (const it of [...kinds, ...refusals]) assert.ok((seen.get(it) ?? 0) > 0, `${it} never came up`)
}, 30_000)

test.run()
