// Goal: a receipt is verified wherever it is: in a folder, on stdin, in a saved page, at an address; what is none is
// told for what it is, and no address is followed elsewhere. A named node without a key is asked for a demo key once,
// which nobody else can read. Method: a real node and its receipts, and a small server that misbehaves.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { type Answer, closing, terminalIn } from './terminal.ts'

const test = suite('cli/sources')
const MS_MAX = 90_000

const dir = tempDir()
const terminal = terminalIn(dir.path)
const node = await terminal.start()
const { run, json } = terminal.here
const state = { XDG_STATE_HOME: `${dir.path}/state` }
/** A person with no data here, who knows an address. */
const stranger = { ...state, TICKMESH_DATA: `${dir.path}/none` }

const [, key = ''] = /^(\S+)/.exec((await run(['keys', 'trusted'])).stdout) ?? []
assert.equal((await run(['compute', 'GR37', 'mass=2e30', '--bundle', 'one.json'])).code, 0)
const bundle = readFileSync(`${dir.path}/one.json`, 'utf8').trim()
const page = (inside: string) => `<!DOCTYPE html>\n<html><head><title>x</title></head><body>${inside}</body></html>`
const script = (text: string) => `<script type="application/json" data-tickmesh="bundle">${text}</script>`

test('a saved page is verified by the bundle it carries, also on stdin; a page without one is not', async () => {
  const saved = page(`<p>a</p>${script(bundle.replaceAll('</', '<\\/'))}`)
  writeFileSync(`${dir.path}/page.html`, saved)
  for (const [args, stdin] of [
    [['verify', 'page.html', '--key', key], ''],
    [['verify', '-', '--key', key], saved],
    [['verify', '-', '--key', key], bundle],
  ] as const) {
    const { code, stdout } = await run(args, { stdin })
    assert.equal(code, 0, stdout)
    assert.match(stdout, /: verified — /)
  }
  const { code, stdout } = await run(['verify', '-', '--key', key], { stdin: page('') })
  assert.equal(code, 4)
  assert.match(stdout, /This page carries no receipt/)
  const altered = page(script(bundle.replace('"operators"', '"operator"')))
  assert.equal((await run(['verify', '-', '--key', key], { stdin: altered })).code, 3)
})

test('of a folder every receipt counts, those one folder below too, and the worst decides', async () => {
  mkdirSync(`${dir.path}/kept/more`, { recursive: true })
  writeFileSync(`${dir.path}/kept/one.json`, bundle)
  writeFileSync(`${dir.path}/kept/README.md`, 'words')
  writeFileSync(`${dir.path}/kept/more/two.json`, bundle)
  const good = await json(['verify', 'kept', '--key', key])
  assert.deepEqual(
    [good.code, (good.answer['files'] as readonly Answer[]).map((it) => it['file'])],
    [0, ['kept/more/two.json', 'kept/one.json']],
  )
  writeFileSync(`${dir.path}/kept/more/three.json`, '{}')
  assert.equal((await json(['verify', 'kept', '--key', key])).code, 3)
})

test('an address is fetched as it stands, within its bounds, and followed nowhere', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/one.json') response.end(bundle)
    else if (request.url === '/page') response.end(page(script(bundle)))
    else if (request.url === '/elsewhere') response.writeHead(302, { location: '/one.json' }).end()
    else response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    for (const [path, exit, said] of [
      ['/one.json', 0, /verified/],
      ['/page', 0, /verified/],
      ['/elsewhere', 4, /sends on to \/one\.json, and no address is followed/],
      ['/r/0123456789abcdef0123456789abcdef', 4, /answers 404: a receipt is shown to its owner/],
    ] as const) {
      const { code, stdout } = await run(['verify', `${at}${path}`, '--key', key])
      assert.deepEqual([path, code], [path, exit])
      assert.match(stdout, said)
    }
  } finally {
    server.close()
    server.closeAllConnections()
  }
})

