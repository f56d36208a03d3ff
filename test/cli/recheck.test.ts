// Goal: receipts of revisions that were found wrong are called withdrawn, with an exit code of their own, and `recheck`
// says how far each value has moved; what is right stays verified. Method: receipts that earlier releases sealed.
import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { terminalIn } from './terminal.ts'

const test = suite('cli/recheck')
const MS_MAX = 120_000
const dir = tempDir()
const { json, run } = terminalIn(dir.path).once
const receipts = fileURLToPath(new URL('../fixtures/receipts', import.meta.url))
const at = (name: string): string => `${receipts}/${name}.json`

interface Row {
  readonly file: string
  readonly outcome: string
  readonly advisories: readonly { readonly id: string; readonly successor: string }[]
}

const verified = async (...args: readonly string[]) => {
  const { code, answer } = await json(['verify', ...args])
  return { code, rows: answer['files'] as readonly Row[] }
}

const keyOf = (name: string): string => JSON.parse(readFileSync(at(name), 'utf8')).envelope.claim.node

test(
  'a receipt of what was found wrong is withdrawn, not verified: exit 6, with what to use instead',
  async () => {
    for (const [name, id, successor] of [
      ['heat-1', 'TM-2026-1', 'heat@3'],
      ['fracture-1', 'TM-2026-4', 'fracture@2'],
      ['climate-1', 'TM-2026-6', 'climate@2'],
      ['flow-1', 'TM-2026-7', 'flow@2'],
      ['fea-1-clamp', 'TM-2026-8', 'fea@2'],
      ['fea-1-coarse', 'TM-2026-9', 'fea@2'],
    ] as const) {
      const { code, rows } = await verified(at(name), '--key', keyOf(name))
      assert.equal(code, 6, name)
      assert.equal(rows[0]?.outcome, 'withdrawn')
      assert.deepEqual(
        rows[0]?.advisories.map((it) => [it.id, it.successor]),
        [[id, successor]],
      )
    }
    const { code, stdout } = await run(['verify', at('heat-1')])
    assert.equal(code, 6)
    assert.match(stdout, /ADVISORY TM-2026-1: .*heat@3 is right: compute it again\./)
    assert.match(stdout, /WITHDRAWN/)
  },
  MS_MAX,
)

test(
  'a mode that was right is verified; a receipt that fails is failed, not withdrawn',
  async () => {
    const bar = await verified(at('fracture-1-bar'), '--key', keyOf('fracture-1-bar'))
    assert.deepEqual([bar.code, bar.rows[0]?.outcome, bar.rows[0]?.advisories], [0, 'verified', []])
    const text = readFileSync(at('flow-1'), 'utf8')
    writeFileSync(`${dir.path}/altered.json`, text.replace(/"value":0\.4/, '"value":0.5'))
    const altered = await verified(`${dir.path}/altered.json`, '--key', keyOf('flow-1'))
    assert.deepEqual([altered.code, altered.rows[0]?.outcome], [3, 'failed'])
    const both = await verified(
      `${dir.path}/altered.json`,
      at('flow-1'),
      at('fracture-1-bar'),
      '--key',
      keyOf('flow-1'),
    )
    assert.equal(both.code, 3, 'the worst decides')
  },
  MS_MAX,
)

test(
  'what may be wrong is withdrawn until a replay by the successor gives it again',
  async () => {
    for (const name of ['react-2', 'multibody-2', 'fea-1']) {
      const doubtful = await verified(at(name), '--key', keyOf(name))
      assert.deepEqual([doubtful.code, doubtful.rows[0]?.outcome], [6, 'withdrawn'], name)
      const again = await verified(at(name), '--key', keyOf(name), '--replay')
      assert.deepEqual([again.code, again.rows[0]?.outcome, again.rows[0]?.advisories], [0, 'verified', []], name)
    }
    for (const name of ['heat-1', 'fea-1-clamp', 'fea-1-coarse']) {
      const wrong = await verified(at(name), '--key', keyOf(name), '--replay')
      assert.deepEqual([wrong.code, wrong.rows[0]?.outcome], [6, 'withdrawn'], name)
    }
  },
  MS_MAX,
)

test(
  'without inputs it may be any of its revision: unchecked, and said',
  async () => {
    const bundle = JSON.parse(readFileSync(at('heat-1'), 'utf8'))
    writeFileSync(`${dir.path}/bare.json`, JSON.stringify({ ...bundle, inputs: undefined }))
    const { code, rows } = await verified(`${dir.path}/bare.json`, '--key', keyOf('heat-1'))
    assert.deepEqual([code, rows[0]?.outcome, rows[0]?.advisories.length], [4, 'unchecked', 2])
  },
  MS_MAX,
)

test(
  'recheck prints old, new and difference of every receipt of a folder, and exits 6 where one is wrong',
  async () => {
    const { code, answer } = await json(['recheck', receipts])
    assert.equal(code, 6)
    interface Rechecked {
      readonly file: string
      readonly state: string
      readonly by: string
      readonly old: number
      readonly new: number | null
      readonly difference_pct: number | null
      readonly why: string | null
    }
    const rows = answer['files'] as readonly Rechecked[]
    assert.equal(rows.length, readdirSync(receipts).length)
    const of = (name: string): Rechecked => rows.find(({ file }) => file === at(name)) as Rechecked
    assert.deepEqual([of('fracture-1-bar').state, of('fracture-1-bar').difference_pct], ['same', 0])
    assert.equal(of('react-2').state, 'same')
    const climate = of('climate-1')
    assert.equal(climate.state, 'moved')
    assert(climate.old < Number(climate.new) && Math.abs(Number(climate.difference_pct)) > 0.1)
    // 36 cells over a channel's height: 0.13 % off, which revision 1 called 0.09 %.
    assert.equal(of('flow-1').state, 'unavailable')
    assert.match(String(of('flow-1').why), /PRECISION_NOT_MET|above 0\.1 %/)
    assert.equal(of('heat-1').by, 'heat@3')
    assert.deepEqual([of('fea-1').state, of('fea-1-coarse').state], ['same', 'unavailable'])
    // The deflection of a held root held; what went is a stress beside it.
    assert.equal(of('fea-1-clamp').difference_pct, 0)
    const { stdout } = await run(['recheck', receipts])
    assert.match(stdout, /climate@1 → climate@3, old .* new .*: off by -0\.\d+ %/)
  },
  MS_MAX,
)

test(
  'what cannot be rechecked is said file by file, and a folder without receipts refused',
  async () => {
    mkdirSync(`${dir.path}/mixed`)
    copyFileSync(at('fracture-1-bar'), `${dir.path}/mixed/bar.json`)
    writeFileSync(`${dir.path}/mixed/broken.json`, '{"v":1')
    writeFileSync(`${dir.path}/mixed/other.json`, '[1, 2]')
    writeFileSync(`${dir.path}/mixed/notes.txt`, 'no receipt')
    const { code, answer } = await json(['recheck', `${dir.path}/mixed`])
    assert.equal(code, 4)
    const states = (answer['files'] as readonly { readonly state: string }[]).map(({ state }) => state)
    assert.deepEqual(states, ['same', 'unavailable', 'unavailable'])
    mkdirSync(`${dir.path}/empty`)
    for (const folder of ['empty', 'nowhere']) assert.equal((await json(['recheck', `${dir.path}/${folder}`])).code, 4)
    assert.equal((await json(['recheck'])).code, 2)
  },
  MS_MAX,
)

test.run()
