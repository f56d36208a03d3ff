// Goal: every house rule that tidy holds can fail, and does not fail where it should not.
// Method: the real rules over small sources, broken in one way each, and over their nearest innocent neighbours.

import assert from 'node:assert/strict'
import { circleBreaches } from '../../scripts/tidy/circles.ts'
import { importBreaches, layerBreaches, layers } from '../../scripts/tidy/layers.ts'
import { nameBreaches } from '../../scripts/tidy/names.ts'
import { codeOf, importsOf } from '../../scripts/tidy/scan.ts'
import { type Breach, type Source, sourceOf } from '../../scripts/tidy/source.ts'
import { deadBreaches, domainBreaches, registryBreaches, topBreaches } from '../../scripts/tidy/tree.ts'
import {
  commentBreaches,
  pinBreaches,
  placeBreaches,
  routeBreaches,
  sizeBreaches,
  testBreaches,
  wordBreaches,
} from '../../scripts/tidy/words.ts'
import { suite } from '../kit/suite.ts'

const test = suite('tidy')

type Rule = (sources: readonly Source[]) => readonly Breach[]
const tree = (files: Readonly<Record<string, string>>): readonly Source[] =>
  Object.entries(files).map(([file, text]) => sourceOf(file, text))
const breachesOf = (rule: Rule, file: string, text: string): readonly Breach[] => rule(tree({ [file]: text }))

/** Text tables: `yes` breaks the rule, `no` keeps it. */
const table = (
  name: string,
  rule: Rule,
  rows: readonly (readonly ['yes' | 'no', file: string, text: string])[],
): void => {
  for (const [verdict, file, text] of rows) {
    const line = text.split('\n')[0]?.slice(0, 60)
    test(`${name}: ${verdict === 'yes' ? 'refuses' : 'accepts'} in ${file}: ${line}`, () => {
      const found = breachesOf(rule, file, text)
      assert.equal(found.length, verdict === 'yes' ? 1 : 0, found.join('\n'))
      if (verdict === 'yes') assert(found[0]?.startsWith(file), found[0])
    })
  }
}

