import { useState } from 'preact/hooks'
import type { ResultAt } from '#api/result-of.ts'
import type { ChainRow } from '#ui/machine/entry.ts'
import { VerifyEntry } from '#ui/machine/verify-entry.tsx'
import { Ago } from '#ui/part/ago.tsx'
import { RowTable } from '#ui/part/row-table.tsx'
import { Short } from '#ui/part/short.tsx'
import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { useRerun } from '#ui/part/use-rerun.ts'
import { useTask } from '#ui/part/use-task.ts'
import { useReading } from '#ui/server/reading.ts'
import type { PageSession } from '#ui/session.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import type { Which } from './reads.ts'
import type { ReplayedHere } from './replay-worker.ts'

const ROWS = 50
const JSON_CHARS_MAX = 2_000
/** Reasons that are told of computations that stand as they are. */
const WHYS_MAX = 3

type Row = ResultAt<'GET /api/chain/{slug}/contracts/{id}/audit'>['rows'][number]

/** The members of a row that are told beside its place. */
interface Told {
  readonly from?: string
  readonly to?: string
  readonly steps?: readonly string[]
  readonly problem?: { readonly message: string } | null
  readonly charged?: number
  readonly seq?: number | null
  readonly what?: string
  readonly reason?: string
  readonly count?: number
  readonly fire?: string
}

const wordsOf = (row: Row): string => {
  const { from, to, steps = [], what, reason, count } = row as unknown as Told
  if (what !== undefined) return what
  if (count !== undefined) return `${count} due instants, ${reason}`
  return from === undefined ? '' : `${from} → ${to}${steps.length === 0 ? '' : ` by ${steps.join(', ')}`}`
}

const outcomeClass = (outcome: Row['outcome']): string =>
  outcome === 'fired' ? 'sealed' : outcome === 'refused' || outcome === 'failed' ? 'bad' : 'final'

interface ProofProps {
  readonly session: PageSession
  readonly slug: string
  readonly seq: number
}

/** The entry of a row in the chain, and its proof. */
const Proof = ({ session, slug, seq }: ProofProps) => {
  const { value, problem } = useReading(
    async (signal): Promise<{ row: ChainRow | undefined; genesis: string }> => {
      const page = { slug, limit: 1, after: seq > 0 ? seq - 1 : undefined }
      const [{ rows }, { machine }] = await Promise.all([
        session.call('GET /api/chain/{slug}/explore', page, { signal }),
        session.call('GET /api/chain/state-machines/{slug}', { slug }, { signal }),
      ])
      return { row: rows[0], genesis: machine.genesis_hash }
    },
    { on: [session, slug, seq] },
  )
  return (
    <>
      {problem !== undefined && <ProblemCard problem={problem} />}
      {value?.row !== undefined && (
        <VerifyEntry session={session} slug={slug} genesis={value.genesis} row={value.row} />
      )}
    </>
  )
}

const Whole = ({ session, slug, row }: { readonly session: PageSession; readonly slug: string; readonly row: Row }) => {
  const { seq = null } = row as unknown as Told
  const text = JSON.stringify(row, undefined, 1)
  return (
    <>
      <pre class="row-json">{text.length > JSON_CHARS_MAX ? `${text.slice(0, JSON_CHARS_MAX)} …` : text}</pre>
      {seq !== null && (
        <p>
          Entry <a href={`#machine/${slug}`}>#{seq}</a> of the chain of {slug}:
        </p>
      )}
      {seq !== null && <Proof session={session} slug={slug} seq={seq} />}
    </>
  )
}

interface Props extends Which {
  readonly session: PageSession
  /** Changes when another row may have come. */
  readonly came: number
}

/** Computations that were done again, and why others stand as the rows have them. */
const computedText = ({ recomputed, unavailable }: ReplayedHere): string => {
  if (recomputed === 0 && unavailable.length === 0) return ''
  const whys = [...new Set(unavailable.map(({ why }) => why))].slice(0, WHYS_MAX).join('; ')
  const left = unavailable.length === 0 ? '' : `, ${unavailable.length} taken from the row: ${whys}`
  return ` ${recomputed} computations done again in this browser${left}.`
}

const replayedText = (it: ReplayedHere): string => {
  const { rows, decided, entries, readings, undecided, chain } = it
  const open = undecided === 0 ? '' : ` ${undecided} could not be decided: a reading is withheld.`
  const { attested, node, withheld } = readings
  const others = `${node} by this node's word, ${withheld} withheld`
  const read = ` Readings: ${attested} attested by their source's chain, ${others}.`
  const held = `${decided} fires decided again in this browser, ${entries} held against their entries`
  const signed = chain.outcome === 'verified' ? ' The chain is signed by this node.' : ` Its chain: ${chain.why}`
  return `${rows} rows, ${held}: the same.${signed}${computedText(it)}${read}${open}`
}

