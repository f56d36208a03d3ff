/*
 * Goal: the archive is the source that runs here, whole, the same every time, and nothing else.
 * Method: a real node's answer unpacked by another program and held against the files, its manifest and git; then the
 * same maker on folders made here: no checkout, files nobody tracks, a link and a secret.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { list } from 'tar'
import { toHex } from '#core/bytes.ts'
import { sha256 } from '#crypto'
import { createSource } from '#domain/explorer/source.ts'
import { testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'

const test = suite('api: explorer source')
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const VERSION = '9.8.7'

const digestOf = (bytes: Uint8Array): string => toHex(sha256(new Uint8Array(bytes)))

const write = (root: string, files: Readonly<Record<string, string>>): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

const isHere = (program: string): boolean => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

test('a node hands out its own source, and every file has the digest that the manifest says', async () => {
  await using node = await testNode()
  using place = tempDir()
  const response = await fetch(`${node.url}/api/download/source`)
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'application/gzip')
  assert.match(response.headers.get('content-disposition') ?? '', /^attachment; filename="tickmesh-[\d.]+\.tar\.gz"$/)
  const bytes = new Uint8Array(await response.arrayBuffer())
  writeFileSync(join(place.path, 'source.tar.gz'), bytes)
  const again = new Uint8Array(await (await fetch(`${node.url}/api/download/source`)).arrayBuffer())
  assert.equal(digestOf(again), digestOf(bytes))

  const names: string[] = []
  await list({ file: join(place.path, 'source.tar.gz'), onReadEntry: (entry) => void names.push(entry.path) })
  execFileSync('tar', ['-xzf', 'source.tar.gz'], { cwd: place.path })
  const folder = join(place.path, names[0]?.split('/')[0] ?? '')
  const manifest = readFileSync(join(folder, 'MANIFEST.sha256'))
  assert.equal(response.headers.get('x-source-digest'), `sha256:${digestOf(manifest)}`)
  const lines = manifest.toString().trimEnd().split('\n')
  assert.equal(names.length, lines.length + 1)
  for (const line of lines) {
    const [hash = '', path = ''] = line.split('  ')
    assert.equal(digestOf(readFileSync(join(folder, path))), hash, path)
  }
  for (const path of ['package.json', 'src/core/fault.ts', 'protocols/endpoints.tsv', 'LICENSE', 'scripts/setup.mjs']) {
    assert(
      lines.some((line) => line.endsWith(`  ${path}`)),
      path,
    )
  }
  assert(!names.some((name) => /\/(?:\.git|node_modules|\.build|\.data|\.npmrc)(?:\/|$)/.test(name)))

  // What was unpacked is no checkout, and makes the same bytes again.
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  assert.equal(digestOf((await createSource(folder, version)()).bytes), digestOf(bytes))
}, 60_000)

test('the zip is gone, with a code and the way to what stands', async () => {
  await using node = await testNode()
  const response = await fetch(`${node.url}/api/download/source.zip`)
  const problem = (await response.json()) as { code: string; successor: string }
  assert.deepEqual([response.status, problem.code, problem.successor], [410, 'GONE', '/api/download/source'])
})

test('links, dot files and settings of people stay out; runnable files stay runnable', async () => {
  using place = tempDir()
  const root = place.path
  write(root, {
    'package.json': '{}',
    'src/b.ts': 'b',
    'src/a/z.ts': 'z',
    'src/.hidden': 'x',
    'src/a.ts~': 'x',
    'config/default.json': '{}',
    'config/mine.json': '{"secret":"s"}',
    '.env': 'x',
    'notes.txt': 'x',
    'scripts/run.mjs': '#!',
    'outside/secret': 's',
  })
  chmodSync(join(root, 'scripts/run.mjs'), 0o777)
  symlinkSync(join(root, 'outside/secret'), join(root, 'src/link.ts'))
  symlinkSync(join(root, 'outside'), join(root, 'src/linked'))
  symlinkSync(join(root, 'outside/secret'), join(root, 'LICENSE'))
  const archive = await createSource(root, VERSION)()
  assert.deepEqual(
    archive.files.map(({ path }) => path),
    ['config/default.json', 'package.json', 'scripts/run.mjs', 'src/a/z.ts', 'src/b.ts'],
  )
  const file = join(root, 'out.tar.gz')
  writeFileSync(file, archive.bytes)
  const modes = new Map<string, number | undefined>()
  await list({ file, onReadEntry: (entry) => void modes.set(entry.path, entry.mode) })
  assert.deepEqual(
    [modes.get(`tickmesh-${VERSION}/scripts/run.mjs`), modes.get(`tickmesh-${VERSION}/src/b.ts`)],
    [0o755, 0o644],
  )
  write(root, { 'src/b.ts': 'changed' })
  assert.notEqual(digestOf((await createSource(root, VERSION)()).bytes), digestOf(archive.bytes))
})

if (isHere('git')) {
  test('of a checkout only what git tracks', async () => {
    using place = tempDir()
    const root = place.path
    const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' })
    const long = `src/${'n'.repeat(60)}/${'m'.repeat(70)}.ts`
    write(root, { 'package.json': '{}', 'src/a.ts': 'a', 'src/ab.ts': 'ab', [long]: 'long', 'test/ä.ts': 'umlaut' })
    git('init', '-q', '.')
    git('add', '.')
    write(root, { 'src/scratch.ts': 'mine', 'test/new/b.ts': 'mine' })
    const { files } = await createSource(root, VERSION)()
    const tracked = git('-c', 'core.quotePath=false', 'ls-files', '-z').split('\0').slice(0, -1)
    assert.deepEqual(
      files.map(({ path }) => path),
      tracked.toSorted((a, b) => (a < b ? -1 : 1)),
    )
  })
} else test.skip('of a checkout only what git tracks', 'git is not installed')

test('what runs here is listed whole', async () => {
  const { files } = await createSource(ROOT, VERSION)()
  assert(files.length > 500, `${files.length} files`)
  assert(files.every(({ path }) => existsSync(join(ROOT, path))))
}, 30_000)

test.run()
