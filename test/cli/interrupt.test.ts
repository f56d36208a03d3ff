// Goal: who interrupts a computation pays nothing for it, and who loses the node on the way is told what becomes of the
// job. Method: a node as a process, a long computation beside it, and signals to one or the other while it runs.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { until } from '../kit/until.ts'
import { type Answer, terminalIn } from './terminal.ts'

const test = suite('cli/interrupt')

const MS_MAX = 90_000
const dir = tempDir()
const terminal = terminalIn(dir.path)
const { begin, json, data } = terminal
const node = await terminal.start()

/** A computation that takes long enough to be interrupted. */
const LONG = ['solve', 'heat', 'nx=256', 'ny=256', 'steps=100000', 'dt=0.001']
const OWNER_KEY = (): string => readFileSync(`${data}/owner.key`, 'utf8').trim()

const credits = async (): Promise<Answer> => (await json(['credits', 'status'])).answer

const jobHeld = async (signal: AbortSignal): Promise<void> => {
  const headers = { authorization: `Bearer ${OWNER_KEY()}` }
  const { url } = node
  await until(async () => {
    const answer = await fetch(`${url}/api/credits/status`, { headers, signal })
    return Number(((await answer.json()) as Answer)['held']) > 0
  }, signal)
}

for (const [signalName, exit, name] of [
  ['SIGINT', 130, 'INTERRUPTED'],
  ['SIGTERM', 143, 'TERMINATED'],
] as const) {
  test(
    `${signalName} during solve cancels the job: exit ${exit}, nothing charged`,
    async (signal) => {
      const before = await credits()
      const { child, ended } = begin([...LONG, '--json'])
      await jobHeld(signal)
      child.kill(signalName)
      const { code, stdout, stderr } = await ended
      const answer = JSON.parse(stdout) as Answer
      assert.deepEqual([code, answer['ok'], answer['code']], [exit, false, name], stderr)
      assert.match(String(answer['error']), /cancelled and nothing was charged/)
      assert.deepEqual(await credits(), before)
      const { job: id } = answer['details'] as Answer
      const headers = { authorization: `Bearer ${OWNER_KEY()}` }
      const job = (await (await fetch(`${node.url}/api/jobs/${id}`, { headers })).json()) as Answer
      assert.equal(job['state'], 'cancelled')
    },
    MS_MAX,
  )
}

test(
  'a node that ends in mid-job is told, with the job that it keeps',
  async (signal) => {
    const { url, end } = node
    const { ended } = begin([...LONG, '--json'])
    await jobHeld(signal)
    assert.equal((await end('SIGTERM')).code, 0)
    const { code, stdout } = await ended
    const answer = JSON.parse(stdout) as Answer
    assert.deepEqual([code, answer['code']], [5, 'UNREACHABLE'], stdout)
    assert.match(String(answer['error']), new RegExp(`${url}.*the job goes on.*/api/jobs/[0-9a-f]{32}`))
    assert.ok(!existsSync(`${data}/node.json`))
    dir[Symbol.dispose]()
  },
  MS_MAX,
)

test.run()
