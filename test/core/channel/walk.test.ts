// Goal: the walk along the entries of a channel takes a chain that a node could have written, and no other:
// whatever is left out, doubled, moved or changed is named. Method: random chains of epochs, ticks and gaps; each
// is walked whole, and then once more with one thing wrong.
import assert from 'node:assert/strict'
import { type ChannelTickBody, channelWalk, STREAM_GAP, STREAM_TICK } from '#core/channel/entries.ts'
import { channelStateDigest } from '#core/channel/state.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('core: walks along channels')

const CHANNEL = '00112233445566778899aabbccddeeff'
const CHAINS = 64

interface ChainEntry {
  readonly type: string
  readonly body: object
}

type Random = ReturnType<typeof seeded>

const hexOf = (random: Random): string => Array.from({ length: 64 }, () => random.integer(0, 15).toString(16)).join('')

/** A chain as a node writes it: so many epochs of so many ticks, with gaps between. */
const chainOf = (random: Random) => {
  const entries: ChainEntry[] = []
  let [sealed, missed, mesh] = [0, 0, 1_000]
  let last: ChannelTickBody | undefined
  const epochs = random.integer(1, 3)
  for (let epoch = 1; epoch <= epochs; epoch++) {
    const ticks = random.integer(2, 4)
    for (let count = 1; count <= ticks; count++) {
      if (random.integer(0, 2) === 0) {
        const many = random.integer(1, 9)
        const body = {
          channel: CHANNEL,
          epoch,
          from_mesh: mesh,
          to_mesh: mesh + many - 1,
          missed: many,
          reason: 'late',
        }
        entries.push({ type: STREAM_GAP, body })
        missed += many
        mesh += many
      }
      const previous = count === 1 ? null : (last?.state ?? null)
      const place = {
        channel: CHANNEL,
        epoch,
        count,
        previous,
        inputs_digest: hexOf(random),
        result_digest: hexOf(random),
      }
      const said = { value: random.next(), unit: 'm', errorPct: 0, token_id: hexOf(random).slice(32) }
      last = { ...place, state: channelStateDigest(place), ...said }
      entries.push({ type: STREAM_TICK, body: last })
      sealed += 1
      mesh += 1
    }
  }
  return { entries, sealed, missed, last: last as ChannelTickBody }
}

const broken = (entries: readonly ChainEntry[]): number => {
  const walk = channelWalk()
  return entries.findIndex(({ type, body }) => walk.take(type, body) !== undefined)
}

test('a chain that a node could have written is walked to its head', () => {
  const random = seeded()
  for (let i = 0; i < CHAINS; i++) {
    const { entries, sealed, missed, last } = chainOf(random)
    const walk = channelWalk()
    for (const { type, body } of entries) assert.equal(walk.take(type, body), undefined)
    const { epoch, count, state } = last
    assert.deepEqual([walk.head, walk.sealed, walk.missed], [{ epoch, count, state }, sealed, missed])
  }
})

test('one tick left out, doubled, moved or changed breaks it', () => {
  const random = seeded()
  for (let i = 0; i < CHAINS; i++) {
    const { entries } = chainOf(random)
    const places = entries.flatMap(({ type }, at) => (type === STREAM_TICK ? [at] : []))
    const at = places[random.integer(0, places.length - 2)] as number
    const tick = entries[at] as ChainEntry
    assert.notEqual(broken(entries.toSpliced(at, 0, tick)), -1, 'doubled')
    const next = places[places.indexOf(at) + 1] as number
    // That an epoch had more ticks is for the links of the machine's chain to show: the next one names none of them.
    const goesOn = ((entries[next] as ChainEntry).body as ChannelTickBody).count > 1
    assert.equal(broken(entries.toSpliced(at, 1)) >= 0, goesOn, 'left out')
    assert.notEqual(broken(entries.with(at, entries[next] as ChainEntry).with(next, tick)), -1, 'moved')
    for (const name of ['state', 'inputs_digest', 'result_digest'] as const) {
      const changed = { ...tick, body: { ...tick.body, [name]: hexOf(random) } }
      assert.equal(broken(entries.with(at, changed)), at, name)
    }
    const other = { ...tick, body: { ...tick.body, channel: CHANNEL.replace('0', '1') } }
    assert.equal(broken(entries.with(at, other)), at, 'of another channel')
  }
})

test('gaps are runs of due ticks, each of which is missed once', () => {
  const gap = (from_mesh: number, to_mesh: number, missed: number): ChainEntry => {
    const body = { channel: CHANNEL, epoch: 1, from_mesh, to_mesh, missed, reason: 'late' }
    return { type: STREAM_GAP, body }
  }
  assert.equal(broken([gap(10, 10, 1), gap(12, 18, 4), gap(19, 28, 4), gap(100, 101, 2)]), -1)
  for (const wrong of [gap(18, 20, 2), gap(10, 30, 3), gap(2, 4, 2), gap(10, 18, 5)]) {
    assert.equal(broken([gap(10, 18, 5), wrong]), 1, 'said again')
  }
  for (const wrong of [gap(10, 11, 1), gap(10, 10, 2), gap(12, 10, 2), gap(10, 9, 1), gap(10, 15, 3), gap(10, 12, 9)]) {
    assert.equal(broken([gap(1, 1, 1), wrong]), 1, 'not so many')
  }
})

test.run()
