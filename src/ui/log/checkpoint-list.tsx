import type { TargetedSubmitEvent } from 'preact'
import { useState } from 'preact/hooks'
import type { ResultAt } from '#api/result-of.ts'
import { Ago } from '#ui/part/ago.tsx'
import { RowTable } from '#ui/part/row-table.tsx'
import { Short } from '#ui/part/short.tsx'
import { Submit } from '#ui/part/submit.tsx'
import { TextRow } from '#ui/part/text-row.tsx'
import { spellPlace } from './place.ts'
import { witnessesOn } from './trust.ts'

/** A checkpoint, as the node answers it. */
export type ListedCheckpoint = ResultAt<'GET /api/log/{log}/checkpoints'>['checkpoints'][number]

const SIZE_CHARS_MAX = 16

const numberOf = (text: string): number | undefined => (/^\d+$/.test(text.trim()) ? Number(text.trim()) : undefined)

interface Props {
  readonly log: string
  /** Newest first. */
  readonly rows: readonly ListedCheckpoint[]
}

/** Two sizes, to be compared. */
const Compare = ({ log, rows }: Props) => {
  const [older, setOlder] = useState('')
  const [newer, setNewer] = useState('')
  const sizes = [numberOf(older), numberOf(newer)].filter((it) => it !== undefined).sort((a, b) => a - b)
  const go = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const [from, to] = sizes
    if (from === undefined || to === undefined) return
    location.hash = spellPlace({ show: 'consistency', log, older: from, newer: to })
  }
  const [newest, before] = rows
  return (
    <form class="inline" onSubmit={go} aria-label="Compare two checkpoints">
      <TextRow
        {...{ id: 'log-older', label: 'Leaves then', size: 'narrow', inputMode: 'numeric', maxLength: SIZE_CHARS_MAX }}
        {...{ placeholder: String(before?.size ?? ''), value: older, onText: setOlder }}
      />
      <TextRow
        {...{ id: 'log-newer', label: 'Leaves later', size: 'narrow', inputMode: 'numeric', maxLength: SIZE_CHARS_MAX }}
        {...{ placeholder: String(newest?.size ?? ''), value: newer, onText: setNewer }}
      />
      <div>
        <Submit disabled={sizes.length < 2}>Prove that it only grew</Submit>
      </div>
    </form>
  )
}

/** Checkpoints, newest first, and a proof between any two of them. */
export const CheckpointList = ({ log, rows }: Props) => {
  const newest = rows[0]?.size ?? 0
  return (
    <section class="card" aria-label="Checkpoints">
      <h3>Checkpoints</h3>
      <p>
        Between any two of them this browser proves that the later tree only continues the earlier one: nothing was
        taken back or altered.
      </p>
      <Compare log={log} rows={rows} />
      <RowTable heads={['Leaves', 'Signed', 'Root', 'Witnesses', 'Proof']}>
        {rows.map((it) => (
          <tr key={it.size} data-size={it.size}>
            <th scope="row">{it.size}</th>
            <td data-label="signed">
              <Ago tick={it.made_tick} />
              {it.late && <span class="about"> late</span>}
            </td>
            <td data-label="root">
              <Short text={it.root} />
            </td>
            <td data-label="witnesses">{witnessesOn(it.note, it.note.slice(0, it.note.indexOf('\n'))).length}</td>
            <td data-label="proof">
              {it.size < newest ? (
                <a href={`#${spellPlace({ show: 'consistency', log, older: it.size, newer: newest })}`}>
                  to {newest} leaves
                </a>
              ) : (
                'the newest'
              )}
            </td>
          </tr>
        ))}
      </RowTable>
    </section>
  )
}
