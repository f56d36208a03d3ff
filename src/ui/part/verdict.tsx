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
}

/** The verdict, and each step with what was looked at. */
export const Verdict = ({ of: { outcome, failing, steps, answers, advisories = [] }, subject }: Props) => (
  <div class={`verdict ${outcome}`} role="status" data-outcome={outcome} data-failing={failing}>
    <p class="verdict-line">
      {words[outcome]}
      {failing === undefined ? <span class="about"> {subject}</span> : `: ${failing} does not hold`}
    </p>
    {answers !== undefined && <p data-answers>{answers}</p>}
    {advisories.map((it) => (
      <p key={it} class="wrong" data-advisory>
        {it}
      </p>
    ))}
    <ol class="steps">
      {steps.map(({ step, state, detail }) => (
        <li key={step} class={state} data-step={step} data-state={state}>
          <span aria-hidden="true">{marks[state]}</span> <b>{step}</b> <span class="detail">{detail}</span>
        </li>
      ))}
    </ol>
  </div>
)
