// Goal: every command works against a running node: one JSON object each, refusals under their codes, and free.
// Method: one node as a process for the whole file; the commands in this one, but those that read stdin or are left.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { allCommands } from '#cli/commands/index.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { type Answer, closing, forEach, terminalIn } from './terminal.ts'

const test = suite('cli/commands')

const MS_MAX = 90_000
const dir = tempDir()
const terminal = terminalIn(dir.path)
const { begin } = terminal
const { json, run } = terminal.here
const node = await terminal.start()

const QUICK = ['solve', 'heat', 'nx=96', 'ny=96', 'steps=50']

const credits = async (): Promise<Answer> => (await json(['credits', 'status'])).answer

test(
  'every command that asks a node answers with one object',
  async () => {
    const calls: readonly (readonly string[])[] = [
      ['status'],
      ['doctor'],
      ['solvers'],
      ['solvers', 'heat'],
      ['operators'],
      ['operators', 'gr37'],
      ['operators', '--search', 'gravitation'],
      ['operators', '--domain', 'relativity'],
      ['operators', 'find', '--wanted', 'pressure', '--known', 'volume,temperature,amount'],
      ['operators', 'find', '--wanted', 'wavelength', '--known', 'mass,speed', '--limit', '2'],
      QUICK,
      [...QUICK, '--quote'],
      ['compute', 'KO42,GR37', 'mass=1.98892e30'],
      ['compute', 'NM23', 'm=2', 'v=3 m/s', '--quote'],
      ['auto', 'schwarzschild radius', 'mass=1.98892e30'],
      ['auto', 'kinetic energy', '--constant', 'm=2 kg', 'v=3 m/s', '--dry-run'],
      ['auto', 'kinetic energy of 2 kg at 3 m/s', '--quote'],
      ['wallet'],
      ['envelopes'],
      ['envelopes', '--movable'],
      ['envelopes', 'history'],
      ['envelopes', '--limit', '1', '--offset', '1'],
      ['keys', 'list'],
      ['keys', 'trusted'],
      ['machines', 'list'],
      ['jobs', 'list'],
      ['peers'],
      ['credits', 'status'],
      ['proposals', 'list'],
      ['contribute', 'policy'],
      ['contribute', 'census'],
      ['contribute', 'status'],
      ['contribute', 'works'],
      ['contribute', 'disputes'],
      ['mmio', 'show'],
      ['config', 'show'],
    ]
    await forEach(calls, async (args) => {
      const { code, answer, stderr } = await json([...args, '--quiet'])
      assert.deepEqual([code, answer['ok'], stderr], [0, true, ''], args.join(' '))
      const text = await run(args)
      assert.equal(text.code, 0, text.stderr)
      assert.ok(text.stdout.trim().length > 0 && !text.stdout.startsWith('{'), args.join(' '))
      assert.ok(!`${text.stdout}${text.stderr}`.includes('\u001B'), 'off a terminal nothing is redrawn')
    })
    const asked = new Set(calls.map(([word]) => word))
    const elsewhere = [
      'backup',
      'upgrade',
      'init',
      'start',
      'stop',
      'owner-link',
      'service',
      'completion',
      '__complete',
      'verify',
      'recheck',
      'fsck',
      // Files of their own.
      ...['zid', 'reactor', 'streams', 'batch', 'contracts', 'export', 'watch'],
    ]
    for (const { path } of await allCommands()) {
      const word = path.split(' ')[0] ?? ''
      assert.ok(asked.has(word) || elsewhere.includes(word), `${path} is not asked for`)
    }
  },
  MS_MAX,
)

test(
  'what was promised: 2954.0077 m, its price, its envelope, its bundle',
  async () => {
    const { answer } = await json(['compute', 'KO42,GR37', 'mass=1.98892e30', '--bundle', 'gr37.json'])
    const { value, envelope } = answer['answer'] as Answer
    assert.equal(Number(value).toFixed(4), '2954.0077')
    const { token_id: token, face_value: face } = envelope as Answer
    assert.equal(face, 3)
    const fetched = await json(['envelopes', 'bundle', String(token)])
    const saved = JSON.parse(readFileSync(`${dir.path}/gr37.json`, 'utf8')) as unknown
    assert.deepEqual((fetched.answer['bundle'] as Answer)['envelope'], (saved as Answer)['envelope'])
    const out = await json(['envelopes', 'bundle', String(token), '--out', 'again.json'])
    assert.equal(out.code, 0)
    assert.equal((await json(['verify', 'again.json', '--key', await vkey()])).code, 0)
    const listed = await json(['envelopes', '--query', String(token)])
    assert.equal(listed.answer['total'], 1)
  },
  MS_MAX,
)

test(
  'an uncertain input: ± beside the value for a person, propagated for a program, and its bundle verifies',
  async () => {
    const words = ['compute', 'NM19', 'm=5.0 ± 0.1 kg', 'a=2.00(5) m/s^2']
    const short = await run(words)
    assert.match(short.stdout, /^value +10\.00 ± 0\.32 N \(because of NM19\.a 61 %, NM19\.m 39 %\)$/m)
    const { stdout } = await run([...words, '--full'])
    for (const line of [
      /^value +10 N$/m,
      /^± +0\.32 N from the inputs \(one standard deviation, linear\)$/m,
      /^interval +9\.37251 to 10\.6275 N \(95 %\)$/m,
      /^because of +NM19\.a 61 %, NM19\.m 39 %$/m,
      /^computed to ± +0$/m,
    ]) {
      assert.match(stdout, line)
    }
    const { answer } = await json([...words, '--bundle', 'uncertain.json'])
    const { propagated } = answer['answer'] as { propagated: { standard_uncertainty: number } }
    assert.equal(propagated.standard_uncertainty.toFixed(4), '0.3202')
    assert.equal((await json(['verify', 'uncertain.json', '--replay', '--key', await vkey()])).code, 0)
    const drawn = await run(['compute', 'NM23', 'm=2', 'v=1 ± 1 m/s', '--full'])
    assert.match(drawn.stdout, /Monte Carlo, for range, curvature; mean .* of 10000 draws out of range/)
  },
  MS_MAX,
)

