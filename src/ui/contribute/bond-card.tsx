import { useState } from 'preact/hooks'
import { MeshTime } from '#ui/part/ago.tsx'
import { ConfirmButton } from '#ui/part/confirm-button.tsx'
import { Fact } from '#ui/part/fact.tsx'
import { RowTable } from '#ui/part/row-table.tsx'
import { Short } from '#ui/part/short.tsx'
import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { useTask } from '#ui/part/use-task.ts'
import type { PageSession } from '#ui/session.ts'
import { type Contributing, stateWords } from './words.ts'

/** Envelopes of a page of the list. */
export const PAGE_ROWS = 20

interface Props {
  readonly session: PageSession
  readonly status: Contributing
  /** Whether whoever looks may change it. */
  readonly owner: boolean
  readonly offset: number
  readonly onOffset: (offset: number) => void
  readonly onChange: () => void
}

const Attestation = ({ status: { attestation }, offset, onOffset }: Pick<Props, 'status' | 'offset' | 'onOffset'>) => {
  const { total, tokens } = attestation
  return (
    <>
      <RowTable heads={['Envelope', 'Home']}>
        {tokens.map(({ token_id: token, home }) => (
          <tr key={token}>
            <td data-label="Envelope">
              <a href={`#receipt/${token}`}>
                <code>{token}</code>
              </a>
            </td>
            <td data-label="Home">
              <Short text={home} />
            </td>
          </tr>
        ))}
      </RowTable>
      <div class="actions">
        <button type="button" disabled={offset === 0} onClick={() => onOffset(Math.max(0, offset - PAGE_ROWS))}>
          Earlier
        </button>
        <span class="about">
          {total === 0 ? 0 : offset + 1} to {offset + tokens.length} of {total}
        </span>
        <button type="button" disabled={offset + PAGE_ROWS >= total} onClick={() => onOffset(offset + PAGE_ROWS)}>
          Later
        </button>
      </div>
    </>
  )
}

/** What is at risk, and until when; and the way out. */
export const BondCard = (props: Props) => {
  const { session, status, owner, onChange } = props
  const [shown, show] = useState(false)
  const task = useTask()
  const { bond, mesh_tick: now } = status
  if (bond === null) return null
  const release = (): void =>
    task.run(async () => {
      await session.call('POST /api/contribute/release', {})
      onChange()
      return 'Released: no more work is taken under it.'
    })
  return (
    <section class="card" aria-label="Bond" data-bond={bond.state}>
      <h3>What is at risk</h3>
      <dl>
        <Fact name="bond">
          <Short text={bond.bond} /> {stateWords[bond.state]}
        </Fact>
        <Fact name="at risk">
          {bond.count} envelopes, {bond.at_risk} in faces, if a work of this node is proven wrong
        </Fact>
        {bond.unlocks_at !== null && (
          <Fact name={bond.released === null ? 'free if released now' : 'free from'}>
            {bond.unlocks_at <= now ? 'now' : <MeshTime tick={bond.unlocks_at} />}{' '}
            <span class="about">it may move later, never earlier</span>
          </Fact>
        )}
        {bond.homes.map(({ home, count }) => (
          <Fact key={home} name="home">
            <Short text={home} /> {count} envelopes
          </Fact>
        ))}
      </dl>
      <div class="actions">
        <button type="button" class="small" aria-expanded={shown} onClick={() => show(!shown)}>
          {shown ? 'Hide its envelopes' : 'Show its envelopes'}
        </button>
        {owner && bond.state === 'held' && (
          <ConfirmButton
            label="Release the bond"
            ask="No more work is taken, and the envelopes are free later."
            disabled={task.busy}
            onConfirm={release}
          />
        )}
      </div>
      {shown && <Attestation {...props} />}
      <TaskOutcome of={task} />
    </section>
  )
}
