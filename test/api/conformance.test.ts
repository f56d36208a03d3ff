// Goal: what stands of the interface document stands as it says; what does not stand yet is absent and counted.
// Method: protocols/endpoints.tsv, row by row, against the routes of the registry.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Endpoint } from '#api/endpoint.ts'
import { endpoints } from '#api/index.ts'
import { manifest } from '#gateway/manifest.ts'
import { type Route, routesOf } from '#gateway/router.ts'
import { suite } from '../kit/suite.ts'

const test = suite('api/conformance')
const all = endpoints as unknown as readonly Endpoint[]

/** Rows of the document. */
const ROWS = 276

interface Row {
  readonly domain: string
  readonly method: string
  readonly path: string
  readonly auth: string
  readonly tier: string
}

const [, ...lines] = readFileSync(new URL('../../protocols/endpoints.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
const rows: readonly Row[] = lines.map((line) => {
  const [domain = '', method = '', path = '', auth = '', tier = ''] = line.split('\t')
  return { domain, method, path, auth, tier }
})

const key = (method: string, path: string): string => `${method} ${path.replace(/\{\w+\}/g, '{}')}`
const routes = new Map<string, Route>(routesOf(all).map((it) => [key(it.method, it.path), it]))
const standing = rows.flatMap((row) => {
  const route = routes.get(key(row.method, row.path))
  return route === undefined ? [] : [{ row, route }]
})

test('the document has all its rows, each once', () => {
  assert.equal(rows.length, ROWS)
  assert.equal(new Set(rows.map(({ method, path }) => key(method, path))).size, ROWS)
})

test('every row that stands has the credential, domain and tier of its row', () => {
  for (const { row, route } of standing) {
    const { access, domain, tier } = route.endpoint
    assert.deepEqual(
      { auth: access.credential, domain, tier },
      { auth: row.auth, domain: row.domain, tier: row.tier },
      `${row.method} ${row.path}`,
    )
  }
})

test('the manifest lists the routes that answer, and counts them', () => {
  const { endpoints: listed, count, domains, tiers } = manifest(all)
  assert.equal(count, routes.size)
  assert.equal(listed.length, count)
  assert.equal(
    domains.reduce((sum, it) => sum + it.count, 0),
    count,
  )
  assert.equal(tiers.computation + tiers['machine-control'], count)
  assert.equal(manifest(all, 'economy').count, domains.find(({ slug }) => slug === 'economy')!.count)
})

test('what stands only ever grows', () => {
  console.log(
    `${standing.length} of ${ROWS} interface rows stand, and ${routes.size - standing.length} routes beside them`,
  )
  assert(standing.length >= STANDING_MIN, `${standing.length} rows stand, and ${STANDING_MIN} did before`)
})

/** Raised with every issue that adds rows. */
const STANDING_MIN = 140

test.run()
