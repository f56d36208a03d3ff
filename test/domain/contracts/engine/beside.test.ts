// Goal: a fire that is under way while its contract is paused, patched, moved, rolled back or frozen ends by the
// version that it began with, what it leaves has a place in the present version, and it can be decided again. Method:
// a real node with a computation that takes it a while, which is also stopped and started in the middle.
import assert from 'node:assert/strict'
import { exportHistory } from '#cli/contract-history.ts'
import { contractExportOf } from '#core/contract/export.ts'
import { computeHere } from '#node/contract-work.ts'
import { replayContract } from '#numerics/contracts/fire/replay.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { type TestNode, testNode } from '../../../kit/node.ts'
import { suite } from '../../../kit/suite.ts'
import { tempDir } from '../../../kit/temp.ts'
import { until } from '../../../kit/until.ts'
import { firesOf, pass, stage } from './engine-kit.ts'

const test = suite('domain: contracts, changed beside a fire')

/** It takes a thread a second or so. */
const SLOW = { kind: 'compute', solver: 'lorenz', inputs: { t_max: 10, batches: 1_000 }, bind: { f: '/value' } }
const every = { kind: 'recurring', every_ticks: 40 }

/** It computes once, and goes to a state with a clock of its own. */
const slow = {
  v: 1,
  name: 'Slow',
  context: {
    ...{ n: { type: 'integer', initial: 0 }, f: { type: 'number', initial: 0 }, gone: { type: 'integer', initial: 0 } },
  },
  events: { note: { data: {} } },
  windows: { notes: { event: 'note', fn: 'count', ticks: 600 } },
  states: { on: { initial: true }, off: {}, aside: {} },
  transitions: [
    {
      ...{ id: 'run', from: 'on', to: 'off', trigger: every, guard: 'window.notes < 1' },
      actions: [SLOW, { kind: 'set', n: { $: 'context.n + 1' }, gone: 7 }],
    },
    { id: 'back', from: 'off', to: 'on', trigger: { kind: 'recurring', every_ticks: 7 } },
  ],
} as const

/** Without a member, with one more, and with another clock in the state that the fire enters. */
const { gone: _, ...kept } = slow.context
const patched = {
  ...{ ...slow, name: 'Patched', context: { ...kept, more: { type: 'integer', initial: 3 } } },
  transitions: [
    { ...slow.transitions[0], actions: [{ kind: 'set', n: { $: 'context.n + 100' } }] },
    { id: 'later', from: 'off', to: 'off', trigger: { kind: 'recurring', every_ticks: 1_000 } },
  ],
}

/** The state that the fire enters is not there any more. */
const narrow = {
  ...{ ...patched, name: 'Narrow', states: { on: { initial: true }, aside: {} } },
  transitions: [{ ...patched.transitions[0], to: 'on' }],
}

type Stage = Pick<Awaited<ReturnType<typeof stage>>, 'it' | 'owner'>

/** Begins a fire, and hands it out while it is under way. */
const begun = async ({ it, owner }: Stage, signal: AbortSignal) => {
  const { id } = (await owner.call('contracts.custom', { slug: 'open', definition: slow, start: true })).contract
  const due = it.node.store.peek('contract', id)?.next ?? 0
  await it.advanceTicks(due - it.node.store.now().meshTick)
  const intent = await until(() => it.node.store.peek('contractIntent', id), signal)
  return { slug: 'open', id, fire: intent.fire }
}

const isUnderWay = ({ node }: TestNode, { id, fire }: { id: string; fire: string }): boolean =>
  node.store.peek('contract', id)?.firing === fire

/** The fire has its one outcome, and everything comes out the same again, here and elsewhere. */
const assertWhole = async ({ it, owner }: Stage, { slug, id, fire }: { slug: string; id: string; fire: string }) => {
  const rows = (await firesOf(it, id)).filter((row) => row.fire === fire)
  assert.deepEqual(
    rows.map(({ outcome, version_no, from, to }) => [outcome, version_no, from, to]),
    [['fired', 1, 'on', 'off']],
  )
  assert.equal((await owner.call('contracts.verify', { slug, id })).differs, null)
  await it.advanceTicks(1)
  await it.node.services.contracts.idle()
  const asked = { slug, id, signal: new AbortController().signal, tell: () => undefined }
  const file = contractExportOf(JSON.parse(JSON.stringify(await exportHistory(owner, asked))))
  const found = replayContract(file, { recompute: (order) => computeHere(order, { keyless: false }) })
  const { state, context } = it.node.store.peek('contract', id)?.standing ?? {}
  assert.deepEqual([found.differs, found.state, found.context], [null, state, context])
}

