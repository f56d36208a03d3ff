import { useEffect, useState } from 'preact/hooks'
import type { PageMatch } from './match.ts'
import { moved } from './match-list.tsx'

interface Options {
  readonly text: string
  readonly matches: readonly PageMatch[]
  readonly onText: (text: string) => void
  readonly onOpen: (match: PageMatch) => void
  /** Enter, where none is chosen. */
  readonly onSubmit: () => void
}

/** The arrows go through what fits, Enter opens the chosen one, Escape lets it go and then empties the box. */
export const useOptions = ({ text, matches, onText, onOpen, onSubmit }: Options) => {
  const [active, choose] = useState(-1)
  useEffect(() => choose(-1), [text, matches])
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = moved(event.key, active, matches.length)
    if (next !== undefined) choose(next)
    else if (event.key === 'Enter') {
      const chosen = matches[active]
      if (chosen === undefined) onSubmit()
      else onOpen(chosen)
    } else if (event.key === 'Escape' && active !== -1) choose(-1)
    else if (event.key === 'Escape' && text !== '') onText('')
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return { active, onKeyDown }
}
