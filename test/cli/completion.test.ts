// Goal: a shell completes commands, options, fixed values, files and the names that the node knows, from scripts made
// of the commands' own literals; nothing that a node says is ever run by the shell. Method: bash itself is given the
// script and asked as its TAB key does; zsh and fish read theirs where they are here.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { allCommands } from '#cli/commands/index.ts'
import { completionScript, completionTables, shells } from '#cli/completion.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { terminalIn } from './terminal.ts'

const test = suite('cli/completion')

const MS_MAX = 90_000
const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
const commands = await allCommands()
const tables = completionTables(commands)

/** Asks bash as its TAB key does: the words so far, the last one under the cursor. */
const asker = (home: string, program: string) => {
  mkdirSync(`${home}/bin`, { recursive: true })
  writeFileSync(`${home}/bin/tickmesh`, program)
  chmodSync(`${home}/bin/tickmesh`, 0o755)
  writeFileSync(`${home}/tickmesh.bash`, completionScript('bash', tables))
  const script = `source tickmesh.bash
COMP_WORDS=(tickmesh "$@"); COMP_CWORD=$#
$(complete -p tickmesh | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
printf '%s\\n' "\${COMPREPLY[@]}"`
  return (...words: readonly string[]): readonly string[] => {
    const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-c', script, 'bash', ...words], {
      cwd: home,
      encoding: 'utf8',
      env: { PATH: `${home}/bin:${process.env['PATH'] ?? ''}`, TICKMESH_DATA: `${home}/data`, HOME: home },
    })
    assert.deepEqual([status, stderr], [0, ''], words.join(' '))
    return stdout.split('\n').filter((it) => it !== '')
  }
}

const FISH: string = shells[2]

const SILENT = '#!/bin/sh\nexit 0\n'

test('bash completes commands, options and their values', () => {
  using dir = tempDir()
  const ask = asker(dir.path, SILENT)
  const first = ask('')
  for (const { path, hidden } of commands) {
    assert.equal(first.includes(path.split(' ')[0] ?? ''), hidden !== true, path)
  }
  assert.deepEqual(ask('mach'), ['machines'])
  assert.deepEqual(
    ask('machines', 'sta'),
    ['status', 'state', 'stats'].filter((it) => ask('machines', '').includes(it)).sort(byList(ask('machines', ''))),
  )
  assert.deepEqual(ask('machines', 'state', ''), ['get', 'set'])
  assert.deepEqual(ask('machines', 'status', 'pump-7', ''), ['active', 'paused', 'archived'])
  assert.deepEqual(ask('machines', 'create', 'x', '--is-public', ''), ['true', 'false'])
  assert.deepEqual(ask('-q', 'machines', 'status', '--data', '@x', 'pump-7', 'p'), ['paused'])
  assert.deepEqual(ask('completion', ''), [...shells])
  assert.deepEqual(ask('start', '--log', 'w'), ['warn'])
  assert.deepEqual(ask('solve', '--det'), ['--detach'])
  // One option is bare in one command and takes a value in others.
  assert.deepEqual(ask('credits', 'claim', '--wait', '--mach'), ['--machine'])
  assert.deepEqual(ask('solve', '--wait', '--det'), [])
  assert.ok(ask('verify', '--').includes('--replay'))
  assert.deepEqual(ask('nix', 'nix', ''), [])
})

/** In the order in which a list has them. */
const byList =
  (list: readonly string[]) =>
  (a: string, b: string): number =>
    list.indexOf(a) - list.indexOf(b)

test('bash completes files, with spaces in their names too', () => {
  using dir = tempDir()
  const ask = asker(dir.path, SILENT)
  writeFileSync(`${dir.path}/my heat.json`, '')
  assert.deepEqual(ask('verify', 'my'), ['my heat.json'])
  assert.deepEqual(ask('verify', 'a.json', 'b.json', 'my'), ['my heat.json'])
  assert.deepEqual(ask('solve', 'heat', '--bundle', 'my'), ['my heat.json'])
})

