import { useMemo } from 'preact/hooks'
import { fieldLabel } from '#ui/form/label.ts'
import { type FormField, keyOf, type Typed, textOf } from '#ui/form/schema.ts'
import type { PageSession } from '#ui/session.ts'
import { rangeIn, type SweepTerms, sweepRuns } from './sweep-inputs.ts'
import { useTotal } from './use-total.ts'
import { totalText } from './vary.tsx'

/** An input with a range in its field, and the sweep that it stands for. */
export interface Ranged {
  readonly field: FormField
  readonly terms: SweepTerms
}

/** The one input in whose field a range stands; a second one is wrong. */
export const rangedIn = (fields: readonly FormField[], typed: Typed): Ranged | undefined => {
  for (const field of fields) {
    const terms = rangeIn(field, textOf(field, typed))
    if (terms !== undefined) return { field, terms }
  }
  return undefined
}

interface Props {
  readonly ranged: Ranged
  readonly session: PageSession
  readonly path: string
  readonly fields: readonly FormField[]
  readonly typed: Typed
  /** Whether all other inputs are sound. */
  readonly sound: boolean
  readonly onVary: (terms: SweepTerms) => void
}

/** A range in a number's field runs at one press: what it stands for, and what it costs. */
export const VaryOffer = ({ ranged: { field, terms }, session, path, fields, typed, sound, onVary }: Props) => {
  const { from, to } = terms
  const { runs, wrong } = useMemo(() => sweepRuns(fields, typed, terms), [fields, typed])
  const inputs = useMemo(() => (sound ? runs.map((it) => it.input) : []), [runs, sound])
  const total = useTotal(session, path, inputs)
  return (
    <div class="actions vary-offer" data-vary={keyOf(field)}>
      <button
        type="button"
        class="primary"
        aria-disabled={wrong !== undefined || !sound}
        onClick={() => {
          if (wrong === undefined && sound) onVary(terms)
        }}
      >
        Run {runs.length} of them
      </button>
      <span class="quote">
        {fieldLabel(field).words} from {from} to {to}: {totalText(total, runs.length)}
      </span>
      {wrong !== undefined && <span class="about wrong">{wrong}</span>}
    </div>
  )
}
