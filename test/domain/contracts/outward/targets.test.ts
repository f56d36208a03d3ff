/*
 * Goal: an address leads to the public internet or it is refused, in whatever notation it is written; the setting adds
 * what it says and nothing else. Method: tables of addresses by their registries (IANA, clouds) and of notations; seeded
 * addresses inside and outside of blocks, judged by the engine's own list of blocks as a second opinion.
 */
import assert from 'node:assert/strict'
import { BlockList, isIP } from 'node:net'
import { Fault } from '#core/fault.ts'
import { isPublicAddress } from '#domain/contracts/outward/addresses.ts'
import { assertTarget, mayConnect, TargetSettingRefused, targetRules } from '#domain/contracts/outward/targets.ts'
import { seeded } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'

const test = suite('contracts: targets')

const none = targetRules([])

const refused = (url: string, rules = none): boolean => {
  try {
    assertTarget(rules, url)
    return false
  } catch (cause) {
    if (cause instanceof Fault && cause.code === 'TARGET_REFUSED') return true
    throw cause
  }
}

/** The special purpose blocks of IPv4 that are not reached globally (RFC 6890 and its registry), with multicast. */
const CLOSED_4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4', '255.255.255.255/32'],
]
const CLOSED_6 = [
  ...['::/128', '::1/128', '64:ff9b:1::/48', '100::/64', '2001::/32', '2001:2::/48', '2001:20::/28', '2001:db8::/32'],
  ...['2002::/16', '3fff::/20', '5f00::/16', 'fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8', '4000::/3'],
]

const edges4 = (block: string): readonly string[] => {
  const [address = '', bits = ''] = block.split('/')
  const from = address.split('.').reduce((sum, it) => sum * 256 + Number(it), 0)
  const size = 2 ** (32 - Number(bits))
  const text = (n: number) => [n / 2 ** 24, n / 2 ** 16, n / 256, n].map((it) => Math.floor(it) % 256).join('.')
  return [text(from), text(from + Math.floor(size / 2)), text(from + size - 1)]
}

