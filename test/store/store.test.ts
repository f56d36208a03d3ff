/*
 * Goal: the store keeps what it acknowledged and nothing else; a batch is atomic for each of its plans; ticks,
 * checkpoints and proofs follow the protocol. Method: real LevelDB directories, a clock that is moved by hand, and
 * core's own verification as the judge of every proof and note.
 */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromHex, toHex } from '#core/bytes.ts'
import { openCheckpoint } from '#core/checkpoint.ts'
import { purposes, signedBytes } from '#core/digest.ts'
import { tickLeaf } from '#core/envelope.ts'
import { Fault } from '#core/fault.ts'
import { leafHash, verifyConsistency, verifyInclusion } from '#core/merkle.ts'
import { verifierOf } from '#core/note.ts'
import { meshTickStart, TICK_NS } from '#core/tick.ts'
import { createSigner } from '#ports/signer.node.ts'
import { DirectoryInUse } from '#store/lock.ts'
import { openStore, StoreRefused, TICKS_BEHIND_MAX } from '#store/open.ts'
import { fixedClock, START } from '../kit/clock.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { all, appendText, bytes, give, NODE, open, signer } from './kit.ts'

const test = suite('store')

test('rows, balances, leaves and blobs are there again after reopening', async () => {
  using dir = tempDir()
  const clock = fixedClock()
  {
    await using store = await open(dir.path, clock)
    assert.equal(store.fresh, true)
    await store.commit((tx) => {
      give(tx, 'zid1a', 7)
      tx.put('blob', 'b', bytes('large'))
      tx.put('usage', 'u', { credits: 1, envelopes: 2 })
      appendText(tx, 'one')
    })
    clock.advanceTicks(1)
    assert.equal(await store.closeTick(), true)
  }
  await using store = await open(dir.path, clock)
  assert.equal(store.fresh, false)
  assert.equal(store.balance('free', 'zid1a'), 7)
  assert.equal(store.supply('free'), 7)
  assert.deepEqual(await store.get('blob', 'b'), bytes('large'))
  assert.deepEqual(store.peek('usage', 'u'), { credits: 1, envelopes: 2 })
  assert.equal(store.log.size, 2)
  assert.equal(store.log.checkpoint?.size, 2)
})

test('a plan that throws leaves nothing behind, and those beside it are whole', async () => {
  using dir = tempDir()
  await using store = await open(dir.path)
  const results = await Promise.allSettled([
    store.commit((tx) => {
      give(tx, 'zid1a', 3)
      return appendText(tx, 'first')
    }),
    store.commit((tx) => {
      give(tx, 'zid1a', 100)
      tx.put('quota', 'lost', 1)
      appendText(tx, 'lost')
      throw new Fault('NOT_FOUND')
    }),
    store.commit((tx) => {
      assert.equal(tx.balance('free', 'zid1a'), 3)
      assert.equal(tx.get('quota', 'lost'), undefined)
      tx.post({ asset: 'free', debit: 'zid1a', credit: 'burned:compute', amount: 2, reason: 'test', ref: 'r' })
      return appendText(tx, 'second')
    }),
  ])
  assert.deepEqual(
    results.map((it) => (it.status === 'fulfilled' ? it.value : it.reason.code)),
    [0, 'NOT_FOUND', 1],
  )
  assert.equal(store.balance('free', 'zid1a'), 1)
  assert.equal(await store.get('quota', 'lost'), undefined)
  assert.equal(store.log.size, 2)
})

test('a leaf that cannot be made refuses its plan only, and leaves no gap', async () => {
  using dir = tempDir()
  await using store = await open(dir.path)
  const results = await Promise.allSettled([
    store.commit((tx) => appendText(tx, 'first')),
    store.commit((tx) => {
      give(tx, 'zid1a', 5)
      return tx.append(purposes.ledger, () => Promise.reject(new Error('no signature')))
    }),
    store.commit((tx) => tx.append(purposes.tick, () => signedBytes(purposes.ledger, 'of another kind'))),
    store.commit((tx) => appendText(tx, 'second')),
  ])
  assert.deepEqual(
    results.map((it) => (it.status === 'fulfilled' ? it.value : 'refused')),
    [0, 'refused', 'refused', 1],
  )
  assert.equal(store.log.size, 2)
  assert.equal(store.balance('free', 'zid1a'), 0)
  assert.deepEqual(await store.log.leaf(1), signedBytes(purposes.ledger, { index: 1, text: 'second' }))
})

