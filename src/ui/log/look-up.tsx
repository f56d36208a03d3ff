import { useEffect } from 'preact/hooks'
import { useReading } from '#ui/server/reading.ts'
import type { PageSession } from '#ui/session.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import { type LogAddress, nameOf, spellPlace } from './place.ts'
import { SearchBox } from './search-box.tsx'

/** The same for a token that is not there and for one that is somebody else's: nobody learns which. */
const NO_TOKEN =
  'No receipt that you may see has this token: it is not yours and not published, or it is not here. ' +
  'A receipt that was just made is under a checkpoint within a second.'

interface Props {
  readonly session: PageSession
  readonly place: Extract<LogAddress, { readonly show: 'hash' | 'token' }>
}

/** Looks a hash or token up, and goes on to its leaf. */
export const LookUp = ({ session, place }: Props) => {
  const { log, show, name } = place
  const { value: page, problem } = useReading(
    (signal) => session.call('GET /api/log/{log}/leaves', { log, [show]: name }, { signal }),
    { on: [log, show, name, session.self] },
  )
  const [leaf] = page?.leaves ?? []
  useEffect(() => {
    if (page === undefined || leaf === undefined) return
    // The era is named where the leaf is not in the log that was asked, but in one before it.
    const within = log.includes('.') ? log : `${log}.${page.era}`
    location.replace(`#${spellPlace({ show: 'leaf', log: within, number: leaf.index })}`)
  }, [page, leaf, log])
  return (
    <>
      <h2>{show === 'hash' ? 'A leaf by its hash' : 'A leaf by its token'}</h2>
      <p class="about">
        <code class="wrap">{name}</code>
      </p>
      {problem !== undefined && <ProblemCard problem={problem} />}
      {page === undefined && problem === undefined && <p class="card about">looking …</p>}
      {page !== undefined && leaf === undefined && (
        <p class="card" role="status" data-nothing>
          {show === 'hash' ? `No signed leaf of the ${nameOf(log)} has this hash.` : NO_TOKEN}
        </p>
      )}
      <SearchBox log={log} />
    </>
  )
}
