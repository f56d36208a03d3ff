import { Fact } from '#ui/part/fact.tsx'
import { RowTable } from '#ui/part/row-table.tsx'
import { call } from '#ui/server/api.ts'
import { useReading } from '#ui/server/reading.ts'
import type { PageSession } from '#ui/session.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import { type LiveRegister, partsOf } from './groups.ts'
import { Value } from './value.tsx'

/** About a tick, in which a new page is written. */
const READ_EVERY_MS = 800

const stateWords = {
  written: 'written with every tick',
  off: 'not written to a file: switched off by a setting',
  failed: 'not written to a file',
} as const

const Part = ({ title, rows }: { readonly title: string; readonly rows: readonly LiveRegister[] }) => (
  <section class="card" aria-label={title}>
    <h3>{title}</h3>
    <RowTable heads={['Register', 'Value', 'Meaning', 'Place']}>
      {rows.map((row) => (
        <tr key={row.name} data-register={row.name}>
          <th scope="row">
            <code>{row.name}</code>
          </th>
          <td data-label="value" class="wrap">
            <Value row={row} />
          </td>
          <td data-label="meaning" class="wrap">
            {row.meaning}
          </td>
          <td data-label="place">
            {row.offset}, {row.type === 'bytes' || row.type === 'text' ? `${row.width} bytes` : row.type}
          </td>
        </tr>
      ))}
    </RowTable>
  </section>
)

/** The register page as it was written last: what everybody may see, and more for whoever is signed in. */
export const RegistersView = ({ session }: { readonly session: PageSession }) => {
  const { self } = session
  const isAccount = self.kind !== 'demo'
  const { value: manifest, problem } = useReading((signal) => call('GET /api/svc/mmio', {}, { signal }), {
    everyMs: READ_EVERY_MS,
    on: [],
  })
  const own = useReading(
    (signal) => (isAccount ? session.call('GET /api/svc/mmio/registers', {}, { signal }) : Promise.resolve(undefined)),
    { everyMs: isAccount ? READ_EVERY_MS : undefined, on: [session, self.kind, self.key] },
  )
  const mine = new Map(own.value?.registers.map(({ name, value }) => [name, value]))
  const rows = manifest?.registers.map((row) => ({ ...row, value: mine.get(row.name) ?? row.value })) ?? []
  const state = own.value?.page ?? manifest?.page
  const { files } = own.value ?? {}
  return (
    <article class="registers">
      <h2>Registers</h2>
      <p class="lead">
        The page that programs on this machine read from memory. The same by <code>tickmesh mmio show</code>.
      </p>
      {problem !== undefined && <ProblemCard problem={problem} />}
      {problem === undefined && own.problem !== undefined && <ProblemCard problem={own.problem} />}
      {manifest === undefined && problem === undefined && <p class="card about">reading …</p>}
      {manifest !== undefined && state !== undefined && (
        <section class="card" aria-label="Files">
          <dl>
            <Fact name="page">
              <span class={state.state === 'failed' || state.reason !== null ? 'wrong' : undefined}>
                {stateWords[state.state]}
                {state.reason !== null && `: ${state.reason}`}
              </span>
            </Fact>
            {files != null && (
              <>
                <Fact name="read">
                  <code>{files.page}</code>
                </Fact>
                <Fact name="bell">
                  <code>{files.control}</code>
                </Fact>
              </>
            )}
            <Fact name="layout">
              version {manifest.layout_version}, <code class="wrap">{manifest.layout_digest}</code>
            </Fact>
          </dl>
        </section>
      )}
      {partsOf(rows).map((part) => (
        <Part key={part.title} {...part} />
      ))}
    </article>
  )
}