const vkey = async (): Promise<string> => (await run(['keys', 'trusted'])).stdout.trim()

test(
  'what the node refuses comes back under its code, and costs nothing',
  async () => {
    const before = await credits()
    const refused: readonly (readonly [readonly string[], string, RegExp])[] = [
      [['compute', 'GR37'], 'MISSING_INPUTS', /mass/],
      [['compute', 'GR37', 'mass=1 s'], 'DIMENSION_MISMATCH', /./],
      [['compute', 'GR32', 'x=1'], 'RELATION_REFUSED', /GR32/],
      [['compute', 'NIX'], 'UNKNOWN_OPERATOR', /NIX/],
      [['compute', 'GR37,GR36,NM21,NM23', 'mass=1'], 'OPERATOR_LIMIT_EXCEEDED', /./],
      [['solve', 'heat', 'nx=3'], 'INVALID_INPUT', /nx/],
      [['solve', 'heat', 'initial.kidn=box'], 'INVALID_INPUT', /kidn/],
      [['solve', 'heat', 'scheme=ftcs', 'dt=1000'], 'UNSTABLE_STEP', /./],
      [['solve', 'heat', 'ny=4097', '--quote'], 'INVALID_INPUT', /ny/],
      [['envelopes', 'bundle', '0'.repeat(32)], 'NOT_FOUND', /./],
      [['envelopes', 'no-zid'], 'INVALID_INPUT', /zid/],
      [['keys', 'revoke', '0'.repeat(16)], 'NOT_FOUND', /./],
      [['operators', 'NIX'], 'NOT_FOUND', /no operator "NIX", and its words find none/],
      [['operators', 'find', '--wanted', 'presure'], 'INVALID_INPUT', /pressure/],
    ]
    await forEach(refused, async ([args, name, said]) => {
      const { code, answer, stderr } = await json(args)
      assert.deepEqual([code, answer['ok'], answer['code']], [1, false, name], args.join(' '))
      assert.match(String(answer['error']), said)
      assert.equal(stderr, `tickmesh: ${answer['error']}\n`)
    })
    assert.deepEqual(await credits(), before)
  },
  MS_MAX,
)

test(
  'an unknown solver is a usage error that names the one near to it, or lists the known ones',
  async () => {
    const near = await json(['solve', 'haet'])
    assert.deepEqual([near.code, near.answer['code']], [2, 'UNKNOWN_SOLVER'])
    assert.match(String(near.answer['error']), /Did you mean heat\?/)
    for (const name of ['pulse', 'compute', '../jobs', '..%2Fjobs']) {
      const { code, answer } = await json(['solve', name])
      assert.deepEqual([code, answer['code']], [2, 'UNKNOWN_SOLVER'], name)
      assert.match(String(answer['error']), /\bheat\b.*\bmultibody\b/)
    }
  },
  MS_MAX,
)

test(
  'an input file and stdin are inputs, and words stand on top of them',
  async () => {
    writeFileSync(`${dir.path}/in.json`, JSON.stringify({ nx: 96, ny: 96, steps: 50, initial: { kind: 'gaussian' } }))
    const file = await json(['solve', 'heat', '--input-file', 'in.json', 'steps=40'])
    const { nx, steps } = file.answer['answer'] as Answer
    assert.deepEqual([file.code, nx, steps], [0, 96, 40])
    const piped = await json(['solve', 'heat', '--input-file', '-', '--quote'], { stdin: '{"nx":32,"ny":32}' })
    assert.equal(piped.code, 0)
    for (const stdin of ['', '[1]', 'null', '{', '\u00FF'])
      assert.equal((await json(['solve', 'heat', '--input-file', '-'], { stdin })).code, 2, stdin)
  },
  MS_MAX,
)

test(
  'a bundle that cannot be saved stops the call before it costs anything',
  async () => {
    const before = await credits()
    mkdirSync(`${dir.path}/folder`)
    for (const file of ['nowhere/x.json', 'folder']) {
      const { code } = await json([...QUICK, '--bundle', file])
      assert.ok(code === 1 || code === 2, file)
    }
    assert.deepEqual(await credits(), before)
  },
  MS_MAX,
)

test(
  'what cannot be drawn after the seal says which envelope was sealed',
  async () => {
    const { code, answer } = await json([...QUICK, '--plot', 'x.svg', '--plot-index', '9'])
    assert.deepEqual([code, answer['code']], [1, 'NOT_FOUND'])
    const { token_id: token } = answer['details'] as Answer
    assert.ok(String(answer['error']).includes(`sealed as ${token}`), String(answer['error']))
    assert.equal((await json(['envelopes', 'bundle', String(token)])).code, 0)
    assert.ok(!existsSync(`${dir.path}/x.svg`))
  },
  MS_MAX,
)

test(
  'a reader who leaves early is left alone',
  async () => {
    const { child, ended } = begin(['operators'])
    child.stdout!.destroy()
    const { code, stderr } = await ended
    assert.deepEqual([code, stderr], [0, ''])
  },
  MS_MAX,
)

closing(test, node, dir)

test.run()
