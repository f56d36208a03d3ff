// Goal: whoever follows the transitions of a contract hears each once, through every restart of the node, and is told
// of those that are too long ago. Method: the client `eventsource`, which knows nothing of this node, on real nodes
// that come and go at one address; what it heard against the rows of the audit.
import assert from 'node:assert/strict'
import { EventSource } from 'eventsource'
import { pass, rowsOf, stage } from '../../domain/contracts/engine/engine-kit.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { until } from '../../kit/until.ts'
import { followThrough, type Heard } from './followed.ts'

const test = suite('api: transitions of contracts, live')

test('eventsource hears each transition once through restarts, and how much it missed', async (signal) => {
  using dir = tempDir()
  let source: EventSource | undefined
  try {
    await followThrough(
      dir.path,
      async ({ it, key, path }) => {
        const heard: Heard[] = []
        source = new EventSource(`${it.url}${path}`, {
          fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, authorization: `Bearer ${key}` } }),
        })
        for (const event of ['place', 'transition', 'gap']) {
          source.addEventListener(event, ({ lastEventId, data }) => heard.push({ event, id: lastEventId, data }))
        }
        return { heard: async () => heard }
      },
      (probe) => until(probe, signal),
    )
  } finally {
    source?.close()
  }
}, 30_000)

const go = (name: string) => ({ kind: 'event', event: name })
/** What is set is out of its range: that refuses the fire, which leads to `c`. */
const refusing = {
  ...{ v: 1, name: 'Refusing', context: { n: { type: 'integer', initial: 0, max: 1 } } },
  events: { go: { data: {} }, back: { data: {} } },
  states: { a: { initial: true }, b: {}, c: {} },
  transitions: [
    {
      ...{ id: 'on', from: 'a', to: 'b', trigger: go('go'), on_refused: 'c' },
      actions: [{ kind: 'set', n: { $: 'context.n + 5' } }],
    },
    { id: 'back', from: ['b', 'c'], to: 'a', trigger: go('back') },
  ],
}

test('a move by on_refused is no successful transition: only the next one tells where it led', async (signal) => {
  const { it, owner } = await stage()
  await using _ = it
  const { contract } = await owner.call('contracts.custom', { slug: 'open', definition: refusing, start: true })
  const which = { slug: 'open', id: contract.id }
  const over = new AbortController()
  const frames = owner.stream('contracts.transitions-stream', which, { signal: AbortSignal.any([signal, over.signal]) })
  const heard: [string, unknown][] = []
  try {
    for await (const { event, data } of frames) {
      heard.push([event, event === 'transition' ? data : undefined])
      if (event === 'transition') break
      for (const type of ['go', 'back']) {
        await owner.call('machines.event', { slug: 'open', type, data: {} })
        await pass(it, 1)
      }
    }
  } finally {
    over.abort()
  }
  const rows = await rowsOf(it, contract.id)
  const moves = rows.flatMap((row) => ('from' in row ? [[row.outcome, row.from, row.to]] : []))
  assert.deepEqual(moves, [
    ['refused', 'a', 'c'],
    ['fired', 'c', 'a'],
  ])
  assert.deepEqual(
    heard.map(([event]) => event),
    ['place', 'transition'],
  )
  assert.partialDeepStrictEqual(heard[1]?.[1], { from: 'c', to: 'a', steps: ['back'] })
}, 30_000)

test.run()
