// Goal: a page of another site can neither name this node as its own (DNS rebinding) nor make a browser act on it.
// Method: the rules as a table of Host, Origin, method and session; addresses as a table of spellings.
import assert from 'node:assert/strict'
import { Fault } from '#core/fault.ts'
import { bucketOf, clientAddress, isLoopback } from '#gateway/address.ts'
import { checkHost, corsHeaders, hostRules } from '#gateway/hosts.ts'
import { suite } from '../kit/suite.ts'

const test = suite('gateway/hosts')

const rules = hostRules(
  { host: '127.0.0.1', port: 7770 },
  { hosts: ['Node.Example'], origins: ['https://lab.example'] },
)
const own = 'http://localhost:7770'

type Row = readonly [
  method: string,
  host: string | undefined,
  origin: string | undefined,
  session: boolean,
  want: string,
]
const rows: readonly Row[] = [
  ['GET', '127.0.0.1:7770', undefined, false, 'ok'],
  ['GET', 'localhost:7770', undefined, false, 'ok'],
  ['GET', '[::1]:7770', undefined, false, 'ok'],
  ['GET', 'LOCALHOST:7770', undefined, false, 'ok'],
  ['GET', 'node.example', undefined, false, 'ok'],
  ['GET', undefined, undefined, false, 'HOST_REFUSED'],
  ['GET', '', undefined, false, 'HOST_REFUSED'],
  ['GET', 'localhost', undefined, false, 'HOST_REFUSED'],
  ['GET', 'localhost:7771', undefined, false, 'HOST_REFUSED'],
  ['GET', 'localhost.evil.example:7770', undefined, false, 'HOST_REFUSED'],
  ['GET', 'evil.example:7770', undefined, false, 'HOST_REFUSED'],
  ['GET', '127.0.0.1:7770@evil.example', undefined, false, 'HOST_REFUSED'],
  ['GET', 'localhost:7770', 'https://evil.example', false, 'ok'],
  ['POST', 'localhost:7770', undefined, false, 'ok'],
  ['POST', 'localhost:7770', own, false, 'ok'],
  ['POST', 'localhost:7770', own, true, 'ok'],
  ['POST', 'localhost:7770', undefined, true, 'ORIGIN_REFUSED'],
  ['POST', 'localhost:7770', 'null', false, 'ORIGIN_REFUSED'],
  ['POST', 'localhost:7770', 'https://evil.example', false, 'ORIGIN_REFUSED'],
  ['POST', 'localhost:7770', 'http://localhost:3000', true, 'ORIGIN_REFUSED'],
  ['DELETE', 'localhost:7770', 'http://127.0.0.1:7770', false, 'ORIGIN_REFUSED'],
  ['POST', 'localhost:7770', 'https://lab.example', false, 'ok'],
  ['POST', 'localhost:7770', 'https://lab.example', true, 'ORIGIN_REFUSED'],
  ['PUT', 'localhost:7770', 'https://evil.example', false, 'ORIGIN_REFUSED'],
  ['PATCH', 'localhost:7770', 'https://evil.example', false, 'ORIGIN_REFUSED'],
]
for (const [method, host, origin, session, want] of rows) {
  test(`${method} host ${host} origin ${origin}${session ? ' with a session' : ''}: ${want}`, () => {
    const check = (): void => checkHost(rules, { method, host, origin, session })
    if (want === 'ok') return check()
    assert.throws(check, (thrown) => thrown instanceof Fault && thrown.code === want)
  })
}

test('an address that is not loopback brings no loopback names; any address does', () => {
  const { hosts } = hostRules({ host: '192.0.2.1', port: 80 }, { hosts: [], origins: [] })
  assert.deepEqual([...hosts], ['192.0.2.1:80', '192.0.2.1'])
  const any = hostRules({ host: '0.0.0.0', port: 1 }, { hosts: [], origins: [] })
  assert(any.hosts.has('localhost:1') && !any.hosts.has('0.0.0.0:1'))
})

test('CORS is closed but for configured origins', () => {
  assert.deepEqual(corsHeaders(rules, 'https://evil.example'), {})
  assert.deepEqual(corsHeaders(rules, undefined), {})
  assert.equal(corsHeaders(rules, 'https://lab.example')['Access-Control-Allow-Origin'], 'https://lab.example')
  assert.equal(corsHeaders(rules, 'https://lab.example')['Access-Control-Allow-Credentials'], undefined)
})

test('buckets: IPv4 /32, IPv6 /64, whatever the spelling', () => {
  assert.equal(bucketOf('192.0.2.7'), '192.0.2.7')
  assert.equal(bucketOf('::ffff:192.0.2.7'), '192.0.2.7')
  assert.equal(bucketOf('2001:db8::1'), '2001:db8:0:0::/64')
  assert.equal(bucketOf('2001:0DB8:0000:0000:ffff::2'), '2001:db8:0:0::/64')
  assert.equal(bucketOf('2001:db8:0:1::1'), '2001:db8:0:1::/64')
  assert.equal(bucketOf('fe80::1%eth0'), 'fe80:0:0:0::/64')
  assert.equal(bucketOf('::1'), '0:0:0:0::/64')
})

test('forwarded addresses are believed from configured proxies only, from the right', () => {
  const proxies = new Set(['10.0.0.1', '10.0.0.2'])
  assert.equal(clientAddress('192.0.2.9', '198.51.100.1', proxies), '192.0.2.9')
  assert.equal(clientAddress('10.0.0.1', '198.51.100.1', proxies), '198.51.100.1')
  assert.equal(clientAddress('::ffff:10.0.0.1', '203.0.113.5, 198.51.100.1, 10.0.0.2', proxies), '198.51.100.1')
  assert.equal(clientAddress('10.0.0.1', 'nonsense, 198.51.100.1', proxies), '198.51.100.1')
  assert.equal(clientAddress('10.0.0.1', 'nonsense', proxies), '10.0.0.1')
  assert.equal(clientAddress('10.0.0.1', '[2001:db8::1]', proxies), '2001:db8::1')
  assert.equal(clientAddress('10.0.0.1', undefined, proxies), '10.0.0.1')
})

test('loopback', () => {
  for (const it of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', 'localhost']) assert(isLoopback(it), it)
  for (const it of ['10.0.0.1', '::', '0.0.0.0', '128.0.0.1']) assert(!isLoopback(it), it)
})

test.run()
