/*
 * Goal: while a group is on its way to the disk the next one is planned on top of it, and nobody learns of anything
 * before it and all that it rests on is durable; what comes of it is the same as one group after the other. Method: the
 * real writer on a real database whose writes wait until the test lets them go, or makes them fail.
 */
import assert from 'node:assert/strict'
import { purposes, signedBytes } from '#core/digest.ts'
import { tickLeaf } from '#core/envelope.ts'
import { Fault, type FaultCode } from '#core/fault.ts'
import { seqKey } from '#store/layout.ts'
import type { Transaction } from '#store/transaction.ts'
import type { Writer } from '#store/writer.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { heldWriter, settled, writerOver } from './held-writer.ts'
import { appendText, bytes, give } from './kit.ts'

const test = suite('store: pipeline')

const is =
  (code: FaultCode) =>
  (cause: unknown): boolean =>
    cause instanceof Fault && cause.code === code

const spend = (tx: Transaction, account: string, amount: number): void =>
  tx.post({ asset: 'free', debit: account, credit: 'burned:test', amount, reason: 'test', ref: 'test' })

const leafText = (index: number, text: string): Uint8Array => signedBytes(purposes.ledger, { index, text })

/** Commits plans, and notes in which order they are planned, durable, and answered. */
const noting = (writer: Writer) => {
  const notes: string[] = []
  const commit = (name: string, plan: (tx: Transaction) => unknown): Promise<unknown> => {
    const answer = writer.commit((tx) => {
      notes.push(`${name} planned`)
      tx.onDurable(() => void notes.push(`${name} durable`))
      return plan(tx)
    })
    const told = (how: string) => () => void notes.push(`${name} ${how}`)
    void answer.then(told('answered'), told('refused'))
    return answer
  }
  /** The notes since the last call. */
  const taken = (): string[] => notes.splice(0)
  return { commit, taken }
}

test('the next group is planned on the one that is on its way, takes what comes, and is told after it', async () => {
  using dir = tempDir()
  const { writer, ledger, logs, real, begun, nth } = await heldWriter(dir.path)
  await using _ = real
  const { commit, taken } = noting(writer)
  const a = commit('a', (tx) => {
    give(tx, 'zid1a', 7)
    tx.put('quota', 'q', 1)
    tx.put('quota', 'gone', 1)
    tx.late((put) => put('keyByAccount', 'k', 'late'))
    return appendText(tx, 'a')
  })
  const first = await nth(0)
  const seen: unknown[] = []
  let made = 0
  const b = commit('b', (tx) => {
    seen.push(tx.balance('free', 'zid1a'), tx.get('quota', 'q'), tx.get('keyByAccount', 'k'), tx.get('usage', 'none'))
    seen.push(
      tx.get('leaf', `seal/${seqKey(0)}`),
      tx.get('balance', 'free/zid1a'),
      tx.get('writer', 'state')?.transfers,
    )
    spend(tx, 'zid1a', 3)
    tx.put('quota', 'q', 2)
    tx.del('quota', 'gone')
    return tx.append(purposes.ledger, (index) => {
      made += 1
      return leafText(index, 'b')
    })
  })
  await settled()
  const c = commit('c', (tx) => {
    seen.push(tx.balance('free', 'zid1a'), tx.get('quota', 'q'), tx.get('quota', 'gone'))
    return appendText(tx, 'c')
  })
  await settled()
  assert.deepEqual(seen, [7, 1, 'late', undefined, leafText(0, 'a'), 7, 1, 4, 2, undefined])
  assert.deepEqual([taken(), made, begun.length], [['a planned', 'b planned', 'c planned'], 1, 1])
  assert.deepEqual([ledger.balance('free', 'zid1a'), logs.seal.size, real.peek('quota', 'q')], [0, 0, undefined])
  first.go()
  const second = await nth(1)
  assert.deepEqual(taken(), ['a durable', 'a answered'])
  assert.deepEqual([await a, ledger.balance('free', 'zid1a'), logs.seal.size, real.peek('quota', 'q')], [0, 7, 1, 1])
  second.go()
  assert.deepEqual([await b, await c], [1, 2])
  assert.deepEqual(taken(), ['b durable', 'c durable', 'b answered', 'c answered'])
  assert.deepEqual([ledger.balance('free', 'zid1a'), logs.seal.size, real.peek('quota', 'q')], [4, 3, 2])
  assert.equal(begun.length, 2)
})

