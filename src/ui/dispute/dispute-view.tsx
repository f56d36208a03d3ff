import { MeshTime } from '#ui/part/ago.tsx'
import { Fact, FactBox } from '#ui/part/fact.tsx'
import { RowTable } from '#ui/part/row-table.tsx'
import { Short } from '#ui/part/short.tsx'
import { useReading } from '#ui/server/reading.ts'
import type { PageSession } from '#ui/session.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import { RecheckCard } from './recheck-card.tsx'
import type { ShownDispute } from './use-recheck.ts'
import { partText, phaseText, stepText, verdictText } from './words.ts'

const READ_EVERY_MS = 5_000

const roleOf = ({ worker, requester, challenger }: ShownDispute, node: string): string => {
  if (node === worker) return 'the worker'
  if (node === requester) return node === challenger ? 'the requester, who challenges' : 'the requester'
  return node === challenger ? 'the challenger' : 'drawn from the pool'
}

const Steps = ({ it }: { readonly it: ShownDispute }) => (
  <section class="card" aria-label="Step by step">
    <h3>Step by step</h3>
    <RowTable heads={['When', 'Who', 'What']}>
      {it.steps.map(({ what, by, at, until, done }) => (
        <tr key={`${what} ${by} ${at}`} data-done={done}>
          <td data-label="When">
            {done ? (
              at === null ? (
                'not known yet'
              ) : (
                <MeshTime tick={at} />
              )
            ) : until === null ? (
              'owed'
            ) : (
              <>
                owed until <MeshTime tick={until} />
              </>
            )}
          </td>
          <td data-label="Who">
            {roleOf(it, by)} <Short text={by} />
          </td>
          <td data-label="What">{stepText(what)}</td>
        </tr>
      ))}
    </RowTable>
  </section>
)

const Stakes = ({ it: { bond, withheld_by: homes } }: { readonly it: ShownDispute }) => (
  <section class="card" aria-label="At stake">
    <h3>At stake</h3>
    <dl>
      <Fact name="bond">
        {bond === null ? 'none: nobody answers for this work but its worker’s name' : <Short text={bond} />}
      </Fact>
      <Fact name="withheld by">
        {homes.length === 0 ? 'no home' : homes.map((home) => <Short key={home} text={home} />)}
      </Fact>
      <Fact name="who decides">
        every node for itself, by running the disputed part again. Rulings call it to look; votes decide nothing.
      </Fact>
    </dl>
  </section>
)

const Head = ({ it }: { readonly it: ShownDispute }) => (
  <>
    <h2>Dispute</h2>
    <p class="lead">
      About {partText(it)} of a run of <b>{it.dossier?.offer.offer.kind ?? 'an unknown solver'}</b>: {phaseText(it)}.
    </p>
    <dl class="facts">
      <FactBox name="found here">{verdictText(it)}</FactBox>
      <FactBox name="worker">
        <Short text={it.worker} />
      </FactBox>
      <FactBox name="requester">
        <Short text={it.requester} />
      </FactBox>
      <FactBox name="challenger">
        <Short text={it.challenger} />
      </FactBox>
      <FactBox name="work">
        <Short text={it.work} />
      </FactBox>
      <FactBox name="open until, at most">{it.until === null ? '–' : <MeshTime tick={it.until} />}</FactBox>
    </dl>
  </>
)

/** One dispute, step by step, with a check of it in this browser. */
export const DisputeView = ({ session, id }: { readonly session: PageSession; readonly id: string }) => {
  const { value: it, problem } = useReading(
    (signal) => session.call('GET /api/contribute/disputes/{id}', { id }, { signal }),
    { everyMs: READ_EVERY_MS, on: [session, id] },
  )
  if (it === undefined) {
    return (
      <article>
        <h2>Dispute</h2>
        {problem === undefined ? <p class="card about">reading …</p> : <ProblemCard problem={problem} />}
      </article>
    )
  }
  return (
    <article data-dispute={it.id} data-phase={it.phase} data-verdict={it.verdict ?? ''}>
      <Head it={it} />
      {problem !== undefined && <ProblemCard problem={problem} />}
      <RecheckCard dispute={it} />
      <Steps it={it} />
      <Stakes it={it} />
    </article>
  )
}
