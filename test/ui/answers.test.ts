// Goal: core gives the same answers in a browser as in Node, byte for byte. Method: one module makes every golden
// vector anew and puts the 914 Ed25519 edge cases to the crypto port; Vite bundles it for Chromium with the web port,
// Node runs it with its own, and both are compared with each other and with the files of the project.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { EDGE_CASES_SHA256, edgeCases } from '../core/cctv.ts'
import { type Answers, answers } from './answers.ts'
import { browserSuite } from './browser.ts'

const test = browserSuite('ui/answers')
const vectors = new URL('../../protocols/vectors/', import.meta.url)

/** The module as one script that sets `core`. */
const bundled = async (): Promise<string> => {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    root: fileURLToPath(new URL('../..', import.meta.url)),
    build: {
      write: false,
      minify: false,
      target: 'es2023',
      lib: { entry: fileURLToPath(new URL('answers.ts', import.meta.url)), formats: ['iife'], name: 'core' },
    },
  })
  const [first] = Array.isArray(built) ? built : [built]
  assert(first !== undefined && 'output' in first)
  const [script] = first.output
  assert(!/require\(|node:crypto/.test(script.code), 'nothing of Node is in the bundle')
  return script.code
}

test.alone('golden vectors and edge cases are the same in Chromium, through the web crypto port', async (surf) => {
  const page = await (await surf.profile()).newPage()
  await page.addScriptTag({ content: await bundled() })
  const there = await page.evaluate(() => (globalThis as unknown as { core: { answers(): Answers } }).core.answers())
  assert.deepEqual(there, answers())

  const files = readdirSync(vectors).filter((name) => name.endsWith('.json'))
  assert.deepEqual(
    files.sort(),
    Object.keys(there.vectors)
      .map((name) => `${name}.json`)
      .sort(),
  )
  for (const name of files) {
    assert.equal(there.vectors[name.replace('.json', '')], readFileSync(new URL(name, vectors), 'utf8'), name)
  }
  assert(there.outcomes.length > 2)
  assert.deepEqual(new Set(there.outcomes), new Set(['verified']))

  // The answers that the published flags call for.
  const cases = edgeCases()
  assert.equal(cases.length, 914)
  assert.equal(there.edgeCases.sha256, EDGE_CASES_SHA256)
  const flagged = (of: readonly string[] | null, names: readonly string[]): boolean =>
    (of ?? []).some((flag) => names.includes(flag))
  const bad = ['low_order_residue', 'non_canonical_R']
  const unsound = ['low_order_A', 'low_order_component_A', 'non_canonical_A']
  assert.equal(there.edgeCases.verifies, cases.map(({ flags }) => (flagged(flags, bad) ? '0' : '1')).join(''))
  assert.equal(there.edgeCases.sound, cases.map(({ flags }) => (flagged(flags, unsound) ? '0' : '1')).join(''))
})

test.run()
