// Goal: the unit that is written is one that systemd takes, names this program, asks for no right that it must not
// have and keeps what the sandbox needs; a unit that somebody changed is never replaced unasked; readiness is told
// once, after the node is ready. init makes keys and nothing else, stop ends a node and says so. Method: homes of
// their own, the systemd programs where they are here, and a stand-in for systemd-notify that writes down how it was
// called.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { type Answer, terminalIn } from './terminal.ts'

const test = suite('cli/service')

const MS_MAX = 90_000
/** systemd's own reader of units, where it is here. */
const JUDGE: string = ['systemd', 'analyze'].join('-')

/** Assignments of a unit by section, comments left out: what systemd reads, by its own rules. */
const parsed = (text: string): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, string[]>()
  let section = ''
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const heading = /^\[(\w+)\]$/.exec(line)?.[1]
    if (heading !== undefined) {
      section = heading
      continue
    }
    const [, name, value] = /^([A-Za-z]+)=(.*)$/.exec(line) ?? []
    assert.ok(name !== undefined && section !== '', `no line of a unit: ${line}`)
    found.set(`${section}.${name}`, [...(found.get(`${section}.${name}`) ?? []), value ?? ''])
  }
  return found
}

for (const scope of ['--system', '--user'] as const) {
  test(
    `the unit of ${scope} is whole, and systemd takes it`,
    async () => {
      using dir = tempDir()
      const terminal = terminalIn(dir.path)
      const { run, json } = terminal.once
      const { home } = terminal
      const { code, stdout } = await run(['service', 'install', scope, '--print'])
      assert.equal(code, 0)
      assert.ok(!/@[A-Z]+@/.test(stdout), 'every place is filled in')
      const unit = parsed(stdout)
      const [command = ''] = unit.get('Service.ExecStart') ?? []
      const [engine = '', program = '', ...words] = command.split(' ')
      assert.ok(existsSync(engine) && existsSync(program), command)
      assert.deepEqual(words, ['start', '--json', '--quiet'])
      assert.deepEqual(unit.get('Service.NoNewPrivileges'), ['yes'])
      assert.deepEqual(unit.get('Service.Restart'), ['on-failure'])
      assert.ok(['notify', 'exec'].includes(unit.get('Service.Type')?.[0] ?? ''))
      const never = ['RestrictNamespaces', 'ProtectProc', 'ProtectKernelTunables', 'MemoryDenyWriteExecute', 'User']
      for (const name of never) assert.equal(unit.has(`Service.${name}`), false, name)
      if (scope === '--system') {
        const hardened = ['ProtectSystem', 'DynamicUser', 'StateDirectory', 'PrivateTmp'].map((it) =>
          unit.get(`Service.${it}`),
        )
        assert.deepEqual(hardened, [['strict'], ['yes'], ['tickmesh'], ['yes']])
      }
      assert.equal((await json(['service', 'install', scope, '--print'])).answer['text'], stdout)
      assert.deepEqual(
        readdirSync(home).filter((it) => !it.startsWith('.')),
        [],
        'nothing was written',
      )

      const file = `${dir.path}/tickmesh.service`
      writeFileSync(file, stdout)
      const judge = spawnSync(JUDGE, [scope, 'verify', file], {
        encoding: 'utf8',
        env: { ...process.env, XDG_RUNTIME_DIR: dir.path },
      })
      // Where there is no systemd its own reader cannot be asked; the rules above hold all the same.
      if (judge.error === undefined) assert.deepEqual([judge.status, judge.stdout], [0, ''], judge.stderr)
    },
    MS_MAX,
  )
}

