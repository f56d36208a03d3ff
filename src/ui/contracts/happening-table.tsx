import { useId } from 'preact/hooks'
import type { Definition } from '#numerics/contracts/definition/schema.ts'
import { Select } from '#ui/part/select.tsx'
import { choicesOf, HAPPENINGS_MAX, readHappening, sampleData, type TypedHappening } from './happenings.ts'

interface Props {
  readonly definition: Definition
  readonly rows: readonly TypedHappening[]
  readonly onRows: (rows: readonly TypedHappening[]) => void
}

interface RowProps extends Pick<Props, 'definition'> {
  readonly row: TypedHappening
  readonly place: number
  readonly onRow: (row: TypedHappening | undefined) => void
}

const Row = ({ definition, row, place, onRow }: RowProps) => {
  const id = useId()
  const read = readHappening(row)
  const wrong = typeof read === 'string' ? read : undefined
  const choices = choicesOf(definition)
  return (
    <li class="happening">
      <label>
        <span class="about">after ticks</span>
        <input
          type="text"
          inputMode="numeric"
          value={row.after}
          onInput={(event) => onRow({ ...row, after: event.currentTarget.value })}
        />
      </label>
      <div class="what">
        <span class="about" aria-hidden="true">
          what
        </span>
        <Select
          aria-label="what"
          options={choices.includes(row.what) ? choices : [row.what, ...choices]}
          value={row.what}
          onChoose={(what) => onRow({ ...row, what, data: sampleData(definition, what) })}
        />
      </div>
      {row.what !== 'now' && (
        <label class="grow">
          <span class="about">{row.what.startsWith('reading') ? 'value' : 'data'}, as JSON</span>
          <input
            type="text"
            spellcheck={false}
            aria-invalid={wrong !== undefined}
            aria-describedby={wrong === undefined ? undefined : id}
            value={row.data}
            onInput={(event) => onRow({ ...row, data: event.currentTarget.value })}
          />
        </label>
      )}
      <button type="button" class="small" aria-label={`Remove row ${place + 1}`} onClick={() => onRow(undefined)}>
        Remove
      </button>
      {wrong !== undefined && (
        <p class="about wrong" id={id}>
          {wrong}
        </p>
      )}
    </li>
  )
}

/** What is to happen in a simulation beside the clock. */
export const HappeningTable = ({ definition, rows, onRows }: Props) => {
  const add = (): void => {
    const last = rows.at(-1)
    const what = last?.what ?? choicesOf(definition)[0] ?? 'now'
    const after = last === undefined ? '10' : String((Number(last.after) || 0) + 10)
    onRows([...rows, { after, what, data: last?.data ?? sampleData(definition, what) }])
  }
  return (
    <>
      <ol class="happenings" aria-label="What happens">
        {rows.map((row, i) => (
          <Row
            key={i}
            definition={definition}
            row={row}
            place={i}
            onRow={(next) => onRows(rows.flatMap((it, k) => (k !== i ? [it] : next === undefined ? [] : [next])))}
          />
        ))}
      </ol>
      <button type="button" class="small" disabled={rows.length >= HAPPENINGS_MAX} onClick={add}>
        Add what happens
      </button>
    </>
  )
}
