/*
 * Goal: a bell is acted on once, when two reads agree; what cannot be acted on says its code and changes nothing; no
 * interrupt is lost between two acknowledgements.
 * Method: the machines for requests and interrupts by themselves, read by read, as the ticks would.
 */
import assert from 'node:assert/strict'
import { Fault } from '#core/fault.ts'
import { bitsOf, wordOf } from '#core/mmio/page.ts'
import { interrupts as names } from '#core/mmio/table.ts'
import type { Mode } from '#core/work/mode.ts'
import type { ControlWords } from '#domain/network/mmio/asked.ts'
import { createInterrupts } from '#domain/network/mmio/interrupts.ts'
import { createRequests, type RequestWords } from '#domain/network/mmio/requests.ts'
import { suite } from '../../../kit/suite.ts'

const test = suite('registers: requests and interrupts')

const words = (doorbell: number | bigint, request = 1, argument = 0): ControlWords => ({
  ...{ doorbell: BigInt(doorbell), request, argument },
  ...{ mask: 0, acknowledged: 0 },
})

const NEW: RequestWords = { done: 0n, requests: 0n, error: undefined, errorTick: 0 }

const ringing = (before: RequestWords | undefined = NEW, setMode?: (mode: Mode) => Promise<unknown>) => {
  const modes: Mode[] = []
  const faults: string[] = []
  const requests = createRequests(
    {
      setMode: async (mode) => {
        await setMode?.(mode)
        modes.push(mode)
      },
      onFault: ({ code }) => faults.push(code),
    },
    before,
  )
  let tick = 0
  const read = async (asked: ControlWords | undefined): Promise<RequestWords> => {
    tick += 1
    await requests.tick(asked, tick)
    return requests.now
  }
  return { requests, modes, faults, read }
}

test('a bell is acted on once, at the second of two reads that agree', async () => {
  const { read, modes } = ringing()
  assert.deepEqual(await read(words(0)), NEW)
  assert.deepEqual(await read(words(1, 1, 1)), NEW, 'the first read of a bell does nothing')
  assert.deepEqual(await read(words(1, 1, 1)), { ...NEW, done: 1n, requests: 1n })
  await read(words(1, 1, 1))
  assert.deepEqual(modes, ['contributing'])
  await read(words(7, 1, 0))
  assert.deepEqual((await read(words(7, 1, 0))).done, 7n, 'by how much it was raised says nothing')
  assert.deepEqual(modes, ['contributing', 'idle'])
})

test('words that change between two reads are not acted on; a bell rung too soon is told once', async () => {
  const { read, modes, faults } = ringing()
  await read(words(0))
  await read(words(1, 1, 1))
  assert.equal((await read(words(2, 1, 2))).error, 'RATE_LIMITED')
  assert.deepEqual([modes, faults], [[], ['RATE_LIMITED']])
  const last = await read(words(2, 1, 2))
  assert.deepEqual([last.done, last.requests, last.error], [2n, 1n, undefined], 'the last one is heard')
  assert.deepEqual(modes, ['experimenting'])
})

test('a bell that goes back, an unknown request, a value out of its range: a code, and nothing changes', async () => {
  const { read, modes, faults } = ringing({ ...NEW, done: 5n })
  await read(words(5))
  const back = await read(words(4, 1, 1))
  assert.deepEqual([back.done, back.error], [5n, 'INVALID_INPUT'])
  await read(words(4, 1, 1))
  assert.deepEqual(faults, ['INVALID_INPUT'], 'told once')
  for (const [bell, request, argument] of [
    [6, 2, 0],
    [7, 0, 0],
    [8, 1, 3],
    [9, 0xffffffff, 0xffffffff],
  ] as const) {
    await read(words(bell, request, argument))
    const { done, error } = await read(words(bell, request, argument))
    assert.deepEqual([done, error], [BigInt(bell), 'INVALID_INPUT'], `${request} ${argument}`)
  }
  assert.deepEqual(modes, [])
  assert.equal(faults.length, 5)
})

test('a fault of the mode is the error word; the next request that is done clears it', async () => {
  let isBonded = false
  const { read } = ringing(NEW, async () => {
    if (!isBonded) throw new Fault('NOT_BONDED')
  })
  await read(words(1, 1, 1))
  const refused = await read(words(1, 1, 1))
  assert.deepEqual([refused.error, refused.errorTick, refused.done], ['NOT_BONDED', 2, 1n])
  isBonded = true
  await read(words(2, 1, 1))
  const done = await read(words(2, 1, 1))
  assert.deepEqual([done.error, done.errorTick, done.requests], [undefined, 2, 2n])
})

test('what a control file held before anybody knew is not asked for', async () => {
  const { read, modes } = ringing(undefined as never)
  assert.equal((await read(undefined)).done, 0n)
  const unknown = createRequests({ setMode: async (mode) => modes.push(mode), onFault: () => undefined }, undefined)
  await unknown.tick(words(9, 1, 1), 1)
  await unknown.tick(words(9, 1, 1), 2)
  assert.deepEqual([modes, unknown.now.done], [[], 9n])
  await unknown.tick(words(10, 1, 0), 3)
  await unknown.tick(words(10, 1, 0), 4)
  assert.deepEqual(modes, ['idle'])
})

test('a file that is made again asks for nothing, whatever was read before', async () => {
  const { read, modes } = ringing()
  await read(words(1, 1, 1))
  await read(undefined)
  await read(words(1, 1, 1))
  assert.deepEqual(modes, [])
  await read(words(1, 1, 1))
  assert.deepEqual(modes, ['contributing'])
})

test('interrupts: set until they are acknowledged, and not cleared by an acknowledgement of before', () => {
  const it = createInterrupts({ status: 0, acknowledged: 0 })
  const set = () => bitsOf(it.status, names)
  it.raise('sealed')
  it.turn(0, 1)
  assert.deepEqual(set(), ['sealed'])
  it.turn(0, 2)
  assert.deepEqual(set(), ['sealed'], 'it stands until somebody has seen it')
  // Seen, and in the same tick it happens again: the new one stands.
  const ack = wordOf(['sealed'], names)
  it.raise('sealed')
  it.turn(ack, 3)
  assert.deepEqual([set(), it.acknowledged], [['sealed'], ack])
  it.turn(ack, 4)
  assert.deepEqual(set(), ['sealed'], 'the same word counts once')
  it.turn(0, 5)
  it.turn(ack, 6)
  assert.deepEqual(set(), [])
  it.raise('error')
  it.raise('peer_lost')
  it.turn(undefined, 7)
  assert.deepEqual(set(), ['peer_lost', 'error'])
  it.turn(0xffffffff, 8)
  assert.deepEqual([set(), it.acknowledged], [[], 0xffffffff])
})

test('who waits is woken by what came after the page that it has, and by nothing that is masked', () => {
  const it = createInterrupts({ status: 0, acknowledged: 0 })
  const all = 0xffffffff
  const sealed = wordOf(['sealed'], names)
  assert.equal(it.cameAfter(all, -1), false)
  it.raise('sealed')
  it.turn(undefined, 5)
  assert.deepEqual([it.cameAfter(all, 4), it.cameAfter(all, 5), it.cameAfter(~sealed >>> 0, 4)], [true, false, false])
  // A second page of one tick: whoever has the first one has not seen it.
  it.raise('error')
  it.turn(undefined, 5, true)
  assert.equal(it.cameAfter(all, 5), true)
})

test.run()