const ReplayHere = ({ session, slug, id }: Pick<Props, 'session' | 'slug' | 'id'>) => {
  const work = useRerun(async (tell, signal) => {
    const { replayHere } = await import('./replay-here.ts')
    return replayHere({ session, slug, id, tell, signal })
  })
  const { share, found, problem } = work
  const differs = found?.differs ?? null
  return (
    <>
      <div class="actions">
        {share === undefined ? (
          <button type="button" onClick={work.start}>
            Replay here
          </button>
        ) : (
          <button type="button" onClick={work.stop}>
            Stop
          </button>
        )}
        {share !== undefined && <progress value={share} max={1} aria-label="replay" />}
      </div>
      <p
        role="status"
        data-replayed={found === undefined ? undefined : differs === null && found.chain.outcome !== 'failed'}
      >
        {problem !== undefined && <span class="wrong">{problem}</span>}
        {found !== undefined && differs === null && (
          <span class={found.chain.outcome === 'failed' ? 'wrong' : undefined}>{replayedText(found)}</span>
        )}
        {differs !== null && (
          <span class="wrong">
            Row {differs.no} differs in {differs.member}: it says <code>{JSON.stringify(differs.recorded)}</code>, and
            this was found: <code>{JSON.stringify(differs.found)}</code>
          </span>
        )}
      </p>
    </>
  )
}

const Again = ({ session, slug, id }: Pick<Props, 'session' | 'slug' | 'id'>) => {
  const task = useTask()
  const verify = (): void =>
    task.run(async () => {
      const { rows, decided, equal, differs } = await session.call('POST /api/chain/{slug}/contracts/{id}/verify', {
        slug,
        id,
      })
      if (!equal) throw new Error(`Row ${differs?.no} differs: ${differs?.what}.`)
      return `${rows} rows, ${decided} fires decided again by the node: the same.`
    })
  return (
    <>
      <div class="actions">
        <button type="button" disabled={task.busy} onClick={verify}>
          Decide every fire again
        </button>
      </div>
      <TaskOutcome of={task} />
    </>
  )
}

/** Every fire and every change, opened, for the owner; each with its entry in the chain and its proof. */
export const AuditPart = ({ session, slug, id, came }: Props) => {
  const [after, page] = useState<number>()
  const [opened, open] = useState<number>()
  const { value, problem } = useReading(
    (signal) =>
      session.call('GET /api/chain/{slug}/contracts/{id}/audit', { slug, id, limit: ROWS, after }, { signal }),
    { on: [session, slug, id, after, came] },
  )
  return (
    <section class="card" aria-label="Audit">
      <h3>Audit</h3>
      <Again session={session} slug={slug} id={id} />
      <ReplayHere session={session} slug={slug} id={id} />
      {problem !== undefined && <ProblemCard problem={problem} />}
      <RowTable heads={['Row', 'When', 'Outcome', 'What', 'Charged', 'Whole']} look="audit">
        {value?.rows.flatMap((row) => {
          const { problem: why, charged, fire } = row as unknown as Told
          const line = (
            <tr key={row.no} data-row={row.no} data-outcome={row.outcome}>
              <th scope="row">{row.no}</th>
              <td data-label="when">
                <Ago tick={row.tick} />
              </td>
              <td data-label="outcome">
                <span class={`badge ${outcomeClass(row.outcome)}`}>{row.outcome}</span>
              </td>
              <td data-label="what" class="wrap">
                {wordsOf(row)} {fire !== undefined && <Short text={fire} />}
                {why !== undefined && why !== null && <span class="wrong"> {why.message}</span>}
              </td>
              <td data-label="charged">{charged}</td>
              <td>
                <button
                  type="button"
                  class="small"
                  aria-expanded={opened === row.no}
                  onClick={() => open(opened === row.no ? undefined : row.no)}
                >
                  {opened === row.no ? 'Close' : 'Open'} <span class="unseen">row {row.no}</span>
                </button>
              </td>
            </tr>
          )
          if (opened !== row.no) return [line]
          return [
            line,
            <tr key={`${row.no} whole`}>
              <td class="wrap" colSpan={6}>
                <Whole session={session} slug={slug} row={row} />
              </td>
            </tr>,
          ]
        })}
      </RowTable>
      <div class="actions">
        {after !== undefined && (
          <button type="button" class="small" onClick={() => page(undefined)}>
            Newest
          </button>
        )}
        {value !== undefined && value.next_after !== null && (
          <button type="button" class="small" onClick={() => page(value.next_after ?? undefined)}>
            Older
          </button>
        )}
      </div>
    </section>
  )
}
