import type { Verification } from '#core/verify.ts'
import { valueText, withUnit } from '#ui/text/numbers.ts'

const words = { verified: 'Verified', failed: 'Not verified', unchecked: 'Could not check everything' } as const
const marks = { ok: '✓', failed: '✗', skipped: '–' } as const

const subjectOf = ({ bundle }: Verification): string => {
  if (bundle === undefined) return ''
  const { kind, value, unit } = bundle.envelope.claim
  return value === null ? kind : `${kind}, ${withUnit(valueText(value), unit)}`
}

/** What a verification found: the verdict, and each step with what was looked at. */
export const VerificationView = ({ found }: { readonly found: Verification }) => {
  const { outcome, failing, steps } = found
  return (
    <div class={`verdict ${outcome}`} role="status" data-outcome={outcome} data-failing={failing}>
      <p class="verdict-line">
        {words[outcome]}
        {failing === undefined ? <span class="about"> {subjectOf(found)}</span> : `: ${failing} does not hold`}
      </p>
      <ol class="steps">
        {steps.map(({ step, state, detail }) => (
          <li key={step} class={state} data-step={step} data-state={state}>
            <span aria-hidden="true">{marks[state]}</span> <b>{step}</b> <span class="detail">{detail}</span>
          </li>
        ))}
      </ol>
    </div>
  )
}
