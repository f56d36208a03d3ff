// Goal: a folder of receipts goes from whoever has a node to whoever has only a browser, from the run to the verdict.
// Method: the runs and the export typed in a shell at a real node; then the node's address is nowhere: Chromium is
// offline and opens the folder's own verifier from the disk, and a receipt and the key are dropped on it.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { tempDir } from '../kit/temp.ts'
import { browserSuite, WIDE } from '../ui/browser.ts'
import { homeWithProgram, typedTask } from './typed.ts'

const test = browserSuite('tasks/send')
const RUNS = ['tickmesh solve heat dim=1', 'tickmesh compute GR37 mass=6e24'] as const

test('send a folder of receipts to somebody without a node', async ({ it, profile }) => {
  using home = tempDir()
  const desk = homeWithProgram(home.path)
  const { api_key: key } = await it.client.call('identity.sign-up', {})
  const env = { TICKMESH_URL: it.url, TICKMESH_KEY: key }
  await typedTask('send a folder of receipts', { home: home.path, linesMax: 3 }, async ({ types }) => {
    for (const line of RUNS) {
      const { code, stderr } = await types(line, env)
      assert.equal(code, 0, stderr)
    }
    await it.advanceTicks(2)
    const exported = await types('tickmesh export for-anna', env)
    assert.equal(exported.code, 0, exported.stderr)
  })

  const folder = join(desk, 'for-anna')
  const context = await profile(WIDE)
  await context.setOffline(true)
  const page = await context.newPage()
  await page.goto(pathToFileURL(join(folder, 'verify.html')).href)
  const receipts = readdirSync(join(folder, 'receipts')).map((name) => join(folder, 'receipts', name))
  assert.equal(receipts.length, RUNS.length)
  // All at once, as they lie in the folder: one step, and no reading first.
  await page.locator('#bundle').setInputFiles([...receipts, join(folder, 'node.key')])
  await page.waitForFunction((wanted) => document.querySelectorAll('.verdict.verified').length === wanted, RUNS.length)
  assert.equal(await page.locator('.verdict').count(), receipts.length)
})

test.run()
