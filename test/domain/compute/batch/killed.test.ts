/*
 * Goal: a node that is killed in the middle of a batch loses nothing of it: at the next start the batch goes on, and
 * each of its calls has one envelope and one charge. Method: a node in a process of its own, killed with SIGKILL when
 * so many answers were read, a number from the seed; its directory is checked row by row, opened, and read to the end.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createClient } from '#gateway/client.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { testNode } from '../../../kit/node.ts'
import { seeded } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { tempDir } from '../../../kit/temp.ts'
import { ask, forms, post } from './asking.ts'

const test = suite('domain/compute: batches killed')

const PROGRAM = fileURLToPath(new URL('../../../../src/cli/main.ts', import.meta.url))
const CALLS = 60

/** Answers that are read before the node is killed, of a batch whose calls need threads and of one whose do not. */
const rounds = (() => {
  const random = seeded()
  return [random.integer(0, 4), random.integer(5, CALLS - 10)]
})()

const start = async (directory: string) => {
  const quiet = { TICKMESH_P2P_ENABLED: 'false', TICKMESH_MMIO_ENABLED: 'false', TICKMESH_LOG: 'error' }
  const child = spawn(process.execPath, [PROGRAM, 'start'], {
    env: { ...process.env, ...quiet, TICKMESH_DATA: directory, TICKMESH_HTTP_PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const over = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const ready = Promise.withResolvers<string>()
  child.once('close', () => ready.reject(new Error('the node ended before it was ready')))
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('ready ')) ready.resolve(line.slice('ready '.length))
  })
  return { url: await ready.promise, kill: () => child.kill('SIGKILL'), over }
}

const LINE_FEED = 0x0a

const readSome = async (response: Response, lines: number): Promise<void> => {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  for (let read = 0; read <= lines; ) {
    const { value, done } = await reader.read()
    if (done) return
    read += value.filter((byte) => byte === LINE_FEED).length
  }
  // What the kill does to the rest is none of this test's.
  reader.closed.catch(() => undefined)
}

const calls = [
  ...forms(CALLS / 2),
  ...Array.from({ length: CALLS / 2 }, (_, i) => ({ route: 'lotka', input: { t_max: 30 + i } })),
]

for (const answers of rounds) {
  test(`killed when ${answers} answers were read`, async () => {
    using dir = tempDir()
    const child = await start(dir.path)
    let key = ''
    let available = 0
    try {
      const client = createClient({ url: child.url })
      key = (await client.call('identity.sign-up', {})).api_key
      available = (await createClient({ url: child.url, key }).call('economy.credits', {})).available
      const response = await post({ calls }, { url: child.url, key, idempotencyKey: 'killed' })
      assert.equal(response.status, 200)
      await readSome(response, answers)
    } finally {
      child.kill()
      await child.over
    }
    assert.equal((await fsck({ directory: dir.path })).bad, null, 'what the kill left is sound')
    {
      await using it = await testNode({ directory: dir.path, realTime: true })
      const read = await ask({ calls }, { url: it.url, key, idempotencyKey: 'killed' })
      assert.equal(read.status, 200, JSON.stringify(read.problem))
      assert.equal(read.headers.get('idempotency-replayed'), 'true')
      assert.equal(read.closing.closing.sealed, CALLS)
      const tokens = new Set(read.answers.map(({ answer }) => answer?.claim.token_id))
      assert.equal(tokens.size, CALLS, 'each call has an envelope of its own')
      const paid = read.answers.reduce((sum, { answer }) => sum + (answer?.claim.price ?? 0), 0)
      assert.equal(available - (await it.as(key).call('economy.credits', {})).available, paid)
    }
    assert.equal((await fsck({ directory: dir.path })).bad, null)
  })
}

test.run()