table('imports', importBreaches, [
  ['yes', 'src/core/a.ts', `import { b } from '#store/b.ts'`],
  ['yes', 'src/core/a.ts', `import type { B } from '#store/b.ts'`],
  ['yes', 'src/core/a.ts', `import { readFileSync } from 'node:fs'`],
  ['yes', 'src/core/a.ts', `export * from '#domain/b.ts'`],
  ['yes', 'src/core/a.ts', `const b = await import('#gateway/b.ts')`],
  ['yes', 'src/core/a.ts', `import 'koa'`],
  ['yes', 'src/numerics/a.ts', `new Worker(new URL('../ui/worker.ts', import.meta.url))`],
  ['yes', 'src/numerics/a.ts', `import { x } from '../core/x.ts'`],
  ['yes', 'src/store/a.ts', `import { x } from '#kernels'`],
  ['yes', 'src/api/network/a.ts', `import { x } from '#domain/x.ts'`],
  ['yes', 'src/api/network/a.ts', `import { type X, y } from '#domain/x.ts'`],
  ['yes', 'src/domain/economy/a.ts', `import { PNG } from 'pngjs'`],
  ['yes', 'src/api/network/a.ts', `import { x } from '#domain/network/service.ts'`],
  ['yes', 'src/api/network/a.ts', `import { x } from '#domain/network/sync/views.ts'`],
  ['yes', 'src/api/network/a.ts', `import { x } from '#domain/views.ts'`],
  ['yes', 'src/api/network/a.ts', `import { x } from '#domain/network/reviews.ts'`],
  ['yes', 'src/gateway/a.ts', `import { x } from '#domain/network/views.ts'`],
  ['yes', 'src/domain/credentials/a.ts', `import type { X } from '#domain/identity/x.ts'`],
  ['yes', 'src/domain/identity/a.ts', `import { x } from '#domain/machines/x.ts'`],
  ['yes', 'src/domain/machines/a.ts', `import type { X } from '#domain/identity/x.ts'`],
  ['no', 'src/domain/machines/a.ts', `import { x } from '#domain/credentials/x.ts'`],
  ['yes', 'src/ui/a.ts', `import { endpoints } from '#api/index.ts'`],
  ['yes', 'src/ui/a.ts', `import { type ResultOf, endpoints } from '#api/result-of.ts'`],
  ['yes', 'src/ui/a.ts', `import type { Client } from '#gateway/client.ts'`],
  ['yes', 'src/ui/a.ts', `import type { X } from '#domain/network/views.ts'`],
  ['yes', 'src/cli/a.ts', `const { endpoints } = await import('#api/index.ts')`],
  ['yes', 'src/cli/a.ts', `import type { X } from '#domain/network/views.ts'`],
  ['yes', 'src/domain/network/views.ts', `import { x } from './service.ts'`],
  ['yes', 'src/domain/network/views.ts', `import type { X } from './service.ts'`],
  ['yes', 'src/domain/network/views.ts', `import { x } from '#store/x.ts'`],
  ['yes', 'src/domain/network/views.ts', `import { x } from '#domain/network/service.ts'`],
  ['yes', 'src/domain/network/views/a.ts', `import { x } from 'node:fs'`],
  ['yes', 'src/gateway/a.ts', `import { createLibp2p } from 'libp2p'`],
  ['yes', 'src/mesh/a.ts', `import x from 'itty'`],
  ['yes', 'src/ports/a.ts', `import { readFileSync } from 'node:fs'`],
  ['yes', 'test/core/a.test.ts', `import { x } from '../../src/core/x.ts'`],
  ['no', 'test/cli/a.test.ts', `const PROGRAM = new URL('../../src/cli/main.ts', import.meta.url)`],
  [
    'no',
    'src/core/a.ts',
    `import { sha256 } from '#crypto'\nimport { Type } from 'typebox/compile'\nimport { b } from './b.ts'`,
  ],
  ['no', 'src/core/a.ts', `// import { b } from '#store/b.ts'\nconst text = "import x from 'koa'"`],
  ['no', 'src/numerics/solvers/a.ts', `import { x } from '#numerics/x.ts'\nimport * as k from '#kernels'`],
  [
    'no',
    'src/api/network/a.ts',
    `import type { X } from '#domain/x.ts'\nimport { type Y, type Z } from '#domain/y.ts'`,
  ],
  ['no', 'src/domain/compute/a.ts', `import { PNG } from 'pngjs'`],
  ['no', 'src/api/network/a.ts', `import { x } from '#domain/network/views.ts'`],
  ['no', 'src/api/network/a.ts', `import { x } from '#domain/network/views/logs.ts'`],
  ['no', 'src/ui/a.ts', `import type { ResultOf } from '#api/result-of.ts'`],
  ['no', 'src/cli/a.ts', `import type { ResultOf } from '#api/result-of.ts'`],
  [
    'no',
    'src/domain/network/views.ts',
    `import Type from 'typebox'\nimport { x } from '#core/x.ts'\nimport { y } from '#domain/economy/views.ts'`,
  ],
  ['no', 'src/domain/network/views/a.ts', `import { x } from './b.ts'\nimport { y } from '#numerics/y.ts'`],
  [
    'no',
    'src/ports/a.ts',
    `import { createHash } from 'node:crypto'\nimport { ed25519 } from '@noble/curves/ed25519.js'`,
  ],
  ['no', 'src/cli/a.ts', `const file = new URL('../../package.json', import.meta.url)`],
  [
    'no',
    'test/core/a.test.ts',
    `import { x } from '#core/x.ts'\nimport { suite } from '../kit/suite.ts'\nimport koa from 'koa'`,
  ],
])

test('layers: a folder without a row, a row without a folder and a loose source are named', () => {
  const whole = Object.fromEntries(Object.keys(layers).map((it) => [`src/${it}/a.ts`, '']))
  assert.deepEqual(layerBreaches(tree(whole)), [])
  assert.match(layerBreaches(tree({ ...whole, 'src/misc/a.ts': '' })).join(), /^src\/misc: has no row/)
  assert.match(layerBreaches(tree({ ...whole, 'src/a.ts': '' })).join(), /^src\/a\.ts: a source lies/)
  const { 'src/ui/a.ts': _, ...rest } = whole
  assert.match(layerBreaches(tree(rest)).join(), /the row ui has no folder/)
})

