import type { MatchKind, PageMatch } from './match.ts'

const words: Readonly<Record<MatchKind, string>> = {
  question: 'question',
  solver: 'solver',
  operator: 'operator',
  machine: 'machine',
  receipt: 'receipt',
  leaf: 'log',
  view: 'page',
}

/** The id of an option, which the box names as the active one. */
export const optionId = (list: string, at: number): string => `${list}-${at}`

interface Props {
  readonly id: string
  readonly label: string
  readonly matches: readonly PageMatch[]
  /** The one that Enter opens; -1 for none. */
  readonly active: number
  readonly onOpen: (match: PageMatch) => void
}

/** What fits, as the options of a box: the keys stay in the box, the mouse opens one. */
export const MatchList = ({ id, label, matches, active, onOpen }: Props) => (
  <div id={id} role="listbox" class="matches" aria-label={label} hidden={matches.length === 0}>
    {matches.map((it, at) => (
      <div
        key={it.at}
        id={optionId(id, at)}
        role="option"
        tabIndex={-1}
        aria-selected={at === active}
        data-match={it.at}
        // The box keeps the focus: a press must not take it.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => onOpen(it)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onOpen(it)
        }}
      >
        <span class="match-kind">{words[it.kind]}</span> <b>{it.title}</b> <span class="about">{it.about}</span>
      </div>
    ))}
  </div>
)

/** The place among `count` options that a key leads to; undefined for a key that leads nowhere. */
export const moved = (key: string, active: number, count: number): number | undefined => {
  if (count === 0) return undefined
  if (key === 'ArrowDown') return active + 1 >= count ? -1 : active + 1
  if (key === 'ArrowUp') return active === -1 ? count - 1 : active - 1
  return undefined
}