test('late rows see the leaves of their batch, and hooks run when it is durable', async () => {
  using dir = tempDir()
  await using store = await open(dir.path)
  const seen: string[] = []
  const index = await store.commit((tx) => {
    let made = new Uint8Array(0)
    tx.onDurable(() => void seen.push(`durable ${store.log.size}`))
    tx.late((put) => put('keyByAccount', 'hash', toHex(leafHash(made))))
    return tx.append(purposes.ledger, (at) => {
      made = new Uint8Array(signedBytes(purposes.ledger, at))
      return made
    })
  })
  const hash = await store.get('keyByAccount', 'hash')
  assert.equal(hash, toHex((await store.log.leafHash(index))!))
  assert.equal(await store.log.indexOf(String(hash)), index)
  assert.deepEqual(seen, ['durable 1'])
  await assert.rejects(
    store.commit((tx) => {
      tx.onDurable(() => void seen.push('never'))
      tx.late(() => Promise.reject(new Error('late')))
    }),
    /late/,
  )
  assert.deepEqual(seen, ['durable 1'])
})

test('concurrent commits give one unbroken log, whose every proof core verifies', async () => {
  using dir = tempDir()
  const clock = fixedClock()
  await using store = await open(dir.path, clock)
  const indexes = await Promise.all(
    Array.from({ length: 99 }, (_, i) =>
      store.commit((tx) => {
        give(tx, `zid1${i % 5}`, 1)
        return appendText(tx, `leaf ${i}`)
      }),
    ),
  )
  assert.deepEqual(
    indexes,
    Array.from({ length: 99 }, (_, i) => i),
  )
  clock.advanceTicks(1)
  await store.closeTick()
  const { log } = store
  assert.equal(log.size, 100)
  const root = fromHex(log.root)
  for (let index = 0; index < log.size; index++) {
    const hash = (await log.leafHash(index))!
    assert.deepEqual(hash, leafHash((await log.leaf(index))!))
    const path = await log.inclusion(index, log.size)
    assert.ok(verifyInclusion({ leafHash: hash, index, size: log.size, path, root }), `inclusion of ${index}`)
    const from = index + 1
    const oldRoot = await log.rootAt(from)
    const old = { oldSize: from, newSize: log.size, oldRoot, newRoot: root }
    assert.ok(verifyConsistency({ ...old, path: await log.consistency(from, log.size) }), `consistency of ${from}`)
  }
  assert.equal((await log.hashes(3, 0, 20)).length, 12)
})

test('a tick with leaves ends with its tick leaf and a checkpoint of that size, and nothing else does', async () => {
  using dir = tempDir()
  const clock = fixedClock()
  await using store = await open(dir.path, clock)
  assert.equal(await store.closeTick(), false)
  clock.advanceTicks(1)
  assert.equal(await store.closeTick(), false)

  const index = await store.commit((tx) => appendText(tx, 'in tick 1'))
  assert.equal(await store.closeTick(), false)
  assert.deepEqual(await store.log.stateOf(index), { state: 'promised', late: false })
  assert.equal(await store.log.checkpointFor(index), undefined)

  clock.advanceTicks(1)
  assert.equal(await store.closeTick(), true)
  assert.deepEqual(await store.log.leaf(1), tickLeaf(1))
  const checkpoint = (await store.log.checkpointFor(index))!
  assert.deepEqual([checkpoint.size, checkpoint.tick, checkpoint.madeTick, checkpoint.late], [2, 1, 2, false])
  const verifier = verifierOf(`tickmesh.log/${NODE}/${store.genesisMeshTick}`, signer.publicKey)
  const opened = openCheckpoint(checkpoint.note, verifier).checkpoint
  assert.deepEqual([opened.origin, opened.size, toHex(opened.root)], [store.log.origin, 2, store.log.root])
  assert.deepEqual(await store.log.stateOf(index), { state: 'sealed', late: false })

  clock.advanceTicks(1)
  assert.equal(await store.closeTick(), false)
  assert.deepEqual(await store.log.stateOf(index), { state: 'final', late: false })
  assert.equal(store.events.size, 0)
})

