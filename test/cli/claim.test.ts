// Goal: `credits status` says when the claim opens, `credits claim` does the work and says what came, `--wait` waits
// for midnight, and who interrupts it has spent nothing. Method: a node on a clock of the test's, and the command
// beside it; between them, where a search must not end, a way that asks for more bits than there are.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { workLine } from '#cli/claim.ts'
import { TICK_NS } from '#core/tick.ts'
import { NS_PER_DAY } from '#core/time.ts'
import { impoverish, poorAccount } from '../kit/claiming.ts'
import { testNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { type Answer, terminalIn } from './terminal.ts'

const test = suite('cli/claim')
const MS_MAX = 60_000
/** More than any search ends with. */
const BITS_WITHOUT_END = 60

/** Stands before a node and asks for more work than it does; counts the claims that come. */
const demanding = async (target: string) => {
  let claims = 0
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') claims += 1
    const { authorization = '' } = request.headers
    const answer = await fetch(new URL(request.url ?? '/', target), { headers: { authorization } })
    const body = (await answer.text()).replace(/"bits":18/g, `"bits":${BITS_WITHOUT_END}`)
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    claims: () => claims,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

test(
  'status says when, claim works and pays, and a second one is told to wait for midnight',
  async () => {
    using dir = tempDir()
    await using it = await testNode()
    const { zid, api_key } = await it.client.call('identity.sign-up', {})
    const terminal = terminalIn(dir.path)
    const env = { TICKMESH_URL: it.url, TICKMESH_KEY: api_key }
    const say = (words: readonly string[]) => terminal.here.run(words, { env })
    const rich = await say(['credits', 'status'])
    assert.match(rich.stdout, /daily claim +unlocks when nearly out: at 5 credits or fewer/)
    const early = await terminal.here.json(['credits', 'claim'], { env })
    assert.deepEqual([early.code, early.answer['code']], [1, 'NOT_ELIGIBLE'])
    await impoverish(it, zid)
    assert.match((await say(['credits', 'status'])).stdout, /daily claim +claimable/)
    const claimed = await say(['credits', 'claim'])
    assert.equal(claimed.code, 0, claimed.stderr)
    assert.match(claimed.stdout, /claimed +128 free credits\nfree +131\n/)
    assert.equal(it.node.store.balance('free', zid), 131)
    const again = await terminal.here.json(['credits', 'claim'], { env })
    assert.deepEqual([again.code, again.answer['code']], [1, 'NOT_ELIGIBLE'])
    assert.match(String((again.answer['details'] as Answer)['unlocks_at']), /T00:00:00\.000Z$/)
    assert.match((await say(['credits', 'status'])).stdout, /already claimed today; opens in \d+ (h|min|s)/)
    const demo = { TICKMESH_URL: it.url, TICKMESH_KEY: (await it.client.call('economy.demo-key', {})).key }
    assert.equal((await terminal.here.json(['credits', 'claim'], { env: demo })).answer['code'], 'SCOPE_REQUIRED')
  },
  MS_MAX,
)

test(
  '--wait waits for the day to end by the clock of the node',
  async () => {
    using dir = tempDir()
    await using it = await testNode()
    const { zid, api_key, client } = await poorAccount(it)
    const env = { TICKMESH_URL: it.url, TICKMESH_KEY: api_key }
    const terminal = terminalIn(dir.path)
    const first = await terminal.here.json(['credits', 'claim'], { env })
    assert.equal(first.code, 0)
    await impoverish(it, zid)
    const { instant } = it.node.store.now()
    it.passTicks(Number((NS_PER_DAY - (instant % NS_PER_DAY)) / TICK_NS))
    assert.equal((await client.call('economy.credits', {})).claim.unlocks_in_seconds, 1)
    const { child, ended } = terminal.begin(['credits', 'claim', '--wait', '--json'], { env })
    assert.match(String((await once(child.stderr!, 'data'))[0]), /already claimed today.*waiting/)
    it.passTicks(2)
    const { code, stdout, stderr } = await ended
    assert.equal(code, 0, stderr)
    const { day, claims } = JSON.parse(stdout) as Answer
    assert.deepEqual([claims, day === first.answer['day']], [2, false])
  },
  MS_MAX,
)

for (const [signalName, exit] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  test(
    `${signalName} during the work: exit ${exit}, and nothing was spent`,
    async () => {
      using dir = tempDir()
      await using it = await testNode()
      const { api_key, client, zid } = await poorAccount(it)
      await using way = await demanding(it.url)
      const env = { TICKMESH_URL: way.url, TICKMESH_KEY: api_key }
      const { child, ended } = terminalIn(dir.path).begin(['credits', 'claim', '--json'], { env })
      assert.match(String((await once(child.stderr!, 'data'))[0]), /60 bits of work: about \d+ s expected/)
      child.kill(signalName)
      const { code } = await ended
      assert.deepEqual([code, way.claims(), it.node.store.balance('free', zid)], [exit, 0, 3])
      const { claim } = await client.call('economy.credits', {})
      assert.deepEqual([claim.state, claim.prior_claims], ['claimable', 0])
    },
    MS_MAX,
  )
}

test('the meter says bits, seconds and speed', () => {
  const line = workLine(18, { tried: 1_250_000, perSecond: 500_000, expectedSeconds: 0.524 })
  const said = '18 bits of work: under a second expected, 1.3 million hashes done, 0.50 million hashes a second'
  assert.equal(line, said.replace('1.3', (1.25).toFixed(1)))
})

test.run()
