// Goal: what is asked, verified and computed again in the page is so in Firefox too, and code that did not come comes
// later. Method: Debian's Firefox without a screen, moved by WebDriver BiDi with real keys and a real mouse, at a real
// node; the way to it is cut and mended.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { testNode } from '../kit/node.ts'
import { openRelay } from '../kit/relay.ts'
import { suite } from '../kit/suite.ts'
import { until } from '../kit/until.ts'
import { FIREFOX, type FirefoxTab, firefox } from './bidi.ts'

const test = suite('ui/firefox')

/** Two starts, of a node and of a browser, on two busy cores. */
const TEST_MS_MAX = 120_000
/** The key Enter, as WebDriver writes it. */
const ENTER = '\uE007'
const BUTTON = '.receipt button'

/** Waits until a selector finds something. */
const seen = (tab: FirefoxTab, selector: string, signal: AbortSignal): Promise<unknown> =>
  until(() => tab.evaluate<boolean>(`document.querySelector(${JSON.stringify(selector)}) !== null`), signal)

/** Waits until one of what a selector finds has this text. */
const untilSaid = (tab: FirefoxTab, selector: string, text: string, signal: AbortSignal): Promise<unknown> => {
  const [found, said] = [selector, text].map((it) => JSON.stringify(it))
  const expression = `[...document.querySelectorAll(${found})].some((it) => it.textContent.includes(${said}))`
  return until(() => tab.evaluate<boolean>(expression), signal)
}

/** The verdict's outcome, and how each of its steps stands. */
const verdictOf = (tab: FirefoxTab): Promise<{ readonly outcome: string; readonly steps: Record<string, string> }> =>
  tab.evaluate(`(() => {
    const it = document.querySelector('.receipt .verdict')
    const steps = [...it.querySelectorAll('li')].map((row) => [row.dataset.step, row.dataset.state])
    return { outcome: it.dataset.outcome, steps: Object.fromEntries(steps) }
  })()`)

const asksAndVerifies = async (signal: AbortSignal): Promise<void> => {
  await using it = await testNode({ realTime: true })
  await using browser = await firefox(signal)
  assert.match(browser.version, /^firefox \d+/)
  const tab = await browser.tab()
  await tab.goto(it.url)
  await seen(tab, '.front .ask-field', signal)
  await tab.click('.ask-field')
  await tab.keys(`period of a pendulum of length 2 m${ENTER}`)
  await seen(tab, '.receipt[data-token]', signal)
  const value = await tab.evaluate<string>(`document.querySelector('.value').dataset.value`)
  assert(Math.abs(Number(value) - 2 * Math.PI * Math.sqrt(2 / 9.80665)) < 1e-3, value)

  const at = await tab.evaluate<number>(
    `[...document.querySelectorAll('${BUTTON}')].findIndex((it) => it.textContent === 'Verify here')`,
  )
  assert(at >= 0)
  await tab.evaluate(`document.querySelectorAll('${BUTTON}')[${at}].focus()`)
  await tab.keys(ENTER)
  await seen(tab, '.receipt .verdict', signal)
  const { outcome, steps } = await verdictOf(tab)
  assert.equal(outcome, 'verified')
  assert.equal(steps['replay'], 'ok', 'the browser computed it again, to the same bits')
}

const comesLater = async (signal: AbortSignal): Promise<void> => {
  await using way = await openRelay()
  await using it = await testNode({ realTime: true, settings: { 'http.hosts': [way.host] } })
  await using browser = await firefox(signal)
  way.lead(it.url)
  const tab = await browser.tab()
  await tab.goto(way.url)
  await seen(tab, '.front .ask-field', signal)
  way.lead(undefined)
  way.cut()
  await tab.evaluate(`(location.hash = 'machines')`)
  await untilSaid(tab, '[role=alert]', '“Machines” could not be loaded', signal)
  way.lead(it.url)
  await untilSaid(tab, 'h2', 'Machines', signal)
}

const cases = [
  ['ask, verify, compute again', asksAndVerifies],
  ['a view whose code did not come, as the node was away, comes when it is back', comesLater],
] as const
for (const [title, body] of cases) {
  if (existsSync(FIREFOX)) test(title, body, TEST_MS_MAX)
  else test.skip(title, `there is no ${FIREFOX}`)
}

test.run()
