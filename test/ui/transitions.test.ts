// Goal: what a browser's own EventSource hears of a contract's transitions is each of them once, through every restart
// of the node, and how much it missed. Method: Chromium on a page of the node, with a key that is added to what it
// asks; real nodes that come and go at one address; what it heard against the rows of the audit.
import type { Page } from 'playwright-core'
import { type Follower, followThrough, type Heard } from '../api/contracts/followed.ts'
import { tempDir } from '../kit/temp.ts'
import { until } from '../kit/until.ts'
import { browserSuite } from './browser.ts'

const test = browserSuite('ui/transitions')

const NAMES = ['place', 'transition', 'gap']

/** Follows in a page. What it heard stays in the page, which no reload takes away. */
const following = async (page: Page, path: string): Promise<Follower> => {
  await page.evaluate(
    ({ path: place, names }) => {
      const heard: Heard[] = []
      const source = new EventSource(place)
      for (const event of names) {
        source.addEventListener(event, (it) => {
          const { lastEventId: id, data } = it as MessageEvent<string>
          heard.push({ event, id, data })
        })
      }
      Object.assign(globalThis, { heard })
    },
    { path, names: NAMES },
  )
  return { heard: () => page.evaluate(() => (globalThis as unknown as { heard: Heard[] }).heard) }
}

test.alone('Chromium hears each transition once through restarts, and how much it missed', async (surf) => {
  using dir = tempDir()
  await followThrough(
    dir.path,
    async ({ it, key, path }) => {
      const context = await surf.profile()
      // A session ends with its node, and an EventSource sends no header: here it goes through what adds one.
      await context.setExtraHTTPHeaders({ authorization: `Bearer ${key}` })
      const { page } = await surf.tab(context, it.url)
      return following(page, path)
    },
    (probe) => until(probe, surf.signal),
  )
})

test.run()
