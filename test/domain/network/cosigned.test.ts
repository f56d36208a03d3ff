/**
 * Goal: a node learns from a source, or from whoever kept them, when the witnesses of its own policy signed that
 * source's event log, and says of each event when it happened, whatever came first; what is not signed over the leaves
 * held here counts for nothing. Method: real stores; witnesses that sign whatever second they are told to; answers that
 * are altered on their way. What is expected follows from the seconds that were signed.
 */
import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { canonicalBytes } from '#core/canonical.ts'
import { checkpointText } from '#core/checkpoint.ts'
import { NS_PER_SECOND } from '#core/time.ts'
import { meshTickOfSecond } from '#core/when.ts'
import { askFrame, readTold, toldFrame } from '#domain/network/cosigned/frames.ts'
import { defaultBounds } from '#domain/network/sync/limits.ts'
import { sourceOf } from '#store/foreign.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { cosignedByKey, cosignedLineKey, witnessId } from '#store/rows/cosigned.ts'
import type { Transaction } from '#store/transaction.ts'
import { START } from '../../kit/clock.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { askCosigned, cosign, policyOf, takeOwn, toyWitness } from './cosigned-kit.ts'
import { type Keeper, keeper, rowsIn, syncBetween } from './keeper.ts'

const test = suite('domain/network: cosigned')
const random = seeded()

/** A second well after every keeper's start. */
const NOW = Number(START / NS_PER_SECOND) + 100
const firstOf = (it: Keeper, of: Keeper, leaf: number) => it.network.cosigned?.firstOf(of.store.events.origin, leaf)
const whenOf = (it: Keeper, of: Keeper, seq: number, tick: number) =>
  it.network.whenOf({ origin: of.store.events.origin, seq, tick })

/** A source whose log two witnesses have signed three times each, and what they signed of it. */
const signedSource = async (a = toyWitness(random), b = toyWitness(random)) => {
  const source = await keeper(random)
  const sizes: number[] = []
  for (let i = 0; i < 3; i++) {
    await source.write(3)
    sizes.push(await cosign(source, a, NOW + 10 * i))
    if (i !== 1) await cosign(source, b, NOW + 10 * i + (i === 0 ? -5 : 5))
    await takeOwn(source)
  }
  assert.deepEqual(sizes, [4, 8, 12])
  return { source, a, b }
}

test('the first cosignature of a witness of the policy that covers an event is known', async () => {
  const { source, a, b } = await signedSource()
  await using _ = source
  await using both = await keeper(random, { policy: policyOf(a, b) })
  await using one = await keeper(random, { policy: policyOf(a, toyWitness(random)) })
  await using open = await keeper(random)
  for (const it of [both, one, open]) {
    await syncBetween(it, source)
    await askCosigned(it, source)
  }
  assert.deepEqual(
    [0, 3, 4, 7, 8, 11, 12].map((leaf) => firstOf(both, source, leaf)),
    [...[NOW - 5, NOW - 5, NOW + 10, NOW + 10, NOW + 20, NOW + 20], undefined],
  )
  assert.deepEqual(
    [0, 4, 8].map((leaf) => firstOf(one, source, leaf)),
    [NOW, NOW + 10, NOW + 20],
  )
  const tick = meshTickOfSecond(NOW + 10)
  assert.deepEqual(whenOf(both, source, 4, tick - 3), { at: tick - 3, mark: null })
  assert.deepEqual(whenOf(both, source, 4, tick - 200), { at: tick, mark: 'late' })
  assert.equal(whenOf(both, source, 12, tick), 'pending')
  // Where the policy has no witnesses nobody is asked, and the own tick counts.
  assert.deepEqual(whenOf(open, source, 4, tick - 200), { at: tick - 200, mark: 'unwitnessed' })
  assert.deepEqual(await rowsIn(open, 'cosignedBy'), [])
})

test('a relay tells what it kept, as well as the source; a witness is none of its own log', async () => {
  await using source = await keeper(random)
  const [own, other] = [toyWitness(random, source.node), toyWitness(random)]
  await source.write(3)
  await cosign(source, own, NOW)
  await cosign(source, other, NOW + 7)
  await takeOwn(source)
  const policy = policyOf(own, other)
  await using relay = await keeper(random, { policy })
  await using away = await keeper(random, { policy })
  await syncBetween(relay, source)
  await askCosigned(relay, source)
  await syncBetween(away, relay)
  assert.equal(firstOf(away, source, 0), undefined)
  await askCosigned(away, relay)
  assert.equal(firstOf(relay, source, 0), NOW + 7)
  assert.equal(firstOf(away, source, 0), NOW + 7)
})