test('special blocks are closed from their first address to their last, also behind IPv6', () => {
  for (const address of CLOSED_4.flatMap(edges4)) {
    assert.ok(!isPublicAddress(address), address)
    for (const way of [`::ffff:${address}`, `64:ff9b::${address}`]) assert.ok(!isPublicAddress(way), way)
  }
  for (const block of CLOSED_6) {
    const [address = ''] = block.split('/')
    for (const it of [address, `${address.replace(/::.*$/, '')}::${block.startsWith('::') ? '1' : 'abcd'}`]) {
      assert.ok(isIP(it) === 6 && !isPublicAddress(it), `${block}: ${it}`)
    }
  }
  const clouds = ['169.254.169.254', '100.100.100.200', '168.63.129.16', '192.0.0.192', 'fd00:ec2::254', 'fd20:ce::254']
  for (const address of clouds) assert.ok(!isPublicAddress(address), address)
  for (const text of ['', 'x', '1.2.3', '01.2.3.4', '1.2.3.4.5', '::g', 'fe80::1%lo', '1.2.3.4%x']) {
    assert.ok(!isPublicAddress(text), text)
  }
  const open = [
    '1.1.1.1',
    '8.8.8.8',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700::1111',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ]
  for (const address of open) assert.ok(isPublicAddress(address), address)
})

test('of many addresses at random none passes that lies in a closed block', () => {
  const random = seeded()
  const closed = new BlockList()
  for (const block of CLOSED_4) closed.addSubnet(block.split('/')[0]!, Number(block.split('/')[1]), 'ipv4')
  let [open, shut] = [0, 0]
  for (let i = 0; i < 20_000; i++) {
    const address = random.bytes(4).join('.')
    if (!closed.check(address, 'ipv4')) open += 1
    else {
      shut += 1
      assert.ok(!isPublicAddress(address), address)
    }
  }
  assert.ok(open > 0 && shut > 0)
})

test('every notation of an address at home is refused', () => {
  const loopback = [
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '0177.0.0.1',
    '2130706433',
    '0x7f000001',
    '017700000001',
    '127.0.0.1.',
  ]
  const written = [
    ...loopback,
    '１２７.0.0.1',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
  ]
  const more = ['[::]', '0', '0.0.0.0', '10.0.0.1', '[fe80::1]', '[fd00::1]', '[64:ff9b::a9fe:a9fe]', '[2002:7f00:1::]']
  const names = [
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    'printer',
    'printer.local',
    'db.internal',
    'nas.lan',
  ]
  for (const host of [...written, ...more, '169.254.169.254', ...names, 'metadata.google.internal']) {
    for (const port of ['', ':8443']) assert.ok(refused(`https://${host}${port}/x`), host)
  }
})

test('schemes, users, ports, fragments and what a parser would let pass', () => {
  for (const url of [
    ...['http://example.com/', 'ftp://example.com/', 'file:///etc/passwd', 'gopher://example.com/', 'data:,x', 'x', ''],
    ...[
      '//example.com/',
      'https://',
      'https://user@example.com/',
      'https://user:word@example.com/',
      'https://:x@a.com/',
    ],
    ...['https://example.com:22/', 'https://example.com:25/', 'https://example.com:0/', 'https://example.com:65536/'],
    ...['https://example.com/#x', 'https://exa mple.com/', 'https://example.com/\n', 'https://exam\tple.com/'],
    ...[
      'https:\\\\example.com\\',
      'https://example.com\\@127.0.0.1/',
      'https://example.com/\0',
      `https://a.com/${'x'.repeat(2_048)}`,
    ],
    ...['https://1.2.3.4.5/', 'https://[::1/', 'https://256.1.1.1/', 'javascript:alert(1)'],
  ]) {
    assert.ok(refused(url), url)
  }
  for (const url of [
    ...['https://example.com', 'https://example.com/a?b=c', 'https://example.com:443/', 'https://example.com:8443/'],
    ...['https://8.8.8.8/', 'https://[2606:4700::1111]/', 'https://xn--bcher-kva.example/', 'https://bücher.example/'],
  ]) {
    assert.ok(!refused(url), url)
  }
})

test('the setting adds a host, an address or a block, at a port or at all', () => {
  const rules = targetRules(['receiver', 'nas.lan:8080', '127.0.0.1:9000', '10.1.0.0/16', '[::1]:9000', 'fd00::/8'])
  for (const url of [
    ...[
      'http://receiver/',
      'https://receiver:1/',
      'http://nas.lan:8080/',
      'http://127.0.0.1:9000/',
      'http://10.1.2.3/',
    ],
    ...['http://[::1]:9000/', 'http://[fd12::1]:22/', 'http://0x7f.1:9000/', 'http://[::ffff:10.1.2.3]/'],
  ]) {
    assert.ok(!refused(url, rules), url)
  }
  for (const url of [
    ...['http://nas.lan/', 'http://127.0.0.1/', 'http://127.0.0.2:9000/', 'http://10.2.0.1/', 'http://[::1]/'],
    ...['http://other/', 'http://example.com/', 'http://receiver.evil.com/', 'http://[fe80::1]/'],
  ]) {
    assert.ok(refused(url, rules), url)
  }
  const target = assertTarget(rules, 'https://example.com/')
  assert.ok(mayConnect(rules, target, '10.1.9.9') && !mayConnect(rules, target, '10.2.9.9'))
  assert.ok(!mayConnect(rules, target, '127.0.0.1'), 'the port of a rule counts')
  for (const entry of [
    '',
    ' ',
    'a b',
    '10.0.0.0/33',
    '10.0.0/8',
    'host:0',
    'host:65536',
    'host:x',
    '::1/129',
    '[x]',
    '*',
    'http://a/',
  ]) {
    assert.throws(() => targetRules([entry]), TargetSettingRefused, entry)
  }
})

test.run()
