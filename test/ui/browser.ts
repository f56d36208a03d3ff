import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core'
import { atEnd } from '../kit/end.ts'
import { type TestNode, type TestNodeOptions, testNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'

const CHROMIUM = '/usr/bin/chromium'
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
/** How long the page may take for anything a test waits for, a run included: it ends a hang and judges no speed. */
const WAIT_MS_MAX = 60_000
/** How long a test may take: one that starts nodes twice beside a browser needs two minutes on two busy cores. */
const TEST_MS_MAX = 240_000

export const WIDE: BrowserContextOptions = { viewport: { width: 1100, height: 900 } }
export const NARROW: BrowserContextOptions = { viewport: { width: 390, height: 844 } }

/** A page under watch: what it asked for, and what it complained of. */
export interface Watched {
  readonly page: Page
  /** Paths of all requests, in order. */
  readonly asked: string[]
  /** Errors on the console and exceptions, by their text and address. */
  readonly complaints: string[]
  /** Fails when anything was asked of another origin, or complained of beside `allowed`. */
  assertQuiet(allowed?: RegExp): void
}

/** Goes to a view of the page. */
export const open = (page: Page, place: string): Promise<void> =>
  page.evaluate((it) => {
    location.hash = it
  }, place)

/** A browser with profiles of a test's own. */
export interface Surfing {
  readonly signal: AbortSignal
  /** A new browser profile, as another visitor has it. */
  profile(options?: BrowserContextOptions): Promise<BrowserContext>
  /** A tab of a profile at an address. */
  tab(context: BrowserContext, url: string): Promise<Watched>
}

/** The same with a real node. */
export interface Visiting extends Surfing {
  readonly it: TestNode
  /** A tab at a path of the node, the view of heat unless said, in a profile of its own. */
  visit(path?: string, options?: BrowserContextOptions): Promise<Watched>
}

const watched = (page: Page, origin: string): Watched => {
  const asked: string[] = []
  const foreign: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (url.startsWith(`${origin}/`)) asked.push(url.slice(origin.length))
    else if (!url.startsWith(`blob:${origin}/`)) foreign.push(url)
  })
  page.on('console', (line) => {
    if (line.type() === 'error') complaints.push(`${line.text()} ${line.location().url}`)
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return {
    page,
    asked,
    complaints,
    assertQuiet: (allowed) => {
      assert.deepEqual(foreign, [], 'nothing is asked of another origin')
      const heard = complaints.filter((it) => allowed === undefined || !allowed.test(it))
      assert.deepEqual(heard, [], 'nothing is complained of')
    },
  }
}

let launched: Promise<Browser> | undefined

/** The one Chromium of this process: it starts as slowly as a node, and profiles share nothing with each other. */
const chromiumHere = (): Promise<Browser> => {
  if (launched === undefined) {
    atEnd(async () => (await launched)?.close())
    launched = chromium.launch({ executablePath: CHROMIUM, args: ARGS })
  }
  return launched
}

/** Chromium whose profiles are gone at the end of the block; when the test's time is up, all of it goes. */
const surfing = async (signal: AbortSignal): Promise<AsyncDisposable & Surfing> => {
  const browser = await chromiumHere()
  const profiles: BrowserContext[] = []
  const giveUp = (): void => {
    launched = undefined
    void browser.close()
  }
  signal.addEventListener('abort', giveUp)
  return {
    signal,
    profile: async (options = WIDE) => {
      const context = await browser.newContext(options)
      profiles.push(context)
      context.setDefaultTimeout(WAIT_MS_MAX)
      return context
    },
    tab: async (context, url) => {
      const watch = watched(await context.newPage(), new URL(url).origin)
      await watch.page.goto(url)
      return watch
    },
    [Symbol.asyncDispose]: async () => {
      signal.removeEventListener('abort', giveUp)
      if (!signal.aborted) await Promise.all(profiles.map((it) => it.close()))
    },
  }
}

/** A real node on the machine's own clock, and Chromium beside it. */
const visiting = async (
  body: (visiting: Visiting) => Promise<void>,
  { signal, ...options }: TestNodeOptions & { readonly signal: AbortSignal },
): Promise<void> => {
  await using it = await testNode({ realTime: true, ...options })
  await using surf = await surfing(signal)
  const visit: Visiting['visit'] = async (path = '/#solver/heat', options) =>
    surf.tab(await surf.profile(options), `${it.url}${path}`)
  await body({ ...surf, it, visit })
}

/**
 * A group of tests in Chromium, beside a node or `alone`; where there is no Chromium, each is skipped by name.
 *
 * @param options of the node
 */
export const browserSuite = (name: string, options: TestNodeOptions = {}) => {
  const test = suite(name)
  const add = (title: string, body: (signal: AbortSignal) => Promise<void>, msMax = TEST_MS_MAX): void => {
    if (existsSync(CHROMIUM)) test(title, body, msMax)
    else test.skip(title, `there is no ${CHROMIUM}`)
  }
  const beside = (title: string, body: (visiting: Visiting) => Promise<void>, msMax?: number): void =>
    add(title, (signal) => visiting(body, { ...options, signal }), msMax)
  const alone = (title: string, body: (surfing: Surfing) => Promise<void>): void =>
    add(title, async (signal) => {
      await using surf = await surfing(signal)
      await body(surf)
    })
  return Object.assign(beside, { alone, run: test.run })
}

/** Presses Run in the view that is seen, and waits for the value. @returns the value in full. */
export const runHere = async (page: Page): Promise<number> => {
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  // The answer before it stays until then, and says that it is of other inputs.
  await page.locator('.result:visible[data-stale=false]').waitFor()
  return shownValue(page)
}

/** The value of the result that is seen. */
export const shownValue = async (page: Page): Promise<number> =>
  Number(await page.locator('.value:visible').getAttribute('data-value'))

/** What a verification said. */
export interface ShownVerdict {
  readonly outcome: string | null
  readonly failing: string | null
  readonly steps: readonly string[]
}

/** Waits for the verdict that is seen. */
export const shownVerdict = async (page: Page): Promise<ShownVerdict> => {
  const verdict = page.locator('.verdict:visible')
  await verdict.waitFor()
  const steps = await verdict
    .locator('li')
    .evaluateAll((rows) => rows.map((row) => `${row.getAttribute('data-step')} ${row.getAttribute('data-state')}`))
  return {
    outcome: await verdict.getAttribute('data-outcome'),
    failing: await verdict.getAttribute('data-failing'),
    steps,
  }
}

/** Presses a button that verifies, and waits for the verdict. */
export const verdictOf = async (page: Page, button = 'Verify here'): Promise<ShownVerdict> => {
  await page.getByRole('button', { name: button, exact: true }).click()
  return shownVerdict(page)
}

/** Saves the evidence of the receipt that is seen, or of one in a part of the page. @returns the bundle's text. */
export const downloaded = async (page: Page, within: Page | Locator = page): Promise<string> => {
  const coming = page.waitForEvent('download')
  await within.getByRole('button', { name: 'Download', exact: true }).click()
  const stream = await (await coming).createReadStream()
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString('utf8')
}

/** Presses a way of saving a plot, by the names of both; the menu that they are in is opened where it is not. */
export const pressSaveAs = async (page: Page, plot: string, way: string): Promise<void> => {
  const menu = page.getByRole('group', { name: `Export ${plot}` })
  const button = menu.getByRole('button', { name: way, exact: true })
  if (!(await button.isVisible())) await menu.getByText('Save as').click()
  await button.click()
}
