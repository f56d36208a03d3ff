import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { goTo } from '#ui/front/ask-box.tsx'
import { ofQuestion, type PageMatch } from '#ui/front/match.ts'
import { MatchList, moved, optionId } from '#ui/front/match-list.tsx'
import { nearestQuestion } from '#ui/front/questions.ts'
import { saidIn } from '#ui/front/said.ts'
import { useMatches } from '#ui/front/use-matches.ts'
import type { Solvers } from '#ui/server/solvers.ts'
import type { PageSession } from '#ui/session.ts'
import { groups } from '#ui/views.tsx'

interface Props {
  readonly session: PageSession
  readonly solvers: Solvers
  readonly onClose: () => void
}

/** The views of the page, and parts of settings that are looked for by name. */
const PLACES: readonly PageMatch[] = [
  ...groups.map(({ title, home }) => ({ kind: 'view', title, about: 'view', at: home }) as const),
  { kind: 'view', title: 'Contract editor', about: 'contracts', at: 'contracts/editor' },
  { kind: 'view', title: 'Templates of contracts', about: 'contracts', at: 'contracts/templates' },
  { kind: 'view', title: 'Send envelopes', about: 'wallet', at: 'wallet?send=form' },
  { kind: 'view', title: 'Balances: credits and coins', about: 'wallet', at: 'wallet' },
  { kind: 'view', title: 'Appearance: dark or light', about: 'settings', at: 'settings' },
  { kind: 'view', title: 'Sign in, sign out, new account', about: 'settings', at: 'settings?part=session' },
  { kind: 'view', title: 'API keys', about: 'settings', at: 'settings?part=keys' },
]

const placesFor = (typed: string): readonly PageMatch[] => {
  const word = typed.trim().toLowerCase()
  return PLACES.filter(({ title }) => title.toLowerCase().includes(word))
}

/** One box over everything that the page has. */
export const Palette = ({ session, solvers, onClose }: Props) => {
  const [text, type] = useState('')
  const [active, choose] = useState(0)
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const { matches: fits, busy, nearest } = useMatches(text, session, solvers)
  const matches = useMemo(() => {
    const places = placesFor(text)
    if (text.trim() === '') return places
    const asks = saidIn(text).kind === 'words' ? [ofQuestion(text.trim())] : []
    if (nearest && places.length === 0) return [...fits, ofQuestion(nearestQuestion(text)), ...asks]
    return [...places, ...(nearest ? [] : fits), ...asks]
  }, [text, fits, nearest])
  useEffect(() => choose(0), [text])
  // Before the next key comes: it belongs here already.
  useLayoutEffect(() => {
    dialog.current?.showModal()
    return () => dialog.current?.close()
  }, [])
  const open = (match: PageMatch): void => {
    onClose()
    goTo(match)
  }
  const list = `${id}-list`
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = moved(event.key, active, matches.length)
    const chosen = matches[Math.max(0, active)]
    if (next !== undefined) choose(next)
    else if (event.key === 'Enter' && chosen !== undefined) open(chosen)
    else return
    event.preventDefault()
  }
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Find everything"
      onClose={onClose}
      onMouseDown={(event) => {
        // Beside it, on the dimmed page.
        if (event.target === dialog.current) onClose()
      }}
    >
      <input
        type="text"
        role="combobox"
        aria-label="Find everything"
        aria-expanded={matches.length > 0}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={matches.length === 0 ? undefined : optionId(list, Math.max(0, active))}
        autocomplete="off"
        spellcheck={false}
        placeholder="view, solver, relation, machine, token, question …"
        value={text}
        onInput={(event) => type(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {nearest && <p class="about">Nothing has these words. Nearest are:</p>}
      <MatchList id={list} label="Found" matches={matches} active={Math.max(0, active)} onOpen={open} />
      <p class="about" role="status">
        {busy ? 'looking …' : `${matches.length} found.`} <kbd>↑</kbd> <kbd>↓</kbd> choose, <kbd>Enter</kbd> opens,{' '}
        <kbd>Esc</kbd> closes.
      </p>
    </dialog>
  )
}
