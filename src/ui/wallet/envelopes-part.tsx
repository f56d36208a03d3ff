import { useEffect, useState } from 'preact/hooks'
import type { PageSession } from '#ui/session.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import { Choosing } from './choosing.tsx'
import { EnvelopeTable } from './envelope-table.tsx'
import { Filters } from './filters.tsx'
import { NONE, type Selection, turned } from './selection.ts'
import { EVERYTHING, type Filter, PAGE_ROWS, useEnvelopes } from './use-envelopes.ts'

interface PagerProps {
  readonly page: number
  /** The page whose rows are there; `page` may still be on its way. */
  readonly shown: number
  readonly total: number
  readonly onPage: (page: number) => void
}

const Pager = ({ page, shown, total, onPage }: PagerProps) => {
  const last = Math.max(0, Math.ceil(total / PAGE_ROWS) - 1)
  const from = Math.min(total, shown * PAGE_ROWS + 1)
  return (
    <nav class="actions" aria-label="Pages of envelopes">
      <span class="about" role="status">
        {from} to {Math.min(total, (shown + 1) * PAGE_ROWS)} of {total}
      </span>
      {last > 0 && (
        <>
          <button type="button" disabled={page === 0} onClick={() => onPage(page - 1)}>
            Newer
          </button>
          <button type="button" disabled={page >= last} onClick={() => onPage(page + 1)}>
            Older
          </button>
        </>
      )}
    </nav>
  )
}

/** Homes that any list has shown so far. */
const useHomes = (items: readonly { readonly home: string }[] | undefined): readonly string[] => {
  const [homes, see] = useState<readonly string[]>([])
  useEffect(() => {
    const fresh = (items ?? []).map(({ home }) => home).filter((it) => !homes.includes(it))
    if (fresh.length > 0) see([...new Set([...homes, ...fresh])].toSorted())
  }, [items])
  return homes
}

interface Props {
  readonly session: PageSession
  readonly changes: number
  readonly selection: Selection
  readonly onSelect: (next: (old: Selection) => Selection) => void
  readonly onSend: () => void
  readonly onChange: () => void
  readonly onWay: (token: string) => void
}

/** The envelopes of whoever the page acts as: found, chosen, filed. */
export const EnvelopesPart = ({ session, changes, selection, onSelect, onSend, onChange, onWay }: Props) => {
  const [filter, narrow] = useState<Filter>(EVERYTHING)
  const [page, turn] = useState(0)
  const { value, problem, isOld } = useEnvelopes(session, { filter, page, changes })
  const homes = useHomes(value?.items)
  const onFilter = (part: Partial<Filter>): void => {
    narrow((old) => ({ ...old, ...part }))
    turn(0)
  }
  return (
    <section class="card" aria-label="Envelopes">
      <h3>Envelopes</h3>
      <p class="about">
        Each has a home: the log that minted it, whose node alone orders its moves. <kbd>↑</kbd> <kbd>↓</kbd> walk
        through the list, <kbd>Space</kbd> chooses, with <kbd>Shift</kbd> all between, <kbd>Ctrl A</kbd> the page,{' '}
        <kbd>Esc</kbd> none.
      </p>
      <Filters session={session} filter={filter} homes={homes} changes={changes} onFilter={onFilter} />
      {problem !== undefined && <ProblemCard problem={problem} />}
      {value !== undefined && (
        <>
          <Choosing
            session={session}
            filter={filter}
            listed={value}
            isOld={isOld}
            selection={selection}
            onSelect={onSelect}
            onSend={onSend}
            onFiled={onChange}
          />
          {value.items.length === 0 ? (
            <p class="about">None. What you compute is sealed, and listed here.</p>
          ) : (
            <EnvelopeTable
              session={session}
              items={value.items}
              isOld={isOld}
              selection={selection}
              onTurn={(items, on) => onSelect((old) => turned(old, items, on))}
              onClear={() => onSelect(() => NONE)}
              onWay={onWay}
            />
          )}
          <Pager page={page} shown={value.page} total={value.total} onPage={turn} />
        </>
      )}
    </section>
  )
}
