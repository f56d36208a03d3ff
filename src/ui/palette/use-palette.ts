import { useEffect, useState } from 'preact/hooks'

/** Whether keys go into what has the focus. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))

/** The field of the view that is seen in which things are looked for: the box, or a field of its own. */
const findField = (): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>('main [data-find], main input[type="search"]')].find((it) =>
    it.checkVisibility(),
  )

/** `Ctrl-K` opens the palette, and closes it; `/` goes to where one looks for things. */
export const usePalette = () => {
  const [open, show] = useState(false)
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const field = event.key === '/' && !isTyping(event.target) ? findField() : undefined
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) show((it) => !it)
      else if (event.key === '/' && !isTyping(event.target) && field === undefined) show(true)
      else if (field !== undefined) field.focus()
      else return
      event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  return { open, show }
}