test('a row that a group on its way removes is gone for the next one', async () => {
  using dir = tempDir()
  const { writer, real, nth } = await heldWriter(dir.path)
  await using _ = real
  const put = writer.commit((tx) => tx.put('quota', 'q', 1))
  ;(await nth(0)).go()
  await put
  const removed = writer.commit((tx) => tx.del('quota', 'q'))
  const second = await nth(1)
  const seen = writer.commit((tx) => tx.get('quota', 'q') ?? 'nothing')
  await settled()
  assert.equal(real.peek('quota', 'q'), 1)
  second.go()
  assert.deepEqual([await removed, await seen, real.peek('quota', 'q')], [undefined, 'nothing', undefined])
})

test('when the first write fails, all that was planned on it fails with it, and nothing more is written', async () => {
  using dir = tempDir()
  const { writer, ledger, logs, real, begun, nth } = await heldWriter(dir.path)
  await using _ = real
  const { commit, taken } = noting(writer)
  const failing = [commit('a', (tx) => give(tx, 'zid1a', 7))]
  const first = await nth(0)
  failing.push(commit('b', (tx) => appendText(tx, 'b')))
  await settled()
  // Refused for what never came to be: that is no refusal.
  failing.push(commit('c', (tx) => spend(tx, 'zid1a', 8)))
  const ending = writer.closeTick()
  await settled()
  first.fail(new Error('ENOSPC'))
  for (const it of [...failing, ending]) await assert.rejects(it, is('STORE_FAILED'))
  await assert.rejects(
    writer.commit((tx) => tx.tick),
    is('STORE_FAILED'),
  )
  assert.equal(taken().filter((it) => it.endsWith('durable')).length, 0)
  assert.match(String((writer.failure as Error).cause), /ENOSPC/)
  assert.deepEqual([begun.length, ledger.balance('free', 'zid1a'), logs.seal.size], [1, 0, 0])
  await writer[Symbol.asyncDispose]()
})

test('when the second write fails, what the first wrote stays answered', async () => {
  using dir = tempDir()
  const { writer, ledger, real, nth } = await heldWriter(dir.path)
  await using _ = real
  const a = writer.commit((tx) => give(tx, 'zid1a', 7))
  const first = await nth(0)
  const b = writer.commit((tx) => give(tx, 'zid1a', 1))
  await settled()
  first.go()
  const second = await nth(1)
  second.fail(new Error('ENOSPC'))
  await a
  await assert.rejects(b, is('STORE_FAILED'))
  assert.equal(ledger.balance('free', 'zid1a'), 7)
})

test('a refusal is told once what it was decided on is durable', async () => {
  using dir = tempDir()
  const { writer, real, begun, nth } = await heldWriter(dir.path)
  await using _ = real
  const { commit, taken } = noting(writer)
  const a = commit('a', (tx) => give(tx, 'zid1a', 7))
  const beside = commit('beside', (tx) => spend(tx, 'zid1a', 8))
  const first = await nth(0)
  const later = commit('later', (tx) => {
    // Without what is on its way there would be nothing to be refused.
    if (tx.balance('free', 'zid1a') === 7) throw new Error('seen too early')
  })
  await settled()
  assert.deepEqual(taken(), ['a planned', 'beside planned', 'later planned'])
  first.go()
  await a
  await assert.rejects(beside, is('INSUFFICIENT_BALANCE'))
  await assert.rejects(later, /seen too early/)
  assert.deepEqual(taken(), ['a durable', 'a answered', 'beside refused', 'later refused'])
  assert.equal(begun.length, 1, 'a refusal writes nothing')
})

test('a plan whose leaf cannot be made is refused with its group, and what it was in the way of goes on', async () => {
  using dir = tempDir()
  const { writer, ledger, logs, real, nth } = await heldWriter(dir.path)
  await using _ = real
  const { commit, taken } = noting(writer)
  const a = commit('a', (tx) => {
    give(tx, 'zid1a', 7)
    return appendText(tx, 'a')
  })
  const first = await nth(0)
  const lost = commit('lost', (tx) => {
    spend(tx, 'zid1a', 7)
    return tx.append(purposes.ledger, () => Promise.reject(new Error('no signature')))
  })
  const after = commit('after', (tx) => {
    spend(tx, 'zid1a', 5)
    return appendText(tx, 'after')
  })
  await settled()
  assert.deepEqual(taken(), ['a planned', 'lost planned', 'after planned'])
  first.go()
  const second = await nth(1)
  assert.deepEqual(taken(), ['a durable', 'a answered', 'after planned'])
  second.go()
  await assert.rejects(lost, /no signature/)
  assert.deepEqual([await a, await after, logs.seal.size, ledger.balance('free', 'zid1a')], [0, 1, 2, 2])
  assert.deepEqual(await logs.seal.leaf(1), leafText(1, 'after'))
})