table('words', wordBreaches, [
  ['yes', 'src/core/a.ts', 'const x = Math.sin(1)'],
  ['yes', 'src/numerics/a.ts', `const x = Math['cos'](1)`],
  ['yes', 'src/numerics/a.ts', 'const { sin } = Math'],
  ['yes', 'src/numerics/a.ts', 'const x = Math.absolutely(1)'],
  ['yes', 'src/numerics/a.ts', 'const x = 2 ** 3'],
  ['yes', 'src/core/a.ts', 'x **= 2'],
  ['yes', 'src/core/a.ts', 'const x = performance.now()'],
  ['yes', 'src/core/a.ts', 'const x = Buffer.alloc(3)'],
  ['yes', 'src/core/a.ts', 'queueMicrotask(go)'],
  ['yes', 'src/numerics/a.ts', 'const x = await y()'],
  ['yes', 'src/core/a.ts', 'using x = y()'],
  ['yes', 'src/core/a.ts', 'const x = RegExp.escape(y)'],
  ['yes', 'src/store/a.ts', 'const x = new Date()'],
  ['yes', 'src/store/a.ts', 'setTimeout(go, 9)'],
  ['yes', 'src/node/a.ts', 'setTimeout(go, 9)'],
  ['no', 'src/core/wait.ts', 'const timer = setTimeout(end, ms)'],
  [
    'yes',
    'src/domain/compute/a.ts',
    `import { setTimeout as wait } from 'node:timers/promises'\n`.replace('setTimeout as ', ''),
  ],
  ['yes', 'src/gateway/a.ts', `const x = process.env['HOME']`],
  ['yes', 'src/mesh/a.ts', `console.log('x')`],
  ['yes', 'test/core/a.test.ts', 'const x = Math.random()'],
  ['yes', 'test/core/a.test.ts', 'await new Promise((resolve) => setTimeout(resolve, 50))'],
  ['yes', 'src/mesh/a.ts', `// ${'TO'}DO: later`],
  ['yes', 'scripts/a.ts', `const x = '${'FIX'}ME'`],
  ['yes', 'src/mesh/a.ts', `// @ts-${'ignore'}`],
  ['yes', 'test/core/a.test.ts', `test.${'only'}('x', () => {})`],
  ['yes', 'src/mesh/a.ts', 'export const peerManager = 1'],
  ['yes', 'src/mesh/a.ts', 'interface StoreImpl {}'],
  ['yes', 'src/mesh/a.ts', 'type StringUtils = 1'],
  ['no', 'src/core/a.ts', 'const x = Math.abs(1) + Math.imul(2, 3)\n/** 2 ** 3, Math.sin */\nconst y = "Date"'],
  ['no', 'src/core/a.ts', 'const x = claim.process\nconst y = { Date: 1 }\nconst z: { performance?: number } = {}'],
  ['no', 'src/numerics/methods/kernels/a.ts', 'const x = Math.sin(1)'],
  ['no', 'src/mesh/a.ts', 'const x = Math.sin(1) ** 2\nconst implied = 1\nconst o = { connectionManager: 1 }'],
  ['no', 'src/node/clock.ts', `const x = Date.now()\nconst y = process.env['X']`],
  ['no', 'src/core/a.ts', 'const text = `Date ${x} Math.sin`'],
])

table('routes', routeBreaches, [
  ['yes', 'src/domain/economy/a.ts', `const x = '/api/envelopes'`],
  ['yes', 'src/domain/economy/a.ts', 'const x = `see\nPOST /api/svc/${name}`'],
  ['yes', 'src/routing/a.ts', `throw new Fault('NOT_FOUND', 'POST /api/svc/auto has none')`],
  ['no', 'src/domain/economy/a.ts', `/** What \`GET /api/x\` shows. */\nimport { x } from '#core/api/x.ts' // /api/y`],
  ['no', 'src/api/economy/a.ts', `const x = '/api/envelopes'`],
])

