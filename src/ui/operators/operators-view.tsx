import { useRef, useState } from 'preact/hooks'
import { Nearest } from '#ui/front/nearest.tsx'
import { useLink } from '#ui/server/link.ts'
import type { Solvers } from '#ui/server/solvers.ts'
import type { PageSession } from '#ui/session.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import { FindCard } from './find-card.tsx'
import { OperatorList } from './operator-list.tsx'
import { SearchCard } from './search-card.tsx'
import { type Filters, NO_FILTERS, ROWS, ROWS_MAX, useFound, useRegistry } from './use-operators.ts'

/** How many there are, how many of them are shown, and more of them. */
const More = ({
  shown,
  count,
  onMore,
}: {
  readonly shown: number
  readonly count: number
  readonly onMore: () => void
}) => (
  <div class="actions">
    {shown < Math.min(count, ROWS_MAX) && (
      <button type="button" onClick={onMore}>
        Show more
      </button>
    )}
    {shown < count && shown >= ROWS_MAX && <span class="about">Narrow the search to see the others.</span>}
  </div>
)

const countText = (count: number, shown: number): string =>
  count === 0 ? 'No relation fits.' : `${count.toLocaleString('en')} found${shown < count ? `, ${shown} shown` : ''}.`

/** The registry: search it, narrow it, or ask what gives a quantity from others. */
export const OperatorsView = ({ session, solvers }: { readonly session: PageSession; readonly solvers: Solvers }) => {
  const up = useLink()
  const registry = useRegistry(up)
  const [filters, narrow] = useState<Filters>(NO_FILTERS)
  const [rows, more] = useState(ROWS)
  const { value: found, problem } = useFound(filters, rows, up)
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const onKey = (event: KeyboardEvent): void => {
    const first = list.current?.querySelector('a')
    if (event.key === 'Enter') first?.click()
    else if (event.key === 'ArrowDown') first?.focus()
    else return
    event.preventDefault()
  }
  const onFilter = (change: Partial<Filters>): void => {
    more(ROWS)
    narrow((old) => ({ ...old, ...change }))
  }
  return (
    <article>
      <h2>Operators</h2>
      <p class="lead">
        {registry?.count.toLocaleString('en') ?? 'The'} relations of physics, engineering and mathematics, each computed
        once and checked again with 50 digits before it is sealed.
      </p>
      <SearchCard {...{ filters, registry, field, onFilter, onKey }} />
      <FindCard />
      {problem !== undefined && <ProblemCard problem={problem} />}
      {found !== undefined && (
        <>
          <p class="about" role="status">
            {countText(found.count, found.operators.length)}
          </p>
          {found.count === 0 && filters.q.trim() !== '' && (
            <div class="card">
              <Nearest text={filters.q} session={session} solvers={solvers} />
            </div>
          )}
          <OperatorList rows={found.operators} list={list} onLeave={() => field.current?.focus()} />
          <More shown={found.operators.length} count={found.count} onMore={() => more((old) => old + ROWS)} />
        </>
      )}
    </article>
  )
}
