import { RowTable } from '#ui/part/row-table.tsx'
import { Verdict } from '#ui/part/verdict.tsx'
import { useReading } from '#ui/server/reading.ts'
import type { PageSession } from '#ui/session.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import { type ConsistencyCheck, checkConsistency, type ProofRow } from './check-consistency.ts'
import type { ListedCheckpoint } from './checkpoint-list.tsx'
import { coveredText } from './path-tree.tsx'
import { type LogAddress, nameOf, spellPlace } from './place.ts'

interface Props {
  readonly session: PageSession
  readonly place: Extract<LogAddress, { readonly show: 'consistency' }>
}

/** The signed checkpoint of exactly a size, or the largest below it. */
const nearest = async (session: PageSession, log: string, size: number, signal: AbortSignal) => {
  const before = size + 1
  const page = await session.call('GET /api/log/{log}/checkpoints', { log, before, limit: 1 }, { signal })
  return { era: page.era, row: page.checkpoints[0] }
}

interface Compared {
  /** Sizes asked for that no checkpoint has, with the nearest one below. */
  readonly missing: readonly { readonly size: number; readonly near: ListedCheckpoint | undefined }[]
  readonly check: ConsistencyCheck | undefined
}

const compare = async ({ session, place }: Props, signal: AbortSignal): Promise<Compared> => {
  const { log, older, newer } = place
  const [a, b] = [await nearest(session, log, older, signal), await nearest(session, log, newer, signal)]
  const asked = [
    { size: older, near: a.row },
    { size: newer, near: b.row },
  ]
  const missing = asked.filter(({ size, near }) => near?.size !== size)
  if (missing.length > 0 || a.row === undefined || b.row === undefined) return { missing, check: undefined }
  const reading = { log: `${log.split('.')[0]}.${b.era}`, signal }
  return { missing: [], check: await checkConsistency(reading, session, [a.row.note, b.row.note]) }
}

const Proof = ({ rows }: { readonly rows: readonly ProofRow[] }) => (
  <section class="card" aria-label="Proof">
    <h3>The proof</h3>
    {rows.length === 0 ? (
      <p class="about">No hash is needed: the two trees are one.</p>
    ) : (
      <RowTable heads={['Root of', 'Hash', 'From tile']}>
        {rows.map((it) => (
          <tr key={it.from} data-from={it.from}>
            <th scope="row">{coveredText(it)}</th>
            <td data-label="hash">
              <code class="wrap">{it.hash}</code>
            </td>
            <td data-label="from tile">{it.tiles.join(', ')}</td>
          </tr>
        ))}
      </RowTable>
    )}
  </section>
)

/** Whether the log only grew between two checkpoints: proof made of tiles, and checked, in this browser. */
export const ConsistencyView = (props: Props) => {
  const { session, place } = props
  const { log, older, newer } = place
  const { value, problem } = useReading((signal) => compare(props, signal), { on: [log, older, newer, session.vkey] })
  const subject = `the ${nameOf(log)} only grew from ${older} to ${newer} leaves`
  return (
    <>
      <p class="crumb">
        <a href={`#log/${log}`}>{nameOf(log)}</a> › {older} to {newer} leaves
      </p>
      <h2>
        Did it only grow from {older} to {newer} leaves?
      </h2>
      {problem !== undefined && <ProblemCard problem={problem} />}
      {value === undefined && problem === undefined && <p class="card about">checking …</p>}
      {value?.missing.map(({ size, near }) => (
        <p key={size} class="card" role="status" data-missing={size}>
          No checkpoint of {size} leaves was ever signed.
          {near !== undefined && (
            <>
              {' '}
              The nearest below has <Nearest place={place} size={size} near={near.size} />.
            </>
          )}
        </p>
      ))}
      {value?.check !== undefined && (
        <>
          <section class="card" aria-label="Checked in this browser">
            <h3>Checked in this browser</h3>
            <Verdict of={value.check.found} subject={subject} />
          </section>
          <Proof rows={value.check.rows} />
        </>
      )}
    </>
  )
}

const Nearest = ({ place, size, near }: { place: Props['place']; size: number; near: number }) => {
  const { older, newer } = place
  const [a, b] = [older === size ? near : older, newer === size ? near : newer].sort((x, y) => x - y)
  return <a href={`#${spellPlace({ ...place, older: a ?? near, newer: b ?? near })}`}>{near} leaves</a>
}