test('a tick ends between two groups, never on top of one that is on its way', async () => {
  using dir = tempDir()
  const { writer, logs, real, begun, nth, present } = await heldWriter(dir.path)
  await using _ = real
  const { commit, taken } = noting(writer)
  const a = commit('a', (tx) => appendText(tx, 'a'))
  const first = await nth(0)
  present.tick = 1
  const b = commit('b', (tx) => [tx.tick, appendText(tx, 'b')])
  await settled()
  assert.deepEqual([taken(), begun.length], [['a planned'], 1])
  first.go()
  for (const number of [1, 2, 3]) (await nth(number)).go()
  assert.deepEqual([await a, await b], [0, [1, 2]])
  assert.deepEqual(await logs.seal.leaf(1), tickLeaf(0))
  assert.deepEqual([logs.seal.checkpoint?.size, logs.seal.checkpoint?.late, logs.seal.state.openTick], [2, false, 1])
})

test('a group takes nothing of another tick, and who ends a tick waits for what is on its way', async () => {
  using dir = tempDir()
  const { writer, logs, real, begun, nth, present } = await heldWriter(dir.path)
  await using _ = real
  const { commit, taken } = noting(writer)
  void commit('a', (tx) => tx.put('quota', 'a', 1))
  const first = await nth(0)
  const b = commit('b', (tx) => [tx.tick, appendText(tx, 'b')])
  await settled()
  present.tick = 1
  const c = commit('c', (tx) => [tx.tick, appendText(tx, 'c')])
  await settled()
  assert.deepEqual(taken(), ['a planned', 'b planned'])
  const closed = writer.closeTick()
  first.go()
  const second = await nth(1)
  await settled()
  assert.deepEqual([begun.length, logs.seal.size], [2, 0])
  second.go()
  for (const number of [2, 3, 4]) (await nth(number)).go()
  assert.deepEqual([await b, await c, await closed], [[0, 0], [1, 2], true])
  assert.deepEqual(await logs.seal.leaf(1), tickLeaf(0))
})

test('who ends a tick within it waits for the groups before, and is told that there was nothing to end', async () => {
  using dir = tempDir()
  const { writer, real, begun, nth } = await heldWriter(dir.path)
  await using _ = real
  const a = writer.commit((tx) => tx.put('quota', 'a', 1))
  const first = await nth(0)
  const b = writer.commit((tx) => appendText(tx, 'b'))
  await settled()
  let told = false
  const closed = writer.closeTick().finally(() => {
    told = true
  })
  await settled()
  first.go()
  const second = await nth(1)
  await settled()
  assert.deepEqual([told, begun.length], [false, 2])
  second.go()
  assert.deepEqual([await a, await b, await closed], [undefined, 0, false])
})

test('what is due opens its tick when it is planned, and a clock that falls behind it appends nothing', async () => {
  using dir = tempDir()
  const { writer, logs, real, nth, present } = await heldWriter(dir.path)
  await using _ = real
  const { commit, taken } = noting(writer)
  const head = signedBytes(purposes.head, { text: 'a' })
  present.tick = 5
  const a = commit('a', (tx) => tx.appendAtTickEnd('a', () => head))
  const first = await nth(0)
  present.tick = 4
  const behind = commit('behind', (tx) => appendText(tx, 'behind'))
  await settled()
  assert.deepEqual(taken(), ['a planned', 'behind planned'])
  present.tick = 6
  const next = commit('next', (tx) => appendText(tx, 'next'))
  await settled()
  assert.deepEqual(taken(), [])
  first.go()
  for (const number of [1, 2, 3]) (await nth(number)).go()
  await a
  await assert.rejects(behind, is('CLOCK_BEHIND'))
  assert.equal(await next, 2)
  assert.deepEqual([await logs.seal.leaf(0), await logs.seal.leaf(1)], [head, tickLeaf(5)])
})

