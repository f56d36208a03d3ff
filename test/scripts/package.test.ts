// Goal: whoever has the package and no clone reaches a verified receipt. Method: `npm pack`, `npm install -g` of the
// tarball into an empty folder under an empty home, then what the README does, by the installed command alone: a node,
// a computation, its verification with the re-run, in threads and all.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'

const test = suite('package')

/** Packing may build everything, and installing asks the registry for what npm's cache lacks. */
const INSTALL_MS_MAX = 300_000

const run = (program: string, args: readonly string[], env: NodeJS.ProcessEnv, cwd: string): string => {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8' })
  assert.equal(status, 0, `${program} ${args.join(' ')}\n${stdout}${stderr}`)
  return stdout
}

test(
  'npm pack, npm install -g in an empty place, and the first receipt is verified with its re-run',
  async () => {
    using dir = tempDir()
    const home = join(dir.path, 'home')
    mkdirSync(home)
    const top = process.cwd()
    const packed = run('npm', ['pack', '--json', '--pack-destination', dir.path], process.env, top)
    const [{ filename, files }] = JSON.parse(packed.slice(packed.indexOf('[\n'))) as [
      { filename: string; files: readonly { path: string }[] },
    ]
    assert(
      !existsSync(join(top, 'npm-shrinkwrap.json')),
      'a shrinkwrap that stays would take the place of the lock file',
    )
    const paths = new Set(files.map((it) => it.path))
    for (const it of [
      '.build/kernels.ts',
      '.build/ui/index.html',
      '.build/verify.html',
      'npm-shrinkwrap.json',
      'README.md',
    ]) {
      assert(paths.has(it), it)
    }
    for (const it of paths) assert.doesNotMatch(it, /^(?:test|\.data|\.git|node_modules)\/|\.secret$/)

    // What a new user's shell has: no data of an earlier node, no cache of compiled code, no settings.
    const env = { PATH: process.env['PATH'], HOME: home, NO_COLOR: '1' }
    const prefix = join(dir.path, 'global')
    const install = ['install', '--global', '--prefix', prefix, '--prefer-offline', '--ignore-scripts', '--no-audit']
    run('npm', [...install, '--no-fund', join(dir.path, filename)], process.env, dir.path)
    const command = join(prefix, 'bin', 'tickmesh')
    const tickmesh = (...args: readonly string[]): string => run(command, args, env, dir.path)
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    assert.equal(tickmesh('--version').trim(), version)

    const node = spawn(command, ['start', '--http-port', '0', '--p2p-port', '0'], {
      env,
      cwd: dir.path,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    try {
      const [first] = (await once(node.stdout, 'data')) as [Buffer]
      assert.match(String(first), /^ready http:\/\/127\.0\.0\.1:\d+\n/)
      tickmesh('solve', 'heat', '--bundle', 'heat.json')
      writeFileSync(join(dir.path, 'node.key'), tickmesh('keys', 'trusted'))
    } finally {
      const ended = once(node, 'exit')
      node.kill('SIGTERM')
      assert.deepEqual(await ended, [0, null])
    }
    const verified = tickmesh('verify', 'heat.json', '--key', 'node.key', '--replay')
    assert.match(verified, /^ok\s+run again /m)
    assert.match(verified, /heat\.json: verified/)
    const altered = readFileSync(join(dir.path, 'heat.json'), 'utf8').replace('0.1020', '0.1021')
    writeFileSync(join(dir.path, 'altered.json'), altered)
    assert.equal(spawnSync(command, ['verify', 'altered.json', '--key', 'node.key'], { cwd: dir.path, env }).status, 3)
    assert.match(
      tickmesh('service', 'install', '--print'),
      /^ExecStart=\S+ --import=file:\S+plain\.mjs \S+main\.ts start/m,
    )
  },
  INSTALL_MS_MAX,
)

test.run()
