/**
 * Goal: the image is made by the commands that npm's scripts have, of files that are there, and runs as an ordinary
 * user with nothing to build with. Method: the Dockerfile and .dockerignore as data; no engine is asked.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DockerfileParser, type Instruction } from 'dockerfile-ast'
import { loadConfig } from '#node/config.ts'
import { suite } from '../kit/suite.ts'
import { isThere, read, top } from './folder.ts'

const test = suite('docker/image')

interface Line {
  readonly keyword: string
  readonly text: string
}

const lines: readonly Line[] = DockerfileParser.parse(read('docker/Dockerfile'))
  .getInstructions()
  .map((it: Instruction) => ({ keyword: it.getKeyword(), text: (it.getArgumentsContent() ?? '').replace(/\\\n/g, '') }))

const last = lines.findLastIndex(({ keyword }) => keyword === 'FROM')
const build = lines.slice(0, last)
const final = lines.slice(last)
const texts = (of: readonly Line[], keyword: string): readonly string[] =>
  of.filter((it) => it.keyword === keyword).map(({ text }) => text)

const { scripts, optionalDependencies, bin, files } = JSON.parse(read('package.json')) as {
  scripts: Record<string, string>
  bin: Record<string, string>
  files: readonly string[]
  optionalDependencies: Record<string, string>
}

test('it has two stages on one Debian base, pinned by version: the Node that the lock file names', () => {
  const image = /^NODE_IMAGE=node:(\d+\.\d+\.\d+)-(bookworm)-slim$/.exec(texts(lines, 'ARG')[0] ?? '')
  const version = image?.[1]
  for (const wanted of Object.values(optionalDependencies)) assert.equal(version, wanted)
  assert.deepEqual(texts(lines, 'FROM'), [`${'$'}{NODE_IMAGE} AS build`, `${'$'}{NODE_IMAGE}`])
  for (const { keyword } of lines) assert.match(keyword, /^[A-Z]+$/)
})

test('what runs in it is the package that npm pack makes, started by the command that the package brings', () => {
  const [setup = ''] = (scripts['start'] ?? '').split(' && exec ')
  assert(scripts['prepack']?.startsWith(`${setup} && `), 'npm pack sets up first')
  const [installed, packed, added] = texts(build, 'RUN').filter((it) => it.startsWith('npm '))
  assert.match(installed ?? '', /^npm ci .*--ignore-scripts /)
  assert.equal(packed, 'npm pack --pack-destination /tmp')
  assert.match(
    added ?? '',
    /^npm install --global --prefix \/opt\/tickmesh .*--ignore-scripts .* \/tmp\/tickmesh-\*\.tgz$/,
  )
  const command = JSON.parse(texts(final, 'CMD')[0] ?? '') as string[]
  assert.deepEqual(command, ['node', bin['tickmesh'], 'start'])
  assert.equal(texts(final, 'WORKDIR')[0], '/opt/tickmesh/lib/node_modules/tickmesh')
  for (const file of [command[1] ?? '', 'docker/health.mjs'])
    assert(
      files.some((it) => file.startsWith(`${it}/`)),
      file,
    )
})

test('whatever it copies is there and goes to the engine; whatever runs is copied; nothing else is', () => {
  const ignored = read('.dockerignore').split('\n')
  const allowed = ignored.filter((it) => it.startsWith('!')).map((it) => it.slice(1))
  const patterns = ignored.filter((it) => it !== '' && !it.startsWith('#') && !it.startsWith('!'))
  assert.deepEqual(patterns, ['*'])
  const copied = texts(build, 'COPY').flatMap((text) => text.split(/\s+/).slice(0, -1))
  for (const path of copied) assert(isThere(path), path)
  assert.deepEqual([...copied].sort(), [...allowed].sort())
  for (const folder of ['src', 'protocols', 'config', 'scripts', 'docker']) assert(copied.includes(folder), folder)
  for (const never of ['.data', '.git', 'node_modules', 'test', '.build']) assert(!copied.includes(never), never)
  assert(readdirSync(new URL('src', top)).length > 0)
})

test('the final stage builds nothing, is run by an ordinary user, and may write only its data', () => {
  for (const text of texts(final, 'RUN'))
    assert.doesNotMatch(text, /\b(?:apt|apt-get|npm (?:ci|i|install)|npx |curl|wget|gcc|make)\b/)
  assert.deepEqual(texts(final, 'COPY'), ['/opt/tickmesh /opt/tickmesh'])
  assert.match(read('docker/Dockerfile'), /^COPY --from=build \/opt\/tickmesh \/opt\/tickmesh$/m)
  assert(texts(build, 'RUN').at(-1)?.startsWith('chmod -R a-w'))
  const [user = ''] = texts(final, 'USER')
  assert.match(user, /^[1-9]\d{3,}:[1-9]\d{3,}$/)
  const order = final.map(({ keyword }) => keyword)
  assert(order.indexOf('USER') > order.lastIndexOf('RUN') && order.indexOf('USER') < order.indexOf('CMD'))
  assert.deepEqual(texts(final, 'VOLUME'), ['/var/lib/tickmesh'])
  assert.equal(texts(final, 'ADD').length, 0)
})

test('its environment is one that a node starts with', () => {
  const pairs = [...(texts(final, 'ENV')[0] ?? '').matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value])
  const environment = Object.fromEntries(pairs) as Record<string, string>
  const { config, dataDirectory } = loadConfig({ environment: { ...environment, XDG_CONFIG_HOME: '/nowhere' } })
  assert.deepEqual([config.http.host, config.p2p.host, dataDirectory], ['0.0.0.0', '0.0.0.0', '/var/lib/tickmesh'])
  assert.equal(texts(final, 'EXPOSE')[0], `${config.http.port} ${config.p2p.port}`)
})

/** What the health check ends with, for a node that answers so. */
const health = async (port: number): Promise<number> => {
  const [text = ''] = texts(final, 'HEALTHCHECK')
  const command = JSON.parse(text.slice(text.indexOf('['))) as string[]
  assert.equal(command[0], 'node')
  assert(isThere(command[1] ?? ''))
  const env = { TICKMESH_HTTP_PORT: String(port) }
  const child = spawn(process.execPath, command.slice(1), { cwd: top, env, stdio: 'ignore' })
  const [code] = (await once(child, 'exit')) as [number]
  return code
}

test('its health is that of /readyz: 0 when ready, 1 when not, and 1 when nobody is there', async () => {
  let status = 200
  let asked = ''
  const server = createServer((request, response) => {
    asked = request.url ?? ''
    response.writeHead(status).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  assert.deepEqual([await health(port), asked], [0, '/readyz'])
  status = 503
  assert.equal(await health(port), 1)
  server.close()
  await once(server, 'close')
  assert.equal(await health(port), 1)
})

test.run()