test('words: code inside a template text is code', () => {
  assert.equal(breachesOf(wordBreaches, 'src/core/a.ts', 'const text = `x ${Math.sin(1)}`').length, 1)
})

table('sizes', sizeBreaches, [
  ['yes', 'src/core/a.ts', `${'x\n'.repeat(400)}x\n`],
  ['yes', 'test/core/a.ts', `// ${'x'.repeat(118)}\n`],
  ['no', 'src/core/a.ts', `${'x\n'.repeat(399)}// ${'x'.repeat(117)}\n`],
  ['no', 'protocols/x.json', 'x'.repeat(200)],
])

table('comments', commentBreaches, [
  ['yes', 'src/store/a.ts', 'export const a = (x: number): number => x'],
  ['yes', 'src/store/a.ts', 'export const a: Rule = async <T>(x: T) => x'],
  ['yes', 'src/store/a.ts', '/** Not this. */\n\nexport function a() {}'],
  ['yes', 'src/store/a.ts', '// Not a doc comment.\nexport const a = (x: number): number => x'],
  ['no', 'src/store/a.ts', '/** The next. */\nexport const a = (x: number): number => x'],
  ['no', 'src/store/a.ts', '/** Both. */\nexport const a = (x: number) => x\nexport const b = (x: number) => x'],
  ['no', 'src/store/a.ts', 'export const row = { a: 1 }\nconst a = () => 1'],
  ['no', 'test/kit/a.ts', 'export const a = () => 1'],
])

const SUITE = `import { suite } from '../kit/suite.ts'\n`
table('tests', testBreaches, [
  ['yes', 'test/core/a.test.ts', SUITE],
  ['yes', 'test/core/a.test.ts', `// Goal.\nimport { suite } from 'uvu'\n`],
  ['yes', 'test/core/a.test.ts', `// Goal.\nimport { test } from 'node:test'\n`],
  ['yes', 'test/core/a.test.ts', `// Goal.\n${SUITE}import { setTimeout } from 'node:timers/promises'\n`],
  ['no', 'test/core/a.test.ts', `// Goal.\n${SUITE}`],
])

table('pins', pinBreaches, [
  ['yes', 'package.json', '{ "dependencies": { "koa": "^3.2.1" } }'],
  ['yes', 'package.json', '{ "dependencies": { "koa": "latest" } }'],
  ['yes', 'package-lock.json', '{ "resolved": "https://registry.example/koa.tgz" }'],
  [
    'no',
    'package.json',
    '{ "engines": { "node": ">=20" }, "dependencies": { "koa": "3.2.1", "a": "npm:@b/c@1.0.0" } }',
  ],
])

table('places', placeBreaches, [
  ['yes', 'README.md', `cd ${'/ho'}me/someone/tickmesh`],
  ['yes', 'src/core/a.ts', `const path = '${'/wo'}rk/main'`],
  ['no', 'README.md', 'GET /api/work/list and ~/home/x and https://host/home/x'],
])

test('top: only what the plan names lies there', () => {
  assert.deepEqual(topBreaches(['README.md', 'src/a.ts', '.gitignore', 'docker/Dockerfile']), [])
  assert.match(topBreaches(['lib/a.ts', 'notes.txt']).join(' '), /^lib: .*notes\.txt: /)
})

