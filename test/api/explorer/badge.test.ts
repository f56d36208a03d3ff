/*
 * Goal: the badge says what is so. Method: a real node's picture against the manifest and the table of the interface;
 * then the golden vectors in a copy, one value of each file changed at a time: every one must cost a vector.
 */
import assert from 'node:assert/strict'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkVectors } from '#domain/explorer/vectors.ts'
import { testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'

const test = suite('api: explorer badge')
const PROTOCOLS = fileURLToPath(new URL('../../../protocols', import.meta.url))
const VECTORS = join(PROTOCOLS, 'vectors')

test('a node draws the rows that it answers and the vectors that pass', async () => {
  await using node = await testNode()
  const response = await fetch(`${node.url}/api/conformance/badge.svg`)
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-type') ?? '', /^image\/svg\+xml/)
  const svg = await response.text()
  const [, rows, of, passed, total] = /: (\d+)\/(\d+) rows · (\d+)\/(\d+) vectors/.exec(svg)?.map(Number) ?? []
  const table = readFileSync(join(PROTOCOLS, 'endpoints.tsv'), 'utf8').trimEnd().split('\n').slice(1)
  const { endpoints } = await node.client.call('explorer.endpoints', {})
  const plain = (path: string): string => path.replace(/\{\w+\}/g, '{}')
  const here = endpoints.map(({ method, path }) => `${method} ${plain(path)}`)
  const standing = table.filter((line) => {
    const [, method = '', path = ''] = line.split('\t')
    return here.includes(`${method} ${plain(path)}`)
  })
  assert.deepEqual([rows, of], [standing.length, table.length])
  assert.equal(passed, total)
  assert(Number(total) > 180, `${total} vectors`)
})

test('a changed value, and a file that nobody can read, cost vectors', async () => {
  const whole = await checkVectors(VECTORS)
  assert.equal(whole.passed, whole.total)
  for (const file of readdirSync(VECTORS).filter((name) => name.endsWith('.json'))) {
    using place = tempDir()
    cpSync(VECTORS, place.path, { recursive: true })
    const text = readFileSync(join(VECTORS, file), 'utf8')
    writeFileSync(
      join(place.path, file),
      text.replaceAll(
        /[0-9a-f]{40,}|"(?:genesis|above)": \d+/g,
        (it) => `${it.slice(0, -1)}${it.endsWith('0') ? 1 : 0}`,
      ),
    )
    const { passed } = await checkVectors(place.path)
    assert(passed < whole.passed, file)
  }
  using place = tempDir()
  cpSync(VECTORS, place.path, { recursive: true })
  writeFileSync(join(place.path, 'strange.json'), '{}')
  assert.deepEqual(await checkVectors(place.path), { passed: whole.passed, total: whole.total + 1 })
}, 30_000)

test.run()