test('who ends the writer, or disposes of it, waits for all that is on its way and on top of it', async () => {
  using dir = tempDir()
  const { writer, real, nth } = await heldWriter(dir.path)
  await using _ = real
  const a = writer.commit((tx) => appendText(tx, 'a'))
  const first = await nth(0)
  const b = writer.commit((tx) => {
    give(tx, 'zid1a', 1)
    return appendText(tx, 'b')
  })
  await settled()
  const order: string[] = []
  void b.then(() => order.push('b'))
  const ended = writer.end(async ({ transfers, logs }) => {
    order.push('end')
    return [transfers, logs.seal.size]
  })
  const disposed = writer[Symbol.asyncDispose]().then(() => void order.push('disposed'))
  await assert.rejects(
    writer.commit((tx) => tx.tick),
    is('NODE_STOPPING'),
  )
  first.go()
  ;(await nth(1)).go()
  assert.deepEqual([await a, await ended], [0, [1, 2]])
  await disposed
  assert.deepEqual([order[0], order.toSorted()], ['b', ['b', 'disposed', 'end']])
})

/** A plan out of few accounts, rows and leaves, so that plans meet; each says what it saw. */
const drawPlan = (random: ReturnType<typeof seeded>) => {
  const [account, amount, key] = [`zid1${random.integer(0, 3)}`, random.integer(1, 9), `k${random.integer(0, 3)}`]
  const kind = random.pick(['give', 'spend', 'row', 'del', 'leaf', 'event', 'refuse', 'late'] as const)
  return (tx: Transaction): unknown => {
    const seen = [tx.balance('free', account), tx.get('quota', key)]
    if (kind === 'give') give(tx, account, amount)
    if (kind === 'spend' || kind === 'refuse') spend(tx, account, amount)
    if (kind === 'row') tx.put('quota', key, amount)
    if (kind === 'del') tx.del('quota', key)
    if (kind === 'late') tx.late((put) => put('blob', key, bytes(`${amount}`)))
    if (kind === 'refuse') throw new Error(`refused ${seen}`)
    const leaf = ['spend', 'leaf', 'late'].includes(kind) ? appendText(tx, key) : undefined
    const event = kind === 'event' ? tx.append(purposes.ledger, (at) => leafText(at, key), 'events') : undefined
    return [seen, leaf, event]
  }
}

test('what a drawn course leaves on disk, and answers, is what the same plans make one after the other', async () => {
  using dirs = tempDir()
  const random = seeded()
  const plans = Array.from({ length: 400 }, () => drawPlan(random))
  const single = await writerOver(`${dirs.path}/single`, (real, changes) => real.write(changes))
  await using _ = single.real
  const expected: PromiseSettledResult<unknown>[] = []
  for (const plan of plans) expected.push(...(await Promise.allSettled([single.writer.commit(plan)])))
  const piped = await heldWriter(`${dirs.path}/piped`)
  await using __ = piped.real
  const answers: Promise<unknown>[] = []
  let released = 0
  for (const plan of plans) {
    const answer = piped.writer.commit(plan)
    answer.catch(() => undefined)
    answers.push(answer)
    if (random.integer(0, 3) === 0) await settled()
    if (random.integer(0, 5) === 0) while (released < piped.begun.length) piped.begun[released++]?.go()
  }
  const letting = Promise.allSettled(answers)
  let over = false
  void letting.then(() => {
    over = true
  })
  while (!over) {
    while (released < piped.begun.length) piped.begun[released++]?.go()
    await settled()
  }
  const plain = (it: PromiseSettledResult<unknown>) => (it.status === 'fulfilled' ? it.value : String(it.reason))
  assert.deepEqual((await letting).map(plain), expected.map(plain))
  assert.ok(piped.begun.length < 300, 'plans share groups')
  for (const name of ['seal', 'events'] as const) {
    assert.deepEqual(piped.logs[name].state, single.logs[name].state)
    assert.ok(piped.logs[name].size > 10)
  }
  const rows = async (it: typeof single) => {
    const found = new Map<string, string>()
    for await (const [key, value] of it.real.raw()) found.set(key, Buffer.from(value).toString('hex'))
    return found
  }
  assert.deepEqual(await rows(piped), await rows(single))
}, 30_000)

test.run()