test('domains: one word everywhere', () => {
  assert.deepEqual(domainBreaches(['src/api/compute/a.ts', 'src/api/endpoint.ts', 'test/domain/vault/a.test.ts']), [])
  assert.match(domainBreaches(['src/domain/state-machines/a.ts']).join(), /^src\/domain\/state-machines\//)
})

const PROGRAM = {
  'src/cli/main.ts': `import '#api/network/index.ts'\nimport './b.ts'\nnew URL('./job.ts', import.meta.url)`,
  'src/cli/b.ts': '',
  'src/cli/job.ts': '',
  'src/api/network/index.ts': `import { status } from './status.ts'`,
  'src/api/network/status.ts': `import { shape } from './shape.ts'`,
  'src/api/network/shape.ts': '',
}

test('registries: a file that no index lists is named', () => {
  assert.deepEqual(registryBreaches(tree(PROGRAM)), [])
  for (const folder of ['src/api/network', 'src/mesh/topics', 'src/cli/commands']) {
    const found = registryBreaches(tree({ ...PROGRAM, [`${folder}/lost.ts`]: '' }))
    assert.deepEqual(found, [`${folder}/lost.ts: does not hang from ${folder}/index.ts`])
  }
  const row = registryBreaches(tree({ ...PROGRAM, 'src/store/rows/lost.ts': '' }))
  assert.deepEqual(row, ['src/store/rows/lost.ts: does not hang from src/store/layout.ts'])
  const solver = registryBreaches(tree({ ...PROGRAM, 'src/numerics/solvers/lost/index.ts': '' }))
  assert.deepEqual(solver, ['src/numerics/solvers/lost/index.ts: does not hang from src/numerics/solvers/index.ts'])
})

test('dead files: one that only a test imports is named', () => {
  assert.deepEqual(deadBreaches(tree(PROGRAM)), [])
  const lost = { 'src/core/lost.ts': '', 'test/core/lost.test.ts': `import '#core/lost.ts'` }
  assert.deepEqual(deadBreaches(tree({ ...PROGRAM, ...lost })), ['src/core/lost.ts: no program imports it'])
})

test('circles: files that import each other are named, types and re-exports counted', () => {
  const round = {
    'src/core/a.ts': `import { b } from './b.ts'`,
    'src/core/b.ts': `export { c } from './c.ts'`,
    'src/core/c.ts': `import type { A } from '#core/a.ts'`,
    'src/core/d.ts': `import './a.ts'`,
  }
  assert.deepEqual(circleBreaches(tree(round)), [
    'src/core/a.ts: imports itself: src/core/a.ts → src/core/b.ts → src/core/c.ts → src/core/a.ts',
  ])
  assert.deepEqual(circleBreaches(tree({ ...round, 'src/core/c.ts': '' })), [])
  assert.equal(circleBreaches(tree({ 'test/kit/a.ts': `import { type X } from './a.ts'` })).length, 1)
})

test('circles: a thread that is opened by its address is not imported', () => {
  const opened = { 'src/mesh/a.ts': `new URL('./b.ts', import.meta.url)`, 'src/mesh/b.ts': `import './a.ts'` }
  assert.deepEqual(circleBreaches(tree(opened)), [])
})

test('names: a type of one name in two files is named, but for those of solvers', () => {
  const twice = {
    'src/core/a.ts': `export type Place = string`,
    'src/ui/b.tsx': `// a place\nexport interface Place {}`,
    'src/api/c.ts': `export type { Place } from '#core/a.ts'\ninterface Place2 {}\nexport const Place = 1`,
    'src/numerics/solvers/d/e.ts': `export interface Place {}`,
    'test/f.ts': `export interface Place {}`,
  }
  assert.deepEqual(nameBreaches(tree(twice)), ['src/ui/b.tsx:2: Place is a type of src/core/a.ts too'])
})

test('scan: comments, strings and patterns are blank, and offsets stay', () => {
  const text = "a // b\nc /* d */ 'e' `f ${g('h')} i` /[/'\"]j/g k / l / m\n</n> o'p\nq"
  const code = codeOf(text)
  assert.equal(code.length, text.length)
  assert.equal(code.replaceAll(/[^a-z\n]/g, ''), 'a\ncggklm\nno\nq')
})

test('scan: what an import is', () => {
  const text = `import a, { type B } from 'c'\nimport type { D } from 'd'\nconst e = 1\nexport { f } from './f.ts'`
  const seen = importsOf(text).map(({ line, from, typeOnly }) => `${line} ${from} ${typeOnly}`)
  assert.deepEqual(seen, ['1 c false', '2 d true', '4 ./f.ts false'])
})

test.run()
