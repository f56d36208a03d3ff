/*
 * Goal: over HTTP a question in words is shown as it is read, sealed with or without a yes to that, and judged alike by
 * another node; nobody but its owner sees the question. Method: real nodes on free ports; answers are read as a
 * stranger reads them.
 */
import assert from 'node:assert/strict'
import { Check, Errors } from 'typebox/value'
import type { Endpoint } from '#api/endpoint.ts'
import { endpoints } from '#api/index.ts'
import type { AskedClaim, Bundle } from '#core/claim.ts'
import { type Client, NodeRefusal } from '#gateway/client.ts'
import { type TestNode, testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('api: questions in words')
const MS_MAX = 60_000

const ASKED = { query: 'gravitational force between two masses', constants: { m1: 5.972e24, m2: 1000, r: '6780 km' } }

interface Read {
  readonly reading: { readonly bound: readonly { readonly input: string; readonly value: number }[] }
  readonly reading_digest: string
}
interface Answer extends Read {
  readonly confirmed: boolean
  readonly claim: AskedClaim
  readonly signature: string
  readonly envelope: { readonly token_id: string; readonly bundle: string }
}
type Body = Readonly<Record<string, unknown>>

const signedUp = async (it: TestNode): Promise<Client> => {
  const { body } = await it.client.send('POST', '/api/auth/sign-up', {})
  return it.as((body as { api_key: string }).api_key)
}

const post = async <T = Body>(client: Client, path: string, input: object): Promise<T> =>
  (await client.send('POST', path, input)).body as T

const refusalOf = async (call: Promise<unknown>): Promise<Body> => {
  try {
    await call
  } catch (cause) {
    assert.ok(cause instanceof NodeRefusal, String(cause))
    return cause.problem as unknown as Body
  }
  throw new Error('it was answered')
}

/** The answer has the form that its literal says. */
const assertForm = (id: string, body: unknown): void => {
  const schema = (endpoints as unknown as readonly Endpoint[]).find((it) => it.id === id)?.result
  assert.ok(schema && Check(schema, body), JSON.stringify(schema && Errors(schema, body).slice(0, 3)))
}

test(
  'dry and quote show the reading and its digest; confirmed, unconfirmed, and a yes to another reading',
  async () => {
    await using it = await testNode()
    const client = await signedUp(it)
    const dry = await post<Read>(client, '/api/svc/auto', { ...ASKED, dry: true })
    assertForm('compute.auto', dry)
    const quote = await post<Read>(client, '/api/quote', { route: 'POST /api/svc/auto', input: ASKED })
    assertForm('compute.quote', quote)
    assert.deepEqual([quote.reading, quote.reading_digest], [dry.reading, dry.reading_digest])
    assert.equal(dry.reading.bound.find(({ input }) => input === 'r')?.value, 6.78e6)
    const balance = async () => (await client.send('GET', '/api/credits/status')).body
    const before = await balance()
    for (const input of [
      { ...ASKED, confirm: 'f'.repeat(64) },
      { ...ASKED, constants: { ...ASKED.constants, m2: 1001 }, confirm: dry.reading_digest },
      { ...ASKED, confirm: 'f'.repeat(64), dry: true },
    ]) {
      const problem = await refusalOf(post(client, '/api/svc/auto', input))
      assert.deepEqual([problem['code'], problem['status']], ['AMBIGUOUS_INPUT', 400])
      assert.match(String(problem['detail']), /I read: operators NM21, with m1 = /)
      assert.equal(typeof problem['reading_digest'], 'string')
    }
    const malformed = await refusalOf(post(client, '/api/svc/auto', { ...ASKED, confirm: 'yes' }))
    assert.equal(malformed['code'], 'INVALID_INPUT')
    assert.deepEqual(await balance(), before, 'nothing was charged')
    for (const confirmed of [true, false]) {
      const input = { ...ASKED, ...(confirmed && { confirm: dry.reading_digest }) }
      const answer = await post<Answer>(client, '/api/svc/auto', input)
      assertForm('compute.auto', answer)
      assert.deepEqual([answer.confirmed, answer.claim.v, answer.claim.asked.confirmed], [confirmed, 2, confirmed])
    }
    const direct = await post<Body>(client, '/api/svc/compute', { operators: ['NM21'], inputs: ASKED.constants })
    assert.deepEqual([(direct['claim'] as Body)['v'], 'confirmed' in direct], [1, false])
  },
  MS_MAX,
)

test(
  'another node verifies, reverifies and attests a claim of version 2; only its owner is given the question',
  async () => {
    await using it = await testNode()
    await using other = await testNode()
    const client = await signedUp(it)
    const answer = await post<Answer>(client, '/api/svc/auto', ASKED)
    await it.advanceTicks(1)
    const path = answer.envelope.bundle
    const bundle = (await client.send('GET', path)).body as Bundle
    assertForm('compute.bundle', bundle)
    assert.deepEqual(bundle.question?.constants, ASKED.constants)
    const stranger = await signedUp(it)
    assert.equal((await refusalOf(stranger.send('GET', path)))['code'], 'NOT_FOUND')
    const verify = (part: object) =>
      post(other.client, '/api/envelopes/verify', { bundle: { ...bundle, ...part }, key: answer.claim.node })
    const found = await verify({})
    assertForm('compute.verify', found)
    assert.deepEqual([found['outcome'], found['ok']], ['verified', true])
    assert.match(String(found['answers']), /^Answers the reading of “gravitational force.*not confirmed/)
    const altered = await verify({ question: { ...bundle.question, query: 'weight of two masses' } })
    assert.deepEqual([altered['outcome'], altered['failing']], ['failed', 'question'])
    const { claim, signature } = answer
    const { inputs } = bundle
    const key = (await it.client.send('GET', '/api/identity')).body as { public_key: string }
    const judged = [
      await post(other.client, '/api/svc/reverify', { bundle }),
      await post(other.client, '/api/svc/reverify', { claim, signature, inputs }),
      await post(other.client, '/api/attest', { claim, signature, inputs, origin_public_key: key.public_key }),
    ]
    for (const verdict of judged) assert.equal(verdict['ok'], true, JSON.stringify(verdict))
    const { asked: _, ...rest } = claim
    const first = await refusalOf(
      post(other.client, '/api/svc/reverify', { claim: { ...rest, v: 1 }, signature, inputs }),
    )
    assert.equal(first['code'], 'BAD_SIGNATURE')
    for (const wrong of [rest, { ...claim, v: 1 }, { ...claim, asked: { ...claim.asked, by: 'me' } }]) {
      const refused = await refusalOf(post(other.client, '/api/svc/reverify', { claim: wrong, inputs }))
      assert.equal(refused['code'], 'INVALID_INPUT')
    }
  },
  MS_MAX,
)

test('a question that is not answered is refused by a title of questions, under the codes of inputs', async () => {
  await using it = await testNode()
  const client = await signedUp(it)
  for (const [query, code, title] of [
    ['blub blah', 'AMBIGUOUS_INPUT', 'The question is not clear enough.'],
    ['force of gravity between 5 kg and 7 kg', undefined, 'More is needed to answer the question.'],
  ] as const) {
    for (const dry of [true, false]) {
      const refused = await refusalOf(post(client, '/api/svc/auto', { query, dry }))
      assert.equal(refused['title'], title, JSON.stringify(refused))
      if (code !== undefined) assert.equal(refused['code'], code)
      assert.equal(refused['docs'], `/docs/errors/${refused['code']}`)
    }
  }
  const { reading_digest } = await post<Read>(client, '/api/svc/auto', { ...ASKED, dry: true })
  const confirm = reading_digest.replace(/^./, (it) => (it === '0' ? '1' : '0'))
  const other = await refusalOf(post(client, '/api/svc/auto', { ...ASKED, confirm }))
  assert.equal(other['title'], 'The question is read in another way than was confirmed.')
})

test('a call without a key, or with one that is none, is told where keys come from', async () => {
  await using it = await testNode()
  for (const client of [it.client, it.as('svc_ak_nothing')]) {
    const { status, detail } = await refusalOf(post(client, '/api/svc/auto', ASKED))
    assert.equal(status, 401)
    for (const route of ['GET /api/demo-key', 'POST /api/auth/sign-up']) assert(String(detail).includes(route))
  }
})

test.run()
