/**
 * Goal: the compose file starts three nodes that find each other and are scraped, hardened and reached from loopback
 * alone. Method: the file as data, held against the settings (each node's environment is loaded as a node loads it),
 * the files that it mounts, and Prometheus' own file.
 */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type LoadedConfig, loadConfig } from '#node/config.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { compose, isThere, nodesOf, type Service, yaml } from './folder.ts'

const test = suite('docker/compose')
const file = compose()
const nodes = nodesOf(file)
const all = Object.entries(file.services)
const SECRET = 'a secret of the test, longer than thirty-two bytes'

/** The settings of a node's service, its secret from a file of the test. */
const settingsOf = ({ environment = {} }: Service): LoadedConfig['config'] => {
  using dir = tempDir()
  const secret = join(dir.path, 'mesh')
  writeFileSync(secret, `${SECRET}\n`)
  assert.equal(environment['TICKMESH_MESH_SECRET_FILE'], '/run/secrets/mesh')
  for (const [name, value] of Object.entries(environment)) assert.equal(typeof value, 'string', `${name} is quoted`)
  const image = { TICKMESH_HTTP_HOST: '0.0.0.0', TICKMESH_P2P_HOST: '0.0.0.0', TICKMESH_P2P_PORT: '7771' }
  const given = { ...image, ...environment, TICKMESH_MESH_SECRET_FILE: secret, XDG_CONFIG_HOME: '/nowhere' }
  return loadConfig({ environment: given }).config
}

test('three nodes with settings that load, of one image that is built here', () => {
  assert.equal(nodes.length, 3)
  assert.deepEqual(
    nodes.flatMap(([name, { build }]) => (build === undefined ? [] : [[name, build.context, build.dockerfile]])),
    [['node1', '..', 'docker/Dockerfile']],
  )
  assert(isThere('docker/Dockerfile'))
  for (const [, service] of nodes) assert.equal(settingsOf(service).mesh.secret, SECRET)
})

test('each node answers under its name, is published on loopback by the port it knows, and keeps its data', () => {
  for (const [name, service] of nodes) {
    const { http, metrics } = settingsOf(service)
    assert.deepEqual(http.hosts, [`${name}:${http.port}`, `${name}:${metrics.port}`])
    // The Host header has the port that the caller used, so inside and outside must be one.
    assert.deepEqual(service.ports, [`127.0.0.1:${http.port}:${http.port}`])
    assert.deepEqual(service.volumes, [`${name}:/var/lib/tickmesh`])
  }
  const ports = all.flatMap(([, { ports: published = [] }]) => published)
  for (const port of ports) assert.match(port, /^127\.0\.0\.1:\d+:\d+$/)
  assert.equal(new Set(ports.map((it) => it.split(':')[1])).size, ports.length)
})

test('the others join by the first, on its libp2p port, once it is healthy', () => {
  const [first, ...others] = nodes
  assert.deepEqual(settingsOf(first![1]).bootstrap, [])
  for (const [, service] of others) {
    const { p2p } = settingsOf(first![1])
    assert.deepEqual(settingsOf(service).bootstrap, [`/dns4/${first![0]}/tcp/${p2p.port}`])
    assert.deepEqual(service.depends_on, { [first![0]]: { condition: 'service_healthy' } })
  }
})

test('the nodes gossip through a Redis of this file, which keeps nothing and is published nowhere', () => {
  for (const [name, service] of nodes) {
    const { hostname, port, protocol } = new URL(settingsOf(service).mesh.redis.url)
    assert.deepEqual([protocol, hostname, port], ['redis:', 'redis', '6379'], name)
  }
  const { command = [], ports, volumes, networks } = file.services['redis']!
  for (const [flag, value] of [
    ['--save', ''],
    ['--appendonly', 'no'],
  ] as const) {
    assert.equal(command[command.indexOf(flag) + 1], value)
  }
  assert.deepEqual([ports, volumes, networks], [undefined, undefined, ['mesh']])
})

test('every service is hardened and bounded, has its place in the network, and comes from a pinned version', () => {
  for (const [name, it] of all) {
    assert.equal(it.read_only, true, name)
    assert.deepEqual(it.cap_drop, ['ALL'], name)
    assert.deepEqual(it.security_opt, ['no-new-privileges:true'], name)
    assert(
      it.tmpfs?.every((mount) => /^\/tmp:size=\d+m,.*noexec,nosuid,nodev$/.test(mount)),
      name,
    )
    assert.deepEqual(Object.keys(it.deploy?.resources?.limits ?? {}), ['cpus', 'memory', 'pids'], name)
    for (const network of it.networks ?? ['none']) assert(Object.hasOwn(file.networks, network), name)
    for (const danger of ['privileged', 'network_mode', 'pid', 'ipc', 'devices', 'cap_add']) {
      assert(!Object.hasOwn(it, danger), `${name} ${danger}`)
    }
    if (it.image === 'tickmesh') continue
    assert.match(it.image, /^[a-z]+\/[a-z]+:v?\d+\.\d+\.\d+$/, name)
    assert.match(it.user ?? '', /^[1-9]\d*:[1-9]\d*$/, name)
    assert((it.healthcheck?.test.length ?? 0) > 1, name)
  }
})

test('what is mounted is there, and secrets are files outside of what is committed or built', () => {
  for (const [name, { volumes = [], secrets = [] }] of all) {
    for (const volume of volumes) {
      const [from = '', , mode] = volume.split(':')
      if (!from.startsWith('.')) assert(Object.hasOwn(file.volumes, from), `${name} ${volume}`)
      else assert(isThere(`docker/${from}`) && mode === 'ro', `${name} ${volume}`)
    }
    for (const secret of secrets) assert(Object.hasOwn(file.secrets, secret), `${name} ${secret}`)
  }
  for (const { file: path } of Object.values(file.secrets)) assert.match(path, /^\.\.\/\.data\/docker\/\w+\.secret$/)
  const text = JSON.stringify(all)
  assert.doesNotMatch(text, /SECRET"|PASSWORD"|docker\.sock/)
})

test('Prometheus scrapes each node under a name it answers to, and reads the rules that are mounted', () => {
  const { scrape_configs: jobs, rule_files: rules } = yaml<{
    rule_files: string[]
    scrape_configs: { job_name: string; metrics_path: string; static_configs: { targets: string[] }[] }[]
  }>('docker/prometheus.yml')
  const targets = jobs.flatMap((it) => it.static_configs.flatMap((each) => each.targets))
  for (const [name, service] of nodes) {
    const { metrics, http } = settingsOf(service)
    const target = `${name}:${metrics.port}`
    assert(targets.includes(target) && http.hosts.includes(target), target)
    assert.equal(metrics.host, '0.0.0.0')
  }
  assert.equal(targets.length, nodes.length)
  assert.deepEqual(
    jobs.map((it) => [it.job_name, it.metrics_path]),
    [['tickmesh', '/metrics']],
  )
  const mounts = file.services['prometheus']?.volumes ?? []
  for (const rule of rules) {
    assert(isThere(`docker/${rule}`))
    assert(mounts.includes(`./${rule}:/etc/prometheus/${rule}:ro`), rule)
  }
})

test.run()
