import { waitText } from '#ui/text/numbers.ts'
import type { Quoted } from './use-quote.ts'
import type { Running } from './use-run.ts'

interface Props {
  readonly run: Running
  /** Whether the form can be sent. */
  readonly sound: boolean
  readonly quoted: Quoted
  readonly onReset: () => void
}

const quoteText = ({ quote }: Quoted): string => {
  if (quote === undefined) return ''
  const { price, expected_seconds: seconds, work, work_limit: limit } = quote
  if (work > limit) return `${price} credits; too much work: ${Math.ceil(work)} of ${limit} units`
  return `${price} credits, about ${seconds < 1 ? 'a second' : waitText(seconds)}`
}

/** Run, cancel, back to the defaults, and what a run costs. */
export const RunActions = ({ run, sound, quoted, onReset }: Props) => (
  <div class="actions">
    {/* Not disabled while it runs: it would lose the focus. */}
    <button type="submit" class="primary" aria-disabled={run.busy || !sound}>
      {run.busy ? 'Running …' : 'Run'}
    </button>
    {run.busy && (
      <button type="button" onClick={run.cancel}>
        Cancel
      </button>
    )}
    <button type="button" onClick={onReset} disabled={run.busy}>
      Defaults
    </button>
    <span class="about quote">{quoteText(quoted)}</span>
    {run.cancelled === true && <span role="status">Cancelled; nothing was charged.</span>}
  </div>
)
