// Goal: the verifier in one file works from a disk without a network: it verifies what a folder of `tickmesh export`
// holds, names the step that an altered digit breaks, runs the computation again to the same bits, and is served by the
// node under a policy that allows its own script alone. Method: Chromium that is offline opens the exported file by
// file://, at two widths; receipts are chosen, dropped and pasted; axe-core looks at every state.
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { terminalIn } from '../cli/terminal.ts'
import type { TestNode } from '../kit/node.ts'
import { tempDir } from '../kit/temp.ts'
import { assertAxeClean } from './axe.ts'
import { browserSuite, NARROW, type Surfing, shownVerdict, WIDE } from './browser.ts'

const test = browserSuite('ui/verifier')

/** As narrow as a page is promised to work. */
const NARROWEST: BrowserContextOptions = { viewport: { width: 320, height: 700 }, colorScheme: 'dark' }
const BYTES_MAX = 6_291_456

/** An account's receipts in a folder, by the command line. */
const exported = async (it: TestNode, home: string): Promise<string> => {
  const { api_key: key } = await it.client.call('identity.sign-up', {})
  await it.as(key).call('compute.heat', { dim: 1 }, { prefer: 'wait=60' })
  await it.as(key).call('compute.compute', { operators: ['KO42', 'GR37'], inputs: { mass: 5.972e24 } })
  const folder = join(home, 'folder')
  const env = { TICKMESH_URL: it.url, TICKMESH_KEY: key }
  const { code, stderr } = await terminalIn(home).here.run(['export', folder], { env })
  assert.equal(code, 0, stderr)
  return folder
}

interface Opened {
  readonly page: Page
  /** What was asked for beside the file itself and its own worker, and what was complained of. */
  readonly loud: readonly string[]
}

/** A page in a browser without a network. */
const offline = async (surf: Surfing, url: string, options: BrowserContextOptions): Promise<Opened> => {
  const context = await surf.profile(options)
  await context.setOffline(true)
  const page = await context.newPage()
  const loud: string[] = []
  page.on('request', (request) => {
    if (request.url() !== url && !request.url().startsWith('blob:null/')) loud.push(request.url())
  })
  page.on('console', (line) => void loud.push(line.text()))
  page.on('pageerror', (error) => void loud.push(String(error)))
  await page.goto(url)
  return { page, loud }
}

/** Lets go of files over the page, as a person does who drags them there. */
const drop = async (page: Page, files: readonly { readonly name: string; readonly text: string }[]): Promise<void> => {
  const transfer = await page.evaluateHandle((all) => {
    const made = new DataTransfer()
    for (const { name, text } of all) made.items.add(new File([text], name))
    return made
  }, files)
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer })
}

const receiptIn = (folder: string, kind: string): { readonly name: string; readonly text: string } => {
  const name = readdirSync(join(folder, 'receipts')).find((it) => it.startsWith(`${kind}-`)) ?? ''
  return { name, text: readFileSync(join(folder, 'receipts', name), 'utf8') }
}

const fits = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)

for (const [width, options] of [
  ['wide', WIDE],
  ['320 px, dark', NARROWEST],
] as const) {
  test(`from a folder on a disk, offline: verified, run again, an altered digit is named (${width})`, async (on) => {
    using home = tempDir()
    const folder = await exported(on.it, home.path)
    const { page, loud } = await offline(on, pathToFileURL(join(folder, 'verify.html')).href, options)
    await assertAxeClean(page, 'at first')
    const heat = receiptIn(folder, 'heat')

    await drop(page, [heat])
    const strange = await shownVerdict(page)
    assert.equal(strange.outcome, 'unchecked', 'without a key nobody knows whose it is')
    assert(strange.steps.includes('key skipped') && strange.steps.includes('replay ok'))

    await page.locator('#bundle').setInputFiles(join(folder, 'node.key'))
    await page.locator('.verdict.verified').waitFor()
    const good = await shownVerdict(page)
    assert.deepEqual(good.steps.slice(-1), ['replay ok'])
    assert.match(await page.locator('[data-step=replay] .detail').innerText(), /same bits/)
    await assertAxeClean(page, 'verified')

    const altered = heat.text.replace(
      /"value":(-?\d+\.\d)(\d)/,
      (_, head, digit) => `"value":${head}${9 - Number(digit)}`,
    )
    assert.notEqual(altered, heat.text)
    await drop(page, [{ name: 'altered.json', text: altered }])
    assert.deepEqual([(await shownVerdict(page)).outcome, (await shownVerdict(page)).failing], ['failed', 'signature'])
    assert.match(await page.locator('[data-meaning]').innerText(), /changed after the node signed it/)
    await assertAxeClean(page, 'failed')

    await page.getByText('Paste its text instead').click()
    await page.getByLabel('Text of a receipt or of a chain').fill(receiptIn(folder, 'compute').text)
    await page.getByRole('button', { name: 'Verify this text' }).click()
    await page.locator('.verdict.verified').waitFor()
    await assertAxeClean(page, 'pasted')
    assert(await fits(page), 'nothing stands beyond the edge')
    assert.deepEqual(loud, [])
  })
}

test('several files and a key at once are each judged; what is no receipt is told as such', async (on) => {
  using home = tempDir()
  const folder = await exported(on.it, home.path)
  const { page, loud } = await offline(on, pathToFileURL(join(folder, 'verify.html')).href, NARROW)
  mkdirSync(join(home.path, 'other'))
  writeFileSync(join(home.path, 'other', 'letter.txt'), 'Dear reader, this is no receipt.')
  const receipts = readdirSync(join(folder, 'receipts')).map((name) => join(folder, 'receipts', name))
  await page
    .locator('#bundle')
    .setInputFiles([...receipts, join(folder, 'node.key'), join(home.path, 'other', 'letter.txt')])
  await page.waitForFunction(() => document.querySelectorAll('.verdict').length === 3)
  const outcomes = await page.locator('.verdict').evaluateAll((all) => all.map((it) => it.getAttribute('data-outcome')))
  assert.deepEqual(outcomes.toSorted(), ['failed', 'verified', 'verified'])
  assert.equal(await page.locator('.verdict.failed').getAttribute('data-failing'), 'form')
  assert.deepEqual(loud, [])
})

test('the node serves the same file, and its policy lets that script run and nothing else', async ({ it, visit }) => {
  const response = await fetch(new URL('/verify.html', it.url))
  const bytes = Buffer.from(await response.arrayBuffer())
  assert.equal(response.status, 200)
  assert(bytes.length <= BYTES_MAX, `${bytes.length} bytes`)
  assert(bytes.equals(readFileSync(new URL('../../.build/verify.html', import.meta.url))))
  const policy = response.headers.get('content-security-policy') ?? ''
  assert.match(policy, /^default-src 'none'; script-src 'sha256-[^']+' 'wasm-unsafe-eval';/)
  assert.match(policy, /frame-ancestors 'none'$/)
  assert.doesNotMatch((await fetch(it.url)).headers.get('content-security-policy') ?? '', /sha256-/)

  const { page, assertQuiet } = await visit('/verify.html')
  const fixture = new URL('../fixtures/receipts/react-2.json', import.meta.url)
  await page.getByLabel('Trusted key').fill(JSON.parse(readFileSync(fixture, 'utf8')).envelope.claim.node)
  await page.locator('#bundle').setInputFiles(fixture.pathname)
  assert.equal((await shownVerdict(page)).outcome, 'verified')
  assertQuiet()
})

test.run()
