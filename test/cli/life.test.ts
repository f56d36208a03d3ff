// Goal: a node begins and ends as it says it does: one line on stdout when it is ready, a clear refusal where it cannot
// start, nothing left behind on SIGTERM, and what a kill leaves is told from a node that runs; fsck on its data.
// Method: the program as a process on real data directories, with signals, taken ports and one flipped byte.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { type Answer, type Terminal, terminalIn } from './terminal.ts'

const test = suite('cli/life')

const MS_MAX = 90_000

/** The words and variables that a process was begun with, where the system shows them. */
const begunWith = (pid: number) => {
  const parts = (name: string): readonly string[] => readFileSync(`/proc/${pid}/${name}`, 'utf8').split('\0')
  return existsSync(`/proc/${pid}/environ`) ? { words: parts('cmdline'), variables: parts('environ') } : undefined
}

test(
  'ready is the only line on stdout, and true when it is there; SIGTERM ends with 0 and leaves no address',
  async () => {
    using dir = tempDir()
    const terminal = terminalIn(dir.path)
    await using node = await terminal.start()
    assert.notEqual(node.url, '')
    const begun = begunWith(node.pid)
    if (begun !== undefined) {
      // It began anew in its own place: the process is the one that was started, and has no child to leave behind.
      assert.ok(begun.words.includes('--max-semi-space-size=16') && begun.variables.includes('MALLOC_ARENA_MAX=1'))
      const children = `/proc/${node.pid}/task/${node.pid}/children`
      assert.equal(existsSync(children) ? readFileSync(children, 'utf8') : '', '')
    }
    const ready = await fetch(`${node.url}/readyz`)
    assert.equal(ready.status, 200, await ready.text())
    const file = `${terminal.data}/node.json`
    const { pid, url } = JSON.parse(readFileSync(file, 'utf8')) as Answer
    assert.deepEqual([pid, url, statSync(file).mode & 0o777], [node.pid, node.url, 0o600])

    const { answer } = await terminal.once.json(['owner-link'])
    const opened = await fetch(String(answer['owner_link']), { redirect: 'manual' })
    assert.deepEqual([opened.status, opened.headers.get('set-cookie')?.startsWith('tickmesh=')], [303, true])
    assert.equal((await fetch(String(answer['owner_link']))).status, 401, 'it works once')

    const { code, stdout, stderr } = await node.end('SIGTERM')
    assert.equal((await terminal.once.json(['owner-link'])).answer['code'], 'NO_NODE')
    assert.deepEqual([code, stdout], [0, `ready ${node.url}\n`])
    assert.match(stderr, /^owner .*tickmesh owner-link/m)
    assert.ok(!stderr.includes('token='), 'what is no terminal keeps what it is told')
    assert.deepEqual([existsSync(file), existsSync(`${terminal.data}/node.lock`)], [false, false])
  },
  MS_MAX,
)

test(
  'with --json the ready line is an object, --quiet keeps the owner link to itself, and memory is as set by hand',
  async () => {
    using dir = tempDir()
    const { begin } = terminalIn(dir.path)
    const runtime = ['--max-semi-space-size=8']
    const { child, ended } = begin(['start', '--json', '--quiet'], { runtime, env: { MALLOC_ARENA_MAX: '2' } })
    const [line] = (await once(child.stdout!, 'data')) as [Buffer]
    const begun = begunWith(child.pid!)
    child.kill('SIGINT')
    const { code, stdout, stderr } = await ended
    assert.deepEqual([code, stdout, stderr], [0, String(line), ''])
    if (begun !== undefined) {
      // What was set by hand stays.
      assert.ok(!begun.words.includes('--max-semi-space-size=16') && begun.words.includes('--max-semi-space-size=8'))
      assert.ok(begun.variables.includes('MALLOC_ARENA_MAX=2') && begun.variables.includes('MALLOC_TOP_PAD_=65536'))
    }
    const { schema, ok, ready, pid } = JSON.parse(stdout) as Answer
    assert.deepEqual([schema, ok, pid], [1, true, child.pid])
    assert.match(String(ready), /^http:\/\/127\.0\.0\.1:\d+$/)
  },
  MS_MAX,
)

test(
  'a second node on the same data is refused with the pid of the first, and so is fsck',
  async () => {
    using dir = tempDir()
    const terminal = terminalIn(dir.path)
    await using node = await terminal.start()
    const second = await terminal.once.json(['start'])
    assert.deepEqual([second.code, second.answer['code']], [1, 'DIRECTORY_IN_USE'])
    assert.match(second.stderr, new RegExp(`process ${node.pid}\\b`))
    const check = await terminal.once.json(['fsck'])
    assert.deepEqual([check.code, check.answer['code']], [4, 'NOT_CHECKED'])
    assert.match(check.stderr, new RegExp(`process ${node.pid}\\b`))
    assert.equal((await terminal.once.run(['status'])).code, 0, 'the first one is untouched')
    assert.equal((await node.end('SIGTERM')).code, 0)
  },
  MS_MAX,
)