test('without a pump the next commit ends the open tick first, and a late checkpoint says so', async () => {
  using dir = tempDir()
  const clock = fixedClock()
  await using store = await open(dir.path, clock)
  await store.commit((tx) => appendText(tx, 'in tick 0'))
  clock.advanceTicks(5)
  const index = await store.commit((tx) => appendText(tx, 'in tick 5'))
  assert.equal(index, 2)
  assert.deepEqual(await store.log.leaf(1), tickLeaf(0))
  assert.equal(store.log.checkpoint?.size, 2)
  assert.deepEqual(await store.log.stateOf(0), { state: 'sealed', late: true })
  assert.deepEqual(await store.log.stateOf(2), { state: 'promised', late: false })
  clock.advanceTicks(1)
  assert.equal((await store.log.stateOf(0)).state, 'sealed')
  clock.advanceTicks(1)
  assert.equal((await store.log.stateOf(0)).state, 'final')
})

test('hashes and states of many leaves are those of each one, in the order asked', async () => {
  using dir = tempDir()
  const clock = fixedClock()
  {
    await using store = await open(dir.path, clock)
    // Ticks of several leaves and of one; the first two checkpoints are late, and the last leaves have none.
    for (const [count, ticks] of [
      [3, 4],
      [1, 3],
      [4, 1],
      [2, 0],
    ] as const) {
      for (let i = 0; i < count; i++) await store.commit((tx) => appendText(tx, `${ticks}.${i}`))
      clock.advanceTicks(ticks)
    }
  }
  await using store = await open(dir.path, clock)
  const { log } = store
  const asked = [...Array(log.size + 2).keys()].flatMap((i) => [i, log.size - i]).filter((it) => it >= 0)
  const states = await log.statesOf(asked)
  const hashes = await log.leafHashes(asked)
  const known = await log.leafHashes(asked)
  assert.deepEqual(states, await Promise.all(asked.map(log.stateOf)))
  assert.deepEqual(new Set(states.map(({ state, late }) => `${state} ${late}`)).size, 4)
  assert.deepEqual(hashes, await Promise.all(asked.map(log.leafHash)))
  assert.deepEqual(known, hashes)
  assert.equal(hashes.filter((it) => it === undefined).length, asked.filter((it) => it >= log.size).length)
  assert.deepEqual([await log.statesOf([]), await log.leafHashes([])], [[], []])
})

test('the event log lives beside the seal log, with its own origin, ticks and checkpoints', async () => {
  using dir = tempDir()
  const clock = fixedClock()
  await using store = await open(dir.path, clock)
  const at = await store.commit((tx) => [
    tx.append(purposes.event, () => signedBytes(purposes.event, 'a'), 'events'),
    tx.append(purposes.event, () => signedBytes(purposes.event, 'b'), 'events'),
    appendText(tx, 'seal'),
  ])
  assert.deepEqual(at, [0, 1, 0])
  clock.advanceTicks(1)
  await store.closeTick()
  assert.equal(store.events.checkpoint?.size, 3)
  assert.equal(store.log.checkpoint?.size, 2)
  assert.ok(store.events.origin.startsWith('tickmesh.events/'))
})

test('a tick left open by a stop is ended and signed after the next start', async () => {
  using dir = tempDir()
  const clock = fixedClock()
  {
    await using store = await open(dir.path, clock)
    await store.commit((tx) => appendText(tx, 'left open'))
  }
  clock.advanceTicks(40)
  await using store = await open(dir.path, clock)
  assert.equal(await store.closeTick(), true)
  assert.deepEqual([store.log.checkpoint?.tick, store.log.checkpoint?.late], [0, true])
})

test('a tail gives every leaf once, those before it and those to come, and ends with its signal', async () => {
  using dir = tempDir()
  await using store = await open(dir.path)
  for (const text of ['a', 'b']) await store.commit((tx) => appendText(tx, text))
  const stop = new AbortController()
  const seen: number[] = []
  const reader = (async () => {
    for await (const { index, kind } of store.log.tail(1, stop.signal)) {
      assert.equal(kind, purposes.ledger)
      seen.push(index)
      if (index === 3) stop.abort()
    }
  })()
  for (const text of ['c', 'd']) await store.commit((tx) => appendText(tx, text))
  await reader
  assert.deepEqual(seen, [1, 2, 3])
  const idle = new AbortController()
  const waiting = all(store.log.tail(store.log.size, idle.signal))
  idle.abort()
  assert.deepEqual(await waiting, [])
})

