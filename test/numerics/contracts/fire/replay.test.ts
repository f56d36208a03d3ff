// Goal: an export is decided again from its beginning, and the first row in which anything differs is named, whatever
// was changed in it. Method: contracts run by hand with something of everything; every member of every row, event and
// version changed in turn; refusals that only the node saw; readings that are withheld.
import assert from 'node:assert/strict'
import { canonical, type Json } from '#core/canonical.ts'
import { type ContractExport, contractExportOf } from '#core/contract/export.ts'
import type { FireRow } from '#core/contract/fire-row.ts'
import { type Recomputed, type ReplayedContract, replayContract } from '#numerics/contracts/fire/replay.ts'
import { suite } from '../../../kit/suite.ts'
import { byHand, plusOne } from './exported.ts'

const test = suite('contracts/fire/replay')

const from = { kind: 'machine', slug: 'pump-8', event: 'r', field: 'p' }
const definition = {
  v: 1,
  name: 'everything',
  context: { n: { type: 'integer', initial: 0 }, p: { type: 'number', initial: 0 } },
  events: { go: { data: { x: { type: 'number' } } } },
  windows: { w: { event: 'go', field: 'x', fn: 'sum', ticks: 600 } },
  oracles: { o: { from, type: 'number', max_age: 100 } },
  states: { a: { initial: true }, b: {}, c: {} },
  transitions: [
    {
      ...{ id: 'every', from: 'a', to: 'a', trigger: { kind: 'recurring', every_ticks: 10 } },
      actions: [
        { kind: 'compute', solver: 'heat', inputs: { n: { $: 'context.n' } }, bind: { n: '/n' } },
        { kind: 'set', p: { $: 'oracle.o + window.w' } },
        { kind: 'notify', url: 'https://example.org/', body: {} },
      ],
    },
    { id: 'go', from: 'a', to: 'b', trigger: { kind: 'event', event: 'go' }, guard: 'window.w > 8', on_refused: 'c' },
    { id: 'back', from: 'b', to: 'a', trigger: { kind: 'after', ticks: 25 } },
    { id: 'out', from: 'c', to: 'a', trigger: { kind: 'cron', expression: '* * * * *' } },
  ],
}

const reading = { oracle: 'o', value: 3, tick: 2_316_601_000, source: 'machine:pump-8/4', basis: 'node' } as const

/** A contract with a row of each kind. */
const ran = () => {
  const it = byHand(definition)
  it.due({ readings: [reading] })
  it.event('go', { x: 5 })
  it.due({ readings: [reading] })
  it.due({ readings: [] })
  it.missed(5)
  it.event('go', { x: 6 })
  it.due()
  it.asked('every')
  it.patched({ ...definition, name: 'patched' }, { context: { n: 40, p: 2 } })
  it.due({ readings: [reading] })
  it.now()
  it.due({ problem: { reason: 'budget', message: 'The day has no more.' } })
  it.event('go', { x: 1 })
  it.due({ readings: [reading] })
  return it
}

const replayed = (
  file: unknown,
  recompute: (order: Parameters<typeof plusOne>[0]) => Recomputed = plusOne,
): ReplayedContract => replayContract(contractExportOf(file), { recompute })

test('what was run is decided again, bit for bit', () => {
  const file = ran().exported()
  const found = replayed(file)
  assert.equal(found.differs, null, JSON.stringify(found.differs))
  const outcomes = file.rows.map(({ outcome }) => outcome).join()
  assert.match(outcomes, /missed/)
  assert.deepEqual([found.rows, found.on_word, found.undecided], [file.rows.length, 1, 0])
  assert.equal(found.decided, file.rows.filter(({ outcome }) => outcome === 'fired' || outcome === 'refused').length)
  assert.ok(found.recomputed >= 4 && found.entries >= 8 && found.events >= 1, JSON.stringify(found))
  assert.equal(found.readings.node, file.rows.flatMap((it) => ('readings' in it ? it.readings : [])).length)
  assert.deepEqual(found.unavailable, [])
})

/** Members that nothing decides by: what a fire cost and how long it took, who asked, how far chains without events went. */
const FREE = new Set([
  'charged',
  'heard',
  'took_ms',
  'by',
  'lateness_ticks',
  'message',
  'token_id',
  'reason',
  'tick',
  'mesh_tick',
  'source',
  'basis',
  'oracle',
])

/** Every scalar in a row, with its place, and another one of its type. */
const placesOf = (value: unknown, path: readonly string[] = []): readonly (readonly string[])[] => {
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([name, it]) => placesOf(it, [...path, name]))
}
const otherThan = (value: unknown): Json => {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'string')
    return /^[0-9a-f]{16,}$/.test(value) ? value.replace(/^./, (it) => (it === '0' ? '1' : '0')) : `${value}x`
  return value === null ? 1 : !value
}
const changedAt = (file: ContractExport, row: number, path: readonly string[]): ContractExport => {
  const copy = structuredClone(file)
  let at = copy.rows[row] as unknown as Record<string, unknown>
  for (const name of path.slice(0, -1)) at = at[name] as Record<string, unknown>
  const last = path.at(-1) ?? ''
  at[last] = otherThan(at[last])
  return copy
}

