import type { ResultAt } from '#api/result-of.ts'
import { RowTable } from '#ui/part/row-table.tsx'
import { useReading } from '#ui/server/reading.ts'
import type { PageSession } from '#ui/session.ts'
import { ticksText } from '#ui/text/ago.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import type { Machine } from './machine.ts'

/** Each read looks at all contracts: an address has 120 of them a minute. */
const READ_EVERY_MS = 10_000
const ORACLES_SHOWN = 200

type Feed = ResultAt<'GET /api/chain/{slug}/oracles'>['oracles'][number]

/** Where an oracle reads, in words. */
const sourceText = ({ from, last }: Feed): string => {
  if (last !== null) return last.source
  const { kind, slug, event, id, url } = from as Readonly<Record<string, string>>
  if (kind === 'machine') return `machine:${slug}, event ${event}`
  return kind === 'contract' ? `contract:${id}` : `url: ${url}`
}

const valueText = ({ last, unit }: Feed): string => {
  if (last === null) return 'not read yet'
  if (last.withheld) return 'for members'
  return unit === null ? String(last.value) : `${last.value} ${unit}`
}

/** What feeds a machine: the oracles of its contracts, and what each gave last. */
export const OraclesTab = ({ session, machine }: { readonly session: PageSession; readonly machine: Machine }) => {
  const { slug } = machine
  const { value, problem } = useReading(
    (signal) => session.call('GET /api/chain/{slug}/oracles', { slug, limit: ORACLES_SHOWN }, { signal }),
    { everyMs: READ_EVERY_MS, on: [session, slug] },
  )
  return (
    <section class="card" aria-label="Oracles">
      <h3>Oracles</h3>
      {problem !== undefined && <ProblemCard problem={problem} />}
      {value?.oracles.length === 0 && <p class="about">No contract of this machine reads anything from outside.</p>}
      {value !== undefined && value.oracles.length > 0 && (
        <RowTable heads={['Oracle', 'Contract', 'Last value', 'Age', 'Source', 'Basis']}>
          {value.oracles.map((it) => (
            <tr key={`${it.contract} ${it.oracle}`} data-oracle={it.oracle} data-stale={it.stale}>
              <th scope="row">{it.oracle}</th>
              <td data-label="contract">{it.contract_name}</td>
              <td data-label="last value">{valueText(it)}</td>
              <td data-label="age">
                {it.last === null ? '—' : `${ticksText(it.last.age_ticks)}${it.stale ? ', stale' : ''}`}
              </td>
              <td data-label="source" class="wrap">
                {sourceText(it)}
              </td>
              <td data-label="basis">{it.last === null ? '—' : it.last.basis === 'node' ? 'this node' : 'signed'}</td>
            </tr>
          ))}
        </RowTable>
      )}
    </section>
  )
}
