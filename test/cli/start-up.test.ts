// Goal: a command that needs no solver loads none, nor the schema library; a node loads what few ask for when they do;
// and a file that cannot be verified is told for what it is. Method: the program as a process that names every module
// it loads, asking a real node; the words of `verify` in this one. Times are for `npm run bench -- startup`.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { allCommands } from '#cli/commands/index.ts'
import { testNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { forEach, terminalIn } from './terminal.ts'

const test = suite('cli/start-up')

const MS_MAX = 120_000

/** Names every module on stderr as it is loaded. */
const NAMING = `import { registerHooks } from 'node:module'
import { writeSync } from 'node:fs'
registerHooks({ load: (url, context, next) => { writeSync(2, 'loaded ' + url + '\\n'); return next(url, context) } })`

/** Exit codes of calls that look for the node of their own data, or for a stream, of which there are none. */
const NODELESS: Readonly<Record<string, number>> = { stop: 5, 'owner-link': 5, streams: 1 }

/** Commands that open the data themselves, run a node, a solver or a linter, or sign: they may load what they need. */
const OPENING = [
  'start',
  'doctor',
  'verify',
  'recheck',
  'fsck',
  'backup',
  'upgrade',
  'export',
  'zid',
  'mmio',
  'contracts',
]

/** One call of every other family, of help and of the version. */
const calls: readonly (readonly string[])[] = [
  ['--help'],
  ['--version'],
  ['stop'],
  ['owner-link'],
  ['status'],
  ['peers'],
  ['solve', 'heat'],
  ['compute', 'GR37', 'mass=1.98892e30'],
  ['auto', 'escape velocity of mars', '--quote'],
  ['batch', 'calls.ndjson'],
  ['solvers'],
  ['operators', 'find', '--wanted', 'pressure', '--known', 'volume'],
  ['jobs', 'list'],
  ['reactor', 'list'],
  ['watch', 'machine', 'nobody'],
  ['wallet'],
  ['envelopes', '--limit', '1'],
  ['machines', 'list'],
  ['machines', 'export', 'nobody'],
  ['streams', 'show', '0'.repeat(32)],
  ['streams', 'tick', '0'.repeat(32)],
  ['contracts', 'list', 'nobody'],
  ['contracts', 'show', 'nobody', '0'],
  ['contracts', 'pause', 'nobody', '0'],
  ['contracts', 'resume', 'nobody', '0'],
  ['contracts', 'freeze', 'nobody', '0', '--yes'],
  ['contracts', 'skip-next', 'nobody', '0'],
  ['contracts', 'next-fires', 'nobody', '0'],
  ['contracts', 'versions', 'nobody', '0'],
  ['contracts', 'export', 'nobody', '0'],
  ['contracts', 'history', 'nobody', '0'],
  ['contracts', 'create', 'nobody', 'contract.json'],
  ['contracts', 'deploy', 'nobody', 'heartbeat'],
  ['contracts', 'import', 'nobody', 'contract.json'],
  ['contracts', 'patch', 'nobody', '0', 'contract.json'],
  ['contracts', 'rollback', 'nobody', '0', '1'],
  ['export', 'receipts'],
  ['keys', 'list'],
  ['credits', 'status'],
  ['proposals', 'list'],
  ['contribute', 'census'],
  ['config', 'show'],
  ['service', 'status'],
  ['completion', 'bash'],
  ['__complete', 'machines'],
  ['init'],
]

/** What a command loads only when it needs it; keys are made with curves, by what knows their files. */
const heavy = (line: string, word = ''): boolean =>
  word === 'init'
    ? /\/src\/(?:numerics|routing|api|mesh)\/|\/node_modules\/(?!commander|@noble|@scure)/.test(line)
    : /\/src\/(?:numerics|routing|api|domain|mesh)\/|\/node_modules\/(?!commander)/.test(line)

test(
  'a command that needs no solver loads none, nor the schema library, the log, the mesh or curves',
  async () => {
    using dir = tempDir()
    await using node = await testNode({ realTime: true })
    const { run } = terminalIn(dir.path)
    writeFileSync(
      `${dir.path}/calls.ndjson`,
      '{"route":"compute","input":{"operators":["GR37"],"inputs":{"mass":1}}}\n',
    )
    writeFileSync(`${dir.path}/contract.json`, '{}')
    const runtime = ['--import', `data:text/javascript,${encodeURIComponent(NAMING)}`]
    const env = { TICKMESH_URL: node.url, TICKMESH_KEY_FILE: `${node.directory}/owner.key` }
    await forEach(calls, async (args) => {
      const { code, stderr } = await run(args, { runtime, env })
      assert.equal(code, NODELESS[args[0] ?? ''] ?? (args.includes('nobody') ? 1 : 0), `${args.join(' ')}: ${stderr}`)
      const loaded = stderr.split('\n').filter((line) => line.startsWith('loaded '))
      assert.ok(
        loaded.some((line) => line.endsWith('/src/cli/main.ts')),
        args.join(' '),
      )
      assert.deepEqual(
        loaded.filter((line) => heavy(line, args[0])),
        [],
        args.join(' '),
      )
    })
    const named = new Set([...OPENING, ...calls.map(([word]) => word)])
    for (const { path } of await allCommands()) assert.ok(named.has(path.split(' ')[0] ?? ''), path)
  },
  MS_MAX,
)

test(
  'a node starts without what encrypts archives and sessions',
  async () => {
    const naming = `data:text/javascript,${encodeURIComponent(NAMING)}`
    const program = fileURLToPath(new URL('../../src/node/run.ts', import.meta.url))
    using dir = tempDir()
    // A file takes every line at once: thousands are more than a pipe holds while its reader is busy.
    const names = join(dir.path, 'loaded')
    const file = openSync(names, 'w')
    const child = spawn(process.execPath, ['--import', naming, program], { stdio: ['ignore', 'ignore', file] })
    closeSync(file)
    const [code] = await once(child, 'exit')
    const lines = readFileSync(names, 'utf8').split('\n')
    const loaded = lines.filter((line) => line.startsWith('loaded '))
    assert.equal(code, 0, lines.slice(loaded.length).join('\n'))
    assert.ok(loaded.some((line) => line.endsWith('/src/domain/channels/sessions.ts')))
    assert.ok(loaded.some((line) => line.endsWith('/src/store/backup/age.ts')))
    assert.deepEqual(
      loaded.filter((line) => /\/node_modules\/(?:age-encryption|@hpke|@noble\/post-quantum)\//.test(line)),
      [],
    )
  },
  MS_MAX,
)

test(
  'a directory, an address and a file that is not there are told for what they are, with what to do',
  async () => {
    using dir = tempDir()
    const { run } = terminalIn(dir.path).here
    mkdirSync(`${dir.path}/bundles`)
    for (const [file, words] of [
      ['bundles', /bundles is a directory that holds no receipt/],
      ['http://127.0.0.1:1/heat.json', /http:\/\/127\.0\.0\.1:1 gave nothing/],
      ['0123456789abcdef0123456789abcdef', /is no file: `tickmesh envelopes bundle 0123456789abcdef/],
      ['heat.json', /There is no file heat\.json: .* saves a bundle/],
      ['pump.chain', /There is no file pump\.chain: .*machines export <slug> --out pump\.chain/],
    ] as const) {
      const { code, stdout } = await run(['verify', file])
      assert.equal(code, 4, stdout)
      assert.match(stdout, words)
    }
  },
  MS_MAX,
)

test.run()
