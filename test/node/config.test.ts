// Goal: every setting has one default, one order of origins, and no way of being misspelt, shown or lost.
// Method: configurations from plain objects and files in a directory of the test; nothing of the machine's is read.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, type ConfigSources, loadConfig, showConfig } from '#node/config.ts'
import { settings } from '#node/settings.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'

const test = suite('node/config')

/** Nothing lies in this config home. */
const bare = (sources: ConfigSources = {}) =>
  loadConfig({ ...sources, environment: { XDG_CONFIG_HOME: '/nowhere', ...sources.environment } })

const refused = (sources: ConfigSources, words: RegExp): void => {
  assert.throws(
    () => bare(sources),
    (thrown) => thrown instanceof ConfigError && words.test(thrown.message),
  )
}

test('default < file < environment < flag, and each value says where it came from', () => {
  using dir = tempDir()
  const file = join(dir.path, 'c.json')
  writeFileSync(file, JSON.stringify({ http: { port: 1, host: '::1' }, sse: { heartbeatMs: 1000 } }))
  const environment = { TICKMESH_HTTP_PORT: '2', TICKMESH_SSE_HEARTBEAT_MS: '2000' }
  const loaded = bare({ file, environment, flags: { 'sse.heartbeatMs': '3000' } })
  assert.deepEqual([loaded.config.http.host, loaded.config.http.port, loaded.config.sse.heartbeatMs], ['::1', 2, 3000])
  const shown = new Map(showConfig(loaded).map((it) => [it.path, it]))
  const origin = (path: string) => [shown.get(path)?.origin, shown.get(path)?.from]
  assert.deepEqual(origin('log'), ['default', 'config/default.json'])
  assert.deepEqual(origin('http.host'), ['file', file])
  assert.deepEqual(origin('http.port'), ['environment', 'TICKMESH_HTTP_PORT'])
  assert.deepEqual(origin('sse.heartbeatMs'), ['flag', '--sse-heartbeat-ms'])
})

test('the names that people use are there', () => {
  const variables = settings.map(({ variable }) => variable)
  for (const name of ['DATA', 'HTTP_PORT', 'HTTP_HOST', 'P2P_PORT', 'BOOTSTRAP', 'MESH_SECRET', 'LOG']) {
    assert(variables.includes(`TICKMESH_${name}`), name)
  }
  assert.equal(new Set(variables).size, variables.length)
  assert.equal(new Set(settings.map(({ flag }) => flag)).size, settings.length)
  assert.equal(settings.find(({ path }) => path === 'data')?.flag, '--data-dir')
})