interface Change {
  readonly name: string
  readonly work: (at: Stage, of: { slug: string; id: string }) => Promise<unknown>
  readonly state: string
  readonly context: object
}

const moved = { n: 1, more: 3 }
const changes: readonly Change[] = [
  {
    name: 'paused',
    work: ({ owner }, of) => owner.call('contracts.pause', of),
    ...{ state: 'off', context: { n: 1, gone: 7 } },
  },
  {
    name: 'patched',
    work: ({ owner }, of) => owner.call('contracts.patch', { ...of, definition: patched }),
    ...{ state: 'off', context: moved },
  },
  {
    name: 'patched to a version without the state that it enters',
    work: ({ owner }, of) => owner.call('contracts.patch', { ...of, definition: narrow }),
    ...{ state: 'on', context: moved },
  },
  {
    name: 'moved by hand',
    work: async ({ owner }, of) => {
      await owner.call('machines.event', { slug: 'open', type: 'note', data: {} })
      return owner.call('contracts.patch', { ...of, migrate: { state: 'aside', context: { n: 50 } } })
    },
    ...{ state: 'aside', context: { n: 50, gone: 7 } },
  },
  {
    name: 'patched, and rolled back',
    work: async ({ owner }, of) => {
      await owner.call('contracts.patch', { ...of, definition: patched })
      await owner.call('contracts.rollback', { ...of, version: 1 })
    },
    ...{ state: 'off', context: { n: 1, gone: 7 } },
  },
  {
    name: 'frozen',
    work: ({ owner }, of) => owner.call('contracts.freeze', of),
    ...{ state: 'off', context: { n: 1, gone: 7 } },
  },
]

for (const { name, work, state, context } of changes) {
  test(`a contract is ${name} while a fire of it is under way`, async (signal: AbortSignal) => {
    const at = await stage()
    await using it = at.it
    const of = await begun(at, signal)
    await work(at, { slug: of.slug, id: of.id })
    assert(isUnderWay(it, of), 'it was under way all the while')
    await it.node.services.contracts.idle()
    const { standing, next } = it.node.store.peek('contract', of.id) ?? {}
    const { f, ...others } = standing?.context ?? {}
    assert.deepEqual([standing?.state, others], [state, context])
    assert.equal(typeof f, 'number')
    // A clock that the patch brought has no instants of before it.
    assert(next === null || (next ?? 0) > it.node.store.now().meshTick)
    if (name === 'patched') assert.equal((next ?? 1) % 1_000, 0)
    await assertWhole(at, of)
    await pass(it, 45, 5)
    assert.equal((await at.owner.call('contracts.verify', { slug: 'open', id: of.id })).differs, null)
  }, 60_000)

  test(`a node stops and starts in a fire after its contract was ${name}`, async (signal: AbortSignal) => {
    using dir = tempDir()
    const stopped = async () => {
      const at = await stage({ directory: dir.path })
      await using it = at.it
      const of = await begun(at, signal)
      await work(at, { slug: of.slug, id: of.id })
      assert(isUnderWay(it, of), 'it was under way all the while')
      return { of, key: at.key, instant: it.node.store.now().instant }
    }
    const { of, key, instant } = await stopped()
    const again = async () => {
      await using it = await testNode({ directory: dir.path, start: instant + 1_000_000n })
      await until(() => !isUnderWay(it, of), signal)
      await it.node.services.contracts.idle()
      const { standing } = it.node.store.peek('contract', of.id) ?? {}
      const { f: _f, ...others } = standing?.context ?? {}
      assert.deepEqual([standing?.state, others], [state, context])
      await assertWhole({ it, owner: it.as(key) }, of)
    }
    await again()
    assert.equal((await fsck({ directory: dir.path })).bad, null)
  }, 60_000)
}

test.run()