test(
  'a taken port is named, for the interface and for the mesh',
  async () => {
    using dir = tempDir()
    const { run, json } = terminalIn(dir.path).once
    await using server = createServer()
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const port = String((server.address() as AddressInfo).port)
    for (const name of ['TICKMESH_HTTP_PORT', 'TICKMESH_P2P_PORT']) {
      const { code, stdout, stderr } = await run(['start'], { env: { [name]: port } })
      assert.deepEqual([code, stdout], [1, ''], name)
      assert.match(stderr, new RegExp(`^tickmesh: .*${port}.*taken`, 'm'), name)
      assert.ok(!stderr.includes('    at '), stderr)
      const doctor = await json(['doctor'], { env: { [name]: port } })
      const failed = (doctor.answer['findings'] as readonly Answer[]).filter((it) => it['state'] === 'fail')
      assert.deepEqual([doctor.code, failed.length], [1, 1], name)
      assert.match(String(failed[0]?.['hint']), new RegExp(`${name}=0`))
    }
  },
  MS_MAX,
)

test(
  'after a kill commands say that the node is gone, and it starts again',
  async () => {
    using dir = tempDir()
    const terminal = terminalIn(dir.path)
    await using killed = await terminal.start()
    await killed.end('SIGKILL')
    assert.ok(existsSync(`${terminal.data}/node.json`), 'a killed node leaves its address')
    const { code, answer } = await terminal.once.json(['credits', 'status'])
    assert.deepEqual([code, answer['code']], [5, 'NO_NODE'])
    assert.match(String(answer['error']), new RegExp(`process ${killed.pid} ended without stopping.*npm start`))
    const doctor = await terminal.once.run(['doctor'])
    assert.equal(doctor.code, 0)
    assert.match(doctor.stdout, new RegExp(`warn +running +process ${killed.pid} ended`))
    // Another process of the same pid is no node: the file of a lock that nobody holds counts for nothing.
    writeFileSync(`${terminal.data}/node.json`, JSON.stringify({ pid: process.pid, url: killed.url, node: 'x' }))
    assert.equal((await terminal.once.json(['status'])).answer['code'], 'NO_NODE')
    writeFileSync(`${terminal.data}/node.json`, '{"pid":')
    assert.equal((await terminal.once.json(['status'])).answer['code'], 'NO_NODE')

    await using again = await terminal.start()
    assert.equal((await terminal.once.run(['status'])).code, 0)
    assert.equal((await again.end('SIGTERM')).code, 0)
    assert.equal((await terminal.once.run(['fsck'])).code, 0)
  },
  MS_MAX,
)

/** A data directory on which a node has sealed something. */
const used = async (terminal: Terminal): Promise<void> => {
  await using node = await terminal.start()
  assert.equal((await terminal.once.run(['compute', 'GR37', 'mass=1', '--bundle', 'x.json'])).code, 0)
  await node.end('SIGTERM')
}

test(
  'fsck: clean is 0 with counts, a flipped byte is 3 with the first bad record, nothing to look at is 4',
  async () => {
    using dir = tempDir()
    const terminal = terminalIn(dir.path)
    assert.equal((await terminal.once.json(['fsck'])).code, 4)
    await used(terminal)
    const clean = await terminal.once.json(['fsck'])
    assert.deepEqual([clean.code, clean.answer['ok'], clean.answer['bad']], [0, true, null])
    assert.equal(clean.answer['envelopes'], 1)
    assert.equal(clean.stderr, '', 'progress is for terminals')
    const printed = await terminal.once.run(['fsck'])
    assert.match(printed.stdout, /envelopes +1\n.*: clean\n$/s)

    const files = readdirSync(`${terminal.data}/db`).filter((name) => /\.(?:ldb|log)$/.test(name))
    const sized = files.map((name) => ({ name, bytes: readFileSync(`${terminal.data}/db/${name}`) }))
    const { name, bytes } = sized.reduce((a, b) => (a.bytes.length >= b.bytes.length ? a : b))
    const flipped = Uint8Array.from(bytes)
    const at = flipped.length >> 1
    flipped[at] = (flipped[at] ?? 0) ^ 1
    writeFileSync(`${terminal.data}/db/${name}`, flipped)
    const damaged = await terminal.once.json(['fsck'])
    assert.deepEqual([damaged.code, damaged.answer['ok']], [3, false])
    const { table, what } = damaged.answer['bad'] as Answer
    assert.ok(String(table).length > 0 && String(what).length > 0)
    assert.match((await terminal.once.run(['fsck'])).stdout, /NOT clean — first bad record: /)
    writeFileSync(`${terminal.data}/db/${name}`, bytes)
    assert.equal((await terminal.once.run(['fsck'])).code, 0, 'looking changed nothing')
  },
  MS_MAX,
)

test.run()
