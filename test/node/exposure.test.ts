// Goal: a door that is open to the network without TLS is named, at the start and by rule; a closed one is not.
// Method: configurations by flags, and a real node that listens on every address.
import assert from 'node:assert/strict'
import { loadConfig } from '#node/config.ts'
import { exposuresOf } from '#node/exposure.ts'
import { testNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'

const test = suite('node/exposure')

const open = (flags: Readonly<Record<string, unknown>>): readonly string[] =>
  exposuresOf(loadConfig({ flags, environment: { XDG_CONFIG_HOME: '/nowhere' } }).config).map(({ setting }) => setting)

test('the rule: beyond loopback and nothing in front', () => {
  assert.deepEqual(open({}), [])
  assert.deepEqual(open({ 'http.host': '::1' }), [])
  assert.deepEqual(open({ 'http.host': '0.0.0.0' }), ['http.host'])
  assert.deepEqual(open({ 'http.host': '192.0.2.7', 'metrics.port': 9470 }), ['http.host'])
  assert.deepEqual(open({ 'http.host': '0.0.0.0', 'http.proxies': '10.0.0.1' }), [])
  assert.deepEqual(open({ 'metrics.host': '0.0.0.0' }), [])
  assert.deepEqual(open({ 'metrics.host': '0.0.0.0', 'metrics.port': 9470 }), ['metrics.host'])
})

test('the presets open nothing', () => {
  for (const name of ['local', 'public']) {
    const file = new URL(`../../config/${name}.json`, import.meta.url).pathname
    assert.deepEqual(exposuresOf(loadConfig({ file, environment: {} }).config), [], name)
  }
})

test('a node that is open says so once at its start', async () => {
  await using it = await testNode({ settings: { 'http.host': '0.0.0.0' } })
  const warnings = it.lines.filter(({ event }) => event === 'public_without_tls')
  assert.deepEqual(
    warnings.map(({ level, fields }) => [level, (fields as { setting: string }).setting]),
    [['warn', 'http.host']],
  )
  await using closed = await testNode()
  assert.deepEqual(
    closed.lines.filter(({ event }) => event === 'public_without_tls'),
    [],
  )
})

test.run()
