// Goal: the API page works, its introduction and one operation at a time, in a browser under the node's own policy,
// and asks nobody outside.
// Method: Chromium on a real node; every request and every complaint of the browser is kept.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { testNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'

const test = suite('gateway/docs')

const MS_MAX = 120_000
const CHROMIUM = '/usr/bin/chromium'
const title = 'the API page finds and shows operations, loads nothing from outside and breaks no policy'

if (!existsSync(CHROMIUM)) test.skip(title, 'Chromium is not installed')
else {
  test(
    title,
    async () => {
      await using it = await testNode()
      const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
      try {
        const page = await browser.newPage()
        page.setDefaultTimeout(0) // The test's own time is the limit: the viewer reads a long description.
        const complaints: string[] = []
        const outside: string[] = []
        page.on('console', (line) => {
          if (line.type() === 'error') complaints.push(line.text())
        })
        page.on('pageerror', (error) => complaints.push(String(error)))
        page.on('request', (request) => {
          if (!request.url().startsWith(it.url) && !request.url().startsWith('data:')) outside.push(request.url())
        })
        await page.goto(`${it.url}/docs`)
        const shown = page.locator('.opblock .opblock-summary-path')
        const says = (path: string) =>
          page.waitForFunction(
            (text) =>
              document.querySelector('.opblock .opblock-summary-path')?.textContent?.replaceAll('\u200b', '') === text,
            path,
          )
        const { paths } = (await (await fetch(`${it.url}/api/openapi.json`)).json()) as {
          paths: Record<string, object>
        }
        const all = Object.values(paths).reduce((sum, item) => sum + Object.keys(item).length, 0)
        await page.getByRole('heading', { name: 'Quick start' }).waitFor()
        assert.equal(await page.locator('#rooms a').count(), all)
        assert.equal(await page.getByText('No operations defined').filter({ visible: true }).count(), 0)
        await page.getByLabel('Search the operations').fill('post svc heat')
        await page.locator('nav a', { hasText: 'heat' }).first().click()
        await says('/api/svc/heat')
        await page.locator('.opblock-body').waitFor()
        assert.equal(await shown.count(), 1)
        await page.getByLabel('Search the operations').fill('nothing has this')
        await page.getByText('No operation has these words.').waitFor()
        await page.goto(`${it.url}/docs#/compute/compute.constant`)
        await says('/api/constants/{key}')
        assert.equal(await page.getByRole('heading', { name: 'Quick start' }).count(), 0)
        await page.getByLabel('Search the operations').fill('')
        assert.equal(await page.locator('nav a[aria-current]').count(), 1)
        await page.getByRole('link', { name: 'Introduction' }).click()
        await page.getByRole('heading', { name: 'Quick start' }).waitFor()
        // Named parts are followed: what a result holds stands in its schema.
        await page.goto(`${it.url}/docs#/Solvers/compute.heat`)
        await says('/api/svc/heat')
        await page.locator('.responses-inner').getByRole('tab', { name: 'Schema' }).first().click()
        await page.getByText('centreTemperature').first().waitFor()
        // What the viewer has to say against the description would be the first thing that a visitor reads.
        assert.equal(await page.getByRole('heading', { name: 'Warning' }).count(), 0)
        assert.equal(await page.getByText('Warning', { exact: true }).count(), 0)
        assert.deepEqual({ complaints, outside }, { complaints: [], outside: [] })
      } finally {
        await browser.close()
      }
    },
    MS_MAX,
  )
}

test.run()
