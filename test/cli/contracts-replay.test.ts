// Goal: what a contract of a private machine did is proved by its owner's export: its chain holds no value in the open,
// each reading is counted by whose word it is, those that the owner keeps back are counted as withheld, and nothing is
// verified without the right key. Method: a real node's history as the command line composes it; the command replays
// it, with values and without, under the right key, another one and none.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { exportHistory } from '#cli/contract-history.ts'
import { counting, firesOf, pass, stage } from '../domain/contracts/engine/engine-kit.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { terminalIn } from './terminal.ts'

const test = suite('cli/contracts replay')

const TOLD = 'what nobody else may read'

interface Told {
  readonly readings: { readonly attested: number; readonly node: number; readonly withheld: number }
  readonly undecided: number
  readonly decided: number
  readonly differs: unknown
  readonly chain: { readonly outcome: string }
}

test('an export of a private machine replays under its key, readings kept back are counted', async (signal) => {
  using dir = tempDir()
  const at = await stage()
  await using it = at.it
  const made = async (definition: object): Promise<string> =>
    (await at.owner.call('contracts.custom', { slug: 'shut', definition, start: true })).contract.id
  const source = await made(
    counting(
      { kind: 'recurring', every_ticks: 1e8 },
      { context: { said: { type: 'text', initial: TOLD }, n: { type: 'integer', initial: 0 } } },
    ),
  )
  const trigger = { kind: 'event', event: 'go' }
  const id = await made(
    counting(trigger, {
      events: { go: { data: { word: { type: 'text' } } } },
      context: { n: { type: 'integer', initial: 0 }, said: { type: 'text', initial: '' } },
      oracles: { other: { from: { kind: 'contract', id: source, member: 'said' }, type: 'text', max_age: 5 } },
      transitions: [
        {
          ...{ id: 'hear', from: 'on', to: 'on', trigger, guard: 'oracle.other != event.data.word' },
          actions: [{ kind: 'set', n: { $: 'context.n + 1' }, said: { $: 'oracle.other' } }],
        },
      ],
    }),
  )
  const FIRES = 4
  for (let i = 0; i < FIRES; i += 1) {
    await at.owner.call('machines.event', { slug: 'shut', type: 'go', data: { word: `${TOLD}, ${i}` } })
    await pass(it, 1)
  }
  assert.equal((await firesOf(it, id)).length, FIRES)
  await it.advanceTicks(1)
  const file = JSON.parse(
    JSON.stringify(await exportHistory(at.owner, { slug: 'shut', id, signal, tell: () => undefined })),
  )
  assert.ok(JSON.stringify(file.rows).includes(TOLD), 'the owner has the values')
  assert.ok(!JSON.stringify(file.chain).includes(TOLD), 'the chain has none')

  type Row = { readonly readings?: readonly { readonly value?: unknown }[] }
  const without = (row: Row): Row =>
    row.readings === undefined ? row : { ...row, readings: row.readings.map(({ value: _, ...rest }) => rest) }
  const kept = { ...file, rows: (file.rows as readonly Row[]).map(without) }
  const put = (name: string, value: unknown): void => writeFileSync(`${dir.path}/${name}`, JSON.stringify(value))
  put('whole.json', file)
  put('kept.json', kept)
  const { json } = terminalIn(dir.path).here
  const replay = async (name: string, ...words: readonly string[]) => {
    const { code, answer } = await json(['contracts', 'replay', name, ...words])
    return { code, told: answer as unknown as Told }
  }
  const key = ['--key', it.node.nodeId]
  const whole = await replay('whole.json', ...key)
  assert.deepEqual([whole.code, whole.told.differs, whole.told.chain.outcome], [0, null, 'verified'])
  assert.deepEqual([whole.told.decided, whole.told.readings], [FIRES, { attested: 0, node: FIRES, withheld: 0 }])
  const partly = await replay('kept.json', ...key)
  assert.deepEqual([partly.code, partly.told.differs, partly.told.undecided], [4, null, FIRES])
  assert.deepEqual(partly.told.readings, { attested: 0, node: 0, withheld: FIRES })
  for (const name of ['whole.json', 'kept.json']) {
    const unkeyed = await replay(name)
    assert.deepEqual([unkeyed.code, unkeyed.told.differs, unkeyed.told.chain.outcome], [4, null, 'unchecked'])
    const wrong = await replay(name, '--key', '1'.repeat(64))
    assert.deepEqual([wrong.code, wrong.told.chain.outcome], [3, 'failed'])
  }
  // Another value in place of one that was read is seen, though the chain has only its digests.
  const lied = structuredClone(file) as { rows: { readings?: { value: string }[] }[] }
  for (const { readings = [] } of lied.rows) for (const reading of readings) reading.value = 'something else'
  put('lied.json', lied)
  const found = await replay('lied.json', ...key)
  assert.equal(found.code, 3)
  assert.notEqual(found.told.differs, null)
}, 20_000)

test.run()