test('what is known is the same whether it came at once, late, or through another', async () => {
  const [a, b] = [toyWitness(random), toyWitness(random)]
  const policy = policyOf(a, b)
  await using source = await keeper(random)
  await using early = await keeper(random, { policy })
  await using late = await keeper(random, { policy })
  await using third = await keeper(random, { policy })
  for (let i = 0; i < 12; i++) {
    await source.write(2)
    if (i % 3 !== 0) await cosign(source, a, NOW + 3 * i)
    if (i % 2 === 0) await cosign(source, b, NOW + 3 * i + 1)
    await takeOwn(source)
    if (i % 4 === 3) {
      await syncBetween(early, source)
      await askCosigned(early, source)
    }
    if (i === 7) {
      await syncBetween(third, early)
      await askCosigned(third, early)
    }
  }
  await cosign(source, b, NOW + 99)
  await takeOwn(source)
  for (const it of [late, third, early]) {
    await syncBetween(it, source)
    await askCosigned(it, source)
  }
  const points = async (it: Keeper) =>
    (await rowsIn(it, 'cosignedBy')).map(([key, row]) => [key, row.newest, row.points.map(([s, t]) => [s, t])])
  assert.equal((await points(source)).length, 2)
  for (const it of [early, late, third]) assert.deepEqual(await points(it), await points(source))
  assert.deepEqual(await rowsIn(early, 'cosignedLine'), await rowsIn(source, 'cosignedLine'))
  // All is covered and told: a further round has no question.
  await askCosigned(late, source)
  assert.equal(await askCosigned(late, source), 0)
})

test('a line over other leaves, of a larger tree, altered, or by another hand counts for nothing', async () => {
  const [a, b] = [toyWitness(random), toyWitness(random)]
  const { source } = await signedSource(a, b)
  await using _ = source
  const { origin } = source.store.events
  const forked = checkpointText({ origin, size: 4, root: new Uint8Array(32).fill(7) })
  const true4 = checkpointText({ origin, size: 4, root: await source.store.events.rootAt(4) })
  const stranger = toyWitness(random)
  const altered = a.line(true4, NOW - 50).replace(/.(?==*\n$)/, (it) => (it === 'A' ? 'B' : 'A'))
  const other = checkpointText({ origin: origin.replace(/\/\d+$/, '/7'), size: 4, root: new Uint8Array(32).fill(1) })
  const hostile: readonly (readonly [number, string])[] = [
    [4, a.line(forked, NOW - 50)],
    [4, a.line(other, NOW - 50)],
    [3, a.line(true4, NOW - 50)],
    [0, a.line(true4, NOW - 50)],
    [9_999, a.line(true4, NOW - 50)],
    [4, stranger.line(true4, NOW - 50)],
    [4, altered],
    [4, 'no line\n'],
    [4, `${a.line(true4, NOW - 50)}junk\n`],
    [4, a.line(true4, 2 ** 40)],
  ]
  for (const line of hostile) {
    await using it = await keeper(random, { policy: policyOf(a, b) })
    await syncBetween(it, source)
    await askCosigned(it, source, () => toldFrame([[origin, 1, [line]]]))
    assert.equal(firstOf(it, source, 0), undefined, JSON.stringify(line))
    await askCosigned(it, source)
  }
  await using fine = await keeper(random, { policy: policyOf(a, b) })
  await syncBetween(fine, source)
  await askCosigned(fine, source, () => toldFrame([[origin, 1, [[4, a.line(true4, NOW - 50)]]]]))
  assert.equal(firstOf(fine, source, 0), NOW - 50)
})

test('an answer of another form, about a log that was not asked about, or none at all changes nothing', async () => {
  const [a, b] = [toyWitness(random), toyWitness(random)]
  const { source } = await signedSource(a, b)
  const { source: other } = await signedSource(a, b)
  await using _ = source
  await using __ = other
  await using it = await keeper(random, { policy: policyOf(a, b) })
  await syncBetween(it, source)
  const whole = readTold(
    source.network.cosigned?.answer(askFrame([[source.store.events.origin, 0, 99]])) ?? new Uint8Array(0),
  )
  const [told] = whole ?? []
  assert.ok(told !== undefined)
  assert.equal(told[2].length, 5)
  const answers = [
    undefined,
    new Uint8Array(0),
    new Uint8Array([0xff]),
    canonicalBytes({ logs: 1 }),
    canonicalBytes({ logs: [], more: 1 }),
    canonicalBytes({ logs: [[told[0], 1]] }),
    canonicalBytes({ logs: [[told[0], -1, []]] }),
    canonicalBytes({ logs: [[told[0], 1, [[4, 5]]]] }),
    canonicalBytes({ logs: [[told[0], 1, Array.from({ length: 257 }, () => [4, 'x\n'])]] }),
    canonicalBytes({ logs: Array.from({ length: 129 }, () => [told[0], 1, []]) }),
    toldFrame([[other.store.events.origin, 1, told[2]]]),
  ]
  for (const answer of answers) {
    for (let beat = 0; beat < 70; beat++) {
      for (const { node } of it.network.cosigned?.due([source.node]) ?? [])
        await it.network.cosigned?.take(node, answer)
    }
    assert.deepEqual(await rowsIn(it, 'cosignedBy'), [])
  }
  for (const question of [new Uint8Array(0), canonicalBytes({ logs: [['x', 0, 1]] }), new Uint8Array(40_000)]) {
    assert.throws(() => source.network.cosigned?.answer(question), /no question/)
  }
})