test(
  'the inputs of a solver are completed without a node, one word in spite of its =, and none twice',
  () => {
    using dir = tempDir()
    const ask = asker(dir.path, `#!/bin/sh\nexec ${process.execPath} ${MAIN} "$@"\n`)
    assert.deepEqual(ask('solve', 'hea'), ['heat'])
    assert.deepEqual(ask('solve', 'heat', 'nx'), ['nx='])
    // As bash takes the words apart; it puts in what stands behind the = alone.
    assert.deepEqual(ask('solve', 'heat', 'scheme', '=', 'a'), ['adi'])
    assert.deepEqual(ask('solve', 'heat', 'scheme', '='), ['adi', 'ftcs'])
    assert.deepEqual(ask('solve', 'heat', 'nx', '=', '64', 'nx'), [])
    assert.ok(ask('solve', 'solve', 'medium').includes('medium=vacuum'))
    assert.deepEqual(ask('solve', 'nothing', ''), [])
  },
  MS_MAX,
)

test(
  'names that the node knows are looked up, and none that a shell could run gets through',
  async () => {
    using dir = tempDir()
    const terminal = terminalIn(dir.path)
    const ask = asker(dir.path, `#!/bin/sh\nexec ${process.execPath} ${MAIN} "$@"\n`)
    assert.deepEqual(ask('machines', 'show', ''), [], 'no node, no names, no noise')
    await using node = await terminal.start()
    assert.equal((await terminal.run(['machines', 'create', 'pump-7'])).code, 0)
    assert.deepEqual(ask('machines', 'show', ''), ['pump-7'])
    const ids = ask('compute', 'GR3')
    assert.ok(ids.includes('GR37') && ids.every((id) => id.startsWith('GR3')), ids.join())
    const solved = await terminal.json(['compute', 'GR37', 'mass=1'])
    const { token_id: token } = (solved.answer['answer'] as { envelope: { token_id: string } }).envelope
    assert.deepEqual(ask('envelopes', 'plot', token.slice(0, 4)), [token])
    const hidden = await terminal.json(['__complete', 'machines'])
    assert.deepEqual(hidden.answer['words'], ['pump-7'])
    assert.deepEqual((await terminal.json(['__complete', '../x'])).answer['words'], [])
    await node.end('SIGTERM')
  },
  MS_MAX,
)

test('the scripts of all shells name every command and are read without a fault where the shell is here', () => {
  using dir = tempDir()
  for (const shell of shells) {
    const script = completionScript(shell, tables)
    for (const path of tables.paths) assert.ok(script.includes(path), `${shell}: ${path}`)
    const file = `${dir.path}/tickmesh.${shell}`
    writeFileSync(file, script)
    const read = spawnSync(shell, ['-n', file], { encoding: 'utf8' })
    if (read.error === undefined) assert.deepEqual([read.status, read.stderr], [0, ''], shell)
    else assert.notEqual(shell, 'bash')
  }
  const answered = spawnSync(FISH, ['-c', `source ${dir.path}/tickmesh.fish; complete -C 'tickmesh machines state '`], {
    encoding: 'utf8',
    env: { ...process.env, HOME: dir.path },
  })
  if (answered.error === undefined) assert.deepEqual(answered.stdout.split('\n').filter(Boolean), ['get', 'set'])
})

test(
  'the command prints what the tables give, and refuses other shells',
  async () => {
    using dir = tempDir()
    const { run, json } = terminalIn(dir.path)
    for (const shell of shells) {
      assert.equal((await run(['completion', shell])).stdout.trim(), completionScript(shell, tables).trim())
    }
    assert.deepEqual([(await json(['completion', 'tcsh'])).code, (await json(['completion'])).code], [2, 2])
  },
  MS_MAX,
)

test.run()
