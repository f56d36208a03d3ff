// A tab for each language of a call; the one that was chosen last is shown.
import { store, stored } from './session.js'

const LANGUAGE = 'tickmesh.docs-language'

/** @param {HTMLElement} block @param {number} at */
const tabOf = (block, at) => {
  const tab = document.createElement('button')
  tab.type = 'button'
  tab.textContent = block.dataset['language'] ?? ''
  tab.id = `language-${at}`
  block.id = `example-${at}`
  tab.setAttribute('role', 'tab')
  tab.setAttribute('aria-controls', block.id)
  block.setAttribute('role', 'tabpanel')
  block.setAttribute('aria-labelledby', tab.id)
  block.querySelector('.language')?.remove()
  return tab
}

/** Makes tabs of the calls, which without a script stand below each other. */
export const beginLanguages = () => {
  const list = document.querySelector('.languages')
  const blocks = [...document.querySelectorAll('.examples .example')].filter((it) => it instanceof HTMLElement)
  if (list === null || blocks.length === 0) return
  const tabs = blocks.map(tabOf)
  /** @param {number} wanted */
  const choose = (wanted) => {
    const at = (wanted + tabs.length) % tabs.length
    for (const [i, block] of blocks.entries()) block.hidden = i !== at
    for (const [i, tab] of tabs.entries()) {
      tab.setAttribute('aria-selected', String(i === at))
      tab.tabIndex = i === at ? 0 : -1
    }
    return tabs[at]
  }
  for (const [at, tab] of tabs.entries()) {
    const keep = () => store(LANGUAGE, tab.textContent ?? '')
    tab.addEventListener('click', () => {
      choose(at)
      keep()
    })
    tab.addEventListener('keydown', ({ key }) => {
      if (key !== 'ArrowRight' && key !== 'ArrowLeft') return
      const next = choose(at + (key === 'ArrowRight' ? 1 : -1))
      next?.focus()
      next?.click()
    })
  }
  list.replaceChildren(...tabs)
  choose(
    Math.max(
      0,
      tabs.findIndex((tab) => tab.textContent === stored(LANGUAGE)),
    ),
  )
}
