// Goal: anyone can use the page: on a phone, in the dark, by keyboard alone, with still pictures. Method: Chromium on a
// real node; widths are measured in every view, the contrast of every visible text is computed from the styles, and a
// whole run is made without a pointer.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { until } from '../kit/until.ts'
import { browserSuite, downloaded, NARROW, runHere, shownValue, verdictOf, WIDE } from './browser.ts'

const test = browserSuite('ui/looks')

/** Least contrast of text, by WCAG 2.2 level AA. */
const CONTRAST_MIN = 4.5

/** Every visible text with less contrast than that to what lies behind it, and how many were looked at. */
const faintTexts = (page: Page): Promise<{ readonly seen: number; readonly faint: readonly string[] }> =>
  page.evaluate((contrastMin) => {
    const rgbOf = (colour: string): readonly number[] => (colour.match(/[\d.]+/g) ?? []).map(Number)
    const lightOf = (colour: string): number => {
      const [r = 0, g = 0, b = 0] = rgbOf(colour).map((it) => {
        const share = it / 255
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    const behind = (element: Element): string => {
      for (let at: Element | null = element; at !== null; at = at.parentElement) {
        const { backgroundColor } = getComputedStyle(at)
        if ((rgbOf(backgroundColor)[3] ?? 1) > 0) return backgroundColor
      }
      return 'rgb(255, 255, 255)'
    }
    const colourOf = (element: Element): string => {
      const style = getComputedStyle(element)
      return element instanceof SVGElement ? style.fill : style.color
    }
    const hasText = (element: Element): boolean =>
      [...element.childNodes].some((it) => it.nodeType === Node.TEXT_NODE && it.textContent?.trim() !== '') ||
      element instanceof HTMLInputElement ||
      element instanceof HTMLTextAreaElement
    const shown = [...document.querySelectorAll('#page *')].filter(
      (it) => hasText(it) && it.checkVisibility({ checkVisibilityCSS: true }) && !it.matches(':disabled, option'),
    )
    const faint = shown.flatMap((element) => {
      const [a, b] = [lightOf(colourOf(element)), lightOf(behind(element))]
      const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
      return contrast < contrastMin ? [`${contrast.toFixed(2)} ${element.textContent?.slice(0, 40)}`] : []
    })
    return { seen: shown.length, faint }
  }, CONTRAST_MIN)

const widthOf = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth)

/** Leads through every view with something in it, and calls `look` in each. */
const eachView = async (page: Page, look: (view: string) => Promise<void>): Promise<void> => {
  await runHere(page)
  await verdictOf(page)
  for (const group of ['initial', 'boundary']) await page.locator(`[data-group=${group}] summary`).first().click()
  await page.getByText('All figures').click()
  await look('heat')
  await page.getByRole('link', { name: 'All solvers' }).locator('visible=true').click()
  await page.getByLabel('Find').locator('visible=true').fill('gravity')
  await look('solvers')
  await page.getByRole('link', { name: 'Many bodies' }).click()
  await page.locator('textarea:visible').first().waitFor()
  await runHere(page)
  await look('multibody')
  await page.getByText('Step by step').locator('visible=true').click()
  await page.getByRole('button', { name: 'Start a reactor' }).click()
  await page.getByRole('button', { name: 'Step', exact: true }).click()
  await page
    .getByRole('heading', { name: /^Step 1: / })
    .first()
    .waitFor()
  await verdictOf(page)
  await look('reactor')
  await page.getByRole('link', { name: 'Reactors', exact: true }).click()
  await page.locator('[data-reactor]').waitFor()
  await look('reactors')
  await page.getByRole('link', { name: 'Operators' }).click()
  await page.getByText('What gives me X from Y and Z?').click()
  await page.getByLabel('Wanted').fill('pressure')
  await page.getByRole('button', { name: 'Find ways' }).click()
  await page.getByRole('list', { name: 'Operators that give it' }).waitFor()
  await page.getByLabel('Find', { exact: true }).locator('visible=true').fill('bernoulli')
  await look('operators')
  await page.getByRole('link', { name: 'Bernoulli' }).first().click()
  await page.getByRole('button', { name: 'Run the example' }).click()
  await page.locator('.receipt:visible').waitFor()
  await page.locator('[data-field] input:visible').first().fill('')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.locator('.problem:visible').waitFor()
  await look('operator')
  await page.getByRole('link', { name: 'Receipts' }).click()
  const row = page.locator('li.row').first()
  await row.getByRole('button', { name: 'Open' }).click()
  await downloaded(page, row)
  await row.getByText('Saved as').waitFor()
  await look('envelopes')
  await page.getByRole('link', { name: 'Network' }).click()
  await page.getByText('0 peers').waitFor()
  await look('network')
  await page.getByRole('link', { name: 'Verify', exact: true }).click()
  await page.locator('#bundle').waitFor()
  await look('verify')
  await page.getByRole('link', { name: 'API', exact: true }).click()
  await page.locator('.endpoints li').first().waitFor()
  await look('api')
  await eachMachineView(page, look)
}

/** The same for what belongs to an account: its settings, its machines, and every part of one machine's page. */
const eachMachineView = async (page: Page, look: (view: string) => Promise<void>): Promise<void> => {
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await page.getByRole('button', { name: 'New account' }).click()
  await page.locator('[data-key]').waitFor()
  await look('settings')
  await page.getByRole('link', { name: 'Machines', exact: true }).click()
  await page.getByText('New machine').click()
  await page.getByLabel('Slug').fill('a-machine-with-a-rather-long-name-that-has-no-place-to-break-in1')
  await page.getByLabel('What it is for').fill('W'.repeat(300))
  await page.getByLabel('Name for people').fill(`<b>${'M'.repeat(200)}`)
  await page.getByLabel('Public: everyone').check()
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('textbox', { name: 'Admin key of the machine' }).waitFor()
  await look('machines')
  await page.locator('details a[href^="#machine/"]').click()
  await page.getByText('Write to the chain').click()
  await page.getByRole('button', { name: 'Write', exact: true }).click()
  await page.locator('.time[data-seq="1"]').waitFor()
  await verdictOf(page)
  await look('chain')
  for (const part of ['Activity', 'Access', 'Audit']) {
    await page.getByRole('link', { name: part }).click()
    if (part === 'Audit') await page.getByRole('button', { name: 'Open, and record it' }).click()
    await page
      .locator({ Activity: 'figure[data-plot=bars] svg', Access: '[data-key]', Audit: '.audit tr' }[part] ?? '')
      .last()
      .waitFor()
    await look(part)
  }
  await page.evaluate(() => {
    location.hash = 'machine/nobodys'
  })
  await page.locator('[data-code=NOT_FOUND]').waitFor()
  await look('absent')
}

test('390 px: nothing is wider than the screen, and every text has contrast in light and dark', async ({ visit }) => {
  const { page } = await visit(undefined, NARROW)
  const texts: number[] = []
  await eachView(page, async (view) => {
    assert.equal(await widthOf(page), 390, view)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const { seen, faint } = await faintTexts(page)
      assert.deepEqual(faint, [], `${view}, ${colorScheme}`)
      texts.push(seen)
    }
  })
  assert(texts.length === 36 && texts.every((it) => it > 15), texts.join(' '))
})

test('320 and 390 px: the header is one line for whoever it is, and says the same to those who listen', async ({
  it,
  visit,
}) => {
  for (const width of [320, 390]) {
    for (const path of ['/#operators/NM23', it.node.ownerLink().slice(it.url.length)]) {
      const { page } = await visit(path, { viewport: { width, height: 700 } })
      const header = page.locator('header')
      if (path.includes('NM23')) await page.getByRole('link', { name: 'Sign in' }).waitFor()
      else await page.locator('.credits').waitFor()
      await page.locator('.clock svg').waitFor()
      const parts = await header.locator('h1, .clock, .palette-open, .who').evaluateAll((all) =>
        all.map((part) => {
          const { top, bottom, right } = part.getBoundingClientRect()
          return { middle: (top + bottom) / 2, right }
        }),
      )
      assert.equal(parts.length, 4)
      const [{ middle } = { middle: 0 }] = parts
      for (const part of parts) {
        assert(Math.abs(part.middle - middle) < 8, JSON.stringify(parts))
        assert(part.right <= width, JSON.stringify(parts))
      }
      assert.match(await header.ariaSnapshot(), path.includes('NM23') ? /link "Sign in"/ : /link "owner \d+ credits"/)
      assert.equal(await widthOf(page), width)
    }
  }
})

test('an equation that is wider than its place fades and is pushed by keys; one that fits is no stop', async ({
  visit,
  signal,
}) => {
  const { page } = await visit('/#operators/RELATIVISTIC_KINETIC_ENERGY_SHARE', {
    viewport: { width: 320, height: 700 },
  })
  const wide = page.locator('.relation .math-line[tabindex="0"]:visible')
  await wide.waitFor()
  assert.match((await wide.getAttribute('aria-label')) ?? '', /^Equation /)
  assert.match(await wide.evaluate((it) => getComputedStyle(it).backgroundAttachment), /local, local, scroll, scroll/)
  await wide.focus()
  await page.keyboard.press('ArrowRight')
  await until(async () => (await wide.evaluate((it) => it.scrollLeft)) > 0, signal)
  await page.evaluate(() => {
    location.hash = 'operators/NM23'
  })
  const short = page.locator('.relation .math-line[data-equation="K = m*v^2/2"]')
  await short.waitFor()
  assert.equal(await short.getAttribute('tabindex'), null)
})

test('the page follows the system from light to dark, plots included, and holds still when asked to', async ({
  visit,
  signal,
}) => {
  const { page } = await visit(undefined, { ...WIDE, colorScheme: 'light', reducedMotion: 'reduce' })
  const paper = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  assert.equal(await paper(), 'rgb(244, 246, 246)')
  assert.equal(await page.locator('.hand').isVisible(), false)
  await runHere(page)
  const axis = (): Promise<string> =>
    page
      .locator('figure.plot svg text')
      .first()
      .evaluate((it) => getComputedStyle(it).fill)
  const inLight = await axis()
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'no-preference' })
  assert.equal(await paper(), 'rgb(15, 22, 21)')
  await until(async () => (await axis()) !== inLight, signal)
  assert.equal(await page.locator('.hand').isVisible(), true)
})

