// Goal: a line is fields and an event, for machines or for a person, and no secret is ever in it.
// Method: a sink that keeps what is written.
import assert from 'node:assert/strict'
import { createLog, type LogSink } from '#node/log.ts'
import { createMetrics } from '#node/metrics.ts'
import { suite } from '../kit/suite.ts'

const test = suite('node/log')

const sink = (isTTY: boolean): LogSink & { readonly text: () => string } => {
  let all = ''
  return {
    isTTY,
    write: (text) => {
      all += text
      return true
    },
    text: () => all,
  }
}

test('JSON lines, one a line, below no chosen level', () => {
  const out = sink(false)
  const log = createLog('info', out)
  log.debug({ a: 1 }, 'quiet')
  log.info({ a: 1, text: 'x\ny' }, 'loud')
  const lines = out.text().trimEnd().split('\n')
  assert.equal(lines.length, 1)
  const { time, ...rest } = JSON.parse(lines[0]!)
  assert.deepEqual(rest, { level: 'info', event: 'loud', a: 1, text: 'x\ny' })
  assert.match(time, /^\d{4}-\d\d-\d\dT/)
})

test('a person reads time, level, event and fields', () => {
  const out = sink(true)
  createLog('info', out).warn({ url: 'http://127.0.0.1:1', n: 3 }, 'ready')
  assert.match(out.text(), /^\d\d:\d\d:\d\d\.\d{3} warn {2}ready url=http:\/\/127\.0\.0\.1:1 n=3\n$/)
})

test('fields that are called like secrets are kept back, at both depths', () => {
  const out = sink(false)
  const names = ['secret', 'key', 'token', 'cookie', 'authorization', 'password', 'seed', 'handshake']
  for (const name of names) createLog('info', out).info({ [name]: 'mellon', headers: { [name]: 'mellon' } }, 'e')
  assert(!out.text().includes('mellon'))
  assert.equal(out.text().match(/\[kept\]/g)?.length, 2 * names.length)
})

test('an error is logged with its name and stack', () => {
  const out = sink(false)
  createLog('info', out).error({ error: new TypeError('why') }, 'failed')
  const { error } = JSON.parse(out.text())
  assert.deepEqual([error.type, error.message], ['TypeError', 'why'])
})

test('a secret is kept back wherever it stands: in an error, in an address, in a sentence', () => {
  const out = sink(false)
  const log = createLog('debug', out)
  const digits = 'a1'.repeat(22).slice(0, 43)
  const secrets = ['svc_demo_', 'svc_ak_', 'zsm_', 'sck_'].map((prefix) => prefix + digits)
  for (const secret of secrets) {
    log.error({ error: new Error(`no such key ${secret}`) }, 'failed')
    log.info({ deep: { er: { still: [`x${'.'}${secret}"`] } } }, 'nested')
    log.debug({ path: `/owner?token=${digits}&x=1`, text: `Authorization: Bearer  ${secret}` }, 'call')
  }
  const text = out.text()
  for (const secret of [...secrets, digits]) assert(!text.includes(secret), text)
  assert.match(text, /\/owner\?token=\[kept\]&x=1/)
  for (const line of text.trimEnd().split('\n')) assert.doesNotThrow(() => JSON.parse(line))
})

test('an event that floods is told sixty times a minute and then counted; at debug level all of it is told', () => {
  const flood = (level: string): readonly { event: string; of?: string; times?: number }[] => {
    const out = sink(false)
    let now = 0
    const log = createLog(level, out, () => now)
    for (let i = 0; i < 1_000; i++) log.warn({ i }, 'flood')
    log.info({}, 'something else')
    now = 60_000
    log.info({}, 'next')
    return out
      .text()
      .trimEnd()
      .split('\n')
      .map((line) => (line === '' ? { event: '' } : JSON.parse(line)))
  }
  const lines = flood('info')
  assert.equal(lines.length, 60 + 3)
  assert.partialDeepStrictEqual(lines.slice(-3), [
    { event: 'something else' },
    { event: 'repeated', of: 'warn flood', times: 940 },
    { event: 'next' },
  ])
  assert.equal(flood('debug').filter(({ event }) => event === 'flood').length, 1_000)
  assert.equal(flood('error').length, 1) // One empty text: nothing was written.
})

test('the audit is a log of its own, written at every level but silent', () => {
  const written = (level: string): string => {
    const out = sink(false)
    createLog(level, out).audit({ bucket: '127.0.0.1' }, 'owner_link_used')
    return out.text()
  }
  for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'fatal']) {
    const { log, event, bucket } = JSON.parse(written(level))
    assert.deepEqual([log, event, bucket], ['audit', 'owner_link_used', '127.0.0.1'])
  }
  assert.equal(written('silent'), '')
})

test('metrics count, time and read levels when asked', async () => {
  const metrics = createMetrics()
  metrics.count('seals_total', { solver: 'heat', result: 'sealed' })
  metrics.count('credits_burned', { asset: 'free' }, 3)
  metrics.observe('seal_seconds', 0.02, { solver: 'heat' })
  let level = 1
  metrics.gauge({ name: 'peers', help: 'Peers.', read: () => level })
  metrics.gauge({ name: 'jobs', help: 'Jobs.', labels: ['state'], read: () => [[{ state: 'running' }, 2]] })
  level = 7
  const text = await metrics.text()
  assert.match(text, /^tickmesh_seals_total\{solver="heat",result="sealed"\} 1$/m)
  assert.match(text, /^tickmesh_credits_burned\{asset="free"\} 3$/m)
  assert.match(text, /^tickmesh_seal_seconds_bucket\{le="0.03",solver="heat"\} 1$/m)
  assert.match(text, /^tickmesh_peers 7$/m)
  assert.match(text, /^tickmesh_jobs\{state="running"\} 2$/m)
})

test('two nodes in one process do not share their metrics', async () => {
  const [one, two] = [createMetrics(), createMetrics()]
  one.count('sse_gaps_total')
  assert.match(await one.text(), /^tickmesh_sse_gaps_total 1$/m)
  assert.match(await two.text(), /^tickmesh_sse_gaps_total 0$/m)
})

test.run()
