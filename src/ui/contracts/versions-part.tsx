import { useState } from 'preact/hooks'
import { Ago } from '#ui/part/ago.tsx'
import { ConfirmButton } from '#ui/part/confirm-button.tsx'
import { RowTable } from '#ui/part/row-table.tsx'
import { Select } from '#ui/part/select.tsx'
import { Short } from '#ui/part/short.tsx'
import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { useTask } from '#ui/part/use-task.ts'
import { useReading } from '#ui/server/reading.ts'
import type { PageSession } from '#ui/session.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import { writtenOut } from './examples.ts'
import { folded, lineDiff } from './line-diff.ts'
import { MigrateForm, useMigrate } from './migrate-form.tsx'
import type { ShownContract, Which } from './reads.ts'
import { SaveFiles } from './save-files.tsx'
import { keepWarnings } from './told-warnings.tsx'

const ROWS = 50

const marks = { same: ' ', gone: '−', new: '+' } as const
const said = { same: '', gone: 'gone: ', new: 'new: ' } as const

/** What changed from one version to another. */
const Compared = ({ before, after }: { readonly before: string; readonly after: string }) => {
  const lines = folded(lineDiff(before, after))
  if (lines.length === 0) return <p class="about">The two say the same.</p>
  return (
    <ol class="diff" aria-label="What changed">
      {lines.map((line, i) =>
        line === undefined ? (
          <li key={`${i} …`} class="about">
            …
          </li>
        ) : (
          <li key={`${i} ${line.text}`} class={line.kind} data-kind={line.kind}>
            <span aria-hidden="true">{marks[line.kind]} </span>
            <span class="unseen">{said[line.kind]}</span>
            {line.text}
          </li>
        ),
      )}
    </ol>
  )
}

interface Props extends Which {
  readonly session: PageSession
  readonly contract: ShownContract
  readonly onDone: () => void
}

const useTexts = (session: PageSession, { slug, id }: Which, pair: readonly [number, number] | undefined) =>
  useReading(
    async (signal) => {
      if (pair === undefined) return undefined
      const [before, after] = await Promise.all(
        pair.map(async (n) => {
          const which = { slug, id, n }
          const { version } = await session.call('GET /api/chain/{slug}/contracts/{id}/versions/{n}', which, { signal })
          return writtenOut(version.definition as object)
        }),
      )
      return { before: before ?? '', after: after ?? '' }
    },
    { on: [session, slug, id, pair?.join()] },
  )

/** The versions of a contract, two of them compared, and a way back to an earlier one. */
export const VersionsPart = ({ session, slug, id, contract, onDone }: Props) => {
  const { version_no: current } = contract
  const { value, problem } = useReading(
    (signal) => session.call('GET /api/chain/{slug}/contracts/{id}/versions', { slug, id, limit: ROWS }, { signal }),
    { on: [session, slug, id, current] },
  )
  const numbers = value?.versions.map(({ no }) => String(no)) ?? []
  const [older, left] = useState<string>()
  const [newer, right] = useState<string>()
  const pair =
    numbers.length < 2 ? undefined : ([older ?? numbers[1], newer ?? numbers[0]].map(Number) as [number, number])
  const texts = useTexts(session, { slug, id }, pair)
  const task = useTask()
  const [back, bring] = useState<{ readonly no: number; readonly definition: object }>()
  const migrate = useMigrate(back?.definition)
  const rollBack = (version: number): void =>
    task.run(async () => {
      const moved = version === back?.no ? migrate.moved : undefined
      const order = { slug, id, version, ...(moved !== undefined && { migrate: moved }) }
      try {
        const { warnings } = await session.call('POST /api/chain/{slug}/contracts/{id}/rollback', order)
        keepWarnings(contract, warnings)
      } catch (error) {
        const which = { slug, id, n: version }
        const found = await session.call('GET /api/chain/{slug}/contracts/{id}/versions/{n}', which)
        const definition = found.version.definition as object
        if (error instanceof Error) migrate.refused(error, definition)
        bring({ no: version, definition })
        throw error
      }
      bring(undefined)
      migrate.forget()
      onDone()
      return `Version ${version} is back, as a new one.`
    })
  return (
    <section class="card" aria-label="Versions">
      <h3>Versions</h3>
      <p>
        <a href={`#contracts/editor?slug=${slug}&id=${id}`}>Write the next version</a>
      </p>
      <SaveFiles session={session} slug={slug} id={id} />
      {problem !== undefined && <ProblemCard problem={problem} />}
      <RowTable heads={['Version', 'When', 'Digest', 'By', 'Back']} look="versions">
        {value?.versions.map((it) => (
          <tr key={it.no} data-version={it.no}>
            <th scope="row">{it.no}</th>
            <td data-label="when">
              <Ago tick={it.tick} />
            </td>
            <td data-label="digest">
              <Short text={it.version} />
              {it.of !== null && <span class="about"> as {it.of} was</span>}
            </td>
            <td data-label="by">
              <Short text={it.by} />
            </td>
            <td>
              {it.no !== current && contract.status !== 'frozen' && (
                <ConfirmButton
                  label={`Roll back to ${it.no}`}
                  ask="It comes back as a new version."
                  disabled={task.busy}
                  onConfirm={() => rollBack(it.no)}
                />
              )}
            </td>
          </tr>
        ))}
      </RowTable>
      <TaskOutcome of={task} />
      {back !== undefined && migrate.wanted.size > 0 && (
        <>
          <MigrateForm of={migrate} contract={contract} />
          <div class="actions">
            <button type="button" class="primary" disabled={task.busy} onClick={() => rollBack(back.no)}>
              Bring version {back.no} back so
            </button>
          </div>
        </>
      )}
      {pair !== undefined && (
        <>
          <p class="actions">
            <span>From version</span>
            <Select aria-label="From version" options={numbers} value={String(pair[0])} onChoose={left} />
            <span>to</span>
            <Select aria-label="To version" options={numbers} value={String(pair[1])} onChoose={right} />
          </p>
          {texts.problem !== undefined && <ProblemCard problem={texts.problem} />}
          {texts.value !== undefined && <Compared {...texts.value} />}
        </>
      )}
    </section>
  )
}
