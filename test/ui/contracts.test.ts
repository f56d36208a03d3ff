// Goal: a person writes a contract on the page, sees every fault where it stands, plays it, deploys it, lives with it
// and proves what it did; by keys alone, at 390 px, in both themes, and without losing a letter. Method: Chromium on
// real nodes, and axe-core.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { examples, writtenOut } from '#ui/contracts/examples.ts'
import type { TestNode } from '../kit/node.ts'
import { assertAxeClean } from './axe.ts'
import { browserSuite, NARROW, open, type Surfing, shownVerdict } from './browser.ts'

const test = browserSuite('ui/contracts')
const ACCOUNT = 'tickmesh.account-key'
const PUMP = examples[0]?.definition ?? {}

/** An account with a public machine, and a tab of its own. */
const withMachine = async (it: TestNode, surf: Surfing, options: Parameters<Surfing['profile']>[0] = {}) => {
  const { api_key: key } = await it.client.call('identity.sign-up', {})
  const mine = it.as(key)
  await mine.call('machines.create', { slug: 'pump-7', is_public: true })
  const context = await surf.profile(options)
  await context.addInitScript(([name, value]) => localStorage.setItem(name as string, value as string), [ACCOUNT, key])
  return { mine, go: (place: string) => surf.tab(context, `${it.url}/#${place}`) }
}

const text = (page: Page) => page.locator('#contract-text')
const faults = async (page: Page, count: number): Promise<void> => page.locator(`[data-faults="${count}"]`).waitFor()
const press = async (page: Page, name: string | RegExp): Promise<void> => {
  await page
    .getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) })
    .first()
    .focus()
  await page.keyboard.press('Enter')
}
const widthOf = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth)
/** What is chosen in the text area. */
const chosen = (page: Page): Promise<string> =>
  text(page).evaluate((it: HTMLTextAreaElement) => it.value.slice(it.selectionStart, it.selectionEnd))

test('the editor marks faults where they stand, and a reload loses nothing', async ({ visit }) => {
  const { page, assertQuiet } = await visit('/#contracts/editor')
  await page.locator('[data-version]').waitFor()
  const good = await text(page).inputValue()
  await text(page).fill(
    good.replace('window.mean > 300', 'window.mean > context.peek').replace('"to": "alert"', '"to": "alarm"'),
  )
  await faults(page, 2)
  assert.equal(await page.locator('[data-version]').count(), 0)
  assert.deepEqual(
    await page
      .locator('.code-gutter b')
      .allInnerTexts()
      .then((all) => all.map((it) => it.trim())),
    ['58', '64'],
  )
  assert.deepEqual(await page.locator('.code-marks mark').allInnerTexts(), ['"alarm"', 'peek'])
  await press(page, /^Line 64: .transitions.1.guard, character \d+$/)
  assert.equal(await chosen(page), 'peek')
  await page.keyboard.type('peak')
  await faults(page, 1)
  const typed = await text(page).inputValue()
  await page.reload()
  await faults(page, 1)
  assert.equal(await text(page).inputValue(), typed)
  await press(page, 'A door')
  await page.getByText('What is typed here is replaced').waitFor()
  await press(page, 'A door')
  await page.locator('[data-version]').getByText('door left open').waitFor()
  await press(page, 'Take back')
  await faults(page, 1)
  assert.equal(await text(page).inputValue(), typed)
  await text(page).fill('{"v": 1,, }')
  await page.getByText('a name in quotes is wanted here').first().waitFor()
  await page.locator('.diagram svg').waitFor()
  assertQuiet()
})

test('the picture leads to the text, says the same as the table, and takes 64 states', async ({ visit }) => {
  const { page, assertQuiet } = await visit('/#contracts/editor')
  const first = page.locator('.diagram [data-spot="0"]')
  await first.focus()
  assert.equal(await first.getAttribute('aria-label'), 'state normal initial')
  await page.keyboard.press('ArrowDown')
  await page.locator('.diagram [data-spot="1"]:focus').waitFor()
  await page.keyboard.press('Enter')
  assert.equal(await chosen(page), '{')
  const line = await text(page).evaluate((it: HTMLTextAreaElement) =>
    it.value.slice(0, it.selectionStart).split('\n').at(-1),
  )
  assert.match(line ?? '', /"alert": $/)
  await page.getByLabel('Table', { exact: true }).check()
  assert.equal(await page.locator('tr[data-transition]').count(), 3)
  assert.deepEqual(await page.locator('tr[data-state] th').allInnerTexts(), ['normal', 'alert'])
  await page.getByLabel('Picture', { exact: true }).check()
  const names = Array.from({ length: 64 }, (_, i) => `s${i}`)
  const transitions = Array.from({ length: 256 }, (_, i) => ({
    ...{ id: `t${i}`, from: `s${i % 64}`, to: `s${(i + 1 + (Math.floor(i / 64) % 2) * 7) % 64}` },
    trigger: { kind: 'after', ticks: i + 1 },
  }))
  const states = Object.fromEntries(names.map((name, i) => [name, { initial: i === 0 }]))
  await text(page).fill(writtenOut({ v: 1, name: 'large', states, transitions }))
  await page.locator('.diagram .node').nth(63).waitFor()
  assert.equal(await page.locator('.diagram .node').count(), 64)
  await faults(page, 0)
  assertQuiet()
})

