// Goal: a call whose words, settings or surroundings are off ends with the right code, says why on stderr and, with
// --json, in one object on stdout; help names every command and every exit code. Method: the program in an empty
// home, with no node; help, a word that is none, and a node that is not there as processes of their own,
// the other calls in this one.
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { groups } from '#cli/commands/groups.ts'
import { allCommands, commandsFor } from '#cli/commands/index.ts'
import { overview } from '#cli/overview.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { type Answer, forEach, terminalIn } from './terminal.ts'

const test = suite('cli/words')

const commands = await allCommands()
const MS_MAX = 60_000

test(
  'help is on stdout, names each command, and tells the exit codes',
  async () => {
    using dir = tempDir()
    const { run } = terminalIn(dir.path).once
    const help = await run(['--help'])
    assert.deepEqual([help.code, help.stderr], [0, ''])
    const shown = commands.filter(({ hidden }) => hidden !== true)
    for (const { path } of shown) assert.ok(help.stdout.includes(`  ${path.split(' ')[0]}`), path)
    assert.ok(!help.stdout.includes('__complete'), 'what is for scripts is in no list')
    for (const { path, examples } of shown) {
      assert.ok(examples.some((line) => line.includes(`tickmesh ${path}`)) || path === 'verify', `${path}: an example`)
    }
    // A whole program each: the first of every family stands for it.
    const families = new Map(shown.toReversed().map((it) => [it.path.split(' ')[0], it]))
    await forEach([...families.values()], async ({ path, examples }) => {
      const { code, stdout, stderr } = await run([...path.split(' '), '--help'])
      assert.deepEqual([code, stderr], [0, ''], path)
      for (const line of [
        ...examples,
        '  0    ok',
        '  1    failure',
        '  2    usage',
        '  3    ',
        '  4    ',
        '  5    ',
        '  75   ',
        '--json',
      ]) {
        assert.ok(stdout.includes(line), `${path}: ${line}`)
      }
    })
  },
  MS_MAX,
)

test('every word that others hang from says what it is, and every default is written as it is given', () => {
  const paths = commands.map(({ path }) => path)
  const stems = paths.flatMap((path) => {
    const words = path.split(' ')
    return words.slice(1).map((_, i) => words.slice(0, i + 1).join(' '))
  })
  assert.deepEqual(
    [...new Set(stems)].filter((it) => !paths.includes(it) && groups[it] === undefined),
    [],
  )
  for (const { path, options = [] } of commands) {
    for (const { flags, help } of options) assert.ok(!help.includes('[object'), `${path} ${flags}: ${help}`)
  }
})

test('a call is given the commands that begin as it does, whole; one that begins otherwise all of them', async () => {
  for (const word of new Set(commands.map(({ path }) => path.split(' ')[0] ?? ''))) {
    const family = commands.filter(({ path }) => path.split(' ')[0] === word)
    for (const words of [[word], ['--json', '-q', word, 'more']]) {
      const given = await commandsFor(words)
      assert.deepEqual(
        given.filter(({ path }) => path.split(' ')[0] === word).map(({ path }) => path),
        family.map(({ path }) => path),
      )
    }
  }
  const status = await commandsFor(['status', '--json'])
  assert.deepEqual(
    status.map(({ path }) => path),
    ['status'],
  )
  for (const words of [[], ['--help'], ['--config', 'status'], ['constructor'], ['slove']]) {
    assert.equal((await commandsFor(words)).length, commands.length, words.join(' '))
  }
})

