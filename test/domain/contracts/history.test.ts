// Goal: what an owner exports of a real contract is decided again elsewhere, computations and all, and what was altered
// is named. Method: a node whose clock is moved by hand; its history and its chain as the command line composes them.
import assert from 'node:assert/strict'
import { exportHistory } from '#cli/contract-history.ts'
import { verifyChainFile } from '#core/chain-file.ts'
import { judgeSources } from '#core/contract/attest.ts'
import { type ContractExport, contractExportOf } from '#core/contract/export.ts'
import { computeHere } from '#node/contract-work.ts'
import { type ReplayedContract, replayContract } from '#numerics/contracts/fire/replay.ts'
import { suite } from '../../kit/suite.ts'
import { pass, stage } from './engine/engine-kit.ts'

const test = suite('domain: contracts, history')

/** It watches readings over a window, computes by the clock, and goes between two states. */
const watcher = {
  v: 1,
  name: 'Watcher',
  timezone: 'Europe/Berlin',
  context: {
    n: { type: 'integer', initial: 0 },
    f: { type: 'number', initial: 0 },
    peak: { type: 'number', initial: 0 },
  },
  events: { reading: { data: { v: { type: 'number' } } } },
  windows: { mean: { event: 'reading', field: 'v', fn: 'avg', ticks: 60 } },
  states: { calm: { initial: true }, alert: { entry: [{ kind: 'set', n: { $: 'context.n + 1' } }] } },
  transitions: [
    {
      ...{ id: 'rise', from: 'calm', to: 'alert', trigger: { kind: 'event', event: 'reading' } },
      ...{ guard: 'window.mean > 5', actions: [{ kind: 'set', peak: { $: 'event.data.v' } }] },
    },
    { id: 'rest', from: 'alert', to: 'calm', trigger: { kind: 'after', ticks: 4 } },
    {
      ...{ id: 'work', from: ['calm', 'alert'], to: 'calm', trigger: { kind: 'recurring', every_ticks: 7 } },
      actions: [
        { kind: 'compute', operators: ['nm19'], inputs: { m: { $: 'context.n + 3' }, a: 2 }, bind: { f: '/value' } },
      ],
    },
    { id: 'minute', from: 'calm', to: 'calm', trigger: { kind: 'cron', expression: '* * * * *' } },
  ],
}

type Stage = Awaited<ReturnType<typeof stage>>

const replayed = (file: ContractExport, trusted = ''): ReplayedContract =>
  replayContract(file, {
    attested: judgeSources(file, trusted === '' ? {} : { trusted }),
    recompute: (order) => computeHere(order, { keyless: false }),
  })

const historyOf = async ({ it, owner }: Stage, slug: string, id: string): Promise<ContractExport> => {
  await it.advanceTicks(1)
  const asked = { slug, id, signal: new AbortController().signal, tell: () => undefined }
  return contractExportOf(JSON.parse(JSON.stringify(await exportHistory(owner, asked))))
}

for (const slug of ['open', 'shut']) {
  test(`everything that a contract of the machine ${slug} did comes out the same elsewhere`, async () => {
    const at = await stage()
    await using it = at.it
    const { owner } = at
    const { id } = (await owner.call('contracts.custom', { slug, definition: watcher, start: true })).contract
    const read = (v: number) => owner.call('machines.event', { slug, type: 'reading', data: { v } })
    for (const v of [1, 2, 9, 9, 9]) {
      await read(v)
      await pass(it, 3)
    }
    await owner.call('contracts.pause', { slug, id })
    await read(50)
    await pass(it, 9)
    await owner.call('contracts.resume', { slug, id })
    const more = { ...watcher, name: 'Watcher 2', context: { ...watcher.context, m: { type: 'number', initial: 1 } } }
    await read(7)
    await pass(it, 2)
    await owner.call('contracts.patch', { slug, id, definition: more })
    await read(30)
    await pass(it, 90, 5)
    await owner.call('contracts.fire-now', { slug, id })
    await pass(it, 3)
    const file = await historyOf(at, slug, id)
    const found = replayed(file)
    assert.equal(found.differs, null, JSON.stringify(found.differs))
    assert.deepEqual(found.unavailable, [])
    const fires = file.rows.filter(({ outcome }) => outcome === 'fired')
    assert.ok(fires.length > 8 && found.recomputed > 3 && found.events >= 2, JSON.stringify(found))
    assert.deepEqual([found.rows, found.decided], [file.rows.length, fires.length])
    const { contract } = await owner.call('contracts.read', { slug, id })
    assert.deepEqual([found.state, found.context], [contract.state, contract.context])
    assert.equal((await owner.call('contracts.verify', { slug, id })).differs, null)
    assert.ok(file.chain !== null)
    assert.equal(verifyChainFile(file.chain, { trusted: it.node.nodeId }).outcome, 'verified')
    const place = file.rows.findIndex((row) => row.outcome === 'fired' && row.computations.length > 0)
    const lied = structuredClone(file) as { rows: { context: { f: number } }[] } & ContractExport
    const row = lied.rows[place]
    assert.ok(row !== undefined)
    row.context.f += 1
    assert.equal(replayed(lied).differs?.no, place)
  })
}

