// Goal: units of a token are numbered by one rule that follows from the chain alone: ranges part all that was issued
// without gap, balances are their lengths, and an entry that says anything else than the rule is named. Method: seeded
// chains of random issues, fires and transfers beside a list with one element a unit, then each of them altered.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Json } from '#core/canonical.ts'
import type { Entry } from '#core/machine.ts'
import {
  isTokenEntry,
  type MintRate,
  mintsDue,
  mintsLeft,
  replayTally,
  TOKEN_OWNER,
  tallyWalk,
  tokenEntries,
} from '#core/token-ranges.ts'
import { type Random, seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/token-ranges')

type Body = Record<string, Json>

/** A chain that is written by the rule, and who has which unit, unit by unit. */
const randomChain = (random: Random, steps: number) => {
  const max_supply = random.integer(1, 2_000)
  const initial = random.integer(0, max_supply)
  const entries: Entry[] = []
  const say = (type: string, body: Body): number => {
    const seq = entries.length
    entries.push({ seq, previous: '', tick: seq, type, body })
    return seq
  }
  say('created', { source: 'owner' })
  say(tokenEntries.genesis, { max_supply, initial, name: 'n', symbol: 'S', source: 'owner' })
  const units: string[] = Array.from({ length: initial }, () => TOKEN_OWNER)
  let rate: (MintRate & { since: number }) | undefined
  let [mesh, fires] = [random.integer(0, 1_000), 0]

  const mint = (due: number, body: Body): void => {
    if (rate === undefined) return
    const left = mintsLeft(rate.amount, max_supply - units.length)
    const count = Math.min(due, left)
    if (count > 0) {
      const amount = count * rate.amount
      say(tokenEntries.mint, { ...body, amount, count, source: 'node' })
      units.push(...Array.from({ length: amount }, () => TOKEN_OWNER))
    }
    if (left > count) return
    say(tokenEntries.stopped, { reason: 'ceiling', source: 'node' })
    rate = undefined
  }
  const setRate = (): void => {
    const off = random.integer(0, 4) === 0
    const next = { amount: random.integer(1, 60), per: random.pick(['ticks', 'transition'] as const) }
    if (!off && mintsLeft(next.amount, max_supply - units.length) === 0) return
    const every = random.integer(1, 5)
    rate = off ? undefined : { ...next, every, since: mesh }
    fires = 0
    say(tokenEntries.rate, { ...(off ? { amount: null, per: null } : next), every: off ? null : every, since: mesh })
  }
  const fire = (): void => {
    const name = `f${entries.length}`
    say('contract_fire', { fire: name, outcome: 'fired' })
    if (rate?.per !== 'transition') return
    fires += 1
    if (fires < rate.every) return
    fires = 0
    mint(1, { ref: name })
  }
  const tick = (): void => {
    mesh += random.integer(1, 20)
    if (rate?.per !== 'ticks') return
    const { every, since } = rate
    const until = Math.floor(mesh / every) * every
    if (until <= since) return
    rate = { ...rate, since: until }
    mint(mintsDue(every, since, until), { since, until })
  }
  const transfer = (): void => {
    const from = units.indexOf(TOKEN_OWNER)
    if (from < 0) return
    const amount = random.integer(1, Math.min(40, units.length - from))
    const to = `zid${random.integer(1, 5)}`
    say(tokenEntries.transfer, { to, amount, ref: 'r', source: 'node' })
    units.fill(to, from, from + amount)
  }
  const acts = [setRate, fire, fire, tick, tick, transfer, () => void say('event', { event: 'x' })]
  for (let i = 0; i < steps; i++) random.pick(acts)()
  return { entries, units, max_supply }
}

test('ranges part what was issued, and balances are their lengths', () => {
  const random = seeded()
  for (let round = 0; round < 200; round++) {
    const { entries, units, max_supply } = randomChain(random, random.integer(1, 60))
    const found = replayTally(entries)
    assert.equal(found.broken, undefined)
    assert.deepEqual([found.issued, found.max_supply, found.withheld], [units.length, max_supply, 0])
    assert.equal(found.entries, entries.filter(isTokenEntry).length)
    let end = 0
    for (const { first, last, owner, seq } of found.ranges) {
      assert.equal(first, end + 1)
      assert.ok(last >= first && isTokenEntry(entries[seq]!))
      assert.ok(units.slice(first - 1, last).every((it) => it === owner))
      end = last
    }
    assert.equal(end, units.length)
    const counted = Map.groupBy(units, (it) => it)
    assert.deepEqual(
      [...found.balances].sort(),
      [...counted].map(([holder, its]) => [holder, its.length] as [string, number]).sort(),
    )
    assert.equal(found.moved, units.filter((it) => it !== TOKEN_OWNER).length)
  }
})

test('an entry that says another amount, holder, source or tick is named', () => {
  const random = seeded()
  const about: ReadonlySet<string> = new Set([tokenEntries.mint, tokenEntries.transfer])
  let altered = 0
  for (let round = 0; round < 100; round++) {
    const { entries } = randomChain(random, 60)
    const places = entries.filter(({ type }) => about.has(type)).map(({ seq }) => seq)
    if (places.length === 0) continue
    const at = random.pick(places)
    const entry = entries[at]!
    const body = entry.body as Body
    const minted = entry.type === tokenEntries.mint
    const lies: Body[] = [
      { ...body, source: 'owner' },
      { ...body, amount: 0 },
      { ...body, amount: 2 ** 53 },
      { ...body, amount: -1 },
      { ...body, amount: 0.5 },
      ...(minted
        ? [
            { ...body, amount: (body['amount'] as number) + 1 },
            { ...body, count: 0 },
          ]
        : []),
      ...(minted
        ? []
        : [
            { ...body, to: TOKEN_OWNER },
            { ...body, to: 7 },
            { ...body, amount: 2_001 },
          ]),
      ...(body['until'] === undefined
        ? []
        : [
            { ...body, since: -1 },
            { ...body, until: (body['since'] as number) - 1 },
          ]),
      ...(minted && body['until'] === undefined ? [{ ...body, ref: 'another' }] : []),
    ]
    for (const lie of lies) {
      const { broken } = replayTally(entries.with(at, { ...entry, body: lie }))
      assert.equal(broken?.seq, at, `${entry.type} ${JSON.stringify(lie)}`)
      altered += 1
    }
    const [genesis] = entries.filter(({ type }) => type === tokenEntries.genesis)
    assert.equal(replayTally([...entries, genesis!]).broken?.seq, genesis!.seq, 'made twice')
  }
  assert.ok(altered > 100)
})

test('what is sealed is counted, and no sum is guessed; opened members stand in', () => {
  const genesis: Entry = {
    ...{ seq: 0, previous: '', tick: 0, type: tokenEntries.genesis },
    body: { asset: 'a', source: 'owner', sealed: {} },
  }
  const moved: Entry = { ...genesis, seq: 1, type: tokenEntries.transfer, body: { source: 'node', sealed: {} } }
  const shut = replayTally([genesis, moved])
  assert.deepEqual([shut.withheld, shut.broken], [2, undefined])
  const walk = tallyWalk()
  assert.ok(walk.step(genesis, { max_supply: 9, initial: 5 }))
  assert.ok(walk.step(moved, { to: 'zid1', amount: 2 }))
  const { ranges, withheld } = walk.result()
  assert.equal(withheld, 0)
  assert.deepEqual(ranges, [
    { first: 1, last: 2, owner: 'zid1', seq: 1 },
    { first: 3, last: 5, owner: TOKEN_OWNER, seq: 0 },
  ])
})

test('a mint that should have come and did not is named at the fire after it', () => {
  const body = (more: Body): Body => ({ source: 'node', ...more })
  const fire = (seq: number): Entry => entry(seq, 'contract_fire', { fire: `f${seq}`, outcome: 'fired' })
  const entry = (seq: number, type: string, more: Body): Entry => ({
    seq,
    previous: '',
    tick: 0,
    type,
    body: body(more),
  })
  const entries = [
    entry(0, tokenEntries.genesis, { max_supply: 10, initial: 0 }),
    entry(1, tokenEntries.rate, { amount: 1, per: 'transition', every: 1, since: 0 }),
    fire(2),
    fire(3),
  ]
  assert.deepEqual(replayTally(entries).broken, { seq: 3, tick: 0, why: 'a mint is missing before it' })
})

test('the vectors are what they are said to be', () => {
  const file = new URL('../../protocols/vectors/tally.json', import.meta.url)
  const { chain, found, refused } = JSON.parse(readFileSync(file, 'utf8')) as {
    chain: readonly Entry[]
    found: { balances: Record<string, number>; broken: null }
    refused: readonly { at: number; body: Body; broken: object }[]
  }
  const { balances, broken, ...sums } = replayTally(chain)
  assert.deepEqual({ ...sums, balances: Object.fromEntries(balances), broken: broken ?? null }, found)
  assert.ok(refused.length > 5)
  for (const { at, body, broken: why } of refused) {
    assert.deepEqual(replayTally(chain.with(at, { ...chain[at]!, body })).broken, why)
  }
})

test.run()
