/*
 * Goal: a stream is made, ticked, shown, followed, read by links and over an encrypted way on the command line; whoever
 * follows it misses nothing and is told nothing twice, over a node that is killed and over a connection that is cut.
 * Method: a node as a process on a fixed port, killed and started again under a reader; a relay between them that is
 * cut; the other commands in this process.
 */
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { openRelay } from '../kit/relay.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { until } from '../kit/until.ts'
import { type Answer, type RunningNode, terminalIn } from './terminal.ts'

const test = suite('cli/streams')

const MS_MAX = 120_000
const dir = tempDir()
const terminal = terminalIn(dir.path)
const { begin } = terminal
const { json, run } = terminal.here
const at = (name: string): string => `${dir.path}/${name}`

/** A port that was free a moment ago: a node that is started again is to be found under the same address. */
const freePort = async (): Promise<string> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return String(port)
}
const way = await openRelay()
const env = { TICKMESH_HTTP_PORT: await freePort(), TICKMESH_HTTP_HOSTS: way.host }
const start = (): Promise<RunningNode> => terminal.start({ env })
let node = await start()

const GROWING = ['--operators', 'GR37', 'mass={"$":"1e30 + 1e27 * count"}']

/** A new stream, with a key that reaches it and nothing else. */
const made = async (...words: readonly string[]): Promise<{ id: string; key: string }> => {
  const { code, answer, stderr } = await json(['streams', 'create', ...GROWING, ...words])
  assert.equal(code, 0, stderr)
  const { id } = answer['stream'] as { id: string }
  return { id, key: String(answer['key']) }
}

const tick = async (id: string, ...words: readonly string[]): Promise<void> => {
  const { code, stderr } = await run(['streams', 'tick', id, ...words])
  assert.equal(code, 0, stderr)
}

/** Lines of a command as they come. */
const linesOf = (child: ChildProcess): (() => readonly Answer[]) => {
  let text = ''
  child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  return () =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Answer)
}
const ticksOf = (lines: readonly Answer[]): readonly Answer[] => lines.filter((it) => it['type'] === 'tick')
const countsOf = (lines: readonly Answer[]): readonly unknown[] => ticksOf(lines).map((it) => it['count'])

test(
  'made with a key that is shown once, ticked by count, shown, changed and closed',
  async () => {
    const shown = await run(['streams', 'create', ...GROWING, '--interval', '77'])
    assert.match(shown.stdout, /^sck_[0-9A-Za-z]+\n$/)
    assert.match(shown.stderr, /stream\.id.*it is not shown again/s)
    const { id, key } = await made('--interval', '5')
    const first = await run(['streams', 'tick', id, '--count', '1'])
    assert.match(first.stdout, /^count +1$/m)
    assert.match(first.stdout, /^value +1486\.7\d+$/m)
    const again = await json(['streams', 'tick', id, '--count', '1'])
    assert.deepEqual([again.code, again.answer['code']], [1, 'TICK_TAKEN'])
    // The channel's own key ticks and reads; what it is and costs is the owner's.
    const own = { env: { TICKMESH_URL: node.url, TICKMESH_KEY: key } }
    const second = await json(['streams', 'tick', id], own)
    assert.partialDeepStrictEqual(second.answer, { ok: true, stream: { id, epoch: 1, count: 2 } })
    const patched = await json(['streams', 'patch', id, '--interval', '9'], own)
    assert.deepEqual([patched.code, patched.answer['code']], [1, 'SCOPE_REQUIRED'])
    const mine = await json(['streams', 'patch', id, 'mass=2e30', '--interval', '9', '--autotick', 'false'])
    assert.partialDeepStrictEqual(mine.answer['stream'], { tickIntervalTicks: 9, inputs: { mass: 2e30 } })
    const standing = await json(['streams', 'show', id], own)
    assert.partialDeepStrictEqual(standing.answer['stream'], { id, count: 2, sealed: 2, status: 'open' })
    const output = await run(['streams', 'latest', id], own)
    assert.match(output.stdout, /^count +2$/m)
    assert.match(output.stderr, /sealed as [0-9a-f]{32} at tick \d+/)
    const listed = await json(['streams', 'list', '--limit', '1'])
    assert.partialDeepStrictEqual(listed.answer, { total: 2, limit: 1, streams: [{ id, count: 2 }] })
    assert.match((await run(['streams', 'list'])).stdout, new RegExp(`^${id} +GR37 +open +1 +2 +\\d`, 'm'))
    const closed = await json(['streams', 'list'], own)
    assert.deepEqual([closed.code, closed.answer['code']], [1, 'SCOPE_REQUIRED'])
    const unsure = await json(['streams', 'close', id])
    assert.equal(unsure.code, 2, 'nobody is there to be asked')
    const over = await json(['streams', 'close', id, '--yes'])
    assert.partialDeepStrictEqual(over.answer['stream'], { status: 'closed', sealed: 2 })
    const late = await json(['streams', 'tick', id])
    assert.deepEqual([late.code, late.answer['code']], [1, 'CHANNEL_CLOSED'])
    for (const words of [
      ['create', 'lotka', '--operators', 'GR37'],
      ['create', '--interval', 'x'],
      ['latest', 'x'],
      ['follow', id, '--after', '3'],
      ['pull', id],
      ['pull', 'ftp://somewhere'],
    ]) {
      assert.equal((await json(['streams', ...words])).code, 2, words.join(' '))
    }
  },
  MS_MAX,
)

