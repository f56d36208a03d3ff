// Goal: the doctor says how long the disk lasts with the streams that tick by themselves, warns a month before it is
// full and fails two days before. Method: findings of forecasts, and a node as a process, running and stopped.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { examineGrowth } from '#cli/examine-growth.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { type Answer, terminalIn } from './terminal.ts'

const test = suite('cli/growth')

const MS_MAX = 90_000

test('a month is warned of, two days fail, and the hint names what really exists', () => {
  const told = { channels: 1_000, ticks_per_day: 111_196_800, bytes_per_tick: 7_000, measured: true }
  const at = (days: number) => examineGrowth({ ...told, bytes_per_day: 778_377_600_000, days })
  const states = [45, 30, 29.9, 2, 1.9].map((days) => at(days).state)
  assert.deepEqual(states, ['ok', 'ok', 'warn', 'warn', 'fail'])
  const text = '1000 streams tick by themselves, 111,196,800 ticks a day: 778 GB a day (7,000 bytes a tick); '
  assert.equal(at(1.5).detail, `${text}the disk lasts 36 hours`)
  assert.match(at(29).hint ?? '', /`tickmesh streams patch <id> --interval <n>`.*`tickmesh backup create`/)
  assert.equal(at(45).hint, undefined)
})

test(
  'it follows the streams of the node that runs, of the same when it has stopped, and says so where none ticks',
  async () => {
    using dir = tempDir()
    const terminal = terminalIn(dir.path)
    const found = async (options: readonly string[] = []): Promise<readonly string[]> => {
      const { answer } = await terminal.once.json(['doctor', ...options])
      const rows = (answer['findings'] as readonly Answer[]).filter((it) => it['check'] === 'growth')
      return rows.map(({ state, detail }) => `${state} ${detail}`)
    }
    assert.deepEqual(await found(), [])
    {
      await using node = await terminal.start()
      const none = ['ok no stream ticks by itself: the data grow by what is asked for alone']
      assert.deepEqual(await found(), none)
      const made = ['streams', 'create', '--operators', 'GR37', 'mass=2e30', '--autotick', '--interval', '77']
      const { code, stderr } = await terminal.once.run(made)
      assert.equal(code, 0, stderr)
      const [growth = ''] = await found()
      assert.match(growth, /1 stream ticks by itself, 1,444 ticks a day: 10\.1 MB a day \(7,000 bytes a tick, a guess/)
      await node.end('SIGTERM')
    }
    assert.match((await found()).join(), /1 stream ticks by itself, 1,444 ticks a day/)
    const broken = `${dir.path}/broken`
    mkdirSync(`${broken}/db`, { recursive: true })
    writeFileSync(`${broken}/db/CURRENT`, 'no manifest')
    assert.deepEqual(await found(['--data-dir', broken]), [])
  },
  MS_MAX,
)

test.run()
