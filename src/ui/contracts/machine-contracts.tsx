import { useReading } from '#ui/server/reading.ts'
import type { PageSession } from '#ui/session.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import { ContractList } from './contract-list.tsx'
import { ImportPart } from './import-part.tsx'
import '#ui/style/contracts.css'

const READ_EVERY_MS = 5_000
const ROWS = 100

/** The contracts of a machine, and the ways to a new one. */
export const MachineContracts = ({ session, slug }: { readonly session: PageSession; readonly slug: string }) => {
  const { value, problem } = useReading(
    (signal) => session.call('GET /api/chain/{slug}/contracts', { slug, limit: ROWS }, { signal }),
    { everyMs: READ_EVERY_MS, on: [session, slug] },
  )
  return (
    <section class="contracts" aria-label="Contracts" data-total={value?.total}>
      <p>
        <a href={`#contracts/editor?slug=${slug}`}>Write a contract</a> ·{' '}
        <a href={`#contracts/templates?slug=${slug}`}>Take a template</a>
      </p>
      <ImportPart session={session} slug={slug} />
      {problem !== undefined && <ProblemCard problem={problem} />}
      {value === undefined && problem === undefined && <p class="card about">reading …</p>}
      {value?.total === 0 && <p class="card about">There is none yet.</p>}
      {value !== undefined && <ContractList contracts={value.contracts} />}
      {value !== undefined && value.total > ROWS && <p class="about">The newest {ROWS} are shown.</p>}
    </section>
  )
}
