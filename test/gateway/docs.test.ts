// Goal: the documentation is there for whatever can be met: every operation, refusal and document has its page, every
// link of them leads somewhere, and the calls that they show work as they stand.
// Method: a real node whose pages are walked from /docs; calls of the pages are run by curl and by Python's standard
// library, with nothing put in but the node's address and a key.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { endpoints } from '#api/index.ts'
import { faults } from '#core/fault.ts'
import { faultHelp } from '#core/fault-help.ts'
import { type TestNode, testNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'

const test = suite('gateway/docs')
const run = promisify(execFile)

const MS_MAX = 120_000
const settings = { 'limits.anonymousCallsPerMinute': 100_000 }

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const plain = (html: string): string =>
  html.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '')

const read = async (it: TestNode, path: string): Promise<string> => {
  const answer = await fetch(new URL(path, it.url))
  assert.equal(answer.status, 200, path)
  return answer.text()
}

const linksOf = (html: string): readonly string[] =>
  [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, link = '']) => plain(link))

test(
  'whatever is linked from /docs is there, with the place in it; and all there is can be reached',
  async () => {
    await using it = await testNode({ settings })
    const seen = new Map<string, string>()
    const queue = ['/docs']
    const anchors: (readonly [from: string, path: string, anchor: string])[] = []
    for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
      if (seen.has(path)) continue
      const html = await read(it, path)
      seen.set(path, html)
      if (!path.startsWith('/docs') || /\.\w+$/.test(path)) continue
      for (const link of linksOf(html)) {
        const { pathname, hash, origin } = new URL(link, new URL(path, it.url))
        if (origin !== new URL(it.url).origin) continue
        queue.push(pathname)
        if (hash !== '' && pathname.startsWith('/docs')) anchors.push([path, pathname, hash.slice(1)])
      }
    }
    for (const [from, path, anchor] of anchors) {
      assert(seen.get(path)?.includes(` id="${decodeURIComponent(anchor)}"`), `${from} → ${path}#${anchor}`)
    }
    const contents = JSON.parse(readFileSync('.build/docs/contents.json', 'utf8')) as { address: string }[]
    const wanted = [
      ...contents.map(({ address }) => address),
      ...endpoints.map(({ id }) => `/docs/reference/${id}`),
      ...Object.keys(faults).map((code) => `/docs/errors/${code}`),
      '/docs/errors/INTERNAL',
    ]
    for (const path of wanted) assert(seen.has(path), `${path} is linked from nowhere`)
  },
  MS_MAX,
)

test('every refusal names its page, which says when it is given and what to do', async () => {
  await using it = await testNode({ settings })
  for (const [code, { when, remedy }] of Object.entries(faultHelp)) {
    for (const path of [`/docs/errors/${code}`, `/docs/errors/${code}.fragment.html`]) {
      const text = plain(await read(it, path)).replaceAll(/<\/?code>/g, '`')
      assert(text.includes(when) && text.includes(remedy), path)
    }
  }
  const refused = await fetch(new URL('/api/nothing', it.url))
  const { code, docs, type } = (await refused.json()) as Record<string, string>
  assert.deepEqual([code, docs, type], ['NOT_FOUND', '/docs/errors/NOT_FOUND', 'urn:tickmesh:fault:NOT_FOUND'])
  assert.match(await read(it, docs ?? ''), /<h1>NOT_FOUND<\/h1>/)
})

test('an operation links each of its refusals, and a refusal each operation that gives it by itself', async () => {
  await using it = await testNode({ settings })
  const heat = await read(it, '/docs/reference/compute.heat')
  for (const code of ['UNSTABLE_STEP', 'PRECISION_NOT_MET', 'UNAUTHENTICATED', 'NODE_BUSY']) {
    assert(heat.includes(`href="/docs/errors/${code}"`), code)
  }
  const met = await read(it, '/docs/errors/PRECISION_NOT_MET')
  assert(met.includes('href="/docs/reference/compute.heat"'))
  assert(!met.includes('href="/docs/reference/explorer.openapi"'))
  assert.match(await read(it, '/docs/errors/INTERNAL'), /Every operation/)
})

