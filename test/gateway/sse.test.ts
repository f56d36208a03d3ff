// Goal: a reader of an event stream can tell silence from death, learns what it missed, and knows when to come back.
// Method: the text of streams over a source and a time that the test moves by hand.
import assert from 'node:assert/strict'
import type { Frame } from '#api/endpoint.ts'
import { Fault } from '#core/fault.ts'
import { frameText, type StreamOptions, streamText } from '#gateway/sse.ts'
import { suite } from '../kit/suite.ts'
import { manualTime, settle } from './time.ts'

const test = suite('gateway/sse')

/** A source that yields what it is given, when it is given it. */
const source = () => {
  let more = Promise.withResolvers<Frame | 'end' | Error>()
  let returned = false
  return {
    give: (it: Frame | 'end' | Error): void => {
      const now = more
      more = Promise.withResolvers()
      now.resolve(it)
    },
    get returned() {
      return returned
    },
    frames: {
      next: async (): Promise<IteratorResult<Frame>> => {
        const it = await more.promise
        if (it instanceof Error) throw it
        return it === 'end' ? { done: true, value: undefined } : { done: false, value: it }
      },
      return: async (): Promise<IteratorResult<Frame>> => {
        returned = true
        return { done: true, value: undefined }
      },
    } satisfies AsyncIterator<Frame>,
  }
}

const start = (more: Partial<StreamOptions> = {}) => {
  const time = manualTime()
  const stop = new AbortController()
  const from = source()
  const lines: string[] = []
  const options = { heartbeatMs: 25_000, retryMs: 3000, signal: stop.signal, sleep: time.sleep, ...more }
  const over = (async () => {
    for await (const line of streamText(from.frames, options)) lines.push(line)
  })()
  return { time, stop, from, lines, over }
}

const RETRY = 'retry: 3000\n\n'

test('a frame is an id, a name and one line of data, whatever it holds', () => {
  assert.equal(
    frameText({ id: '7', event: 'state', data: { a: 'x\ny' } }),
    'id: 7\nevent: state\ndata: {"a":"x\\ny"}\n\n',
  )
  assert.equal(frameText({ event: 'a\nb', data: undefined }), 'event: a b\ndata: null\n\n')
  assert.equal(frameText({ id: '1\ndata: x', event: 'e', data: 1 }), 'id: 1 data: x\nevent: e\ndata: 1\n\n')
})

test('retry first, frames as they come, retry at the end', async () => {
  const { from, lines, over } = start()
  await settle()
  from.give({ id: '1', event: 'a', data: 1 })
  await settle()
  from.give('end')
  await over
  assert.deepEqual(lines, [RETRY, 'id: 1\nevent: a\ndata: 1\n\n', RETRY])
})

test('each silence of 25 s is one comment, and a frame starts the count again', async () => {
  const { time, from, lines, stop, over } = start()
  await time.advance(24_999)
  assert.deepEqual(lines, [RETRY])
  from.give({ event: 'a', data: 1 })
  await time.advance(24_999)
  assert.equal(lines.length, 2)
  await time.advance(1)
  await time.advance(25_000)
  assert.deepEqual(lines.slice(2), [': heartbeat\n\n', ': heartbeat\n\n'])
  stop.abort()
  await over
})

test('ids that do not follow each other are a gap, told before the frame', async () => {
  let gaps = 0
  const { from, lines, over } = start({ lastEventId: '3', onGap: () => gaps++ })
  for (const id of ['4', '9', '10']) {
    await settle()
    from.give({ id, event: 'a', data: 0 })
  }
  await settle()
  from.give('end')
  await over
  assert.deepEqual(
    lines.filter((line) => line.includes('gap')),
    ['event: gap\ndata: {"after":4,"next":9,"missed":4}\n\n'],
  )
  assert(lines.findIndex((line) => line.includes('gap')) < lines.findIndex((line) => line.includes('id: 9')))
  assert.equal(gaps, 1)
})

test('a reader that comes back after too long is told its gap at once; a new reader has none', async () => {
  for (const [lastEventId, want] of [
    ['2', 1],
    [undefined, 0],
    ['not a number', 0],
    ['99', 0],
  ] as const) {
    const { from, lines, over } = start({ lastEventId })
    await settle()
    from.give({ id: '50', event: 'a', data: 0 })
    await settle()
    from.give('end')
    await over
    assert.equal(lines.filter((line) => line.includes('event: gap')).length, want, lastEventId)
  }
})

test('when the node stops the stream says when to come back, and its source is told to end', async () => {
  const { stop, from, lines, over } = start()
  await settle()
  stop.abort()
  await over
  assert.deepEqual(lines, [RETRY, RETRY])
  assert(from.returned)
})

test('a refusal in mid-stream is an error event with the problem; a bug says nothing about itself', async () => {
  for (const [thrown, code] of [
    [new Fault('NOT_FOUND'), 'NOT_FOUND'],
    [new Error('secret path /root'), 'INTERNAL'],
  ] as const) {
    const { from, lines, over } = start()
    await settle()
    from.give(thrown)
    await over
    const error = lines.find((line) => line.startsWith('event: error'))
    assert.equal(JSON.parse(error!.split('data: ')[1]!).code, code)
    assert(!lines.join('').includes('secret'))
  }
})

test('a slow reader makes the source wait: no frame is pulled before the last is taken', async () => {
  let pulled = 0
  const frames: AsyncIterator<Frame> = { next: async () => ({ done: false, value: { event: 'a', data: pulled++ } }) }
  const { sleep } = manualTime()
  const texts = streamText(frames, { heartbeatMs: 1, retryMs: 0, signal: new AbortController().signal, sleep })
  for (let i = 0; i < 3; i++) await texts.next()
  await settle()
  assert(pulled <= 3, `${pulled} frames for a reader that took 2`)
  await texts.return(undefined)
})

test.run()
