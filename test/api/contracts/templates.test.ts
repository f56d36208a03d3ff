// Goal: templates are there for anyone, by page, category, words and id; a sentence becomes a filled definition with
// the source of each value, or a question; nothing is deployed and nothing costs. Method: a real node over HTTP;
// answers are held against the schemas of their endpoints and against the linter.
import assert from 'node:assert/strict'
import { Check, Errors } from 'typebox/value'
import type { Endpoint } from '#api/endpoint.ts'
import { endpoints } from '#api/index.ts'
import { type Client, NodeRefusal } from '#gateway/client.ts'
import { lintContract } from '#numerics/contracts/definition/lint.ts'
import { testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('api: templates of contracts')
const MS_MAX = 60_000

type Body = Readonly<Record<string, unknown>>

/** The answer of an endpoint, which has the form that its literal says. */
const asked = async <T>(client: Client, id: string, path: string, body?: object): Promise<T> => {
  const answer = await (body === undefined ? client.send('GET', path) : client.send('POST', path, body))
  const schema = (endpoints as unknown as readonly Endpoint[]).find((it) => it.id === id)?.result
  assert.ok(schema && Check(schema, answer.body), JSON.stringify(schema && Errors(schema, answer.body).slice(0, 3)))
  return answer.body as T
}

const refusalOf = async (call: Promise<unknown>): Promise<Body> => {
  try {
    await call
  } catch (cause) {
    assert.ok(cause instanceof NodeRefusal, String(cause))
    return cause.problem as unknown as Body
  }
  throw new Error('it was answered')
}

interface Page {
  readonly total: number
  readonly templates: readonly {
    readonly id: string
    readonly category: string
    readonly required: readonly string[]
  }[]
}

test(
  'a page, its next, a category with its count, words, one whole; none of it asks for a key',
  async () => {
    await using it = await testNode()
    const list = (query: string) => asked<Page>(it.client, 'contracts.templates', `/api/contracts/templates${query}`)
    const all = await list('?limit=200')
    assert(all.total >= 24)
    assert.equal(all.templates.length, all.total)
    const second = await list('?limit=10&offset=10')
    assert.deepEqual(second.templates, all.templates.slice(10, 20))
    const { categories } = await asked<{ categories: readonly { category: string; count: number }[] }>(
      it.client,
      'contracts.template-categories',
      '/api/contracts/templates/categories',
    )
    assert(categories.length >= 8)
    for (const { category, count } of categories) assert.equal((await list(`?category=${category}`)).total, count)
    assert.equal(
      categories.reduce((sum, { count }) => sum + count, 0),
      all.total,
    )
    assert.equal((await list('?q=escrow')).templates[0]?.id, 'escrow-release')
    assert.equal((await list('?q=unicorn')).total, 0)
    assert.equal((await refusalOf(list('?category=unicorns')))['code'], 'INVALID_INPUT')

    for (const { id } of all.templates) {
      const whole = await asked<{ example: { definition: unknown } }>(
        it.client,
        'contracts.template',
        `/api/contracts/templates/${id}`,
      )
      const { faults } = lintContract(whole.example.definition, { cron: () => undefined })
      assert.deepEqual(faults, [], id)
    }
    const none = await refusalOf(it.client.send('GET', '/api/contracts/templates/escrow-relase'))
    assert.deepEqual([none['code'], none['suggestions']], ['NOT_FOUND', ['escrow-release']])
  },
  MS_MAX,
)

interface Generated {
  readonly template: { readonly id: string } | null
  readonly parameters: readonly {
    readonly name: string
    readonly value: unknown
    readonly from: string
    readonly said: string | null
  }[]
  readonly definition: Body | null
  readonly faults: readonly unknown[]
  readonly missing: readonly { readonly name: string }[]
  readonly unread: readonly string[]
  readonly needs: { readonly question: string; readonly choices: readonly { readonly template: string }[] } | null
}

test(
  'a sentence: filled, with what is missing, with what is given beside it, or asked back; refused without a key',
  async () => {
    await using it = await testNode()
    const { body } = await it.client.send('POST', '/api/auth/sign-up', {})
    const client = it.as((body as { api_key: string }).api_key)
    const generate = (input: object) => asked<Generated>(client, 'contracts.generate', '/api/contracts/generate', input)
    const balance = async () => (await client.send('GET', '/api/credits/status')).body as Body

    const before = JSON.stringify(await balance())
    const pump = await generate({
      sentence: 'Watch pump 7 and call https://example.org/p when its pressure drifts 0.2 bar from 300 kPa',
    })
    const value = (from: Generated, name: string) => from.parameters.find((own) => own.name === name)
    assert.equal(pump.template?.id, 'pump-drift')
    assert.deepEqual(
      [value(pump, 'band')?.value, value(pump, 'band')?.from, value(pump, 'band')?.said],
      [20, 'sentence', '0.2 bar'],
    )
    assert.equal(value(pump, 'window')?.from, 'default')
    assert.equal(value(pump, 'contact')?.from, 'empty')
    assert.deepEqual([pump.faults, pump.missing, pump.needs], [[], [], null])
    assert.deepEqual(lintContract(pump.definition, { cron: () => undefined }).faults, [])
    assert.equal(pump.definition?.['name'], 'Drift of pump 7')

    const sentence = 'hold 500 tokens in escrow until the buyer accepts'
    const escrow = await generate({ sentence })
    assert.deepEqual([escrow.template?.id, escrow.definition], ['escrow-release', null])
    assert.deepEqual(
      escrow.missing.map(({ name }) => name),
      ['seller', 'buyer'],
    )
    assert.match(escrow.needs?.question ?? '', /seller/)
    const [seller, buyer] = ['a', 'b'].map((letter) => `zid1${letter.repeat(32)}`)
    const whole = await generate({ sentence, parameters: { seller, buyer, amount: 70 } })
    assert.deepEqual([value(whole, 'amount')?.value, value(whole, 'amount')?.from], [70, 'given'])
    assert.deepEqual([whole.faults, whole.needs], [[], null])

    const unsure = await generate({ sentence: 'make it better' })
    assert.deepEqual([unsure.template, unsure.definition, unsure.parameters], [null, null, []])
    assert(unsure.needs !== null && unsure.needs.choices.length > 0)
    const named = await generate({ sentence: 'make it better', template: unsure.needs.choices[0]?.template })
    assert.equal(named.template?.id, unsure.needs.choices[0]?.template)

    const bad = await refusalOf(generate({ sentence, parameters: { amount: 'much', sellr: 'x' } }))
    assert.equal(bad['code'], 'CONTRACT_INVALID')
    assert.equal((bad['faults'] as readonly unknown[]).length, 2)
    assert.equal((await refusalOf(generate({ sentence, template: 'unicorn' })))['code'], 'NOT_FOUND')
    assert.equal((await refusalOf(generate({ sentence: 'x'.repeat(501) })))['code'], 'INVALID_INPUT')
    const stranger = await refusalOf(it.client.send('POST', '/api/contracts/generate', { sentence }))
    assert.equal(stranger['status'], 401)
    assert.equal(JSON.stringify(await balance()), before)
  },
  MS_MAX,
)

test.run()