test(
  'followed over a node that is killed and a connection that is cut: each tick once, none lost, 0 at its end',
  async (signal) => {
    const { id, key } = await made()
    await tick(id)
    way.lead(node.url)
    const reach = { env: { TICKMESH_KEY: key } }
    const direct = begin(['streams', 'follow', id, '--after', '0.0', '--json'], {
      env: { ...reach.env, TICKMESH_URL: node.url },
    })
    const relayed = begin(['streams', 'follow', id, '--after', '1.0', '--json'], {
      env: { ...reach.env, TICKMESH_URL: way.url },
    })
    const [near, far] = [linesOf(direct.child), linesOf(relayed.child)]
    const told = async (n: number): Promise<void> => {
      await until(() => ticksOf(near()).length === n && ticksOf(far()).length === n, signal)
    }
    await told(1)
    const { output, value, unit } = ticksOf(near())[0] as Answer
    assert.deepEqual(
      [output, typeof value, unit],
      [undefined, 'number', 'm'],
      'its output is not kept, and its value is',
    )
    await tick(id)
    await told(2)
    const live = ticksOf(near())[1] as Answer
    assert.deepEqual([live['unit'], typeof live['value'], typeof live['errorPct']], ['m', 'number', 'number'])

    way.cut()
    await tick(id)
    await told(3)
    await node.end('SIGKILL')
    node = await start()
    await tick(id)
    await tick(id)
    await told(5)
    assert.equal((await run(['streams', 'close', id, '--yes'])).code, 0)
    const [ended, cut] = [await direct.ended, await relayed.ended]
    assert.deepEqual([ended.code, cut.code], [0, 0], `${ended.stderr}${cut.stderr}`)
    for (const lines of [near(), far()]) {
      assert.deepEqual(countsOf(lines), [1, 2, 3, 4, 5])
      assert.equal(lines.at(-1)?.['type'], 'closed')
    }
    assert.match(ended.stderr, /going on behind 1\.3/)
    assert.match(cut.stderr, /going on behind 1\.2/)
    // One that is closed already ends as well, with what was missed.
    const after = await run(['streams', 'follow', id, '--after', '1.3'])
    assert.equal(after.code, 0, after.stderr)
    assert.match(after.stdout, /^1\.4 {2}tick \d+ {2}1\d{3}\.\d+ m {2}\S+ % {2}[0-9a-f]{32}\n1\.5 {2}tick .*\n$/)
  },
  MS_MAX,
)

