import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

/** The hand of somebody with a task, and how often it moved: a click, a key, a field that is filled is one step. */
export interface Hand {
  click(target: Locator): Promise<void>
  fill(target: Locator, text: string): Promise<void>
  choose(target: Locator, value: string): Promise<void>
  /** Presses a key, wherever the focus is. */
  key(page: Page, key: string): Promise<void>
  /** Types into whatever has the focus: one step, as a field that is filled. */
  type(page: Page, text: string): Promise<void>
  /** Opens an address that was sent, copied or scanned. */
  opens<T>(opening: () => Promise<T>): Promise<T>
}

/**
 * A task with a bound in steps. What it took is printed; more steps fail it. Seconds are printed only: the test's limit
 * of time bounds them.
 */
export const task = async (
  name: string,
  { stepsMax }: { readonly stepsMax: number },
  body: (hand: Hand) => Promise<void>,
): Promise<void> => {
  const begin = performance.now()
  let steps = 0
  const step = async <T>(work: () => Promise<T>): Promise<T> => {
    steps += 1
    return work()
  }
  await body({
    click: (target) => step(() => target.click()),
    fill: (target, text) => step(() => target.fill(text)),
    choose: async (target, value) => {
      await step(() => target.selectOption(value))
    },
    key: (page, key) => step(() => page.keyboard.press(key)),
    type: (page, text) => step(() => page.keyboard.type(text)),
    opens: step,
  })
  const seconds = ((performance.now() - begin) / 1000).toFixed(1)
  console.log(`TASK ${name}: ${steps} steps of ${stepsMax}, ${seconds} s`)
  assert(steps <= stepsMax, `${name}: ${steps} steps, at most ${stepsMax}`)
}

/** What browsers write on the console where words are no whole question. */
export const ASKED_BACK = /Failed to load resource: .* 400/

/** The one box of the first screen. */
export const askBox = (page: Page): Locator =>
  page.getByRole('combobox', { name: 'Ask a question, or find anything' }).locator('visible=true')

/** A button of the view that is seen, by its name. */
export const button = (page: Page, name: string | RegExp): Locator =>
  page
    .locator('main')
    .getByRole('button', { name, exact: typeof name === 'string' })
    .locator('visible=true')

/** A match below the box, by the beginning of what it is called. */
export const match = (page: Page, name: RegExp): Locator =>
  page.locator('main').getByRole('option', { name }).locator('visible=true').first()
