// Goal: a secret reaches the server that it is for, in a header or a body, and nothing else: no row, entry, answer,
// refusal, line of the log, export, audit or file. Method: whole fires on a real node, of a public and of a private
// machine, against a server that says back what it was sent; then every decoded row, every answer of every call about
// the contracts, and every file of the data directory are searched.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { exportHistory } from '#cli/contract-history.ts'
import { type TableName, tables } from '#store/layout.ts'
import type { TestNode } from '../../../kit/node.ts'
import { seeded } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { tempDir } from '../../../kit/temp.ts'
import { until } from '../../../kit/until.ts'
import { bodyOf, served } from '../outward/kit.ts'
import { counting, firesOf, pass, stage } from './engine-kit.ts'

const test = suite('domain: contracts, secrets')

interface Asked {
  readonly method: string | undefined
  readonly headers: string
  readonly text: string
}

/** A server that says back all that it was sent: readings fail now and then, notifications at first. */
const echo = async () => {
  const asked: Asked[] = []
  const server = await served(async (request, response) => {
    const text = await bodyOf(request)
    const { method, headers } = request
    asked.push({ method, headers: JSON.stringify(headers), text })
    const same = asked.filter((it) => it.method === method).length
    const status = method === 'GET' ? (same === 2 ? 503 : 200) : same <= 2 ? 500 : 200
    response.writeHead(status, { 'x-echo': String(headers.authorization) })
    response.end(JSON.stringify({ level: same, echo: headers, text }))
  })
  return { ...server, asked, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

const reading = (url: string) => ({
  ...counting(
    { kind: 'recurring', every_ticks: 5 },
    {
      oracles: {
        level: { from: { kind: 'url', url, pointer: '/level', secret: 'reads' }, type: 'number', max_age: 60 },
        lost: { from: { kind: 'url', url, pointer: '/echo/none', secret: 'reads' }, type: 'text', max_age: 60 },
      },
    },
  ),
  transitions: [
    {
      ...{ id: 'look', from: 'on', to: 'on', trigger: { kind: 'recurring', every_ticks: 5 } },
      guard: 'oracle.level > 0',
      actions: [
        { kind: 'set', n: { $: 'context.n + 1' } },
        {
          ...{ kind: 'notify', url, headers: { Authorization: 'Bearer {{secret.tells}}' } },
          body: { key: 'k={{secret.says}}', n: { $: 'context.n' } },
        },
        // Breaks its header, and is never sent.
        { kind: 'notify', url, headers: { 'X-Key': '{{secret.breaks}}' }, body: null },
      ],
    },
  ],
  budget: { failures_in_row: 100 },
})

const filesIn = (directory: string): readonly string[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((it) => join(directory, it))
    .filter((it) => statSync(it).isFile())

/** Shows every row as it is decoded. @returns how many there are */
const showRows = async ({ node: { store } }: TestNode, show: (what: string, row: unknown) => void): Promise<number> => {
  let rows = 0
  for (const table of Object.keys(tables) as TableName[]) {
    for await (const [key, row] of store.range(table)) {
      rows += 1
      show(`row ${table} ${key}`, row)
    }
  }
  return rows
}

test('a secret reaches its header and its body, and stands nowhere else', async (signal) => {
  using dir = tempDir()
  const random = seeded(41)
  const word = (): string => Buffer.from(random.bytes(15)).toString('hex')
  const [reads, tells, says, breaks] = [word(), word(), word(), word()] as const
  const secrets = { reads, tells, says, breaks: `${breaks}\r\nX-Evil: ${breaks}` }
  const hidden = [reads, tells, says, breaks]
  const shown: string[] = []
  const show = (what: string, value: unknown): void => {
    shown.push(`${what} ${JSON.stringify(value)}`)
  }
  await using server = await echo()
  {
    const at = await stage({ directory: dir.path, settings: { 'contracts.targets': [`127.0.0.1:${server.port}`] } })
    await using it = at.it
    const call = async (method: string, path: string, body?: object, headers: object = {}) => {
      const response = await fetch(`${it.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${at.key}`, 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      show(`${method} ${path} ${response.status}`, [text, [...response.headers]])
      return { status: response.status, text }
    }
    const ids: string[] = []
    for (const slug of ['open', 'shut']) {
      const path = `/api/chain/${slug}/contracts`
      const whole = { definition: reading(server.url), secrets, start: true }
      const made = await call('POST', `${path}/custom`, whole, { 'idempotency-key': `make-${slug}` })
      const again = await call('POST', `${path}/custom`, whole, { 'idempotency-key': `make-${slug}` })
      assert.deepEqual([made.status, again.text], [201, made.text], made.text)
      const { id } = (JSON.parse(made.text) as { contract: { id: string } }).contract
      ids.push(id)
      const refusals = [
        await call('POST', `${path}/custom`, { definition: {}, secrets }),
        await call('POST', `${path}/custom`, { definition: reading(server.url), secrets: { reads, tells, breaks } }),
        await call('PATCH', `${path}/${id}`, { secrets: { 'no name': reads } }),
        await call('PATCH', `${path}/${id}`, { secrets: { reads: reads.repeat(1_000) } }),
        await call('PATCH', `${path}/${id}`, { secrets: { reads: { deep: reads } } }),
      ]
      assert.deepEqual(
        refusals.map(({ status }) => status),
        [400, 400, 400, 400, 400],
      )
    }
    const [sends, notices] = [() => server.asked.filter(({ method }) => method === 'POST'), 4]
    await until(async () => {
      await pass(it, 5)
      return sends().length >= notices
    }, signal)
    for (const id of ids) {
      const outcomes = new Set((await firesOf(it, id)).map(({ outcome }) => outcome))
      assert.ok(outcomes.has('fired'), [...outcomes].join())
    }
    for (const { method, headers, text } of server.asked) {
      const own = method === 'GET' ? [reads] : [tells, says]
      for (const it of hidden) assert.equal(`${headers} ${text}`.includes(it), own.includes(it), `${method} ${headers}`)
    }
    for (const { text } of sends()) assert.equal((JSON.parse(text) as { key: string }).key, `k=${says}`)

    for (const [i, slug] of ['open', 'shut'].entries()) {
      const of = `/api/chain/${slug}/contracts/${ids[i]}`
      for (const what of ['', '/audit', '/export', '/export?history=true', '/preview', '/versions', '/versions/1']) {
        assert.equal((await call('GET', `${of}${what}`)).status, 200, what)
      }
      for (const what of ['/verify', '/dry-run', '/fire-now', '/pause']) await call('POST', `${of}${what}`, {})
      await it.advanceTicks(1)
      const asked = { slug, id: ids[i] ?? '', signal, tell: () => undefined }
      show(`history of ${slug}`, await exportHistory(at.owner, asked))
      for (const what of ['events', 'explore']) await call('GET', `/api/chain/${slug}/${what}`)
    }
    show('log', it.lines)
    assert.ok(
      it.lines.some(({ event }) => event === 'notify_failed') && it.lines.some((l) => l.event === 'reading_failed'),
    )
    const rows = await showRows(it, show)
    assert.ok(rows > 100 && shown.some((it) => it.startsWith('row contractSecret ')))
  }
  for (const file of filesIn(dir.path)) shown.push(`file ${file} ${readFileSync(file, 'latin1')}`)
  for (const text of shown) {
    for (const it of hidden) assert.ok(!text.includes(it), text.slice(0, 200))
  }
}, 20_000)

test.run()