test(
  'a person reads lines with value, unit and error; gaps are said; Ctrl-C ends with 130 and tells how to go on',
  async (signal) => {
    const { id } = await made()
    const { child, ended } = begin(['streams', 'follow', id])
    let text = ''
    child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    // It tells nothing until something happens, so it is ticked until that has been heard.
    await until(async () => {
      await tick(id)
      return text !== ''
    }, signal)
    child.kill('SIGINT')
    const { code, stderr } = await ended
    assert.equal(code, 130)
    assert.match(text.split('\n')[0] as string, /^1\.\d+ {2}tick \d+ {2}1\d{3}\.\d+ m {2}\S+ % {2}[0-9a-f]{32}$/)
    const last = text.trim().split('\n').at(-1)?.split(' ')[0]
    assert.ok(stderr.includes(`go on with: tickmesh streams follow ${id} --after ${last}`), stderr)
    // Of this one no due tick but the first can be sealed, and a change says which were refused.
    const mass = 'mass={"$":"count < 2 ? 1e30 : 0.0 - 1.0"}'
    const { answer } = await json(['streams', 'create', '--operators', 'GR37', mass, '--autotick'])
    const { id: refused } = answer['stream'] as { id: string }
    const shown = async () => (await json(['streams', 'show', refused])).answer['stream'] as Answer
    await until(async () => Number((await shown())['refusals']) > 1, signal)
    assert.equal((await run(['streams', 'patch', refused, '--autotick', 'false'])).code, 0)
    assert.equal((await run(['streams', 'close', refused, '--yes'])).code, 0)
    const whole = await run(['streams', 'follow', refused, '--after', '0.0'])
    assert.deepEqual([whole.code, whole.stdout.trim().split('\n').length], [0, 1])
    const [, from, to] = /^gap {2}mesh ticks (\d+) to (\d+): refused$/m.exec(whole.stderr) ?? []
    assert.equal(Number(to) - Number(from) + 1, (await shown())['missed'], whole.stderr)
    const strange = await json(['streams', 'follow', '0'.repeat(32)])
    assert.deepEqual([strange.code, strange.answer['code']], [1, 'NOT_FOUND'])
    const keyless = await json(['streams', 'follow', id], { env: { TICKMESH_URL: node.url } })
    assert.deepEqual([keyless.code, keyless.answer['code']], [1, 'UNAUTHENTICATED'])
  },
  MS_MAX,
)

test(
  'a link shows the output that the template makes; an altered one is refused',
  async (signal) => {
    writeFileSync(at('radius.csv'), '{{count}},{{value|fixed:1}},{{unit}}')
    const { id } = await made('--template', at('radius.csv'), '--content-type', 'text/csv')
    await tick(id)
    const address = (await run(['streams', 'link', id, '--seconds', '3600'])).stdout.trim()
    assert.ok(address.startsWith(`${node.url}/api/svc/streams/${id}/pull?sig=`), address)
    // Another person, who has neither a node nor a key.
    const bare = { env: { TICKMESH_DATA: at('nothing'), TICKMESH_KEY: 'zsk_nothing' } }
    const pulled = await run(['streams', 'pull', address], bare)
    assert.equal(pulled.code, 0, pulled.stderr)
    assert.match(pulled.stdout, /^1,1486\.\d,m\n$/)
    const sig = new URL(address).searchParams.get('sig') as string
    const saved = await json(['streams', 'pull', id, '--sig', sig, '--out', at('out.csv')])
    assert.partialDeepStrictEqual(saved.answer, { ok: true, contentType: 'text/csv; charset=utf-8' })
    assert.equal(readFileSync(at('out.csv'), 'utf8'), pulled.stdout.trimEnd())
    assert.equal((await json(['streams', 'latest', id])).answer['output'], pulled.stdout.trimEnd())
    const flipped = address.slice(0, -2) + (address.at(-2) === 'A' ? 'B' : 'A') + address.at(-1)
    const altered = await json(['streams', 'pull', flipped], bare)
    assert.deepEqual([altered.code, altered.answer['code']], [1, 'UNAUTHENTICATED'])
    assert.ok(!`${altered.stdout}${altered.stderr}`.includes(sig.slice(0, 16)), 'a link is repeated nowhere')
    const followed = begin(['streams', 'follow', id, '--sig', sig, '--after', '1.0', '--json'], {
      env: { TICKMESH_URL: node.url },
    })
    const told = linesOf(followed.child)
    await until(() => told().length > 0, signal)
    // Of a tick that is over a link tells that it was: its output is not kept, and more than that it does not show.
    const [{ type, count, value, output }] = told() as [Answer]
    assert.deepEqual([type, count, value, output], ['tick', 1, null, undefined])
    followed.child.kill('SIGTERM')
    assert.equal((await followed.ended).code, 143)
  },
  MS_MAX,
)