test('fsck holds lists against checkpoints and leaves, and names each row that is not what was signed', async () => {
  using theirs = tempDir()
  using ours = tempDir()
  const [a, b] = [toyWitness(random), toyWitness(random)]
  const policy = policyOf(a, b)
  const seeds = [random.bytes(32), random.bytes(32)] as const
  let source = ''
  {
    await using it = await keeper(random, { directory: theirs.path, seed: seeds[0] })
    await using taker = await keeper(random, { directory: ours.path, seed: seeds[1], policy })
    for (let i = 0; i < 3; i++) {
      await it.write(200)
      await cosign(it, a, NOW + i)
      await cosign(it, b, NOW + i)
    }
    await takeOwn(it)
    await syncBetween(taker, it)
    await askCosigned(taker, it)
    source = sourceOf(it.store.events.origin)
    assert.equal((await rowsIn(taker, 'cosignedLine')).length, 6)
  }
  const id = witnessId(a.vkey)
  const by = cosignedByKey(source, id)
  const line = cosignedLineKey(source, id, 201)
  type Change = (tx: Transaction) => void
  const spoilt: readonly (readonly [string, Change])[] = [
    ['cosignedLine', (tx) => tx.put('cosignedLine', line, a.line('another text\n', NOW))],
    ['cosignedLine', (tx) => tx.del('cosignedLine', line)],
    ['cosignedLine', (tx) => tx.put('cosignedLine', cosignedLineKey(source, id, 7), 'more')],
    ['cosignedLog', (tx) => tx.put('cosignedLog', source, { ...tx.get('cosignedLog', source)!, next: 2 })],
    ['cosignedBy', (tx) => tx.put('cosignedLog', source, { ...tx.get('cosignedLog', source)!, witnesses: [] })],
    ['cosignedBy', (tx) => tx.del('cosignedBy', by)],
    // Lines of others' logs are held against their leaves before the lists are looked at.
    ['cosignedBy or cosignedLine', (tx) => tx.put('cosignedBy', by, { ...tx.get('cosignedBy', by)!, vkey: b.vkey })],
    ['cosignedBy', (tx) => tx.put('cosignedBy', by, { ...tx.get('cosignedBy', by)!, newest: NOW })],
    [
      'cosignedLine',
      (tx) => {
        const row = tx.get('cosignedBy', by)!
        tx.put('cosignedBy', by, { ...row, points: row.points.map(([n, t, i]) => [n, n === 201 ? t - 9 : t, i]) })
      },
    ],
    [
      'cosignedBy',
      (tx) => {
        tx.put('cosignedBy', by, { ...tx.get('cosignedBy', by)!, points: [[90_000, NOW, 0]] })
        tx.put('cosignedLine', cosignedLineKey(source, id, 90_000), 'a line\n')
      },
    ],
  ]
  for (const [i, { path: directory }] of [theirs, ours].entries()) {
    assert.equal((await fsck({ directory })).bad, null)
    for (const [table, change] of spoilt) {
      using copy = tempDir()
      cpSync(directory, copy.path, { recursive: true })
      {
        await using it = await keeper(random, { directory: copy.path, seed: seeds[i]! })
        await it.store.commit(change)
      }
      const { bad } = await fsck({ directory: copy.path })
      assert.ok(table.split(' or ').includes(bad?.table ?? ''), `${bad?.table}: ${change}`)
    }
  }
}, 60_000)

test('a log that gives its place to another takes its cosignatures with it', async () => {
  const [a, b] = [toyWitness(random), toyWitness(random)]
  const { source } = await signedSource(a, b)
  const { source: next } = await signedSource(a, b)
  await using _ = source
  await using __ = next
  const bounds = { ...defaultBounds, sourcesMax: 1 }
  await using it = await keeper(random, { policy: policyOf(a, b), bounds })
  await syncBetween(it, source)
  await askCosigned(it, source)
  assert.equal(firstOf(it, source, 0), NOW - 5)
  it.clock.advanceTicks(1_287)
  await syncBetween(it, next)
  assert.equal(firstOf(it, source, 0), undefined)
  for (const table of ['cosignedLog', 'cosignedBy', 'cosignedLine'] as const) {
    assert.deepEqual(await rowsIn(it, table), [], table)
  }
  await askCosigned(it, next)
  assert.equal(firstOf(it, next, 0), NOW - 5)
})

test.run()