test('a clock behind the last durable tick stops what appends, until it has passed', async () => {
  using dir = tempDir()
  const clock = fixedClock()
  {
    await using store = await open(dir.path, clock)
    clock.advanceTicks(100)
    await store.commit((tx) => appendText(tx, 'at 100'))
  }
  const back = fixedClock(START + 60n * TICK_NS)
  await using store = await open(dir.path, back)
  assert.equal(store.clockBehind, true)
  await assert.rejects(
    store.commit((tx) => appendText(tx, 'too early')),
    (cause) => cause instanceof Fault && cause.code === 'CLOCK_BEHIND',
  )
  assert.equal(await store.commit((tx) => tx.tick), 100)
  back.advanceTicks(41)
  assert.equal(store.clockBehind, false)
  assert.equal(await store.commit((tx) => appendText(tx, 'on time')), 2)
})

test('a clock more than an hour behind keeps the store shut', async () => {
  using dir = tempDir()
  const clock = fixedClock()
  {
    await using store = await open(dir.path, clock)
    clock.advanceTicks(TICKS_BEHIND_MAX + 1)
    await store.commit((tx) => appendText(tx, 'late'))
  }
  await assert.rejects(open(dir.path, fixedClock()), StoreRefused)
  await using store = await open(dir.path, fixedClock(START + TICK_NS))
  assert.equal(store.clockBehind, true)
})

test('before the genesis boundary the node stands at tick 0, phase 0', async () => {
  using dir = tempDir()
  const clock = fixedClock(meshTickStart(2_310_000_000) + 1n)
  await using store = await open(dir.path, clock)
  assert.equal(store.genesisMeshTick, 2_310_000_001)
  assert.deepEqual([store.now().tick, store.now().phase], [0, 0])
  await store.commit((tx) => appendText(tx, 'early'))
  clock.advanceTicks(1)
  assert.equal(store.now().tick, 0)
})

test('a second opening is refused with the pid, and a dead holder is followed', async () => {
  using dir = tempDir()
  {
    await using _store = await open(dir.path)
    await assert.rejects(open(dir.path), (cause) => cause instanceof DirectoryInUse && cause.pid === process.pid)
  }
  // Process 1 lives, but did not start when this lock says, so its pid was given again.
  writeFileSync(join(dir.path, 'node.lock'), JSON.stringify({ pid: 1, started: 'another boot:1' }))
  {
    await using _store = await open(dir.path)
  }
  writeFileSync(join(dir.path, 'node.lock'), JSON.stringify({ pid: 1, started: null }))
  await assert.rejects(open(dir.path), (cause) => cause instanceof DirectoryInUse && cause.pid === 1)
  writeFileSync(join(dir.path, 'node.lock'), 'torn')
  await using _store = await open(dir.path)
})

test("another node's data are refused by name", async () => {
  using dir = tempDir()
  {
    await using _store = await open(dir.path)
  }
  const other = createSigner(new Uint8Array(32).fill(9))
  await assert.rejects(openStore({ directory: dir.path, clock: fixedClock(), signer: other }), StoreRefused)
})

test('after disposal nothing is taken any more, and what was queued is durable', async () => {
  using dir = tempDir()
  const store = await open(dir.path)
  const queued = store.commit((tx) => appendText(tx, 'queued'))
  const closing = store[Symbol.asyncDispose]()
  await assert.rejects(
    store.commit((tx) => appendText(tx, 'late')),
    (cause) => cause instanceof Fault && cause.code === 'NODE_STOPPING',
  )
  assert.equal(await queued, 0)
  await closing
  await using again = await open(dir.path)
  assert.equal(again.log.size, 1)
})

test('ranges keep the order of numbers and stay inside their table', async () => {
  using dir = tempDir()
  await using store = await open(dir.path)
  await store.commit((tx) => {
    for (const key of ['a', 'b', 'c']) tx.put('keyByAccount', key, key)
    tx.put('envelopeByOwner', 'x/1', 't')
  })
  const keys = async (options = {}) => (await all(store.range('keyByAccount', options))).map(([key]) => key)
  assert.deepEqual(await keys(), ['a', 'b', 'c'])
  assert.deepEqual(await keys({ reverse: true, limit: 2 }), ['c', 'b'])
  assert.deepEqual(await keys({ gt: 'a', lte: 'c' }), ['b', 'c'])
  assert.deepEqual(await keys({ gte: 'b', lt: 'c' }), ['b'])
  assert.deepEqual(await all(store.range('envelope')), [])
})

test.run()
