// What a page of the documentation does beyond showing itself: its contents on a narrow screen, the search, copying.

/** @type {(id: string) => HTMLElement} */
const element = (id) => {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`the page has no ${id}`)
  return found
}

/** Found entries that are shown at most. */
const SHOWN_MAX = 12

// Earlier addresses of operations, and the short one: `/docs#/Solvers/compute.heat`, `/docs#compute.heat`.
const earlier = /^#(?:\/[^/]+\/)?([a-z-]+\.[a-z-]+)$/.exec(decodeURIComponent(location.hash))
if (location.pathname === '/docs' && earlier !== null) location.replace(`/docs/reference/${earlier[1]}`)

const menu = element('menu')
const contents = element('contents')
menu.addEventListener('click', () => {
  const shown = contents.classList.toggle('shown')
  menu.setAttribute('aria-expanded', String(shown))
  if (shown) contents.querySelector('a')?.focus()
})
// The entry that is shown is where the contents begin to be read.
const current = contents.querySelector('[aria-current]')
if (current instanceof HTMLElement) contents.scrollTop = current.offsetTop - contents.clientHeight / 2

const search = /** @type {HTMLInputElement} */ (element('search'))
const found = element('found')
/** @typedef {[address: string, title: string, about: string, more: string]} Entry */
/** @type {Promise<Entry[]> | undefined} */
let asked
const entries = () => {
  asked ??= fetch('/docs/search.json').then(async (answer) => {
    if (!answer.ok) throw new Error(String(answer.status))
    return answer.json()
  })
  return asked
}
let chosen = -1

const mark = () => {
  for (const [at, line] of [...found.children].entries()) line.setAttribute('aria-selected', String(at === chosen))
  const line = found.children[chosen]
  if (line === undefined) search.removeAttribute('aria-activedescendant')
  else {
    search.setAttribute('aria-activedescendant', line.id)
    line.scrollIntoView({ block: 'nearest' })
  }
}

/** @param {Entry[]} list @param {string[]} words */
const matching = (list, words) =>
  list
    .map((entry) => {
      const [, title, about, more] = entry.map((it) => it.toLowerCase())
      const at = words.map((word) => {
        if (title?.includes(word)) return 0
        if (more?.includes(word)) return 1
        return about?.includes(word) ? 2 : Number.NaN
      })
      return { entry, rank: at.reduce((sum, it) => sum + it, 0) }
    })
    .filter(({ rank }) => !Number.isNaN(rank))
    .sort((a, b) => a.rank - b.rank || a.entry[1].length - b.entry[1].length)

const close = () => {
  found.hidden = true
  search.setAttribute('aria-expanded', 'false')
  search.removeAttribute('aria-activedescendant')
}

/** @param {Entry} entry @param {number} at */
const lineOf = ([address, title, about], at) => {
  const line = document.createElement('li')
  line.id = `found-${at}`
  line.setAttribute('role', 'option')
  line.dataset['address'] = address
  const small = document.createElement('small')
  small.textContent = about
  line.append(title, small)
  line.addEventListener('click', () => location.assign(address))
  return line
}

const find = async () => {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return close()
  const some = matching(await entries(), words).slice(0, SHOWN_MAX)
  const none = document.createElement('li')
  none.setAttribute('role', 'option')
  none.setAttribute('aria-disabled', 'true')
  none.textContent = 'Nothing has these words.'
  found.replaceChildren(...(some.length > 0 ? some.map(({ entry }, at) => lineOf(entry, at)) : [none]))
  found.hidden = false
  search.setAttribute('aria-expanded', 'true')
  chosen = some.length > 0 ? 0 : -1
  mark()
}

search.addEventListener('input', () => {
  find().catch(() => close())
})
search.addEventListener('keydown', (event) => {
  const count = found.children.length
  if (event.key === 'Escape') {
    search.value = ''
    return close()
  }
  if (found.hidden || count === 0) return
  if (event.key === 'ArrowDown') chosen = (chosen + 1) % count
  else if (event.key === 'ArrowUp') chosen = (chosen + count - 1) % count
  else if (event.key === 'Enter') {
    const line = found.children[chosen]
    if (line instanceof HTMLElement && line.dataset['address'] !== undefined) location.assign(line.dataset['address'])
  } else return
  event.preventDefault()
  mark()
})
search.addEventListener('blur', () => requestAnimationFrame(() => document.hasFocus() && close()))
found.addEventListener('mousedown', (event) => event.preventDefault())
addEventListener('keydown', (event) => {
  const isTyped = event.target instanceof HTMLElement && event.target.matches('input, textarea, select')
  const isAsked = (event.key === '/' && !isTyped) || (event.key === 'k' && (event.ctrlKey || event.metaKey))
  if (!isAsked) return
  event.preventDefault()
  search.focus()
})

// Calls are shown with the address under which this page was reached.
for (const code of document.querySelectorAll('.example code')) {
  code.textContent = (code.textContent ?? '').replaceAll('http://127.0.0.1:7770', location.origin)
}
for (const button of document.querySelectorAll('button.copy')) {
  button.addEventListener('click', async () => {
    const code = button.parentElement?.querySelector('code')
    // What is copied may hold a key that is shown masked.
    await navigator.clipboard.writeText(code?.dataset['copied'] ?? code?.textContent ?? '')
    button.textContent = 'Copied'
  })
}