/** It reads what a machine said and where another contract stands, and waits for nobody. */
const readerOf = (id: string, slug: string) => ({
  v: 1,
  name: 'Reader',
  context: { p: { type: 'number', initial: 0 }, n: { type: 'integer', initial: 0 } },
  oracles: {
    pressure: { from: { kind: 'machine', slug, event: 'reading', field: 'v' }, type: 'number', max_age: 9_000 },
    count: { from: { kind: 'contract', id, member: 'n' }, type: 'integer', max_age: 9_000 },
  },
  states: { on: { initial: true } },
  transitions: [
    {
      ...{ id: 'look', from: 'on', to: 'on', trigger: { kind: 'recurring', every_ticks: 5 } },
      actions: [{ kind: 'set', p: { $: 'oracle.pressure' }, n: { $: 'oracle.count' } }],
    },
  ],
})

type Source = NonNullable<ContractExport['attested']>[number]

/** What somebody could put in a source's place, and the member that it is named by. */
const tampered: readonly (readonly [string, RegExp, (it: Source) => Partial<Source>])[] = [
  ['another value', /entry\.(?:data_digest|context)/, ({ says }) => ({ says: { ...says, v: 77, n: 77 } })],
  [
    'another entry',
    /proof/,
    ({ entry }) => ({ entry: { ...entry, body: { ...(entry.body as object), data_digest: '0'.repeat(64) } } }),
  ],
  ['an earlier entry', /proof/, ({ entry }) => ({ entry: { ...entry, tick: entry.tick - 1 } })],
  [
    'a signature of nobody',
    /proof/,
    ({ proof }) => ({ proof: { ...proof, checkpoint: proof.checkpoint.replace(/\n[^\n]*\n$/, '\n') } }),
  ],
  ['another machine', /proof/, () => ({ slug: 'other' })],
]

for (const slug of ['open', 'shut']) {
  test(`readings of the machine ${slug} are attested by its chain, and what is tampered with is named`, async () => {
    const at = await stage()
    await using it = at.it
    const { owner } = at
    const { id } = (await owner.call('contracts.custom', { slug, definition: watcher, start: true })).contract
    const definition = readerOf(id, slug)
    const reader = (await owner.call('contracts.custom', { slug: 'shut', definition, start: true })).contract
    for (const v of [9, 8, 7]) {
      await owner.call('machines.event', { slug, type: 'reading', data: { v } })
      await pass(it, 6)
    }
    const file = await historyOf(at, 'shut', reader.id)
    const fires = file.rows.flatMap((row) => (row.outcome === 'fired' ? [row] : []))
    const count = fires.flatMap(({ readings }) => readings).length
    assert.ok(fires.length >= 3 && count === 2 * fires.length, JSON.stringify(fires))
    const { nodeId } = it.node
    const found = replayed(file, nodeId)
    assert.equal(found.differs, null, JSON.stringify(found.differs))
    assert.deepEqual(found.readings, { attested: count, node: 0, withheld: 0 })
    // Whom nobody trusts attests nothing, and accuses nobody; a key that somebody else has does.
    assert.deepEqual(replayed(file).readings, { attested: 0, node: count, withheld: 0 })
    assert.equal(replayed(file).differs, null)
    assert.match(replayed(file, '0'.repeat(64)).differs?.member ?? '', /^readings\/\w+\/proof$/)
    const { attested: _, ...bare } = file
    assert.deepEqual(replayed(bare, nodeId).readings, { attested: 0, node: count, withheld: 0 })
    for (const [i, source] of (file.attested ?? []).entries())
      for (const [name, member, change] of tampered) {
        const attested = (file.attested ?? []).with(i, { ...source, ...change(source) })
        const { differs } = replayed({ ...file, attested }, nodeId)
        const [first] = source.readings
        assert.equal(differs?.no, first?.no, `${name}: ${JSON.stringify(differs)}`)
        assert.match(differs?.member ?? '', member, name)
        assert.ok(differs?.member.startsWith(`readings/${first?.oracle}/`), name)
      }
    const [row] = fires
    assert.ok(row !== undefined)
    const lied = row.readings.map((one) => ({ ...one, value: 1 }))
    const rows = file.rows.with(row.no, { ...row, readings: lied })
    assert.match(replayed({ ...file, rows }, nodeId).differs?.member ?? '', /^readings\/\w+\/value$/)
  })
}

test('a value that a contract had from its beginning, or by hand, is its node’s word', async () => {
  const at = await stage()
  await using it = at.it
  const { owner } = at
  const slug = 'open'
  const { id } = (await owner.call('contracts.custom', { slug, definition: watcher, start: false })).contract
  const definition = { ...readerOf(id, slug) }
  const reader = (await owner.call('contracts.custom', { slug, definition, start: true })).contract
  await owner.call('machines.event', { slug, type: 'reading', data: { v: 3 } })
  await pass(it, 6)
  await owner.call('contracts.patch', { slug, id, migrate: { context: { n: 4 } } })
  await pass(it, 6)
  const file = await historyOf(at, slug, reader.id)
  const found = replayed(file, it.node.nodeId)
  assert.equal(found.differs, null, JSON.stringify(found.differs))
  assert.equal((found.context as { readonly n?: number } | null)?.n, 4)
  assert.ok(found.readings.attested >= 2, JSON.stringify(found.readings))
  assert.equal(found.readings.node, found.readings.attested)
})

test.run()