test(
  'a unit is written, stands, is told from one that was changed, and goes',
  async () => {
    using dir = tempDir()
    const terminal = terminalIn(dir.path)
    const { json } = terminal.once
    const { home } = terminal
    const file = `${home}/.config/systemd/user/tickmesh.service`
    const state = async (): Promise<unknown> => (await json(['service', 'status'])).answer['state']
    assert.equal(await state(), 'absent')
    const made = await json(['service', 'install'])
    assert.deepEqual([made.code, made.answer['unit'], made.answer['before']], [0, file, 'absent'])
    const text = readFileSync(file, 'utf8')
    assert.equal((await json(['service', 'install'])).answer['before'], 'current')

    const edited = text.replace('RestartSec=2s', 'RestartSec=9s')
    assert.notEqual(edited, text)
    writeFileSync(file, edited)
    assert.equal(await state(), 'changed')
    for (const words of [['install'], ['uninstall']]) {
      const { code, answer } = await json(['service', ...words])
      assert.deepEqual([code, answer['code']], [1, 'UNIT_CHANGED'])
      assert.equal(readFileSync(file, 'utf8'), edited, 'it is as it was')
    }
    const { answer } = await json(['doctor'])
    const finding = (answer['findings'] as readonly Answer[]).find((it) => it['check'] === 'service')
    assert.equal(finding?.['state'], 'warn')
    assert.equal((await json(['service', 'install', '--force'])).code, 0)
    assert.equal(readFileSync(file, 'utf8'), text)
    assert.equal((await json(['service', 'uninstall'])).answer['removed'], true)
    assert.equal(existsSync(file), false)
    assert.equal((await json(['service', 'uninstall'])).answer['removed'], false)
    assert.equal((await json(['service', 'install', '--user', '--system'])).code, 2)
  },
  MS_MAX,
)

test(
  'readiness is told through systemd-notify, once, when the node answers; without it the node runs all the same',
  async () => {
    using dir = tempDir()
    const terminal = terminalIn(dir.path)
    const bin = `${dir.path}/bin`
    mkdirSync(bin)
    writeFileSync(`${bin}/systemd-notify`, `#!/bin/sh\nprintf '%s|' "$NOTIFY_SOCKET" "$@" >> ${dir.path}/told\n`)
    chmodSync(`${bin}/systemd-notify`, 0o755)
    const env = { NOTIFY_SOCKET: '/run/nobody-listens', PATH: `${bin}:${process.env['PATH'] ?? ''}` }
    {
      await using node = await terminal.start({ env })
      const { code } = await node.end('SIGTERM')
      assert.equal(code, 0)
      assert.equal(readFileSync(`${dir.path}/told`, 'utf8'), `/run/nobody-listens|--ready|--status=ready ${node.url}|`)
    }
    await using node = await terminal.start({ env: { NOTIFY_SOCKET: '/run/nobody-listens', PATH: `${dir.path}/none` } })
    const { code, stderr } = await node.end('SIGTERM')
    assert.equal(code, 0)
    assert.match(stderr, /notify_failed/)
  },
  MS_MAX,
)

test(
  'init makes the keys of a node, once; start goes on from them; stop ends it and says so',
  async () => {
    using dir = tempDir()
    const terminal = terminalIn(dir.path)
    const { json } = terminal.once
    const { data } = terminal
    const made = await json(['init'])
    assert.deepEqual([made.code, made.answer['created']], [0, true])
    for (const name of readdirSync(data)) assert.equal(statSync(`${data}/${name}`).mode & 0o077, 0, name)
    const again = await json(['init'])
    assert.deepEqual([again.answer['created'], again.answer['node']], [false, made.answer['node']])
    assert.equal((await json(['doctor'])).code, 0)

    const none = await json(['stop'])
    assert.deepEqual([none.code, none.answer['code']], [5, 'NO_NODE'])
    await using node = await terminal.start()
    const { answer } = await json(['status'])
    assert.equal((answer['node'] as Answer)['node'], made.answer['node'])
    const stopped = await json(['stop'])
    assert.deepEqual([stopped.code, stopped.answer['pid']], [0, node.pid])
    assert.equal((await node.end('SIGCONT')).code, 0)
    assert.equal(existsSync(`${data}/node.lock`), false)
    assert.equal((await json(['stop'])).code, 5)
    const data2 = await json(['doctor'])
    const log = (data2.answer['findings'] as readonly Answer[]).find((it) => it['check'] === 'log')
    assert.deepEqual([log?.['state'], data2.code], ['ok', 0])
    writeFileSync(`${dir.path}/file`, '')
    const file = await json(['init'], { env: { TICKMESH_DATA: `${dir.path}/file` } })
    assert.equal(file.code, 1, file.stdout)
  },
  MS_MAX,
)

test.run()