test('a named node without a key gives a demo key at the first run, kept for this user alone', async () => {
  const call = ['compute', 'GR37', 'mass=1', '--url', node.url]
  const first = await run(call, { env: stranger })
  assert.equal(first.code, 0, first.stderr)
  assert.match(first.stderr, /gave a demo key of \d+ credits; it is kept in .*demo-keys\.json/)
  assert.equal(statSync(`${state.XDG_STATE_HOME}/tickmesh/demo-keys.json`).mode & 0o777, 0o600)
  const again = await json(call, { env: stranger })
  assert.deepEqual([again.code, again.stderr.includes('demo key')], [0, false])
  assert.ok(!`${first.stdout}${first.stderr}${again.stdout}`.includes('svc_demo_'))
})

test('a demo key that is spent, or known no more, says what to do', async () => {
  const file = `${state.XDG_STATE_HOME}/tickmesh/demo-keys.json`
  const call = ['compute', 'GR37', 'mass=1', '--url', node.url]
  let ended = await json(call, { env: stranger })
  for (let i = 0; i < 60 && ended.code === 0; i++) ended = await json(call, { env: stranger })
  assert.deepEqual([ended.code, ended.answer['code']], [1, 'INSUFFICIENT_BALANCE'])
  assert.match(String(ended.answer['error']), /The demo key is spent: http:\S+\/#settings makes an account/)
  writeFileSync(file, JSON.stringify({ [node.url]: 'svc_demo_nobody' }))
  const unknown = await json(call, { env: stranger })
  assert.equal(unknown.answer['code'], 'UNAUTHENTICATED')
  assert.match(String(unknown.answer['error']), /the same command takes a new one/)
  assert.equal((await json(call, { env: stranger })).code, 0)
})

test('words in place of an id are looked up, with the command to run', async () => {
  const ohm = await run(['operators', 'ohm'])
  assert.deepEqual([ohm.code, ohm.stdout.includes('tickmesh compute OHMS_LAW')], [0, true])
  const beam = await run(['solvers', 'beam'])
  assert.match(beam.stdout, /^fea +.* tickmesh solve fea$/m)
  const light = await run(['compute', 'speed of light'])
  assert.deepEqual([light.code, light.stdout], [1, ''])
  assert.match(light.stderr, /^constant C: speed of light in vacuum, 299792458 m\/s$/m)
  assert.match((await run(['solvers', 'heet'])).stderr, /Did you mean heat\?/)
})

test('a plot is drawn in the terminal from a run and from its envelope, and never as JSON', async () => {
  const drawn = await run(['solve', 'epi', '--plot', '-'], { env: { COLUMNS: '60' } })
  assert.equal(drawn.code, 0, drawn.stderr)
  const [plot = '', rest = ''] = drawn.stdout.split(/^value /m)
  assert.match(plot, /^SIR over 160 d\n[\s\S]*[\u2801-\u28FF][\s\S]*t \/ d\n/)
  for (const line of plot.split('\n')) assert.ok(line.length <= 60, line)
  const [, token = ''] = /\/r\/([0-9a-f]{32})/.exec(rest) ?? []
  const again = await run(['envelopes', 'plot', token], { env: { COLUMNS: '60' } })
  assert.equal(again.stdout, plot)
  assert.equal((await json(['solve', 'epi', '--plot', '-'])).code, 2)
  assert.equal((await json(['envelopes', 'plot', token, '-'])).code, 2)
})

test(
  'a job is watched to its end, and shows its result',
  async () => {
    const begun = await json(['solve', 'epi', '--detach'])
    const { id } = begun.answer['job'] as { id: string }
    const watched = await run(['watch', 'job', id])
    assert.equal(watched.code, 0, watched.stderr)
    assert.match(watched.stdout, /^value +59562\.37161 ± /m)
    assert.equal((await json(['watch', 'job', 'nix'])).code, 2)
  },
  MS_MAX,
)

closing(test, node, dir)

test.run()
