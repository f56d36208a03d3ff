// Goal: every solver is run with its defaults from its form, and its answer and receipt are shown. Method: one tab of
// Chromium on a real node visits the view of each solver and presses Run. The command line does the same in
// `cli/defaults`.
import assert from 'node:assert/strict'
import { solvers } from '#numerics/solvers/index.ts'
import { until } from '../kit/until.ts'
import { browserSuite, open, runHere } from './browser.ts'

const test = browserSuite('ui/defaults', { keptRuns: true })

/** All the defaults one after the other, on a machine alone. */
const MS_MAX = 240_000

test(
  'every solver answers its defaults with a value and a receipt, and the page complains of nothing',
  async ({ it, visit, signal }) => {
    const { page, assertQuiet } = await visit(it.node.ownerLink().slice(it.url.length))
    for (const { name } of solvers) {
      await open(page, `solver/${name}`)
      // The view before it shows its value until this one, which has none yet, is there.
      await until(async () => (await page.locator('.value:visible').count()) === 0, signal)
      assert.ok(Number.isFinite(await runHere(page)), name)
      assert.match((await page.locator('.receipt:visible').getAttribute('data-token')) ?? '', /^[0-9a-f]{32}$/, name)
      assert.equal(await page.locator('.problem:visible').count(), 0, name)
    }
    assertQuiet()
  },
  MS_MAX,
)

test.run()