test(
  'words that make no call end with 2, and stdout stays empty',
  async () => {
    using dir = tempDir()
    const terminal = terminalIn(dir.path)
    const { run } = terminal.here
    const wrong: readonly (readonly [readonly string[], RegExp])[] = [
      [['--quiet'], /^Usage: tickmesh .*a command is missing/s],
      [['config'], /^Usage: tickmesh config .*a command is missing/s],
      [['slove'], /unknown command 'slove'.*did you mean solve/],
      [['status', '--bla'], /unknown option '--bla'/],
      [['status', 'more'], /too many arguments.* 1; --help/],
      [['auto', 'free', 'fall'], /got "fall"; a question of several words stands in quotes/],
      [['credits', 'grant', 'zid1'], /missing required argument 'credits'/],
      [['credits', 'grant', 'zid1', '-5'], /above 0/],
      [['verify'], /missing required argument 'files'; for example: tickmesh verify .*; --help tells how/],
      [['solve', 'heat', 'nx'], /name=value; got "nx"/],
      [['solve', 'heat', '--nx', '64', '--t-max=-3'], /unknown option '--nx'; .* write: nx=64 t_max=-3;/],
      [['solve', 'heat', '--bundel', 'x'], /unknown option '--bundel' \(did you mean --bundle\?\); --help/],
      [['heat', 'nx=64'], /heat is a solver; write: tickmesh solve heat nx=64/],
      [['escape', 'velocity', 'of', 'mars'], /a question stands in quotes: tickmesh "escape velocity of mars"/],
      [['gravity'], /look it up with: tickmesh operators gravity/],
      [['status', '--url', 'node'], /--url is not an http address/],
      [['solve', 'heat', 'nx=1', 'nx=2'], /nx is given twice/],
      [['envelopes', '--limit', 'x'], /--limit takes a whole number/],
      [['operators', 'GR37', '--search', 'x'], /one of them/],
    ]
    await forEach(wrong, async ([args, said]) => {
      const { code, stdout, stderr } = await (args[0] === 'slove' ? terminal.run(args) : run(args))
      assert.deepEqual([code, stdout], [2, ''], args.join(' '))
      assert.match(stderr, said)
    })
  },
  MS_MAX,
)

test(
  'no word at all is answered with what one does first, in lines that fit, and with where the node is',
  async () => {
    using dir = tempDir()
    const { run } = terminalIn(dir.path)
    const { code, stdout, stderr } = await run([])
    assert.deepEqual([code, stderr], [0, ''])
    for (const word of ['start', 'solve', 'verify', 'doctor', '"escape velocity', '--help']) {
      assert.ok(stdout.includes(`tickmesh ${word}`), word)
    }
    assert.match(stdout, /No node runs here yet/)
    for (const columns of [40, 80]) {
      for (const line of overview(undefined, columns).split('\n')) assert.ok(line.length <= columns, line)
    }
  },
  MS_MAX,
)

test(
  'with --json a failure is one object with a code, before or after the command',
  async () => {
    using dir = tempDir()
    const terminal = terminalIn(dir.path)
    const { json } = terminal.here
    const failing: readonly (readonly [readonly string[], number, string])[] = [
      [['heat', 'nx=1'], 2, 'USAGE'],
      [['what is the speed of light'], 5, 'NO_NODE'],
      [['slove'], 2, 'USAGE'],
      [['status'], 5, 'NO_NODE'],
      [['keys', 'list'], 5, 'NO_NODE'],
      [['fsck'], 4, 'NOT_CHECKED'],
      [['solve', 'heat', '--input-file', 'nowhere.json'], 1, 'ENOENT'],
      [['verify', 'x.json', '--key', 'nowhere.vkey'], 4, 'NO_KEY'],
    ]
    await forEach(failing, async ([args, exit, name]) => {
      const { code, answer, stderr } = await json(args)
      assert.deepEqual([code, answer['ok'], answer['code']], [exit, false, name], args.join(' '))
      assert.ok(String(answer['error']).length > 0)
      assert.ok(stderr.includes('tickmesh: '), stderr)
      assert.ok(!stderr.includes('    at '), 'no stack')
    })
    const first = await terminal.run(['--json', '--quiet', 'status'])
    assert.deepEqual([first.code, first.stderr, (JSON.parse(first.stdout) as Answer)['code']], [5, '', 'NO_NODE'])
  },
  MS_MAX,
)