test('a row that was changed is named, whichever member it is', () => {
  const file = ran().exported()
  let tried = 0
  for (const [no, row] of file.rows.entries()) {
    for (const path of placesOf(row)) {
      if (path.some((name) => FREE.has(name)) || path[0] === 'details') continue
      // Without an entry, nobody says which try it was, unless an expression read it.
      if (path[0] === 'attempt' && 'seq' in row && row.seq === null) continue
      const changed = changedAt(file, no, path)
      let found: ReplayedContract
      try {
        found = replayed(changed)
      } catch (error) {
        assert.match(String(error), /Fault/)
        continue
      }
      tried += 1
      assert.ok(found.differs !== null, `row ${no} ${path.join('/')} of ${row.outcome}`)
      assert.ok(found.differs.no <= no + 2, `row ${no} ${path.join('/')}: ${JSON.stringify(found.differs)}`)
    }
  }
  assert.ok(tried > 150, String(tried))
}, 60_000)

test('rows, events, entries and versions that are left out or changed are missed', () => {
  const file = ran().exported()
  const without = (
    change: (copy: { -readonly [K in keyof ContractExport]: ContractExport[K] }) => void,
  ): ReplayedContract => {
    const copy = structuredClone(file)
    change(copy)
    return replayed(copy)
  }
  for (let no = 0; no < file.rows.length - 1; no += 1) {
    const found = without((copy) => {
      copy.rows = copy.rows.filter((it) => it.no !== no)
    })
    assert.deepEqual([found.differs?.no, found.differs?.member], [no, no === 0 ? 'outcome' : 'no'], `row ${no}`)
  }
  const events = without((copy) => {
    copy.events = copy.events.filter((_, i) => i !== 0)
  })
  assert.equal(events.differs?.member, 'events')
  const data = without((copy) => {
    copy.events = copy.events.map((it) => ({ ...it, data: { x: 7 } }))
  })
  assert.equal(data.differs?.member, 'entry.data_digest')
  const version = without((copy) => {
    copy.versions = copy.versions.map((it) => ({ ...it, definition: { ...(it.definition as object), name: 'other' } }))
  })
  assert.equal(version.differs?.member, 'version')
  const zone = without((copy) => {
    copy.zones = Object.fromEntries(
      Object.entries(copy.zones).map(([name, table]) => [name, { ...(table as object), offset: 3_600 }]),
    )
  })
  assert.equal(zone.differs?.member, 'zones')
  const unproved = without((copy) => {
    copy.chain = null
  })
  assert.deepEqual([unproved.differs, unproved.entries], [null, 0])
})

test('a computation that comes out otherwise differs, and one that cannot be done here is told of', () => {
  const file = ran().exported()
  const other = replayed(file, (order) => ({ ...plusOne(order), result_digest: '0'.repeat(64) }))
  assert.deepEqual([other.differs?.no, other.differs?.member], [1, 'computations/0'])
  const none = replayed(file, () => ({ unavailable: 'There is no such solver here.' }))
  assert.equal(none.differs, null)
  assert.deepEqual([none.recomputed, none.unavailable[0]], [0, { no: 1, why: 'There is no such solver here.' }])
})

test('a gate refuses again what it refused, and a fire whose reading is withheld is not decided', () => {
  const it = byHand(definition)
  it.due({ readings: [reading] })
  it.due({ readings: [reading] })
  const file = it.exported()
  const gate = replayed(file, () => ({ refused: { reason: 'gate', message: 'No.', code: 'PRECISION_NOT_MET' } }))
  assert.deepEqual([gate.differs?.no, gate.differs?.member], [1, 'outcome'])
  const rows = file.rows.map((row): FireRow => {
    if (!('readings' in row)) return row
    return { ...row, readings: row.readings.map(({ value: _, ...rest }) => rest as typeof reading) }
  })
  const withheld = replayed({ ...file, rows })
  assert.equal(withheld.differs, null, canonical((withheld.differs ?? null) as unknown as Json))
  assert.deepEqual([withheld.undecided, withheld.readings.withheld], [2, 2])
})

test('an export of another form is refused at its first wrong member', () => {
  const file = ran().exported()
  for (const [change, message] of [
    [{ format: 'tickmesh/contract-export/2' }, /format/],
    [{ id_hash: '0'.repeat(64) }, /id_hash/],
    [{ more: 1 }, /./],
    [{ rows: [{ outcome: 'lost' }] }, /rows\/0/],
    [{ rows: [{ ...file.rows[0], more: 1 }] }, /rows\/0/],
    [{ rows: [] }, /rows/],
  ] as const) {
    assert.throws(() => contractExportOf({ ...file, ...change }), message)
  }
})

test.run()
