// Goal: a followed machine is told line by line without a gap or a repeat, from any entry on, over a restart of its
// node; Ctrl-C ends it with 130 and says how to go on; a reader who leaves ends it quietly. Peers are followed alike.
// Method: a node as a process on a fixed port, killed and started again under a reader; numbers of the lines counted.
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { until } from '../kit/until.ts'
import { type Answer, type RunningNode, terminalIn } from './terminal.ts'

const test = suite('cli/follow')

const MS_MAX = 120_000
const dir = tempDir()
const terminal = terminalIn(dir.path)
const { begin } = terminal
const { json, run } = terminal.once

/** A port that was free a moment ago: a node that is started again is to be found under the same address. */
const freePort = async (): Promise<string> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return String(port)
}
const env = { TICKMESH_HTTP_PORT: await freePort(), TICKMESH_LIMITS_ANONYMOUS_CALLS_PER_MINUTE: '100000' }
const start = (): Promise<RunningNode> => terminal.start({ env })
let node = await start()

const event = async (name: string): Promise<void> => {
  const { code, stderr } = await run(['machines', 'event', 'pump-7', name])
  assert.equal(code, 0, stderr)
}

/** Lines of a command as they come. */
const linesOf = (child: ChildProcess): { readonly all: () => readonly Answer[] } => {
  let text = ''
  child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  return {
    all: () =>
      text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Answer),
  }
}
const seqs = (lines: readonly Answer[]): readonly unknown[] =>
  lines.filter((it) => it['ok'] === true).map((it) => it['seq'])

test(
  'from the first entry on, then live, over a restart of the node; Ctrl-C ends with 130 and tells how to go on',
  async (signal) => {
    assert.equal((await run(['machines', 'create', 'pump-7', '--is-public', 'true'])).code, 0)
    await event('before')
    const { child, ended } = begin(['machines', 'follow', 'pump-7', '--from', '0', '--json'])
    const lines = linesOf(child)
    await until(async () => lines.all().length === 2, signal)
    await event('live')
    await until(async () => lines.all().length === 3, signal)

    await node.end('SIGKILL')
    node = await start()
    await event('after')
    await event('later')
    await until(async () => lines.all().length === 5, signal)
    child.kill('SIGINT')
    const { code, stderr } = await ended
    assert.equal(code, 130)
    assert.match(stderr, /no answer from .*; waiting for it/)
    assert.match(stderr, /go on with: tickmesh machines follow pump-7 --from 5/)
    assert.deepEqual(seqs(lines.all()), [0, 1, 2, 3, 4])
    const last = lines.all().at(-1)
    assert.deepEqual([last?.['ok'], last?.['code']], [false, 'INTERRUPTED'])
    for (const line of lines.all()) assert.equal(line['schema'], 1)
  },
  MS_MAX,
)

test(
  'a filter by name, for the owner; and without --from only what comes',
  async (signal) => {
    const filtered = begin(['machines', 'follow', 'pump-7', '--from', '0', '--event', 'live', '--json'])
    const live = begin(['machines', 'follow', 'pump-7', '--json'])
    const [some, fresh] = [linesOf(filtered.child), linesOf(live.child)]
    await until(async () => some.all().length === 1, signal)
    // The live one tells nothing until something happens, so it is asked for until it has been heard.
    await until(async () => {
      await event('live')
      return fresh.all().length > 0
    }, signal)
    const first = Number(fresh.all()[0]?.['seq'])
    assert.ok(first >= 5, 'nothing from before')
    await until(async () => seqs(some.all()).includes(first), signal)
    for (const { child } of [filtered, live]) child.kill('SIGTERM')
    assert.deepEqual([(await filtered.ended).code, (await live.ended).code], [143, 143])
    for (const line of some.all().slice(0, -1)) assert.equal((line['body'] as Answer)['event'], 'live')
  },
  MS_MAX,
)

test(
  'a reader who leaves ends it, quietly',
  async (signal) => {
    const { child, ended } = begin(['machines', 'follow', 'pump-7', '--from', '0'])
    await once(child.stdout!, 'data')
    child.stdout!.destroy()
    let over = false
    const end = ended.finally(() => {
      over = true
    })
    await until(async () => {
      await event('more')
      return over
    }, signal)
    const { code, stderr } = await end
    assert.deepEqual([code, stderr], [0, ''])
  },
  MS_MAX,
)

test(
  'peers are told once, and then by what changes',
  async (signal) => {
    const text = await run(['peers'])
    assert.match(text.stdout, /^peers \(0\)$/m)
    assert.equal((await json(['peers'])).answer['meshSize'], 1)
    const { child, ended } = begin(['peers', '--watch', '--every', '1', '--json'])
    const lines = linesOf(child)
    const [address] = (await json(['peers'])).answer['addresses'] as readonly string[]
    const other = terminalIn(`${dir.path}`)
    const second = { TICKMESH_DATA: `${dir.path}/second`, TICKMESH_BOOTSTRAP: String(address) }
    await using peer = await other.start({ env: second })
    await until(async () => lines.all().some((it) => it['connected'] === true), signal)
    await peer.end('SIGTERM')
    await until(async () => lines.all().at(-1)?.['connected'] === false, signal)
    child.kill('SIGINT')
    assert.equal((await ended).code, 130)
  },
  MS_MAX,
)

test(
  'what cannot be followed is refused at once',
  async () => {
    const strange = await json(['machines', 'follow', 'no-such'])
    assert.deepEqual([strange.code, strange.answer['code']], [1, 'NOT_FOUND'])
    const keyless = await json(['machines', 'follow', 'pump-7', '--event', 'x'], { env: { TICKMESH_URL: node.url } })
    assert.deepEqual([keyless.code, keyless.answer['code']], [1, 'SCOPE_REQUIRED'])
    assert.equal((await node.end('SIGTERM')).code, 0)
    const nobody = await json(['machines', 'follow', 'pump-7'])
    assert.deepEqual([nobody.code, nobody.answer['code']], [5, 'NO_NODE'])
    dir[Symbol.dispose]()
  },
  MS_MAX,
)

test.run()