test(
  'default < file < environment < flag, and each value says where it is from',
  async () => {
    using dir = tempDir()
    const { json } = terminalIn(dir.path).here
    const file = `${dir.path}/config.json`
    writeFileSync(file, JSON.stringify({ http: { port: 1111, host: '127.0.0.1' }, log: 'error' }))
    const setting = async (path: string, args: readonly string[], env: Record<string, string>) => {
      const { answer } = await json(['config', 'show', ...args], { env })
      const found = (answer['settings'] as readonly Answer[]).find((it) => it['path'] === path)
      return [found?.['value'], found?.['origin']]
    }
    const environment = { TICKMESH_HTTP_PORT: '2222' }
    assert.deepEqual(await setting('sse.clientsMax', [], {}), [256, 'default'])
    assert.deepEqual(await setting('http.host', ['--config', file], environment), ['127.0.0.1', 'file'])
    assert.deepEqual(await setting('http.port', ['--config', file], environment), [2222, 'environment'])
    assert.deepEqual(await setting('http.port', ['--config', file, '--http-port', '3333'], environment), [3333, 'flag'])
    const secret = 'not-to-be-seen-anywhere-0123456789'
    const { stdout, stderr } = await json(['config', 'show'], { env: { TICKMESH_MESH_SECRET: secret } })
    assert.ok(!`${stdout}${stderr}`.includes(secret))
  },
  MS_MAX,
)

test(
  'a setting that is unknown or does not fit is refused by name',
  async () => {
    using dir = tempDir()
    const { json } = terminalIn(dir.path).here
    const file = `${dir.path}/config.json`
    writeFileSync(file, '{"http":{"prot":1}}')
    const wrong: readonly (readonly [readonly string[], Record<string, string>, RegExp])[] = [
      [['config', 'show'], { TICKMESH_HTTP_PROT: '1' }, /TICKMESH_HTTP_PROT/],
      [['start'], { TICKMESH_HTTP_PORT: 'x' }, /http\.port.*TICKMESH_HTTP_PORT/],
      [['start', '--http-port', '70000'], {}, /http\.port.*--http-port/],
      [['start', '--config', file], {}, /http\.prot/],
      [['start', '--config', `${dir.path}/none.json`], {}, /none\.json/],
      [['status'], { TICKMESH_URL: 'nowhere' }, /TICKMESH_URL/],
    ]
    await forEach(wrong, async ([args, env, said]) => {
      const { code, answer } = await json(args, { env })
      assert.deepEqual([code, answer['code']], [2, 'CONFIG'], args.join(' '))
      assert.match(String(answer['error']), said)
    })
  },
  MS_MAX,
)

test(
  'the doctor tells what is wrong without a node, and what to do',
  async () => {
    using dir = tempDir()
    const terminal = terminalIn(dir.path)
    const { json, run } = terminal.here
    const { data } = terminal
    const finding = (answer: Answer, check: string) =>
      (answer['findings'] as readonly Answer[]).filter((it) => it['check'] === check)
    const fresh = await json(['doctor'])
    assert.deepEqual([fresh.code, fresh.answer['ok']], [0, true])
    assert.equal(finding(fresh.answer, 'data')[0]?.['state'], 'warn')
    assert.equal(finding(fresh.answer, 'running')[0]?.['state'], 'warn')
    assert.equal(finding(fresh.answer, 'port').length, 2)

    mkdirSync(data)
    writeFileSync(`${data}/owner.key`, 'x')
    chmodSync(`${data}/owner.key`, 0o644)
    const open = await json(['doctor'])
    assert.equal(open.code, 1)
    assert.match(String(finding(open.answer, 'keys')[0]?.['hint']), /chmod 600/)

    const misspelt = await json(['doctor'], { env: { TICKMESH_LOGG: 'x' } })
    assert.equal(misspelt.code, 1)
    assert.match(String(finding(misspelt.answer, 'settings')[0]?.['detail']), /TICKMESH_LOGG/)
    const file = await run(['doctor'], { env: { TICKMESH_DATA: `${data}/owner.key` } })
    assert.equal(file.code, 1)
    assert.match(file.stdout, /fail +data +.*no directory/)
  },
  MS_MAX,
)

test(
  'a node that is not there is named, and a key goes only where it belongs',
  async () => {
    using dir = tempDir()
    const { json } = terminalIn(dir.path)
    const { code, answer } = await json(['status'], { env: { TICKMESH_URL: 'http://127.0.0.1:1' } })
    assert.deepEqual([code, answer['code']], [5, 'UNREACHABLE'])
    assert.match(String(answer['error']), /http:\/\/127\.0\.0\.1:1/)
  },
  MS_MAX,
)

test.run()
