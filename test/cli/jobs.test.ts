// Goal: a job is begun and left, found again, waited for within a limit and cancelled, and whoever comes back to it
// does not end it by leaving; a write that moves value is done once, however often it has to be sent. Method: a node
// as a process, and the first call of each command as one; long and short computations; a relay between command and
// node that loses the first answer.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { until } from '../kit/until.ts'
import { type Answer, closing, terminalIn } from './terminal.ts'

const test = suite('cli/jobs')

const MS_MAX = 120_000
const dir = tempDir()
const terminal = terminalIn(dir.path)
const { begin, data } = terminal
const { json, run } = terminal.once
const node = await terminal.start()

const LONG = ['solve', 'heat', 'nx=256', 'ny=256', 'steps=100000', 'dt=0.001']
const QUICK = ['solve', 'heat', 'nx=96', 'ny=96', 'steps=50']
const key = (): string => readFileSync(`${data}/owner.key`, 'utf8').trim()
const credits = async (): Promise<Answer> => (await json(['credits', 'status'])).answer
const stateOf = async (id: string): Promise<unknown> => (await json(['jobs', 'show', id])).answer['state']

test(
  'a detached job is listed, shown, and its result is fetched with its bundle later',
  async () => {
    const begun = await run([...QUICK, '--detach'])
    const id = begun.stdout.trim()
    assert.match(id, /^[0-9a-f]{32}$/, begun.stderr)
    assert.match(begun.stderr, new RegExp(`tickmesh jobs wait ${id}`))
    const waited = await json(['jobs', 'wait', id, '--bundle', 'heat.json'])
    assert.deepEqual([waited.code, waited.answer['bundle']], [0, 'heat.json'])
    assert.equal((waited.answer['answer'] as Answer)['nx'], 96)
    const again = await json(['jobs', 'wait', id])
    const [one, two] = [waited, again].map(({ answer }) => answer['answer'] as Answer)
    assert.deepEqual([two?.['value'], two?.['hash'], two?.['field']], [one?.['value'], one?.['hash'], one?.['field']])
    const vkey = (await run(['keys', 'trusted'])).stdout.trim()
    assert.equal((await json(['verify', 'heat.json', '--key', vkey])).code, 0)
    const { jobs } = (await json(['jobs', 'list'])).answer as { jobs: readonly Answer[] }
    assert.deepEqual([jobs[0]?.['id'], jobs[0]?.['state']], [id, 'done'])
    const over = await json(['jobs', 'cancel', id])
    assert.deepEqual([over.code, over.answer['code']], [1, 'JOB_FINISHED'])
    const object = await json([...QUICK, '--detach'])
    assert.match(String((object.answer['job'] as Answer)['id']), /^[0-9a-f]{32}$/)
    for (const more of [
      ['--bundle', 'x.json'],
      ['--wait', '1'],
    ]) {
      assert.equal((await json([...QUICK, '--detach', ...more])).code, 2)
    }
    assert.equal((await json(['jobs', 'wait', '0'.repeat(32)])).answer['code'], 'NOT_FOUND')
  },
  MS_MAX,
)

test(
  'a limit on waiting leaves the job running and says how to come back; an interruption of that does too',
  async (signal) => {
    const limited = await json([...LONG, '--wait', '1'])
    assert.deepEqual([limited.code, limited.answer['code']], [75, 'STILL_RUNNING'])
    const id = String((limited.answer['details'] as Answer)['job'])
    assert.match(String(limited.answer['error']), new RegExp(`tickmesh jobs wait ${id}`))
    const again = await json(['jobs', 'wait', id, '--wait', '0'])
    assert.deepEqual([again.code, again.answer['code']], [75, 'STILL_RUNNING'])

    const streams = async (): Promise<number> => {
      const text = await (await fetch(`${node.url}/metrics`, { signal })).text()
      return Number(/^tickmesh_sse_clients (\d+)/m.exec(text)?.[1])
    }
    // A stream of the calls before may still be closing: it must not be taken for the one that is waited for.
    await until(async () => (await streams()) === 0, signal)
    const { child, ended } = begin(['jobs', 'wait', id, '--json'])
    // It has come back to the job once the node streams to it.
    await until(async () => (await streams()) === 1, signal)
    child.kill('SIGINT')
    const { code, stdout } = await ended
    const answer = JSON.parse(stdout) as Answer
    assert.deepEqual([code, answer['code']], [130, 'INTERRUPTED'])
    assert.match(String(answer['error']), /goes on; come back/)
    assert.ok(['queued', 'running'].includes(String(await stateOf(id))))

    const before = await credits()
    assert.equal((await json(['jobs', 'cancel', id])).code, 0)
    assert.equal(await stateOf(id), 'cancelled')
    const { paid, free } = await credits()
    assert.deepEqual([paid, free], [before['paid'], before['free']])
    const cancelled = await json(['jobs', 'wait', id])
    assert.deepEqual([cancelled.code, cancelled.answer['code']], [1, 'JOB_CANCELLED'])
  },
  MS_MAX,
)

test(
  'a grant whose answer is lost on the way is sent again, and given once; so is one under a name of its own',
  async () => {
    let calls = 0
    const relay = createServer((asked, answering) => {
      const { method, url, headers } = asked
      const onward = request(`${node.url}${url}`, { method, headers: { ...headers, host: new URL(node.url).host } })
      onward.on('response', (answer) => {
        if (method === 'POST' && calls++ === 0) {
          answer.resume().on('end', () => asked.socket.destroy()) // The node has done it; nobody is told.
          return
        }
        answering.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(answering)
      })
      asked.pipe(onward)
    }).listen(0, '127.0.0.1')
    await once(relay, 'listening')
    const env = { TICKMESH_URL: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`, TICKMESH_KEY: key() }
    const { zid, paid } = await credits()
    const granted = await json(['credits', 'grant', String(zid), '5'], { env })
    assert.deepEqual([granted.code, calls], [0, 2], granted.stdout)
    assert.equal((await credits())['paid'], Number(paid) + 5)

    const named = ['credits', 'grant', String(zid), '7', '--idempotency-key', 'workshop-1']
    for (let i = 0; i < 2; i++) assert.equal((await json(named)).code, 0)
    assert.equal((await credits())['paid'], Number(paid) + 12)
    const other = await json(['credits', 'grant', String(zid), '8', '--idempotency-key', 'workshop-1'])
    assert.deepEqual([other.code, other.answer['code']], [1, 'IDEMPOTENCY_KEY_REUSED'])
    relay.closeAllConnections()
    relay.close()
  },
  MS_MAX,
)

test(
  'a computation and an entry under one name are made once',
  async () => {
    const first = await json([...QUICK, '--idempotency-key', 'plate'])
    const before = await credits()
    const second = await json([...QUICK, '--idempotency-key', 'plate'])
    const tokenOf = ({ answer }: { answer: Answer }): unknown => {
      return ((answer['answer'] as Answer)['envelope'] as Answer)['token_id']
    }
    assert.equal(tokenOf(second), tokenOf(first))
    assert.deepEqual(await credits(), before)
    assert.equal((await run(['machines', 'create', 'pump-7'])).code, 0)
    const entry = ['machines', 'event', 'pump-7', 'reading', '--idempotency-key', 'r1']
    assert.equal((await json(entry)).answer['seq'], (await json(entry)).answer['seq'])
  },
  MS_MAX,
)

closing(test, node, dir)

test.run()