test('what can go wrong is told, the way there is played, and the timeline moves the picture', async ({ visit }) => {
  const { page, assertQuiet } = await visit('/#contracts/editor')
  await page.locator('[data-checked]').waitFor()
  const definition = {
    ...{ v: 1, name: 'counter', context: { n: { type: 'integer', initial: 0 } }, events: { up: { data: {} } } },
    states: { low: { initial: true }, high: {} },
    transitions: [
      {
        ...{ id: 'up', from: 'low', to: 'low', trigger: { kind: 'event', event: 'up' } },
        actions: [{ kind: 'set', n: { $: 'context.n + 1' } }],
      },
      { id: 'over', from: 'low', to: 'high', trigger: { kind: 'always' }, guard: 'context.n > 2' },
    ],
    claims: [{ never: 'context.n > 2' }],
  }
  await text(page).fill(writtenOut(definition))
  const claim = page.locator('[data-rule=claim][data-answer=refuted]')
  await claim.waitFor()
  await claim.getByRole('button', { name: 'Play it below' }).click()
  assert.equal(await page.locator('.happening').count(), 3)
  await press(page, 'Simulate')
  await page.locator('[data-broken="1"]').waitFor()
  await press(page, 'See it')
  const step = page.locator('.sim-step')
  assert.equal(
    await step
      .locator('[data-member=n] td')
      .last()
      .innerText()
      .then((it) => it.split('\n').at(-1)),
    '3',
  )
  await page.locator('.diagram .node.present').getByText('high', { exact: true }).waitFor()
  await page.getByRole('slider', { name: 'Step of the simulation' }).focus()
  await page.keyboard.press('Home')
  await page.locator('.diagram .node.present').getByText('low', { exact: true }).waitFor()
  assertQuiet()
})

test('next fires by two clocks, and what a day costs', async ({ visit }) => {
  const { page, assertQuiet } = await visit('/#contracts/editor', { timezoneId: 'Asia/Tokyo' })
  await press(page, 'Every night')
  await page.locator('[data-credits="3"]').waitFor()
  const rows = page.locator('tr[data-due]')
  assert.equal(await rows.count(), 10)
  const [row = ''] = await rows.allInnerTexts()
  assert.match(row, /02:30 \+0[12]:00 Europe\/Berlin/)
  assert.match(row, /(?:09|10):30 \+09:00/)
  await page.getByText('Here (Asia/Tokyo)').waitFor()
  assertQuiet()
})