test('every setting has its default in config/default.json, its words, and nothing else stands there', () => {
  const leaves = (tree: object, at = ''): string[] =>
    Object.entries(tree).flatMap(([name, value]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? leaves(value, `${at}${name}.`)
        : [at + name],
    )
  const defaults = leaves(JSON.parse(readFileSync(new URL('../../config/default.json', import.meta.url), 'utf8')))
  assert.deepEqual(defaults.sort(), settings.map(({ path }) => path).sort())
  for (const { path, description, unit, schema, secret } of settings) {
    assert(description.endsWith('.'), path)
    const { type } = schema as { type?: string }
    if (type === 'integer') assert(unit !== undefined && !secret, `${path} has no unit`)
  }
})

test('a name that is no setting is refused by name, wherever it stands', () => {
  using dir = tempDir()
  const file = join(dir.path, 'c.json')
  writeFileSync(file, '{"http":{"prot":1}}')
  refused({ environment: { TICKMESH_HTTP_PROT: '1' } }, /TICKMESH_HTTP_PROT/)
  refused({ file }, /http\.prot/)
  refused({ flags: { 'http.prot': '1' } }, /http\.prot/)
  refused({ flags: { __proto__x: 1 } }, /__proto__x/)
})

test('a group that no setting stands in is no setting, however deep or empty', () => {
  using dir = tempDir()
  const file = join(dir.path, 'c.json')
  for (const [text, words] of [
    ['{"htp":{}}', /no setting is called htp$/],
    ['{"http":{"port":{}}}', /^http\.port: /],
    [`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, /no setting is called a\.a/],
  ] as const) {
    writeFileSync(file, text)
    refused({ file }, words)
  }
  writeFileSync(file, '{"http":{}}')
  assert.equal(bare({ file }).config.http.port, 7770)
})

test('a value that does not fit is refused with its setting and its origin', () => {
  for (const value of ['x', '', '-1', '65536', '7e3', '0x10', '1.5', ' 7770']) {
    refused({ environment: { TICKMESH_HTTP_PORT: value } }, /^http\.port: .*TICKMESH_HTTP_PORT/)
  }
  refused({ environment: { TICKMESH_LOG: 'loud' } }, /^log: /)
  refused({ environment: { TICKMESH_P2P_ENABLED: 'maybe' } }, /^p2p\.enabled: /)
  refused({ flags: { bootstrap: [1] } }, /^bootstrap\.0: .*--bootstrap/)
})

test('files that cannot be used are named', () => {
  using dir = tempDir()
  const file = join(dir.path, 'c.json')
  refused({ file }, /c\.json cannot be read/)
  for (const text of ['', '[]', '1', '{"http":', 'null']) {
    writeFileSync(file, text)
    refused({ file }, /c\.json is not/)
  }
  writeFileSync(file, '{"http":7770}')
  refused({ file }, /no setting is called http$/)
})

test('every preset beside the defaults can be loaded', () => {
  const directory = new URL('../../config/', import.meta.url)
  const presets = readdirSync(directory).filter((name) => name.endsWith('.json') && name !== 'default.json')
  for (const name of presets) assert.doesNotThrow(() => bare({ file: new URL(name, directory).pathname }), name)
})

test('lists, switches and absent ports can be said in the environment', () => {
  const environment = { TICKMESH_BOOTSTRAP: '/a, /b', TICKMESH_P2P_ENABLED: 'false', TICKMESH_METRICS_PORT: '9000' }
  const { config } = bare({ environment })
  assert.deepEqual([config.bootstrap, config.p2p.enabled, config.metrics.port], [['/a', '/b'], false, 9000])
  assert.deepEqual(bare({ environment: { TICKMESH_BOOTSTRAP: '' } }).config.bootstrap, [])
  assert.equal(bare({ environment: { TICKMESH_METRICS_PORT: 'null' } }).config.metrics.port, null)
})

test('a secret can stand in a file of its own; two places for it, or none that can be read, are refused', () => {
  using dir = tempDir()
  const file = join(dir.path, 'mesh')
  writeFileSync(file, 'mellon \n')
  const variable = 'TICKMESH_MESH_SECRET_FILE'
  const loaded = bare({ environment: { [variable]: file } })
  assert.equal(loaded.config.mesh.secret, 'mellon ')
  const shown = showConfig(loaded).find(({ path }) => path === 'mesh.secret')
  assert.deepEqual([shown?.value, shown?.from], ['set', variable])
  assert.equal(bare({ environment: { [variable]: '' } }).config.mesh.secret, '')
  refused({ environment: { [variable]: file, TICKMESH_MESH_SECRET: 'friend' } }, /are both set/)
  refused({ environment: { [variable]: join(dir.path, 'none') } }, /TICKMESH_MESH_SECRET_FILE cannot be read/)
  refused({ environment: { TICKMESH_HTTP_PORT_FILE: file } }, /no setting is called TICKMESH_HTTP_PORT_FILE/)
  writeFileSync(file, 'x'.repeat(100_000))
  refused({ environment: { [variable]: file } }, /is larger than/)
  writeFileSync(file, 'x'.repeat(5_000))
  refused({ environment: { [variable]: file } }, /mesh\.secret: .*TICKMESH_MESH_SECRET_FILE/)
})

test('a secret is never shown, never named in a refusal, and never a flag', () => {
  const secret = 's'.repeat(5000)
  const loaded = bare({ environment: { TICKMESH_MESH_SECRET: 'mellon' } })
  assert.equal(loaded.config.mesh.secret, 'mellon')
  const shown = showConfig(loaded)
  assert(!JSON.stringify(shown).includes('mellon'))
  assert.equal(shown.find(({ path }) => path === 'mesh.secret')?.value, 'set')
  assert.equal(shown.find(({ path }) => path === 'mesh.secretPrevious')?.value, 'unset')
  try {
    bare({ environment: { TICKMESH_MESH_SECRET: secret } })
    assert.fail('it was taken')
  } catch (thrown) {
    assert(thrown instanceof ConfigError && !thrown.message.includes('sss'))
  }
  refused({ flags: { 'mesh.secret': 'mellon' } }, /never by flag/)
})

test('the data directory: flag, variable, XDG', () => {
  const environment = { XDG_DATA_HOME: '/xdg', TICKMESH_DATA: '/env' }
  assert.equal(bare({ environment, flags: { data: '/flag' } }).dataDirectory, '/flag')
  assert.equal(bare({ environment }).dataDirectory, '/env')
  assert.equal(bare({ environment: { XDG_DATA_HOME: '/xdg' } }).dataDirectory, '/xdg/tickmesh')
})

test('the file of the XDG config home is read, and TICKMESH_CONFIG beats it', () => {
  using dir = tempDir()
  using other = tempDir()
  const file = join(other.path, 'c.json')
  writeFileSync(file, '{"log":"warn"}')
  assert.equal(loadConfig({ environment: { XDG_CONFIG_HOME: dir.path, TICKMESH_CONFIG: file } }).config.log, 'warn')
  assert.equal(loadConfig({ environment: { XDG_CONFIG_HOME: dir.path } }).config.log, 'info')
})

test.run()
