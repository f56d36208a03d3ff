// What a page of the documentation does beyond showing itself.

/** @type {(id: string) => HTMLElement} */
const element = (id) => {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`the page has no ${id}`)
  return found
}

const menu = element('menu')
const contents = element('contents')
menu.addEventListener('click', () => {
  const shown = contents.classList.toggle('shown')
  menu.setAttribute('aria-expanded', String(shown))
  if (shown) contents.querySelector('a')?.focus()
})