test('deployed, live, moved by hand, audited with its proof, changed and compared', async ({ it, ...surf }) => {
  const { mine, go } = await withMachine(it, surf)
  const { page, assertQuiet } = await go('contracts/editor?slug=pump-7')
  await page.locator('[data-version]').waitFor()
  await press(page, 'Deploy')
  await page.locator('[data-status=live]').waitFor()
  const [, slug = '', id = ''] = (await page.evaluate(() => location.hash)).split('/')
  assert.equal(slug, 'pump-7')
  await page.locator('section[data-link=live]').waitFor()
  await mine.call('machines.event', { slug, type: 'reading', data: { pressure: 400 } })
  // The first reading is noted or alerts by the priority of the two; the stream tells it without a reload.
  await page.locator('[data-taken]').first().waitFor()
  await page.locator('[data-state=alert]').waitFor()
  await page.locator('.diagram .node.present').getByText('alert', { exact: true }).waitFor()
  await page.getByText('Take a transition by hand').click()
  await page.getByLabel('What', { exact: true }).selectOption('transition calm')
  await press(page, 'Take it')
  await page.getByText('fired, alert → normal').waitFor()
  await page.locator('[data-state=normal]').waitFor()
  await press(page, 'Pause')
  await page.locator('[data-status=paused]').waitFor()

  await page.getByRole('link', { name: 'Audit', exact: true }).click()
  await page.locator('tr[data-outcome=fired]').nth(1).waitFor()
  await press(page, 'Decide every fire again')
  await page.getByText('2 fires decided again by the node: the same.').waitFor()
  await press(page, 'Replay here')
  await page.locator('[data-replayed=true]').getByText('2 fires decided again in this browser').waitFor()
  await page.locator('tr[data-outcome=fired]').first().getByRole('button').click()
  await press(page, 'Verify here')
  assert.equal((await shownVerdict(page)).outcome, 'verified')

  await page.getByRole('link', { name: 'Versions', exact: true }).click()
  await page.getByRole('link', { name: 'Write the next version' }).click()
  await page.getByRole('button', { name: 'Make it version 2' }).waitFor()
  await text(page).fill((await text(page).inputValue()).replace('window.mean > 300', 'window.mean > 350'))
  await page.locator('[data-faults="0"]').waitFor()
  // It can be pressed once the new text was looked at.
  await page.getByRole('button', { name: 'Make it version 2' }).click()
  await page.locator('tr[data-version="2"]').waitFor()
  assert.deepEqual(
    await page
      .locator('.diff [data-kind=new]')
      .allInnerTexts()
      .then((all) => all.length),
    1,
  )
  await page.locator('.diff [data-kind=gone]').getByText('window.mean > 300').waitFor()

  await page.getByRole('link', { name: 'Now', exact: true }).click()
  await press(page, 'Freeze')
  await page.getByText('It ends for good').waitFor()
  await press(page, 'Freeze')
  await page.locator('[data-status=frozen]').waitFor()
  await open(page, 'machine/pump-7/contracts')
  await page.locator(`[data-contract="${id}"]`).getByText('frozen').waitFor()
  assertQuiet()
})

test('a sentence becomes a template, whose places are filled and deployed', async ({ it, ...surf }) => {
  const { go } = await withMachine(it, surf)
  const { page, assertQuiet } = await go('contracts/templates?slug=pump-7')
  await page.locator('[data-found]:not([data-found="0"])').waitFor()
  const sentence = page.getByLabel('What shall happen by itself?')
  await sentence.fill('Tell me when pump 7 drifts by more than 20 kPa from 300 kPa')
  await sentence.press('Enter')
  await page.locator('section [data-template=pump-drift]').waitFor()
  await press(page, 'Fill its places')
  await page.locator('article[data-template=pump-drift]').waitFor()
  const places = page.locator('form.card input[type=text]')
  await places.first().waitFor()
  const filled = await places.evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))
  assert(filled.includes('20') && filled.includes('300'), filled.join(' '))
  for (const one of await page.locator('form.card input[type=text]').all())
    if ((await one.inputValue()) === '') await one.fill((await one.getAttribute('placeholder')) ?? '')
  await press(page, 'Deploy')
  await page.locator('[data-status=live]').waitFor()
  assertQuiet()
})

test('390 px: nothing is wider than the screen, and no barrier that a tool can find, in both themes', async ({
  it,
  ...surf
}) => {
  const { mine, go } = await withMachine(it, surf, NARROW)
  const { contract } = await mine.call('contracts.custom', { slug: 'pump-7', definition: PUMP, start: true })
  await mine.call('machines.event', { slug: 'pump-7', type: 'reading', data: { pressure: 400 } })
  const place = `contract/pump-7/${contract.id}`
  const { page, assertQuiet } = await go('contracts/editor?slug=pump-7')
  const places: readonly (readonly [string, string])[] = [
    ['contracts/editor?slug=pump-7', '[data-checked]'],
    ['contracts', '[data-contract]'],
    ['contracts/templates', '.tiles .card'],
    ['contracts/template/pump-drift', '.diagram svg'],
    ['machine/pump-7/contracts', '[data-contract]'],
    [place, '.diagram svg'],
    [`${place}/audit`, 'tr[data-row]'],
    [`${place}/versions`, 'tr[data-version]'],
  ]
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const [at, mark] of places) {
      await open(page, at)
      await page.locator(mark).locator('visible=true').first().waitFor()
      if (at.startsWith('contracts/editor')) {
        await press(page, 'Simulate')
        await page.locator('.timeline').waitFor()
      }
      await page.waitForLoadState('networkidle')
      assert.equal(await widthOf(page), 390, `${at}, ${colorScheme}`)
      await assertAxeClean(page, `${at}, ${colorScheme}`)
    }
  }
  assertQuiet()
})

test.run()
