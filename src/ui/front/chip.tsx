import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { unitText } from '#ui/text/numbers.ts'
import { amountIn, amountText, unitsLike } from './units.ts'

interface EditProps {
  readonly name: string
  /** As it was written. */
  readonly text: string
  /** A unit of its quantity. */
  readonly unit: string
  readonly onValue: (text: string) => void
  readonly onClose: () => void
}

/** A value to be changed: its number, and units of the same quantity. */
const ChipEdit = ({ name, text, unit, onValue, onClose }: EditProps) => {
  const began = amountIn(text)
  const [number, type] = useState(began.number)
  const [chosen, choose] = useState(began.unit === '' ? unit : began.unit)
  const field = useRef<HTMLInputElement>(null)
  const id = useId()
  useEffect(() => field.current?.select(), [])
  const units = [...new Set([chosen, ...unitsLike(began.unit === '' ? unit : began.unit), ...unitsLike(unit)])].filter(
    (it) => it !== '',
  )
  const plain = units.length === 0 || (units.length === 1 && units[0] === '1')
  return (
    <form
      class="chip-edit"
      aria-label={`value of ${name}`}
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        if (number.trim() !== '') onValue(amountText(number, plain ? '' : chosen))
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
    >
      <label for={id}>{name}</label>
      <input
        ref={field}
        id={id}
        type="text"
        autocomplete="off"
        spellcheck={false}
        value={number}
        onInput={(event) => type(event.currentTarget.value)}
      />
      {!plain && (
        <select aria-label={`unit of ${name}`} value={chosen} onChange={(event) => choose(event.currentTarget.value)}>
          {units.map((it) => (
            <option key={it} value={it}>
              {unitText(it) || it}
            </option>
          ))}
        </select>
      )}
      <button type="submit" class="small">
        Set
      </button>
      <button type="button" class="small" onClick={onClose}>
        Cancel
      </button>
    </form>
  )
}

interface Props extends Omit<EditProps, 'onClose'> {
  /** What it means, in its tooltip. */
  readonly title?: string
  /** Whether it has no value yet. */
  readonly empty?: boolean
  /** Whether its value is refused. */
  readonly wrong?: boolean
}

/** One value of a reading: pressed, it can be changed. */
export const Chip = ({ title, empty = false, wrong = false, onValue, ...rest }: Props) => {
  const [open, toggle] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const close = (): void => {
    toggle(false)
    requestAnimationFrame(() => button.current?.focus())
  }
  const set = (text: string): void => {
    toggle(false)
    onValue(text)
  }
  if (open) return <ChipEdit {...rest} onValue={set} onClose={close} />
  return (
    <button
      ref={button}
      type="button"
      class={empty ? 'chip empty' : wrong ? 'chip refused' : 'chip'}
      title={title}
      data-chip={rest.name}
      onClick={() => toggle(true)}
    >
      <span class="chip-name">{rest.name}</span> {empty ? <span class="about">value …</span> : rest.text}
      <span class="unseen">{empty ? ', give it' : wrong ? ', does not pass, change it' : ', change it'}</span>
    </button>
  )
}