test(
  'the newest envelope is opened from an encrypted frame, its sender and its receipt are checked',
  async () => {
    const { id, key } = await made()
    const early = await json(['streams', 'secure', id])
    assert.deepEqual([early.code, early.answer['code']], [1, 'NOT_FOUND'])
    await tick(id)
    const vkey = (await run(['keys', 'trusted'])).stdout.trim()
    const guest = { env: { TICKMESH_URL: node.url, TICKMESH_KEY: key } }
    const opened = await json(['streams', 'secure', id, '--key', vkey, '--verify'])
    assert.equal(opened.code, 0, opened.stderr + opened.stdout)
    const head = (await json(['streams', 'show', id], guest)).answer['stream'] as { head: Answer }
    assert.partialDeepStrictEqual(opened.answer, {
      ...{ ok: true, counter: 1, outcome: 'verified' },
      envelope: { claim: { token_id: head.head['token_id'], value: head.head['value'] } },
    })
    const blind = await json(['streams', 'secure', id, '--verify'], guest)
    assert.deepEqual([blind.code, blind.answer['outcome']], [4, 'unchecked'], 'whose key that is was not said')
    const own = await json(['streams', 'secure', id, '--key', vkey, '--verify'], guest)
    assert.deepEqual([own.code, own.answer['outcome']], [0, 'verified'], own.stderr + own.stdout)
    const text = await run(['streams', 'secure', id])
    assert.match(text.stdout, /^value +1486\.\d+$/m)
    assert.equal(text.stderr, '', 'the own node is known by its data directory')
    assert.match((await run(['streams', 'secure', id], guest)).stderr, /the node says itself/)
    const stranger = await json(['streams', 'secure', id, '--key', 'ab'.repeat(32)], guest)
    assert.deepEqual([stranger.code, stranger.answer['code']], [3, 'BAD_SIGNATURE'])
  },
  MS_MAX,
)

test(
  'each fault of a template is told at its place',
  async () => {
    writeFileSync(at('bad.html'), '<script>{{value}}</script>\n<p onclick="{{unit}}">{{count}}</p>\n')
    const words = ['streams', 'create', ...GROWING, '--template', at('bad.html'), '--content-type', 'text/html']
    const { code, stdout, stderr } = await run(words)
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /TEMPLATE_INVALID: 2 faults\n {2}template:1:9: .*\n {2}template:2:13: .*\n/)
    const refused = await json(words)
    const { errors } = refused.answer['details'] as { errors: readonly Answer[] }
    assert.deepEqual(
      errors.map(({ line, column }) => [line, column]),
      [
        [1, 9],
        [2, 13],
      ],
    )
  },
  MS_MAX,
)

test(
  'the node ends in order, and nobody is followed where none is',
  async () => {
    await using _ = way
    assert.equal((await node.end('SIGTERM')).code, 0)
    const nobody = await json(['streams', 'follow', '0'.repeat(32), '--after', '1.1'])
    assert.deepEqual([nobody.code, nobody.answer['code']], [5, 'NO_NODE'])
    dir[Symbol.dispose]()
  },
  MS_MAX,
)

test.run()
