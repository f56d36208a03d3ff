/*
 * Goal: what a transaction leaves for the end of its tick is in the log exactly once, under that tick, whatever happens
 * between. Method: a store on a clock moved by hand, closed and opened again between a commit and the end of its tick.
 */
import assert from 'node:assert/strict'
import { purposes, signedBytes } from '#core/digest.ts'
import { tickLeaf } from '#core/envelope.ts'
import { seqKey } from '#store/layout.ts'
import type { Store } from '#store/store.ts'
import { fixedClock } from '../kit/clock.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { all, appendText, open } from './kit.ts'

const test = suite('store: due at the end of a tick')

const head = (text: string): Uint8Array => signedBytes(purposes.head, { text })
const leaves = async ({ log }: Store): Promise<string[]> => {
  const found = await Promise.all(Array.from({ length: log.size }, (_, i) => log.leaf(i)))
  return found.map((it) => new TextDecoder().decode(it))
}
const texts = (...made: readonly Uint8Array[]): string[] => made.map((it) => new TextDecoder().decode(it))

test('the last one under each name stands, in order of name, before the tick leaf', async () => {
  using dir = tempDir()
  const clock = fixedClock()
  await using store = await open(dir.path, clock)
  await store.commit((tx) => tx.appendAtTickEnd('b', () => head('b')))
  await store.commit((tx) => tx.appendAtTickEnd('a', () => head('a 1')))
  await store.commit((tx) => tx.appendAtTickEnd('a', () => head('a 2')))
  assert.deepEqual([store.log.size, await store.closeTick()], [0, false])
  clock.advanceTicks(1)
  assert.equal(await store.closeTick(), true)
  assert.deepEqual(await leaves(store), texts(head('a 2'), head('b'), tickLeaf(0)))
  assert.deepEqual(await all(store.range('due')), [])
  assert.deepEqual([store.log.checkpoint?.tick, store.log.checkpoint?.late], [0, false])
  clock.advanceTicks(1)
  assert.equal(await store.closeTick(), false)
})

test('of those under one name in one batch the last alone is made, and those of a refused plan are not', async () => {
  using dir = tempDir()
  const clock = fixedClock()
  await using store = await open(dir.path, clock)
  const made: string[] = []
  const later = (text: string) => () => {
    made.push(text)
    return head(text)
  }
  const commits = ['1', '2', '3'].map((text) => store.commit((tx) => tx.appendAtTickEnd('a', later(text))))
  const refused = store.commit((tx) => {
    tx.appendAtTickEnd('a', later('4'))
    throw new Error('refused')
  })
  await assert.rejects(refused, /refused/)
  await Promise.all(commits)
  assert.deepEqual(made, ['3'])
  clock.advanceTicks(1)
  await store.closeTick()
  assert.deepEqual(await leaves(store), texts(head('3'), tickLeaf(0)))
})

test('leaves of the same tick come first, and a later commit finds the tick ended', async () => {
  using dir = tempDir()
  const clock = fixedClock()
  await using store = await open(dir.path, clock)
  await store.commit((tx) => {
    tx.appendAtTickEnd('a', () => head('a'))
    return appendText(tx, 'x')
  })
  clock.advanceTicks(3)
  await store.commit((tx) => appendText(tx, 'y'))
  const [first, due, ended, later] = await leaves(store)
  assert.ok(first?.includes('"x"') && later?.includes('"y"'))
  assert.deepEqual([due, ended], texts(head('a'), tickLeaf(0)))
})

test('a store that was closed within the tick ends it under that tick when it is back', async () => {
  using dir = tempDir()
  const clock = fixedClock()
  {
    await using store = await open(dir.path, clock)
    await store.commit((tx) => tx.appendAtTickEnd('a', () => head('a')))
  }
  clock.advanceTicks(9)
  await using store = await open(dir.path, clock)
  await store.closeTick()
  assert.deepEqual(await leaves(store), texts(head('a'), tickLeaf(0)))
  assert.deepEqual([store.log.checkpoint?.tick, store.log.checkpoint?.late], [0, true])
})

test('a refused plan leaves nothing due', async () => {
  using dir = tempDir()
  const clock = fixedClock()
  await using store = await open(dir.path, clock)
  const refused = store.commit((tx) => {
    tx.appendAtTickEnd('a', () => head('a'))
    throw new Error('no')
  })
  await assert.rejects(refused, /no/)
  clock.advanceTicks(1)
  assert.equal(await store.closeTick(), false)
  assert.deepEqual([store.log.size, store.peek('leaf', `seal/${seqKey(0)}`)], [0, undefined])
})

test.run()
