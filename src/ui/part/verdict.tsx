import { failureOf, outcomeMeaning, titleOf } from './meaning.ts'

/** One step of a verification, and what was looked at. */
export interface VerificationStep {
  readonly step: string
  readonly state: 'ok' | 'failed' | 'skipped'
  readonly detail: string
}

/** What a verification found. */
export interface VerificationView {
  readonly outcome: 'verified' | 'failed' | 'withdrawn' | 'unchecked'
  readonly failing?: string
  readonly steps: readonly VerificationStep[]
  /** What a claim answers that is of a question in words, and whether its reading was confirmed. */
  readonly answers?: string
  /** What is known to be wrong by now, a sentence each. */
  readonly advisories?: readonly string[]
}

const words = {
  verified: 'Verified',
  failed: 'Not verified',
  withdrawn: 'Withdrawn: known to be wrong',
  unchecked: 'Could not check everything',
} as const
const marks = { ok: '✓', failed: '✗', skipped: '–' } as const

interface Props {
  readonly of: VerificationView
  /** What was verified, for people. */
  readonly subject: string
  /** Whether it is the verdict on a file, and says what that means for whoever holds it. */
  readonly explained?: boolean
}

/** The step that fails in everyday words, beside the name that every verifier gives it. */
const failingText = (step: string): string => {
  const title = titleOf(step)
  return title === step ? `${step} does not hold` : `${title} (${step}) does not hold`
}

const Step = ({ step: { step, state, detail } }: { readonly step: VerificationStep }) => {
  const title = titleOf(step)
  return (
    <li class={state} data-step={step} data-state={state}>
      <span aria-hidden="true">{marks[state]}</span>
      <span class="unseen">{state}:</span> <b>{step}</b> {title !== step && <span class="step-title">{title} </span>}
      <span class="detail">{detail}</span>
    </li>
  )
}

/** Each step with what was looked at. */
export const Steps = ({ of }: { readonly of: readonly VerificationStep[] }) => (
  <ol class="steps">
    {of.map((it) => (
      <Step key={it.step} step={it} />
    ))}
  </ol>
)

/** How many of the last steps were left out, all for the one reason that a step before them failed. */
const leftOut = (steps: readonly VerificationStep[]): number => {
  const reason = steps.at(-1)?.detail
  const from = steps.findLastIndex(({ state, detail }) => state !== 'skipped' || detail !== reason) + 1
  return steps[from - 1]?.state === 'failed' ? steps.length - from : 0
}

/** The verdict, and each step with what was looked at; those behind one that failed are one line that unfolds. */
export const Verdict = ({ of: { outcome, failing, steps, answers, advisories = [] }, subject, explained }: Props) => {
  const means = failing === undefined ? explained === true && outcomeMeaning[outcome] : failureOf(failing)
  const left = leftOut(steps)
  return (
    <div class={`verdict ${outcome}`} role="status" data-outcome={outcome} data-failing={failing}>
      <p class="verdict-line">
        {words[outcome]}
        {failing === undefined ? <span class="about"> {subject}</span> : `: ${failingText(failing)}`}
      </p>
      {means !== undefined && means !== false && (
        <p data-meaning>
          <b>What this means:</b> {means}
        </p>
      )}
      {answers !== undefined && <p data-answers>{answers}</p>}
      {advisories.map((it) => (
        <p key={it} class="wrong" data-advisory>
          {it}
        </p>
      ))}
      <Steps of={steps.slice(0, steps.length - left)} />
      {left > 0 && (
        <details class="steps-left">
          <summary>
            Not looked at: {left} {left === 1 ? 'step' : 'steps'} after it
          </summary>
          <Steps of={steps.slice(-left)} />
        </details>
      )}
    </div>
  )
}