test('a run by keyboard alone: skip link, fields, Enter, the focus on the result, verification', async ({
  visit,
  signal,
}) => {
  const { page, assertQuiet } = await visit()
  await page.locator('[data-field=dim] select').waitFor()
  await page.locator('.textbook').waitFor()
  const focused = (): Promise<string> =>
    page.evaluate(() => {
      const { activeElement: at } = document
      return at === null
        ? ''
        : `${at.tagName} ${at.getAttribute('aria-label') ?? at.id} ${at.textContent?.slice(0, 24)}`
    })
  await page.keyboard.press('Tab')
  assert.match(await focused(), /^BUTTON .*Skip to the content/)
  assert.equal(await page.locator('.skip').isVisible(), true)
  await page.keyboard.press('Enter')
  assert.match(await focused(), /^MAIN main/)
  await page.keyboard.press('Tab')
  assert.match(await focused(), /^A .*All solvers/)
  for (const id of ['KO42', 'TH15']) {
    await page.keyboard.press('Tab')
    assert((await focused()).endsWith(id), await focused())
  }
  const tabTo = (selector: string): Promise<unknown> =>
    until(async () => {
      await page.keyboard.press('Tab')
      return page.locator(selector).evaluate((it) => it === document.activeElement)
    }, signal)
  await tabTo('.presets li:first-child .name')
  await tabTo('[data-field=nx] input')
  const outline = (): Promise<string> =>
    page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle)
  assert.equal(await outline(), 'solid')
  await page.keyboard.type('2')
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('128')
  await page.keyboard.press('Enter')
  assert((await shownValue(page)) > 0.1)
  assert.match(await focused(), /^SECTION Result/)
  const press = async (name: string): Promise<void> => {
    await until(async () => {
      await page.keyboard.press('Tab')
      return (await focused()).includes(name)
    }, signal)
    assert.equal(await outline(), 'solid')
    await page.keyboard.press('Enter')
  }
  // Two dimensions make a map: it is read in steps from its left edge, and left alone with Escape.
  const plot = page.locator('figure.plot .touch').first()
  const caption = page.locator('figure.plot figcaption').first()
  const about = await caption.textContent()
  await until(async () => {
    await page.keyboard.press('Tab')
    return plot.evaluate((it) => it === document.activeElement)
  }, signal)
  assert.equal(await outline(), 'solid')
  const readings = new Set<string | null>()
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowUp', 'End', 'ArrowDown']) {
    await page.keyboard.press(key)
    readings.add(await caption.textContent())
  }
  assert(readings.size >= 4 && !readings.has(about), [...readings].join(' | '))
  for (const words of readings) assert.match(words ?? '', /^x .* y .*: .*K$/)
  await page.keyboard.press('Escape')
  await until(async () => (await caption.textContent()) === about, signal)
  await press('Verify here')
  const verdict = page.locator('.verdict')
  await verdict.waitFor()
  assert.equal(await verdict.getAttribute('data-outcome'), 'verified')
  assert.equal(await verdict.getAttribute('role'), 'status')
  assertQuiet()
})

test.run()
