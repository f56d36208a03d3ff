import { goToField } from './go-to-field.ts'
import { fieldLabel } from './label.ts'
import { type FormField, keyOf, passingNumber, type Typed, textOf } from './schema.ts'

/** Wrong inputs that are told of at once: more are better gone through in the form. */
const TOLD_MAX = 4

interface Props {
  readonly fields: readonly FormField[]
  readonly typed: Typed
  readonly problems: Readonly<Record<string, string>>
  /** An input that is told of by itself. */
  readonly without?: { readonly field: FormField } | undefined
  readonly onType: (key: string, text: string) => void
}

/** Beside the button that does not run: which inputs are wrong, and for each the nearest number that passes. */
export const Remedies = ({ fields, typed, problems, without, onType }: Props) => {
  const wrong = fields.filter((it) => it !== without?.field && problems[keyOf(it)] !== undefined)
  if (wrong.length === 0) return null
  return (
    <ul class="remedies">
      {wrong.slice(0, TOLD_MAX).map((field) => {
        const key = keyOf(field)
        const passes = passingNumber(field, textOf(field, typed))
        return (
          <li key={key} data-wrong={key}>
            <span class="wrong">
              {fieldLabel(field).words}: {problems[key]}
            </span>{' '}
            {passes === undefined ? (
              <button type="button" class="small" onClick={(event) => goToField(event.currentTarget, key)}>
                Go to {key}
              </button>
            ) : (
              <button type="button" class="small" onClick={() => onType(key, String(passes))}>
                Set {key} to {passes}
              </button>
            )}
          </li>
        )
      })}
    </ul>
  )
}