test('pages are answered as they were seen, are strict, and only those that are there exist', async () => {
  await using it = await testNode({ settings })
  const first = await fetch(new URL('/docs/solvers/heat', it.url))
  const tag = first.headers.get('etag') ?? ''
  const again = await fetch(new URL('/docs/solvers/heat', it.url), { headers: { 'If-None-Match': tag } })
  assert.equal(again.status, 304)
  const policy = first.headers.get('content-security-policy') ?? ''
  assert.doesNotMatch(policy, /unsafe-inline/)
  const whole = await first.text()
  const fragment = await read(it, '/docs/solvers/heat.fragment.html')
  assert(whole.includes(fragment) && !fragment.includes('<html'))
  for (const path of [
    '/docs/',
    '/docs/solvers/..%2fheat',
    '/docs/contents.json',
    '/docs/pages.ts',
    '/docs/errors/NONE',
  ]) {
    assert.equal((await fetch(new URL(path, it.url))).status, 404, path)
  }
  const posted = await fetch(new URL('/docs/errors', it.url), { method: 'POST' })
  assert.equal(posted.status, 405)
})

/** The calls of an operation's page, as they are copied, with the address of this node and a key put in. */
const callsOf = async (it: TestNode, id: string, key: string): Promise<Readonly<Record<string, string>>> => {
  const html = await read(it, `/docs/reference/${id}`)
  const found = html.matchAll(/data-language="(\w+)">[\s\S]*?<pre[^>]*><code>([\s\S]*?)<\/code>/g)
  return Object.fromEntries(
    [...found].map(([, language = '', text = '']) => [
      language,
      plain(text).replaceAll('http://127.0.0.1:7770', it.url).replaceAll('YOUR_KEY', key),
    ]),
  )
}

const demoKey = async (it: TestNode): Promise<string> => {
  const answer = await fetch(new URL('/api/demo-key/mint', it.url), { method: 'POST' })
  return ((await answer.json()) as { key: string }).key
}

/** Reads without a path to fill in, and computations that a demo key may ask for. */
const reads = endpoints
  .filter(({ route, access, streams }) => /^GET \/api\/[^{]*$/.test(route) && access.credential === 'none' && !streams)
  .map(({ id }) => id)
const computations = ['compute.heat', 'compute.epi', 'compute.compute', 'compute.auto', 'compute.quote']

const isThere = (program: string): Promise<boolean> =>
  run(program, ['--version']).then(
    () => true,
    () => false,
  )

const titles = {
  curl: 'the calls in curl work as they are copied',
  Python: 'the calls in Python need nothing but its library, and work',
}

if (await isThere('curl')) {
  test(
    titles.curl,
    async () => {
      await using it = await testNode({ settings })
      const key = await demoKey(it)
      assert(reads.length > 20)
      for (const id of [...reads, ...computations, 'compute.constant', 'compute.operator']) {
        const { curl = '' } = await callsOf(it, id, key)
        const { stdout } = await run('sh', ['-c', `${curl} -o /dev/null -w '%{http_code}'`])
        const isRetired = endpoints.find((one) => one.id === id)?.faults.some((code) => code === 'GONE') === true
        assert.equal(stdout, isRetired ? '410' : '200', `${id}: ${curl}`)
      }
    },
    MS_MAX,
  )
} else test.skip(titles.curl, 'curl is not installed')

if (await isThere('python3')) {
  test(
    titles.Python,
    async () => {
      await using it = await testNode({ settings })
      const key = await demoKey(it)
      for (const id of ['explorer.status', ...computations]) {
        const calls = await callsOf(it, id, key)
        const { stdout } = await run('python3', ['-c', calls['Python'] ?? ''])
        assert.match(stdout, /^200 \{/, id)
      }
    },
    MS_MAX,
  )
} else test.skip(titles.Python, 'Python is not installed')

test('the calls in TypeScript are modules that run', async () => {
  await using it = await testNode({ settings })
  const { TypeScript = '' } = await callsOf(it, 'compute.heat', await demoKey(it))
  const { stdout } = await run(process.execPath, ['--input-type=module-typescript', '-e', TypeScript])
  assert.match(stdout, /^200 \{/)
})

test.run()
