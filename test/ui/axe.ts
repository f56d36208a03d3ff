import assert from 'node:assert/strict'
import axe from 'axe-core'
import type { Page } from 'playwright-core'

interface Finding {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/** What axe-core finds in the page as it stands, an entry each. It is put in past the page's own policy. */
export const axeFindings = async (page: Page): Promise<readonly string[]> => {
  const session = await page.context().newCDPSession(page)
  await session.send('Runtime.evaluate', { expression: axe.source })
  const { result } = await session.send('Runtime.evaluate', {
    // A view's address begins with # as a skip link's does, and stands beside the screen where the line of views is
    // pushed sideways. The page's own skip link is a button.
    expression:
      'axe.run(document, { resultTypes: ["violations"], rules: { "skip-link": { enabled: false } } })' +
      '.then((it) => it.violations)',
    awaitPromise: true,
    returnByValue: true,
  })
  await session.detach()
  const found = result.value as readonly Finding[]
  return found.flatMap(({ id, nodes }) => nodes.map((it) => `${id}: ${it.html}\n  ${it.failureSummary ?? ''}`))
}

/** Fails on whatever {@link axeFindings} has to say. */
export const assertAxeClean = async (page: Page, state: string): Promise<void> =>
  assert.deepEqual(await axeFindings(page), [], state)
